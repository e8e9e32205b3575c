//! The provider.

use atlas_core::llm::Role;
use atlas_core::model::Fingerprint;
use atlas_core::ports::{
    Completion, CompletionEvent, CompletionRequest, CompletionStream, FinishReason,
    LlmCapabilities, LlmProvider, ModelChoice, ModelParameters,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};
use futures::stream::{self, StreamExt, TryStreamExt};
use reqwest::Response;

use crate::chunk::Fold;
use crate::dialect::{Dialect, Dialects, ReplyFormat};
use crate::endpoint::Endpoint;
use crate::failure::{Failure, Tried};
use crate::reading;
use crate::request::{ChatBody, Manner};
use crate::transport::Transport;

const OP: &str = "OpenAiLlm::complete";

/// The version of how tasks are put and replies are read. It goes up whenever the same request may
/// be answered otherwise.
const REVISION: u32 = 1;

/// The longest reply that is read, unless it is told otherwise.
const MOST_REPLY_BYTES: usize = 8 << 20;

/// Serves every role by a model behind an endpoint.
///
/// # Cancel safety
///
/// A call or a stream that is dropped ends its connection. What the endpoint did for it until then
/// may be billed.
#[derive(Debug)]
pub struct OpenAiLlm {
    transport: Transport,
    own: ModelChoice,
    dialects: Dialects,
    manner: Manner,
    max_reply_bytes: usize,
}

impl OpenAiLlm {
    /// A provider that asks the model where a request names no other. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] for a key, a header or a proxy that cannot be sent or used;
    /// [`ErrorKind::Unavailable`] where TLS is needed and the system trusts no certificate.
    pub fn new(endpoint: &Endpoint, model: impl Into<String>) -> Result<Self> {
        Ok(Self {
            transport: Transport::new(endpoint, &["chat", "completions"])?,
            own: ModelChoice {
                model: Some(model.into()),
                parameters: ModelParameters::default(),
            },
            dialects: Dialects::default(),
            manner: Manner {
                is_streaming: true,
                is_schema_stated: false,
            },
            max_reply_bytes: MOST_REPLY_BYTES,
        })
    }

    /// Sets the parameters that hold where a request says nothing.
    #[must_use]
    pub fn with_parameters(mut self, parameters: ModelParameters) -> Self {
        self.own.parameters = parameters;
        self
    }

    /// Sets what the endpoint takes of the dialect, for every model: nothing is found out.
    ///
    /// One that asks by a JSON schema also says that the endpoint constrains replies by it, as
    /// local servers do: see [`LlmCapabilities::schema`].
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.dialects.fixed = Some(dialect);
        self
    }

    /// Asks for replies as a whole. A long call is then silent until it ends.
    #[must_use]
    pub fn without_streaming(mut self) -> Self {
        self.manner.is_streaming = false;
        self
    }

    /// States the schema in the prompt even where the endpoint takes it as a field: local servers
    /// constrain by it, and do not show it to the model.
    #[must_use]
    pub fn with_stated_schema(mut self) -> Self {
        self.manner.is_schema_stated = true;
        self
    }

    /// Sets the longest reply that is read.
    #[must_use]
    pub fn with_max_reply_bytes(mut self, bytes: usize) -> Self {
        self.max_reply_bytes = bytes;
        self
    }

    /// What is known of the dialect that the endpoint speaks for the model.
    pub fn dialect(&self, model: &str) -> Dialect {
        self.dialects.of(model)
    }

    /// How many requests were sent, those that found out the dialect included.
    pub fn n_requests(&self) -> u64 {
        self.transport.n_sent()
    }

    /// Sends a task, without what the endpoint refuses.
    ///
    /// A refusal by which the dialect steps down is followed by the request without what it
    /// named. That is no second try of the same call, and it ends: every step leaves out one field
    /// for ever.
    async fn send(
        &self,
        request: &CompletionRequest,
        choice: &ModelChoice,
    ) -> Tried<(Response, Fold)> {
        let model = choice.model.as_deref().unwrap_or_default();
        loop {
            let dialect = self.dialects.of(model);
            let body = ChatBody::new(request, choice, &dialect, self.manner);
            let bytes =
                serde_json::to_vec(&body).map_err(|cause| Failure::Unmade(cause.to_string()))?;
            let refusal = match self.transport.post(bytes).await {
                Ok(response) => return Ok((response, Fold::new(body.asks_by_tool()))),
                Err(Failure::Refused(refusal)) => refusal,
                Err(failure) => return Err(failure),
            };
            match dialect.step_down(&refusal, &body.fields()) {
                Some(lower) if self.dialects.fixed.is_none() => {
                    self.dialects.remember(model, lower);
                }
                _ => return Err(Failure::Refused(refusal)),
            }
        }
    }
}

#[async_trait]
impl LlmProvider for OpenAiLlm {
    fn capabilities(&self) -> LlmCapabilities {
        let fixed = self.dialects.fixed.as_ref();
        let keeps = fixed.is_some_and(|it| it.format() == ReplyFormat::JsonSchema);
        LlmCapabilities::default().with_schema(keeps)
    }

    fn fingerprint(&self, _role: Role, choice: &ModelChoice) -> Fingerprint {
        let ModelChoice { model, parameters } = choice.or(&self.own);
        let named = |name: &str, value: String| format!(";{name}={value}");
        let number = |name: &str, value: Option<f32>| value.map(|it| named(name, it.to_string()));
        let count = |name: &str, value: Option<u64>| value.map(|it| named(name, it.to_string()));
        let limit = parameters.max_output_tokens.map(u64::from);
        // What is found out of the dialect follows from endpoint and model, and is no choice.
        let fixed = self.dialects.fixed.as_ref();
        let is_stated = self.manner.is_schema_stated;
        let words = [
            Some(format!("openai@{REVISION}/{}", model.unwrap_or_default())),
            number("temperature", parameters.temperature),
            number("top_p", parameters.top_p),
            count("seed", parameters.seed),
            count("max_tokens", limit),
            parameters.reasoning_effort.map(|it| named("effort", it)),
            fixed.map(|dialect| named("dialect", dialect.to_string())),
            is_stated.then(|| named("schema", "stated".to_owned())),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        Fingerprint::new(words.concat())
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        let mut events = self.stream(request).await?;
        let mut text = String::new();
        while let Some(event) = events.next().await {
            match event? {
                CompletionEvent::Text(part) => text.push_str(&part),
                CompletionEvent::Finished { finish, usage } => {
                    return Ok(Completion {
                        text,
                        finish,
                        usage,
                    });
                }
            }
        }
        Err(Error::new(
            ErrorKind::Unexpected,
            OP,
            "a stream without its end",
        ))
    }

    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        let choice = request.choice.or(&self.own);
        let sent = self.send(request, &choice).await;
        let model = choice.model.unwrap_or_default();
        let failed = move |failure: Failure| failure.into_error(OP, &self.transport.about, &model);
        let (response, fold) = match sent {
            Ok(sent) => sent,
            Err(Failure::Refused(refusal)) if refusal.is_filter() => {
                let end = CompletionEvent::Finished {
                    finish: FinishReason::Refused,
                    usage: None,
                };
                return Ok(stream::iter([Ok(end)]).boxed());
            }
            Err(failure) => return Err(failed(failure)),
        };
        let events = reading::events(response, fold, self.max_reply_bytes).await;
        Ok(events.map_err(&failed)?.map_err(failed).boxed())
    }
}
