//! The task of summing up a topic.
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LabelledFact, LabelledSentence};
use crate::llm::{Example, Role, Task, TaskInput, Wording};

/// Facts of a topic to its summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicSummarizerInput {
    /// The facts, in the order in which they were said.
    pub facts: Vec<LabelledFact>,
    /// Titles of other topics: the title must differ from them.
    pub other_titles: Vec<String>,
}

/// A topic's summary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TopicSummarizerOutput {
    /// A title that names a thing, at most eight words.
    pub title: String,
    /// What it is about.
    pub summary: Vec<LabelledSentence>,
    /// Where it stands.
    pub current_state: Vec<LabelledSentence>,
    /// What is not settled.
    pub open_questions: Vec<LabelledSentence>,
    /// What follows from it.
    pub impact: Vec<LabelledSentence>,
    /// The labels of the facts that matter most.
    pub key_facts: Vec<String>,
    /// Questions with their answers.
    pub faq: Vec<ProposedAnswer>,
}

/// A question among the facts, and the fact that answers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedAnswer {
    /// The label of the question.
    pub question: String,
    /// The label of the fact that answers it.
    pub answer: String,
}

impl Task for TopicSummarizerInput {
    const ROLE: Role = Role::TopicSummarizer;
    const INSTRUCTIONS: &'static str = INSTRUCTIONS;
    const EXAMPLE: Example = Example {
        input: EXAMPLE_INPUT,
        reply: EXAMPLE_REPLY,
    };
    type Output = TopicSummarizerOutput;

    fn wording() -> &'static Wording {
        static WORDING: LazyLock<Wording> = LazyLock::new(Wording::of::<TopicSummarizerInput>);
        &WORDING
    }

    fn into_input(self) -> TaskInput {
        TaskInput::TopicSummarizer(self)
    }
}

const INSTRUCTIONS: &str = r#"You sum up the facts of one topic for a reader who was not there.

Rules
1. `title` names the thing that the facts are about, in at most eight words taken from the facts. It is no sentence, no word such as "General" or "Updates", and none of `other_titles`.
2. `summary` tells in two to four sentences what the topic is about. `current_state` tells where it stands. `open_questions` tells what is not settled. `impact` tells what follows from it. Each of them may be empty; tell nothing twice.
3. Every sentence says only what the facts say whose labels it has in `cites`, in their words, and has at least one label. If facts disagree, the one that was said later counts; where `is_disputed` is true, tell that it is disputed.
4. `key_facts` are the labels of the facts that matter most, at most five.
5. `faq` pairs the label of a question among the facts with the label of the fact that answers it.
6. Plain text: no Markdown, no labels within a sentence."#;

const EXAMPLE_INPUT: &str = r#"{"role":"topic_summarizer","facts":[
{"label":"f1","text":"The harbour demo is on 14 June.","quote":"The harbour demo is on 14 June.","author":"Rosa Lind","said_at":"2024-05-06T08:00:00Z","kind":"decision","importance":"medium","slot":null,"tags":["harbour demo"],"mentions":[],"answers":null,"is_disputed":false},
{"label":"f2","text":"Who presents the harbour demo?","quote":"Who presents the harbour demo?","author":"Tom Berg","said_at":"2024-05-06T09:00:00Z","kind":"question","importance":"medium","slot":null,"tags":["harbour demo"],"mentions":[],"answers":null,"is_disputed":false},
{"label":"f3","text":"Ines Roy presents the harbour demo.","quote":"Ines Roy presents the harbour demo.","author":"Rosa Lind","said_at":"2024-05-06T09:10:00Z","kind":"observation","importance":"medium","slot":null,"tags":["harbour demo"],"mentions":[],"answers":"f2","is_disputed":false},
{"label":"f4","text":"It is open whether the harbour demo needs a second room.","quote":"It is open whether the harbour demo needs a second room.","author":"Tom Berg","said_at":"2024-05-07T09:00:00Z","kind":"observation","importance":"medium","slot":null,"tags":["harbour demo"],"mentions":[],"answers":null,"is_disputed":false}],"other_titles":["Invoice job"]}"#;

const EXAMPLE_REPLY: &str = r#"{"title":"Harbour demo",
"summary":[{"text":"The harbour demo is on 14 June, and Ines Roy presents it.","cites":["f1","f3"]}],
"current_state":[],
"open_questions":[{"text":"It is open whether the harbour demo needs a second room.","cites":["f4"]}],
"impact":[],
"key_facts":["f1","f3"],
"faq":[{"question":"f2","answer":"f3"}]}"#;

#[cfg(test)]
mod tests {
    #[test]
    fn the_request_is_the_one_that_was_agreed_on() {
        crate::llm::tasks::golden::check::<super::TopicSummarizerInput>(
            &expect_test::expect_file!["golden/topic_summarizer.txt"],
        );
    }
}
