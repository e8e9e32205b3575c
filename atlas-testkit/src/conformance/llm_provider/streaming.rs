//! Replies in parts, and replies that nobody waits for.

use atlas_core::ports::LlmProvider;
use futures::{FutureExt, StreamExt};

use super::asking::{SAID, collected, request, served};
use crate::conformance::Checked;
use crate::conformance::seen::same;

pub(super) async fn lp_2_stream_gives_the_same_text_in_parts(llm: impl LlmProvider) -> Checked {
    for role in served(&llm).await? {
        let request = request(role, SAID)?;
        let whole = llm.complete(&request).await?;
        let parts = collected(llm.stream(&request).await?).await?;
        same(role.as_str(), &parts, &whole)?;
    }
    Ok(())
}

pub(super) async fn lp_8_a_call_that_is_dropped_leaves_it_usable(llm: impl LlmProvider) -> Checked {
    for role in served(&llm).await? {
        let request = request(role, SAID)?;
        let before = llm.complete(&request).await?;
        // Asked once whether it is done, then dropped.
        drop(llm.complete(&request).now_or_never());
        drop(llm.stream(&request).now_or_never());
        drop(llm.stream(&request).await?);
        let mut begun = llm.stream(&request).await?;
        drop(begun.next().await);
        drop(begun);
        let after = llm.complete(&request).await?;
        same(role.as_str(), &after.text, &before.text)?;
        let parts = collected(llm.stream(&request).await?).await?;
        same(role.as_str(), &parts.text, &before.text)?;
    }
    Ok(())
}
