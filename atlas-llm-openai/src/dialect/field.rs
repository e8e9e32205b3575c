//! What a request may have that not every endpoint takes.

/// How the schema of a reply is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReplyFormat {
    /// As `response_format` of type `json_schema`.
    #[default]
    JsonSchema,
    /// As the parameters of a tool that has to be called. Only where it is set by hand: many
    /// endpoints take tools and answer in words.
    Tool,
    /// As `response_format` of type `json_object`, with the schema in the prompt.
    JsonObject,
    /// In the prompt alone.
    Stated,
}

impl ReplyFormat {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::JsonSchema => "json_schema",
            Self::Tool => "tool",
            Self::JsonObject => "json_object",
            Self::Stated => "stated",
        }
    }

    /// What to ask for where this is refused.
    pub(super) fn lower(self) -> Option<Self> {
        match self {
            Self::JsonSchema => Some(Self::JsonObject),
            Self::Tool | Self::JsonObject => Some(Self::Stated),
            Self::Stated => None,
        }
    }

    /// How refusals name it.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            Self::JsonSchema | Self::JsonObject => &[
                "response_format",
                "json_schema",
                "json_object",
                "json schema",
                "json mode",
                "grammar",
                "structured output",
                "structured outputs",
                "guided_json",
            ],
            Self::Tool => &["tools", "tool", "tool_choice", "functions", "function"],
            Self::Stated => &[],
        }
    }
}

/// A field of a request that not every endpoint or model takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Field {
    /// `strict`, of a schema: without it the schema is what the model is told, and no more.
    Strict,
    /// `stream`: without it a reply comes as a whole.
    Stream,
    /// `stream_options.include_usage`: without it nothing is known of what a streamed call used.
    StreamOptions,
    /// `max_tokens`: without it the limit is sent as `max_completion_tokens`.
    MaxTokens,
    /// `temperature`: without it the model's own.
    Temperature,
    /// `top_p`: without it the model's own.
    TopP,
    /// `seed`: without it replies vary.
    Seed,
    /// `reasoning_effort`: without it the model's own.
    ReasoningEffort,
    /// A message of the role `system`: without it the instructions stand in the user's.
    SystemRole,
}

impl Field {
    /// Every field.
    pub const ALL: [Self; 9] = [
        Self::Strict,
        Self::Stream,
        Self::StreamOptions,
        Self::MaxTokens,
        Self::Temperature,
        Self::TopP,
        Self::Seed,
        Self::ReasoningEffort,
        Self::SystemRole,
    ];

    /// The name of the field; for the role of a message, the role.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Stream => "stream",
            Self::StreamOptions => "stream_options",
            Self::MaxTokens => "max_tokens",
            Self::Temperature => "temperature",
            Self::TopP => "top_p",
            Self::Seed => "seed",
            Self::ReasoningEffort => "reasoning_effort",
            Self::SystemRole => "system",
        }
    }

    /// How refusals name it.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            Self::Strict => &["strict", "additionalproperties", "invalid_json_schema"],
            Self::Stream => &["stream", "streaming"],
            Self::StreamOptions => &["stream_options", "include_usage"],
            Self::MaxTokens => &["max_tokens"],
            Self::Temperature => &["temperature"],
            Self::TopP => &["top_p"],
            Self::Seed => &["seed"],
            Self::ReasoningEffort => &["reasoning_effort", "reasoning effort"],
            Self::SystemRole => &[
                "system role",
                "role 'system'",
                "'system'",
                "messages[0].role",
            ],
        }
    }
}
