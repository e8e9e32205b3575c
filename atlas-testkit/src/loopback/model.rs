//! Providers and embedders of the library, served in the dialect of chat completions.

use std::fmt;
use std::sync::Arc;

use atlas_core::llm::Prompt;
use atlas_core::ports::{
    Completion, CompletionRequest, Embedder, FinishReason, LlmProvider, ModelChoice,
    ModelParameters, Purpose, Usage,
};
use atlas_core::{Error, ErrorKind, Result};
use futures::executor::block_on;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, Received};

/// A model behind an endpoint: any provider and any embedder.
///
/// It serves `…/chat/completions` and `…/embeddings`. A task comes over the wire as words only, and
/// is read back from them by [`Prompt::input`], so the provider may be one that needs no model; it
/// gets no schema. Tokens are counted as four bytes each where the provider counts none.
///
/// ```
/// use atlas_testkit::double::{HashEmbedder, ScriptedLlm};
/// use atlas_testkit::loopback::{LoopbackServer, Model};
///
/// let model = Model::new(ScriptedLlm::new([])).with_embedder(HashEmbedder::new(64));
/// let server = LoopbackServer::start(move |received| model.answer(received))?;
/// # drop(server);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct Model {
    llm: Arc<dyn LlmProvider>,
    embedder: Option<Arc<dyn Embedder>>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("embeds", &self.embedder.is_some())
            .finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct ChatRequest {
    model: String,
    messages: Vec<Message>,
    #[serde(default)]
    stream: bool,
    #[serde(default)]
    stream_options: StreamOptions,
    #[serde(alias = "max_completion_tokens")]
    max_tokens: Option<u32>,
}

#[derive(Deserialize)]
struct Message {
    content: String,
}

#[derive(Default, Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

#[derive(Deserialize)]
struct EmbeddingsRequest {
    input: Vec<String>,
}

impl Model {
    /// An endpoint behind which the provider answers.
    pub fn new(llm: impl LlmProvider + 'static) -> Self {
        Self {
            llm: Arc::new(llm),
            embedder: None,
        }
    }

    /// Serves embeddings too, all of them as documents.
    #[must_use]
    pub fn with_embedder(mut self, embedder: impl Embedder + 'static) -> Self {
        self.embedder = Some(Arc::new(embedder));
        self
    }

    /// Answers a request.
    pub fn answer(&self, received: &Received) -> Answer {
        let path = received.path();
        let answer = if path.ends_with("/chat/completions") {
            self.chat(received)
        } else if path.ends_with("/embeddings") {
            self.embeddings(received)
        } else {
            return Answer::failure(404, "not_found", path);
        };
        answer.unwrap_or_else(|error| {
            Answer::failure(status(error.kind()), error.kind().as_str(), error.message())
        })
    }

    fn chat(&self, received: &Received) -> Result<Answer> {
        let chat: ChatRequest = read(received)?;
        let completion = block_on(self.llm.complete(&chat.task()?))?;
        let prompt: usize = chat.messages.iter().map(|it| it.content.len()).sum();
        let usage = completion.usage.filter(|usage| *usage != Usage::default());
        let usage = usage.unwrap_or_else(|| Usage {
            input_tokens: tokens(prompt),
            output_tokens: tokens(completion.text.len()),
        });
        let usage = json!({
            "prompt_tokens": usage.input_tokens,
            "completion_tokens": usage.output_tokens,
            "total_tokens": usage.input_tokens + usage.output_tokens,
        });
        Ok(if chat.stream {
            let usage = chat.stream_options.include_usage.then_some(usage);
            Answer::events(&chunks(&completion, usage))
        } else {
            Answer::json(&whole(&completion, &usage))
        })
    }

