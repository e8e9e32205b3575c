//! Chunks as they stand on the wire. What is not asked for is not read.

use serde::Deserialize;
use serde_json::Value;

/// A chunk of a streamed reply, or a whole one: they differ in the name of the message.
#[derive(Deserialize)]
pub(super) struct Chunk {
    #[serde(default)]
    pub(super) choices: Option<Vec<Choice>>,
    #[serde(default)]
    pub(super) usage: Option<Value>,
}

#[derive(Deserialize)]
pub(super) struct Choice {
    #[serde(default)]
    pub(super) index: Option<u64>,
    #[serde(default)]
    pub(super) delta: Option<Message>,
    #[serde(default)]
    pub(super) message: Option<Message>,
    #[serde(default)]
    pub(super) finish_reason: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Message {
    #[serde(default)]
    pub(super) content: Option<Content>,
    #[serde(default)]
    pub(super) refusal: Option<String>,
    #[serde(default)]
    pub(super) tool_calls: Option<Vec<ToolCall>>,
}

/// Text, or parts of which only some are text.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
pub(super) struct Part {
    #[serde(default, rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) text: String,
}

#[derive(Deserialize)]
pub(super) struct ToolCall {
    #[serde(default)]
    pub(super) index: Option<u64>,
    #[serde(default)]
    pub(super) function: Option<Function>,
}

#[derive(Deserialize)]
pub(super) struct Function {
    #[serde(default)]
    pub(super) arguments: Option<Value>,
}

impl Content {
    pub(super) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => {
                let texts = parts.into_iter().filter(|part| part.kind == "text");
                texts.map(|part| part.text).collect()
            }
        }
    }
}
