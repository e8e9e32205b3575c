//! The task of summing up a channel.
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LabelledFact, LabelledSentence};
use crate::llm::{Example, Role, Task, TaskInput, Wording};

/// Topics to the channel's summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelSummarizerInput {
    /// The topics, largest first.
    pub topics: Vec<TopicDigest>,
    /// The key facts.
    pub facts: Vec<LabelledFact>,
}

/// A topic that a channel's summary tells of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicDigest {
    /// Its title.
    pub title: String,
    /// The labels of its key facts.
    pub facts: Vec<String>,
}

/// The channel's summary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChannelSummarizerOutput {
    /// What the channel is about.
    pub summary: Vec<LabelledSentence>,
    /// Its recurring themes.
    pub themes: Vec<String>,
}

impl Task for ChannelSummarizerInput {
    const ROLE: Role = Role::ChannelSummarizer;
    const INSTRUCTIONS: &'static str = INSTRUCTIONS;
    const EXAMPLE: Example = Example {
        input: EXAMPLE_INPUT,
        reply: EXAMPLE_REPLY,
    };
    type Output = ChannelSummarizerOutput;

    fn wording() -> &'static Wording {
        static WORDING: LazyLock<Wording> = LazyLock::new(Wording::of::<ChannelSummarizerInput>);
        &WORDING
    }

    fn into_input(self) -> TaskInput {
        TaskInput::ChannelSummarizer(self)
    }
}

const INSTRUCTIONS: &str = r"You sum up what a chat channel is about, from its topics and their key facts, for somebody who joins it.

Rules
1. `summary` has three to six sentences; fewer if there are fewer facts. The topics are given largest first: tell the large ones first.
2. Every sentence says only what the facts say whose labels it has in `cites`, in their words, and has at least one label.
3. `themes` are the subjects that come back, at most eight, each in one to four words taken from the titles or the facts.
4. Plain text: no Markdown, no labels within a sentence.";

const EXAMPLE_INPUT: &str = r#"{"role":"channel_summarizer",
"topics":[{"title":"Harbour demo","facts":["f1"]},{"title":"Invoice job","facts":["f2"]}],
"facts":[
{"label":"f1","text":"The harbour demo is on 14 June.","quote":"The harbour demo is on 14 June.","author":"Rosa Lind","said_at":"2024-05-06T08:00:00Z","kind":"decision","importance":"medium","slot":null,"tags":["harbour demo"],"mentions":[],"answers":null,"is_disputed":false},
{"label":"f2","text":"The invoice job moves to Redis.","quote":"The invoice job moves to Redis.","author":"Rosa Lind","said_at":"2024-05-06T08:00:00Z","kind":"decision","importance":"medium","slot":null,"tags":["invoice job"],"mentions":[],"answers":null,"is_disputed":false}]}"#;

const EXAMPLE_REPLY: &str = r#"{"summary":[{"text":"The harbour demo is on 14 June.","cites":["f1"]},{"text":"The invoice job moves to Redis.","cites":["f2"]}],
"themes":["harbour demo","invoice job"]}"#;

#[cfg(test)]
mod tests {
    #[test]
    fn the_request_is_the_one_that_was_agreed_on() {
        crate::llm::tasks::golden::check::<super::ChannelSummarizerInput>(
            &expect_test::expect_file!["golden/channel_summarizer.txt"],
        );
    }
}
