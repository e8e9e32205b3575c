//! A task as the JSON of a chat completion.

use atlas_core::ports::{CompletionRequest, ModelChoice};
use serde::Serialize;
use serde_json::{Value, json};

use crate::dialect::{Dialect, Field, ReplyFormat};

/// The body of a request, in the order in which it is written.
#[derive(Debug, Serialize)]
pub(crate) struct ChatBody<'a> {
    model: &'a str,
    messages: Vec<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'a str>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Debug, Serialize)]
struct Message {
    role: &'static str,
    content: String,
}

#[derive(Debug, Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// How a task is put, beside the dialect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Whether the reply is to come in parts.
    pub(crate) is_streaming: bool,
    /// Whether the schema stands in the prompt even where the endpoint takes it as a field.
    pub(crate) is_schema_stated: bool,
}

impl<'a> ChatBody<'a> {
    /// The request for a task, as the dialect has it.
    pub(crate) fn new(
        request: &CompletionRequest,
        choice: &'a ModelChoice,
        dialect: &Dialect,
        manner: Manner,
    ) -> Self {
        let is_streaming = manner.is_streaming && dialect.takes(Field::Stream);
        let parameters = &choice.parameters;
        let name = request.role.as_str();
        let schema = &request.schema;
        let is_strict = dialect.takes(Field::Strict);
        let (response_format, tools) = match dialect.format() {
            ReplyFormat::JsonSchema => {
                let json_schema = json!({"name": name, "schema": schema, "strict": is_strict});
                let format = json!({"type": "json_schema", "json_schema": json_schema});
                (Some(format), None)
            }
            ReplyFormat::Tool => {
                let function = json!({"name": name, "parameters": schema, "strict": is_strict});
                (
                    None,
                    Some(json!([{"type": "function", "function": function}])),
                )
            }
            ReplyFormat::JsonObject => (Some(json!({"type": "json_object"})), None),
            ReplyFormat::Stated => (None, None),
        };
        let call = json!({"type": "function", "function": {"name": name}});
        let takes = |field: Field| dialect.takes(field).then_some(());
        let limit = parameters.max_output_tokens;
        let has_max_tokens = dialect.takes(Field::MaxTokens);
        let options = is_streaming && dialect.takes(Field::StreamOptions);
        Self {
            model: choice.model.as_deref().unwrap_or_default(),
            messages: messages(request, dialect, manner),
            response_format,
            tool_choice: tools.is_some().then_some(call),
            tools,
            max_tokens: limit.filter(|_| has_max_tokens),
            max_completion_tokens: limit.filter(|_| !has_max_tokens),
            temperature: takes(Field::Temperature).and(parameters.temperature),
            top_p: takes(Field::TopP).and(parameters.top_p),
            seed: takes(Field::Seed).and(parameters.seed),
            reasoning_effort: takes(Field::ReasoningEffort)
                .and(parameters.reasoning_effort.as_deref()),
            stream: is_streaming,
            stream_options: options.then_some(StreamOptions {
                include_usage: true,
            }),
        }
    }

    /// Whether the reply is to come as the call of a tool.
    pub(crate) fn asks_by_tool(&self) -> bool {
        self.tools.is_some()
    }

    /// The fields of it that can be left out.
    pub(crate) fn fields(&self) -> Vec<Field> {
        let has_schema = |format: &Value| format.get("json_schema").is_some();
        let sent = |field: &Field| match field {
            Field::Strict => {
                self.tools.is_some() || self.response_format.as_ref().is_some_and(has_schema)
            }
            Field::Stream => self.stream,
            Field::StreamOptions => self.stream_options.is_some(),
            Field::MaxTokens => self.max_tokens.is_some(),
            Field::Temperature => self.temperature.is_some(),
            Field::TopP => self.top_p.is_some(),
            Field::Seed => self.seed.is_some(),
            Field::ReasoningEffort => self.reasoning_effort.is_some(),
            Field::SystemRole => self.messages.len() > 1,
        };
        Field::ALL.into_iter().filter(sent).collect()
    }
}

