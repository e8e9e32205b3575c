//! What came back to text, end and usage.

#[cfg(test)]
mod tests;
mod wire;

use std::collections::BTreeMap;

use atlas_core::ports::{FinishReason, Usage};
use serde_json::Value;

use crate::failure::{Failure, Refusal, Tried};
use crate::think::ThinkFilter;
use wire::{Chunk, Content, Message};

/// The word that ends a stream.
const DONE: &str = "[DONE]";

/// What is known after an event.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// More of the text, or nothing of it.
    Text(String),
    /// Nothing comes after it.
    Done,
}

/// The end of a reply.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// The rest of the text.
    pub(crate) text: String,
    /// Why it ended.
    pub(crate) finish: FinishReason,
    /// What it used, if the endpoint said so.
    pub(crate) usage: Option<Usage>,
}

/// Folds the events of a reply: text as it comes, then its end.
///
/// Thoughts are left out, the calls of tools are joined from their fragments. The arguments of the
/// first call are the text where a tool was asked for, or where there is no other text.
#[derive(Debug, Default)]
pub(crate) struct Fold {
    asks_by_tool: bool,
    think: ThinkFilter,
    /// Text that is told only if no tool is called.
    held: String,
    calls: BTreeMap<u64, String>,
    has_text: bool,
    refusal: String,
    finish: Option<String>,
    is_done: bool,
    usage: Option<Usage>,
}

impl Fold {
    /// A fold of the reply to a request that asked for a tool or did not.
    pub(crate) fn new(asks_by_tool: bool) -> Self {
        Self {
            asks_by_tool,
            ..Self::default()
        }
    }

    /// Takes an event of the stream.
    pub(crate) fn push(&mut self, event: &str) -> Tried<Step> {
        let event = event.trim();
        if event == DONE {
            self.is_done = true;
            return Ok(Step::Done);
        }
        if event.is_empty() {
            return Ok(Step::Text(String::new()));
        }
        let value =
            serde_json::from_str(event).map_err(|cause| Failure::Garbage(cause.to_string()))?;
        self.push_value(value).map(Step::Text)
    }

    /// Takes a whole reply.
    pub(crate) fn push_whole(&mut self, body: &[u8]) -> Tried<Step> {
        let value =
            serde_json::from_slice(body).map_err(|cause| Failure::Garbage(cause.to_string()))?;
        self.is_done = true;
        self.push_value(value).map(Step::Text)
    }

    fn push_value(&mut self, value: Value) -> Tried<String> {
        let is_error = value.get("error").is_some_and(|error| !error.is_null())
            || value.get("object").is_some_and(|object| object == "error");
        if is_error {
            return Err(Failure::Refused(Refusal::of_event(&value)));
        }
        let chunk: Chunk =
            serde_json::from_value(value).map_err(|cause| Failure::Garbage(cause.to_string()))?;
        self.usage = chunk.usage.as_ref().and_then(usage).or(self.usage);
        let mut text = String::new();
        let choices = chunk.choices.unwrap_or_default().into_iter();
        for choice in choices.filter(|choice| choice.index.unwrap_or_default() == 0) {
            self.finish = choice.finish_reason.or(self.finish.take());
            if let Some(message) = choice.delta.or(choice.message) {
                text.push_str(&self.take(message));
            }
        }
        Ok(text)
    }

    /// What of the message can be told at once.
    fn take(&mut self, message: Message) -> String {
        self.refusal.extend(message.refusal);
        for call in message.tool_calls.into_iter().flatten() {
            let arguments = call.function.and_then(|function| function.arguments);
            let arguments = match arguments {
                Some(Value::String(fragment)) => fragment,
                // Some servers write the arguments as they are meant.
                Some(value) if !value.is_null() => value.to_string(),
                _ => continue,
            };
            let joined = self.calls.entry(call.index.unwrap_or_default());
            joined.or_default().push_str(&arguments);
        }
        let content = message.content.map(Content::into_text).unwrap_or_default();
        let text = self.think.push(&content);
        self.tell(text)
    }

    fn tell(&mut self, text: String) -> String {
        if self.asks_by_tool {
            self.held.push_str(&text);
            return String::new();
        }
        self.has_text |= !text.trim().is_empty();
        text
    }

    /// Whether the endpoint has said that the reply is whole, so that a connection that breaks
    /// now takes nothing of it.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_done || self.finish.is_some()
    }

    /// The end, after the last event.
    pub(crate) fn end(mut self) -> Tried<End> {
        if !self.is_whole() {
            return Err(Failure::Cut);
        }
        let rest = self.think.finish();
        let rest = self.tell(rest);
        let call = self.calls.into_values().next();
        let text = match call {
            Some(arguments) if !self.has_text => arguments,
            _ if self.asks_by_tool => self.held,
            _ => rest,
        };
        let finish = if self.refusal.is_empty() {
            // A stream that was done without a reason came to its end.
            finish_reason(self.finish.as_deref().unwrap_or("stop"))?
        } else {
            FinishReason::Refused
        };
        if finish == FinishReason::Stop && !self.has_text && text.trim().is_empty() {
            return Err(Failure::Empty);
        }
        Ok(End {
            text,
            finish,
            usage: self.usage,
        })
    }
}

/// The usage, if it is counted whole.
fn usage(usage: &Value) -> Option<Usage> {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    Some(Usage {
        input_tokens: count("prompt_tokens")?,
        output_tokens: count("completion_tokens")?,
    })
}

/// What the endpoints' words for an end mean.
fn finish_reason(word: &str) -> Tried<FinishReason> {
    match word.to_ascii_lowercase().as_str() {
        "stop" | "tool_calls" | "tool_call" | "function_call" | "eos" | "eos_token"
        | "end_turn" | "stop_sequence" | "complete" => Ok(FinishReason::Stop),
        "length" | "max_tokens" | "model_length" | "max_output_tokens" => Ok(FinishReason::Length),
        "content_filter" | "refusal" | "safety" | "recitation" => Ok(FinishReason::Refused),
        _ => Err(Failure::Ended(word.to_owned())),
    }
}
