//! The task of answering a question.
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LabelledSentence;
use crate::llm::{Example, Role, Task, TaskInput, Wording};
use crate::model::{FactKind, Timestamp};

/// A question and evidence to an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswererInput {
    /// The question.
    pub question: String,
    /// The instant at which it is asked.
    pub asked_at: Timestamp,
    /// What was found, best first.
    pub evidence: Vec<LabelledEvidence>,
    /// At most this many sentences.
    pub max_sentences: usize,
}

/// Something that was found, as a task sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelledEvidence {
    /// What the reply calls it, such as `e3`.
    pub label: String,
    /// What it says: a fact, or the words of a message.
    pub text: String,
    /// The words of the message.
    pub quote: String,
    /// Who said it, by name.
    pub author: String,
    /// When.
    pub said_at: Timestamp,
    /// The kind of fact; none for a message that was not distilled.
    pub kind: Option<FactKind>,
    /// Whether a later fact took its place.
    pub is_superseded: bool,
    /// The text of the question that it answers, where it does.
    pub answers: Option<String>,
}

/// An answer's draft.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswererOutput {
    /// The sentences; none if the evidence does not answer the question.
    pub sentences: Vec<LabelledSentence>,
}

impl Task for AnswererInput {
    const ROLE: Role = Role::Answerer;
    const INSTRUCTIONS: &'static str = INSTRUCTIONS;
    const EXAMPLE: Example = Example {
        input: EXAMPLE_INPUT,
        reply: EXAMPLE_REPLY,
    };
    type Output = AnswererOutput;

    fn wording() -> &'static Wording {
        static WORDING: LazyLock<Wording> = LazyLock::new(Wording::of::<AnswererInput>);
        &WORDING
    }

    fn into_input(self) -> TaskInput {
        TaskInput::Answerer(self)
    }
}

const INSTRUCTIONS: &str = r#"You answer a question from the evidence that was found, and from nothing else.

Rules
1. Answer in one to `max_sentences` sentences. The first one answers the question; the others say only what the reader needs besides.
2. Every sentence says only what the evidence says whose labels it has in `cites`, in its words, and has at least one label.
3. Evidence with `is_superseded` true no longer counts: use it only where the question asks what was so before, and tell what took its place.
4. "Today", "last week" and the like are counted from `asked_at`.
5. Give no sentence if the evidence does not answer the question. Evidence that is about the same thing but does not answer is no answer.
6. Plain text: no Markdown, no labels within a sentence."#;

const EXAMPLE_INPUT: &str = r#"{"role":"answerer","question":"When is the harbour demo?","asked_at":"2024-05-08T08:00:00Z",
"evidence":[
{"label":"e1","text":"The harbour demo is on 14 June.","quote":"The harbour demo is on 14 June.","author":"Rosa Lind","said_at":"2024-05-06T08:00:00Z","kind":"decision","is_superseded":false,"answers":null},
{"label":"e2","text":"The harbour demo is on 7 June.","quote":"The harbour demo is on 7 June.","author":"Tom Berg","said_at":"2024-04-02T10:00:00Z","kind":"decision","is_superseded":true,"answers":null}],
"max_sentences":3}"#;

const EXAMPLE_REPLY: &str =
    r#"{"sentences":[{"text":"The harbour demo is on 14 June.","cites":["e1"]}]}"#;

#[cfg(test)]
mod tests {
    #[test]
    fn the_request_is_the_one_that_was_agreed_on() {
        crate::llm::tasks::golden::check::<super::AnswererInput>(&expect_test::expect_file![
            "golden/answerer.txt"
        ]);
    }
}