fn messages(request: &CompletionRequest, dialect: &Dialect, manner: Manner) -> Vec<Message> {
    let mut system = request.prompt.system.clone();
    let needs_schema = match dialect.format() {
        ReplyFormat::JsonSchema | ReplyFormat::Tool => manner.is_schema_stated,
        ReplyFormat::JsonObject | ReplyFormat::Stated => true,
    };
    if needs_schema {
        system.push_str("\n\nThe JSON schema of the reply:\n");
        system.push_str(&request.schema.to_string());
    }
    let user = &request.prompt.user;
    let message = |role, content| Message { role, content };
    if dialect.takes(Field::SystemRole) {
        vec![message("system", system), message("user", user.clone())]
    } else {
        vec![message("user", format!("{system}\n\n{user}"))]
    }
}

#[cfg(test)]
mod tests {
    use atlas_core::llm::{EntityExtractionInput, Prompt, Task};
    use atlas_core::ports::ModelParameters;

    use super::*;

    fn body(dialect: &Dialect, manner: Manner) -> Value {
        let task = EntityExtractionInput {
            messages: Vec::new(),
        };
        let request = CompletionRequest {
            role: EntityExtractionInput::ROLE,
            prompt: Prompt {
                system: "Do it.".to_owned(),
                user: "With this.".to_owned(),
            },
            schema: json!({"type": "object"}),
            input: task.into_input(),
            choice: ModelChoice::default(),
        };
        let parameters = ModelParameters {
            temperature: Some(0.2),
            top_p: Some(0.9),
            seed: Some(7),
            max_output_tokens: Some(64),
            reasoning_effort: Some("low".to_owned()),
        };
        let choice = ModelChoice {
            model: Some("m".to_owned()),
            parameters,
        };
        let body = ChatBody::new(&request, &choice, dialect, manner);
        serde_json::from_slice(&serde_json::to_vec(&body).unwrap()).unwrap()
    }

    const STREAMING: Manner = Manner {
        is_streaming: true,
        is_schema_stated: false,
    };

    #[test]
    fn the_whole_dialect() {
        assert_eq!(
            body(&Dialect::default(), STREAMING),
            json!({
                "model": "m",
                "messages": [
                    {"role": "system", "content": "Do it."},
                    {"role": "user", "content": "With this."},
                ],
                "response_format": {"type": "json_schema", "json_schema": {
                    "name": "entity_extractor", "schema": {"type": "object"}, "strict": true,
                }},
                "max_tokens": 64,
                "temperature": 0.2,
                "top_p": 0.9,
                "seed": 7,
                "reasoning_effort": "low",
                "stream": true,
                "stream_options": {"include_usage": true},
            })
        );
    }

    #[test]
    fn what_is_left_of_it_without_any_field() {
        let least = Field::ALL
            .into_iter()
            .fold(Dialect::new(ReplyFormat::Stated), Dialect::without);
        let said = "Do it.\n\nThe JSON schema of the reply:\n{\"type\":\"object\"}\n\nWith this.";
        assert_eq!(
            body(&least, STREAMING),
            json!({
                "model": "m",
                "messages": [{"role": "user", "content": said}],
                "max_completion_tokens": 64,
                "stream": false,
            })
        );
    }

    #[test]
    fn formats_and_manners() {
        let whole = Manner {
            is_streaming: false,
            is_schema_stated: true,
        };
        let tool = body(&Dialect::new(ReplyFormat::Tool), whole);
        assert_eq!(
            tool["tools"],
            json!([{"type": "function", "function": {
                "name": "entity_extractor", "parameters": {"type": "object"}, "strict": true,
            }}])
        );
        assert_eq!(
            tool["tool_choice"],
            json!({"type": "function", "function": {"name": "entity_extractor"}})
        );
        assert_eq!(tool["stream"], json!(false));
        assert_eq!(tool.get("stream_options"), None);
        let stated = "Do it.\n\nThe JSON schema of the reply:\n{\"type\":\"object\"}";
        assert_eq!(tool["messages"][0]["content"], json!(stated));
        let object = body(&Dialect::new(ReplyFormat::JsonObject), STREAMING);
        assert_eq!(object["response_format"], json!({"type": "json_object"}));
        assert_eq!(object["messages"][0]["content"], json!(stated));
    }
}
