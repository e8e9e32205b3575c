//! A prompt in, text out.

use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use futures::Stream;
use serde::{Deserialize, Serialize};
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
    /// Which model serves it, and how.
    pub choice: ModelChoice,
}

/// Which model serves a request, and how. Nothing set: the provider's own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelChoice {
    /// The model's name at the endpoint.
    pub model: Option<String>,
    /// How it is asked.
    pub parameters: ModelParameters,
}

/// How a model is asked. What is not set is left to the endpoint; what a model does not know is
/// refused by its endpoint, not by the core.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelParameters {
    /// How freely it chooses its words; 0 for the likeliest.
    pub temperature: Option<f32>,
    /// The share of likeliest words that it chooses from, 0 to 1.
    pub top_p: Option<f32>,
    /// What its chance begins with, where the endpoint can repeat itself.
    pub seed: Option<u64>,
    /// The most tokens that the reply may have; none for the provider's own limit.
    pub max_output_tokens: Option<u32>,
    /// How long it thinks first, in the endpoint's words, such as `low`.
    pub reasoning_effort: Option<String>,
}

impl ModelChoice {
    /// What is set here, and where nothing is, what is set in `other`.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        let (mine, theirs) = (&self.parameters, &other.parameters);
        Self {
            model: self.model.clone().or_else(|| other.model.clone()),
            parameters: ModelParameters {
                temperature: mine.temperature.or(theirs.temperature),
                top_p: mine.top_p.or(theirs.top_p),
                seed: mine.seed.or(theirs.seed),
                max_output_tokens: mine.max_output_tokens.or(theirs.max_output_tokens),
                reasoning_effort: (mine.reasoning_effort.clone())
                    .or_else(|| theirs.reasoning_effort.clone()),
            },
        }
    }
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

/// What a call used, as the server counts; all nought for a provider without a model.
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
    /// What it used; none if the server does not say.
    pub usage: Option<Usage>,
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
        /// What it used; none if the server does not say.
        usage: Option<Usage>,
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
/// - LP-1 complete answers with the whole text and Stop, whatever else is asked at the same time.
/// - LP-2 stream gives the same text in parts, then exactly one Finished, last, with the same end and usage.
/// - LP-3 a reply that reached the limit ends with Length, never with Stop, and is no longer than the limit.
/// - LP-4 a refusal is a reply that ends with Refused, not an error.
/// - LP-5 the fingerprint of a role and a choice names what answers, and changes only when the same request may be answered otherwise.
/// - LP-6 an endpoint that does not answer is Unavailable with a retry answer, and the next call may succeed.
/// - LP-7 usage counts the tokens of prompt and reply as the server does, is none where it does not, and nought for a provider without a model.
/// - LP-8 a call or a stream that is dropped midway leaves the provider usable.
/// - LP-9 where replies keep to the schema, the text is one JSON value of it and nothing else.
/// - LP-10 a role that is not served is Unsupported, by complete and by stream; at least one is served.
/// - LP-11 any text may stand in a task: it is data and never an error.
///
/// # Implementing
///
/// One place turns the endpoint's failures into errors: what the caller sent wrongly is Invalid, a
/// credential that is not taken is Denied, and whatever may pass is Unavailable, with the wait
/// that the endpoint asked for in [`Retry::After`]. The provider never tries again by itself:
/// whoever calls it counts attempts and costs. A call may be dropped while it waits; what was paid
/// for is then lost, and nothing else is. The suite `atlas_testkit::llm_provider_conformance!`
/// checks each clause.
///
/// [`Retry::After`]: crate::Retry::After
#[async_trait]
pub trait LlmProvider: Send + Sync {
    /// What this provider can do.
    fn capabilities(&self) -> LlmCapabilities {
        LlmCapabilities::default()
    }

    /// Names what answers the role with that choice: model, revision and parameters, or the rules'
    /// version; LP-5.
    fn fingerprint(&self, role: Role, choice: &ModelChoice) -> Fingerprint;

    /// Serves a task; LP-1, LP-3 to LP-11.
    async fn complete(&self, request: &CompletionRequest) -> Result<Completion>;

    /// Serves a task in parts; LP-2 to LP-4, LP-6, LP-8, LP-10.
    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>>;
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<T: LlmProvider + ?Sized> LlmProvider for Arc<T> {
    fn capabilities(&self) -> LlmCapabilities {
        (**self).capabilities()
    }

    fn fingerprint(&self, role: Role, choice: &ModelChoice) -> Fingerprint {
        (**self).fingerprint(role, choice)
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        (**self).complete(request).await
    }

    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        (**self).stream(request).await
    }
}