    fn embeddings(&self, received: &Received) -> Result<Answer> {
        let embedder = self.embedder.as_ref().ok_or_else(|| {
            Error::new(
                ErrorKind::Unsupported,
                "Model::answer",
                "no embedder is served",
            )
        })?;
        let asked: EmbeddingsRequest = read(received)?;
        let texts: Vec<&str> = asked.input.iter().map(String::as_str).collect();
        let vectors = block_on(embedder.embed(&texts, Purpose::Document))?;
        let items: Vec<Value> = vectors
            .iter()
            .enumerate()
            .map(|(index, vector)| json!({"object": "embedding", "index": index, "embedding": vector}))
            .collect();
        Ok(Answer::json(&json!({"object": "list", "data": items})))
    }
}

impl ChatRequest {
    /// The task that was asked for.
    fn task(&self) -> Result<CompletionRequest> {
        let said = |message: Option<&Message>| message.map_or("", |it| &it.content).to_owned();
        let asked = said(self.messages.last());
        // Where the endpoint has no role for instructions, they stand before the input.
        let user = asked.rsplit_once("\n\n").map_or(asked.as_str(), |it| it.1);
        let input = Prompt::input(user)?;
        Ok(CompletionRequest {
            role: input.role(),
            prompt: Prompt {
                system: said(self.messages.first()),
                user: user.to_owned(),
            },
            schema: Value::Null,
            input,
            choice: ModelChoice {
                model: Some(self.model.clone()),
                parameters: ModelParameters {
                    max_output_tokens: self.max_tokens,
                    ..ModelParameters::default()
                },
            },
        })
    }
}

/// The completion in one piece.
fn whole(completion: &Completion, usage: &Value) -> Value {
    let refusal = refusal(completion);
    let message = json!({"role": "assistant", "content": completion.text, "refusal": refusal});
    json!({
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": finish(completion)}],
        "usage": usage,
    })
}

/// The completion as servers stream it: a first chunk without content, words, an end, the usage.
fn chunks(completion: &Completion, usage: Option<Value>) -> Vec<Value> {
    /// Characters of a chunk: few, so that words are cut.
    const PART: usize = 12;
    let chunk = |delta: Value, finish: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        json!({"object": "chat.completion.chunk", "choices": [choice], "usage": null})
    };
    let first = json!({"role": "assistant", "content": null});
    let mut chunks = vec![chunk(first, None)];
    if let Some(refusal) = refusal(completion) {
        chunks.push(chunk(json!({"refusal": refusal}), None));
    }
    let letters: Vec<char> = completion.text.chars().collect();
    for part in letters.chunks(PART) {
        let text: String = part.iter().collect();
        chunks.push(chunk(json!({"content": text}), None));
    }
    chunks.push(chunk(json!({}), Some(finish(completion))));
    if let Some(usage) = usage {
        let object = "chat.completion.chunk";
        chunks.push(json!({"object": object, "choices": [], "usage": usage}));
    }
    chunks
}

fn refusal(completion: &Completion) -> Option<&'static str> {
    (completion.finish == FinishReason::Refused).then_some("I will not answer that.")
}

fn finish(completion: &Completion) -> &'static str {
    if completion.finish == FinishReason::Length {
        "length"
    } else {
        "stop"
    }
}

fn tokens(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(4)).unwrap_or(u64::MAX)
}

fn status(kind: ErrorKind) -> u16 {
    let known = [
        (ErrorKind::Invalid, 400),
        (ErrorKind::Denied, 401),
        (ErrorKind::NotFound, 404),
        (ErrorKind::Conflict, 409),
        (ErrorKind::Fenced, 409),
        (ErrorKind::Unsupported, 501),
        (ErrorKind::Unavailable, 503),
    ];
    let found = known.into_iter().find(|(of, _)| *of == kind);
    found.map_or(500, |(_, status)| status)
}

fn read<T: serde::de::DeserializeOwned>(received: &Received) -> Result<T> {
    serde_json::from_slice(&received.body).map_err(|cause| invalid(&cause.to_string()))
}

fn invalid(why: &str) -> Error {
    Error::new(ErrorKind::Invalid, "Model::answer", why)
}
