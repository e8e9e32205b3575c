//! Whole replies.

use atlas_core::llm::Role;
use atlas_core::ports::{FinishReason, LlmProvider, ModelChoice, Usage};
use futures::future::join_all;

use super::asking::{SAID, reads_as_output, request, served};
use crate::conformance::Checked;
use crate::conformance::corpus::texts;
use crate::conformance::seen::same;

/// The longest text that has to fit whatever window a model has.
const LONGEST: usize = 1_024;

pub(super) async fn lp_1_complete_answers_with_the_whole_text(llm: impl LlmProvider) -> Checked {
    let mut requests = Vec::new();
    for role in served(&llm).await? {
        requests.push(request(role, SAID)?);
    }
    let mut alone = Vec::new();
    for request in &requests {
        let completion = llm.complete(request).await?;
        let role = request.role.as_str();
        require!(!completion.text.is_empty(), "{role}: an empty reply");
        same(role, &completion.finish, &FinishReason::Stop)?;
        alone.push(completion);
    }
    let beside = join_all(requests.iter().map(|request| llm.complete(request))).await;
    for ((request, alone), beside) in requests.iter().zip(alone).zip(beside) {
        let what = format!("{} beside others", request.role.as_str());
        same(&what, &beside?.text, &alone.text)?;
    }
    Ok(())
}

pub(super) async fn lp_5_the_fingerprint_stays(llm: impl LlmProvider) -> Checked {
    let before = Role::ALL.map(|role| llm.fingerprint(role, &ModelChoice::default()));
    for (role, fingerprint) in Role::ALL.iter().zip(&before) {
        let role = role.as_str();
        require!(!fingerprint.as_str().is_empty(), "{role} has none");
    }
    for role in served(&llm).await? {
        llm.complete(&request(role, SAID)?).await?;
    }
    let after = Role::ALL.map(|role| llm.fingerprint(role, &ModelChoice::default()));
    same("the fingerprints after the calls", &after, &before)
}

pub(super) async fn lp_7_usage_counts_tokens(llm: impl LlmProvider) -> Checked {
    for role in served(&llm).await? {
        let usage = llm.complete(&request(role, SAID)?).await?.usage;
        let what = role.as_str();
        if llm.capabilities().model_free {
            same(what, &usage, &Some(Usage::default()))?;
            continue;
        }
        let is_counted = usage.is_none_or(|it| it.input_tokens > 0 && it.output_tokens > 0);
        require!(is_counted, "{what}: {usage:?}");
    }
    Ok(())
}

pub(super) async fn lp_9_replies_keep_to_the_schema(llm: impl LlmProvider) -> Checked {
    if !llm.capabilities().schema {
        return Ok(());
    }
    for role in served(&llm).await? {
        let completion = llm.complete(&request(role, SAID)?).await?;
        reads_as_output(role, &completion.text)?;
    }
    Ok(())
}

pub(super) async fn lp_11_any_text_may_stand_in_a_task(llm: impl LlmProvider) -> Checked {
    let served = served(&llm).await?;
    for text in texts().iter().filter(|text| text.len() <= LONGEST) {
        for role in &served {
            llm.complete(&request(*role, text)?).await?;
        }
    }
    Ok(())
}
