//! The port that the router serves: whole replies and streams.

use std::sync::Arc;

use async_trait::async_trait;
use futures::future::{BoxFuture, ready};
use futures::{StreamExt, stream};

use super::call::{Answer, nobody};
use super::models::{Place, Router, Stop};
use crate::error::{Error, ErrorKind, Result};
use crate::llm::{Prompt, Role};
use crate::model::{Fingerprint, ModelRole};
use crate::ports::{
    Completion, CompletionEvent, CompletionRequest, CompletionStream, FinishReason,
    LlmCapabilities, LlmProvider, ModelChoice, Usage,
};
use crate::text::estimate_tokens;

impl Answer for Completion {
    fn usage(&self) -> Option<Usage> {
        self.usage
    }

    fn is_refusal(&self) -> bool {
        self.finish == FinishReason::Refused
    }
}

/// A stream that has begun.
struct Begun {
    first: CompletionEvent,
    rest: CompletionStream<'static>,
}

impl Begun {
    /// Opens a stream and waits for its first event, so that one that fails before can be opened
    /// elsewhere.
    async fn open(provider: Arc<dyn LlmProvider>, request: CompletionRequest) -> Result<Self> {
        let mut rest: CompletionStream<'static> = Box::pin(async_stream::try_stream! {
            let mut events = provider.stream(&request).await?;
            while let Some(event) = events.next().await {
                yield event?;
            }
        });
        match rest.next().await {
            Some(first) => Ok(Self {
                first: first?,
                rest,
            }),
            None => Err(Error::new(
                ErrorKind::Unexpected,
                "Router::stream",
                "a stream has no end",
            )),
        }
    }
}

impl Answer for Begun {
    fn usage(&self) -> Option<Usage> {
        match self.first {
            CompletionEvent::Finished { usage, .. } => usage,
            CompletionEvent::Text(_) => None,
        }
    }

    fn is_refusal(&self) -> bool {
        let refused = FinishReason::Refused;
        matches!(self.first, CompletionEvent::Finished { finish, .. } if finish == refused)
    }
}

#[async_trait]
impl LlmProvider for Router {
    /// What all models that serve a role can do.
    fn capabilities(&self) -> LlmCapabilities {
        let all = |can: fn(LlmCapabilities) -> bool| {
            let mut stops = self.shared.routes.values().flatten();
            stops.all(|stop| can(stop.provider.capabilities()))
        };
        LlmCapabilities::default()
            .with_schema(all(|it| it.schema))
            .with_model_free(all(|it| it.model_free))
    }

    /// Names all that may answer, in order.
    fn fingerprint(&self, role: Role, choice: &ModelChoice) -> Fingerprint {
        let stops = self.route(role).iter();
        let names = stops.map(|it| it.provider.fingerprint(role, &choice.or(&it.choice)));
        let names: Vec<String> = names.map(|it| it.to_string()).collect();
        Fingerprint::new(names.join("|"))
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        let stops = self.route(request.role);
        let ask = |at: usize| -> BoxFuture<'_, Result<Completion>> {
            let Some((provider, request)) = merged(stops, at, request) else {
                return Box::pin(ready(Err(nobody())));
            };
            Box::pin(async move { provider.complete(&request).await })
        };
        let places: Vec<&Place> = stops.iter().map(|it| &it.place).collect();
        let call = (ModelRole::Task(request.role), guess(request));
        let (completion, attempt) = self.call(call, &places, &ask).await?;
        if let Some(attempt) = attempt {
            attempt.end(completion.usage, true);
        }
        Ok(completion)
    }

    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        let stops = self.route(request.role);
        let ask = |at: usize| -> BoxFuture<'a, Result<Begun>> {
            match merged(stops, at, request) {
                Some((provider, request)) => Box::pin(Begun::open(provider, request)),
                None => Box::pin(ready(Err(nobody()))),
            }
        };
        let places: Vec<&Place> = stops.iter().map(|it| &it.place).collect();
        let call = (ModelRole::Task(request.role), guess(request));
        let (Begun { first, rest }, mut attempt) = self.call(call, &places, &ask).await?;
        let events = stream::iter([Ok(first)]).chain(rest);
        let told = events.inspect(move |event| match event {
            Ok(CompletionEvent::Text(_)) => {}
            Ok(CompletionEvent::Finished { usage, .. }) => {
                if let Some(attempt) = attempt.take() {
                    attempt.end(*usage, true);
                }
            }
            Err(error) => {
                if let Some(attempt) = attempt.take() {
                    attempt.fail(error, true);
                }
            }
        });
        Ok(told.boxed())
    }
}

/// The provider of a stop, and the request as it is sent there: what it says itself goes first.
fn merged(
    stops: &[Stop],
    at: usize,
    request: &CompletionRequest,
) -> Option<(Arc<dyn LlmProvider>, CompletionRequest)> {
    let stop = stops.get(at)?;
    let mut request = request.clone();
    request.choice = request.choice.or(&stop.choice);
    Some((Arc::clone(&stop.provider), request))
}

/// About how many tokens a request takes, before its server has counted them.
fn guess(request: &CompletionRequest) -> u64 {
    let Prompt { system, user } = &request.prompt;
    let tokens = estimate_tokens(system) + estimate_tokens(user);
    u64::try_from(tokens).unwrap_or(u64::MAX)
}
