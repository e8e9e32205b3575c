//! The provider of every role.

use async_trait::async_trait;
use atlas_core::llm::{Role, TaskInput};
use atlas_core::model::Fingerprint;
use atlas_core::ports::{
    Completion, CompletionEvent, CompletionRequest, CompletionStream, FinishReason,
    LlmCapabilities, LlmProvider, ModelChoice, Usage,
};
use atlas_core::{Error, ErrorKind, Result};
use futures::stream;
use serde::Serialize;

use crate::{compare, facts, names, write};

/// The version of the rules of a role. It goes up whenever the same input may be answered
/// otherwise.
fn revision(role: Role) -> u32 {
    match role {
        Role::FactExtractor
        | Role::EntityExtractor
        | Role::ContradictionDetector
        | Role::TopicSummarizer
        | Role::ChannelSummarizer
        | Role::WikiWriter
        | Role::Answerer => 1,
    }
}

/// Serves every role from the values of its task, by rules.
///
/// It is deterministic and costs nothing; what it cannot do stands in the documentation of the
/// crate. A reply ends with [`FinishReason::Length`] where the request allows fewer tokens than it
/// has, counted as four bytes each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfflineLlm {
    utc_offset_seconds: i32,
}

impl OfflineLlm {
    /// Makes a provider that reads `tomorrow` in UTC.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the zone in which `tomorrow` is meant, in seconds east of UTC. It must be the one that
    /// extraction is set to: statements whose dates differ from those of the core are refused.
    #[must_use]
    pub fn with_utc_offset_seconds(mut self, seconds: i32) -> Self {
        self.utc_offset_seconds = seconds;
        self
    }

    fn reply(self, input: &TaskInput) -> Result<String> {
        match input {
            TaskInput::FactExtractor(task) => {
                json(&facts::extract::extract(task, self.utc_offset_seconds))
            }
            TaskInput::EntityExtractor(task) => json(&names::extract::extract(task)),
            TaskInput::ContradictionDetector(task) => json(&compare::compare(task)),
            TaskInput::TopicSummarizer(task) => json(&write::topic::summarise(task)),
            TaskInput::ChannelSummarizer(task) => json(&write::channel::summarise(task)),
            TaskInput::WikiWriter(task) => json(&write::page::write(task)),
            TaskInput::Answerer(task) => json(&write::answer::answer(task)),
        }
    }
}

fn json(output: &impl Serialize) -> Result<String> {
    serde_json::to_string(output).map_err(|cause| {
        Error::new(
            ErrorKind::Unexpected,
            "OfflineLlm::complete",
            "a reply does not serialise",
        )
        .caused_by(cause)
    })
}

#[async_trait]
impl LlmProvider for OfflineLlm {
    fn capabilities(&self) -> LlmCapabilities {
        LlmCapabilities::default()
            .with_schema(true)
            .with_model_free(true)
    }

    fn fingerprint(&self, role: Role, _choice: &ModelChoice) -> Fingerprint {
        let zone = match (role, self.utc_offset_seconds) {
            (Role::FactExtractor, seconds) if seconds != 0 => format!("{seconds:+}s"),
            _ => String::new(),
        };
        Fingerprint::new(format!(
            "offline/{}@{}{zone}",
            role.as_str(),
            revision(role)
        ))
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        let mut text = self.reply(&request.input)?;
        let mut finish = FinishReason::Stop;
        if let Some(tokens) = request.choice.parameters.max_output_tokens {
            let most = usize::try_from(tokens)
                .unwrap_or(usize::MAX)
                .saturating_mul(4);
            if text.len() > most {
                let border = (0..=most).rev().find(|at| text.is_char_boundary(*at));
                text.truncate(border.unwrap_or(0));
                finish = FinishReason::Length;
            }
        }
        Ok(Completion {
            text,
            finish,
            usage: Some(Usage::default()),
        })
    }

    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        let Completion {
            text,
            finish,
            usage,
        } = self.complete(request).await?;
        let events = [
            Ok(CompletionEvent::Text(text)),
            Ok(CompletionEvent::Finished { finish, usage }),
        ];
        Ok(Box::pin(stream::iter(events)))
    }
}
