//! Replies that are cut off, refused or not given.

use std::future::ready;

use atlas_core::llm::Role;
use atlas_core::ports::{
    Completion, CompletionRequest, CompletionStream, FinishReason, LlmProvider,
};
use atlas_core::{ErrorKind, Result, Retry};
use futures::TryStreamExt;

use super::asking::{FAIL, REFUSE, SAID, collected, request, served};
use crate::conformance::seen::{refused, same};
use crate::conformance::{Checked, Seen};

/// The reply by complete, and by stream.
async fn both_ways(
    llm: &impl LlmProvider,
    request: &CompletionRequest,
) -> std::result::Result<[Completion; 2], Seen> {
    Ok([
        llm.complete(request).await?,
        collected(llm.stream(request).await?).await?,
    ])
}

pub(super) async fn lp_3_a_limit_that_was_reached_is_length(llm: impl LlmProvider) -> Checked {
    const LIMIT: u32 = 1;
    for role in served(&llm).await? {
        let whole = request(role, SAID)?;
        let mut cut = whole.clone();
        cut.choice.parameters.max_output_tokens = Some(LIMIT);
        let whole = llm.complete(&whole).await?.text;
        for reply in both_ways(&llm, &cut).await? {
            let what = role.as_str();
            same(what, &reply.finish, &FinishReason::Length)?;
            let is_within = (reply.usage).is_none_or(|it| it.output_tokens <= u64::from(LIMIT));
            require!(
                reply.text.len() < whole.len() && is_within,
                "{what}: more than {LIMIT} token: {reply:?}"
            );
        }
    }
    Ok(())
}

pub(super) async fn lp_4_a_refusal_is_no_error(llm: impl LlmProvider) -> Checked {
    let expected = if llm.capabilities().model_free {
        // Nothing stands behind it that could refuse.
        FinishReason::Stop
    } else {
        FinishReason::Refused
    };
    for role in served(&llm).await? {
        for reply in both_ways(&llm, &request(role, REFUSE)?).await? {
            same(role.as_str(), &reply.finish, &expected)?;
        }
    }
    Ok(())
}

pub(super) async fn lp_6_an_endpoint_that_does_not_answer_is_unavailable(
    llm: impl LlmProvider,
) -> Checked {
    for role in served(&llm).await? {
        let failing = request(role, FAIL)?;
        let complete = llm.complete(&failing).await;
        let stream = match llm.stream(&failing).await {
            Ok(stream) => first_failure(stream).await,
            Err(error) => Err(error),
        };
        if llm.capabilities().model_free {
            complete?;
            stream?;
            continue;
        }
        for answer in [complete.map(drop), stream] {
            if let Err(error) = &answer
                && error.retry() == Retry::Never
            {
                return Err(Seen::new(format!("{error} may never be tried again")));
            }
            refused(role.as_str(), answer, ErrorKind::Unavailable)?;
        }
        llm.complete(&request(role, SAID)?).await?;
    }
    Ok(())
}

/// Reads a stream for its failure.
async fn first_failure(stream: CompletionStream<'_>) -> Result<()> {
    stream.try_for_each(|_| ready(Ok(()))).await
}

pub(super) async fn lp_10_a_role_that_is_not_served_is_unsupported(
    llm: impl LlmProvider,
) -> Checked {
    let mut n_served = 0;
    for role in Role::ALL {
        let request = request(role, SAID)?;
        let complete = llm.complete(&request).await;
        let stream = match (&complete, llm.stream(&request).await) {
            (Ok(_), Ok(stream)) => {
                collected(stream).await?;
                n_served += 1;
                continue;
            }
            (_, stream) => stream.map(drop),
        };
        let kind = ErrorKind::Unsupported;
        refused(&format!("complete as {}", role.as_str()), complete, kind)?;
        refused(&format!("stream as {}", role.as_str()), stream, kind)?;
    }
    require!(n_served > 0, "no role is served");
    Ok(())
}
