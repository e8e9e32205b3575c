//! What the tests ask, and what they may not see.

use std::error::Error as StdError;

use atlas_core::llm::{EntityExtractionInput, Prompt, Task};
use atlas_core::ports::{
    Completion, CompletionEvent, CompletionRequest, LlmProvider, ModelChoice, ModelParameters,
};
use atlas_core::{Error, Result};
use atlas_llm_openai::{Endpoint, OpenAiLlm};
use atlas_testkit::loopback::{Answer, LoopbackServer, Received};
use futures::StreamExt;
use serde_json::{Value, json};

/// The key of every endpoint.
pub(crate) const KEY: &str = "sk-test-0123456789";

/// A small task.
pub(crate) fn request() -> CompletionRequest {
    let task = EntityExtractionInput {
        messages: Vec::new(),
    };
    CompletionRequest {
        role: EntityExtractionInput::ROLE,
        prompt: Prompt {
            system: "Do it.".to_owned(),
            user: "With this.".to_owned(),
        },
        schema: json!({"type": "object"}),
        input: task.into_input(),
        choice: ModelChoice::default(),
    }
}

/// The task with these parameters.
pub(crate) fn request_with(parameters: ModelParameters) -> CompletionRequest {
    let mut request = request();
    request.choice.parameters = parameters;
    request
}

/// The body that the task is sent with, where nothing is set and nothing is refused.
pub(crate) fn body() -> Value {
    json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "Do it."},
            {"role": "user", "content": "With this."},
        ],
        "response_format": {"type": "json_schema", "json_schema": {
            "name": "entity_extractor", "schema": {"type": "object"}, "strict": true,
        }},
        "stream": true,
        "stream_options": {"include_usage": true},
    })
}

/// A server that answers by the handler.
pub(crate) fn server(
    handler: impl Fn(&Received) -> Answer + Send + Sync + 'static,
) -> LoopbackServer {
    LoopbackServer::start(handler).expect("a port on loopback")
}

/// The server as an endpoint with a key.
pub(crate) fn endpoint(server: &LoopbackServer) -> Endpoint {
    let endpoint = Endpoint::new(&server.url("/v1")).expect("an address");
    endpoint.with_key(KEY)
}

/// The model `m` behind the server.
pub(crate) fn llm(server: &LoopbackServer) -> OpenAiLlm {
    OpenAiLlm::new(&endpoint(server), "m").expect("a provider")
}

/// A whole streamed reply.
pub(crate) fn reply(text: &str) -> Answer {
    let choice = json!({"index": 0, "delta": {"content": text}, "finish_reason": null});
    let end = json!({"index": 0, "delta": {}, "finish_reason": "stop"});
    Answer::events(&[json!({"choices": [choice]}), json!({"choices": [end]})])
}

/// What `complete` makes of the streamed call.
pub(crate) async fn streamed(llm: &OpenAiLlm, request: &CompletionRequest) -> Result<Completion> {
    let mut events = llm.stream(request).await?;
    let mut text = String::new();
    while let Some(event) = events.next().await {
        match event? {
            CompletionEvent::Text(part) => text.push_str(&part),
            CompletionEvent::Finished { finish, usage } => {
                assert!(events.next().await.is_none(), "an event after the end");
                return Ok(Completion {
                    text,
                    finish,
                    usage,
                });
            }
        }
    }
    panic!("a stream without its end");
}

/// Everything that the error tells anybody, its causes included.
pub(crate) fn told(error: &Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    let causes: Vec<String> = causes.map(|cause| format!(" {cause} {cause:?}")).collect();
    format!("{error} {error:?}{}", causes.concat())
}

/// Demands that the error tells no secret.
#[track_caller]
pub(crate) fn tells_no_secret(error: &Error) {
    let told = told(error);
    // Not even the beginning of it.
    assert!(!told.contains("sk-test"), "{told}");
}
