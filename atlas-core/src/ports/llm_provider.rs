//! A prompt in, text out.

use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use futures::Stream;
use serde_json::Value;

use crate::error::Result;
use crate::llm::{Prompt, Role, TaskInput};
use crate::model::Fingerprint;

/// What is asked of a provider.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletionRequest {
    /// Which task.
    pub role: Role,
    /// The task in words, for a model.
    pub prompt: Prompt,
    /// The JSON schema of the reply.
    pub schema: Value,
    /// The task as values, for a provider that needs no model.
    pub input: TaskInput,
    /// The most tokens that the reply may have; none for the provider's own limit.
    pub max_output_tokens: Option<u32>,
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FinishReason {
    /// It was complete.
    Stop,
    /// It reached the limit of tokens and is cut off.
    Length,
    /// The provider would not answer.
    Refused,
}

/// What a call used, as the provider counts; all nought for a provider without a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt.
    pub input_tokens: u64,
    /// Tokens of the reply.
    pub output_tokens: u64,
}

/// A reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Its text: JSON by the schema, as far as the provider can.
    pub text: String,
    /// Why it ended.
    pub finish: FinishReason,
    /// What it used.
    pub usage: Usage,
}

/// A part of a streamed reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompletionEvent {
    /// More of the text.
    Text(String),
    /// The end, always last, exactly once.
    Finished {
        /// Why it ended.
        finish: FinishReason,
        /// What it used.
        usage: Usage,
    },
}

/// A streamed reply.
pub type CompletionStream<'a> = Pin<Box<dyn Stream<Item = Result<CompletionEvent>> + Send + 'a>>;

/// What an [`LlmProvider`] can do. The default is nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LlmCapabilities {
    /// Whether replies keep to the schema.
    pub schema: bool,
    /// Whether it serves tasks from their values, without a model.
    pub model_free: bool,
}

impl LlmCapabilities {
    /// Sets whether replies keep to the schema.
    #[must_use]
    pub fn with_schema(mut self, schema: bool) -> Self {
        self.schema = schema;
        self
    }

    /// Sets whether it needs no model.
    #[must_use]
    pub fn with_model_free(mut self, model_free: bool) -> Self {
        self.model_free = model_free;
        self
    }
}

/// Serves tasks.
///
/// # Contract
///
/// - LP-1 complete answers with the whole text, why it ended and what it used.
/// - LP-2 stream gives the same text in parts, then exactly one Finished, last.
/// - LP-3 a reply that reached the limit ends with Length, never with Stop.
/// - LP-4 a refusal is a Completion that ends with Refused, not an error.
/// - LP-5 the fingerprint changes whenever the same request may be answered otherwise.
/// - LP-6 an endpoint that does not answer is Unavailable with a retry answer.
#[async_trait]
pub trait LlmProvider: Send + Sync {
    /// What this provider can do.
    fn capabilities(&self) -> LlmCapabilities {
        LlmCapabilities::default()
    }

    /// Names what answers the role: model, revision and parameters, or the rules' version.
    fn fingerprint(&self, role: Role) -> Fingerprint;

    /// Serves a task; LP-1, LP-3, LP-4, LP-6.
    async fn complete(&self, request: &CompletionRequest) -> Result<Completion>;

    /// Serves a task in parts; LP-2, LP-3, LP-4, LP-6.
    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>>;
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<T: LlmProvider + ?Sized> LlmProvider for Arc<T> {
    fn capabilities(&self) -> LlmCapabilities {
        (**self).capabilities()
    }

    fn fingerprint(&self, role: Role) -> Fingerprint {
        (**self).fingerprint(role)
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        (**self).complete(request).await
    }

    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        (**self).stream(request).await
    }
}
