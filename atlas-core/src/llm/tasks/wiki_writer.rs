//! The task of writing the sections of a page.
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LabelledFact, LabelledSentence};
use crate::llm::{Example, Role, Task, TaskInput, Wording};

/// Facts to the sections of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WikiWriterInput {
    /// The page's title.
    pub page: String,
    /// What kind of page, as a word.
    pub kind: String,
    /// The sections to write, in order.
    pub sections: Vec<SectionBrief>,
    /// Every fact that the sections may cite.
    pub facts: Vec<LabelledFact>,
}

/// A section to write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionBrief {
    /// What the reply calls it.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// The labels of the facts to tell, most important first.
    pub facts: Vec<String>,
}

/// The sections of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WikiWriterOutput {
    /// The sections, by the ids of the briefs.
    pub sections: Vec<WrittenSection>,
}

/// A section as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenSection {
    /// The id of its brief.
    pub id: String,
    /// Its sentences.
    pub sentences: Vec<LabelledSentence>,
}

impl Task for WikiWriterInput {
    const ROLE: Role = Role::WikiWriter;
    const INSTRUCTIONS: &'static str = INSTRUCTIONS;
    const EXAMPLE: Example = Example {
        input: EXAMPLE_INPUT,
        reply: EXAMPLE_REPLY,
    };
    type Output = WikiWriterOutput;

    fn wording() -> &'static Wording {
        static WORDING: LazyLock<Wording> = LazyLock::new(Wording::of::<WikiWriterInput>);
        &WORDING
    }

    fn into_input(self) -> TaskInput {
        TaskInput::WikiWriter(self)
    }
}

const INSTRUCTIONS: &str = r"You write the sections of one page of a wiki, for a reader who was not there.

Rules
1. `sections` are the sections to write. Reply with each of them once, under its `id`, in the same order.
2. Tell the facts whose labels the section lists, the most important ones first, and each fact once on the page. Leave out what does not belong under the section's title.
3. Every sentence says only what the facts say whose labels it has in `cites`, in their words, and has at least one label. Join facts in one sentence only where they belong together, and cite all of them.
4. Where `is_disputed` is true, tell that it is disputed. A question is told as a question.
5. Plain text: no Markdown, no headings, no labels within a sentence, and nothing about the page itself.";

const EXAMPLE_INPUT: &str = r#"{"role":"wiki_writer","page":"Harbour demo","kind":"topic",
"sections":[{"id":"s1","title":"State","facts":["f1","f2"]}],
"facts":[
{"label":"f1","text":"The harbour demo is on 14 June.","quote":"The harbour demo is on 14 June.","author":"Rosa Lind","said_at":"2024-05-06T08:00:00Z","kind":"decision","importance":"medium","slot":null,"tags":["harbour demo"],"mentions":[],"answers":null,"is_disputed":false},
{"label":"f2","text":"Ines Roy presents the harbour demo.","quote":"Ines Roy presents the harbour demo.","author":"Rosa Lind","said_at":"2024-05-06T09:10:00Z","kind":"observation","importance":"medium","slot":null,"tags":["harbour demo"],"mentions":[],"answers":null,"is_disputed":false}]}"#;

const EXAMPLE_REPLY: &str = r#"{"sections":[{"id":"s1","sentences":[{"text":"The harbour demo is on 14 June.","cites":["f1"]},{"text":"Ines Roy presents the harbour demo.","cites":["f2"]}]}]}"#;

#[cfg(test)]
mod tests {
    #[test]
    fn the_request_is_the_one_that_was_agreed_on() {
        crate::llm::tasks::golden::check::<super::WikiWriterInput>(&expect_test::expect_file![
            "golden/wiki_writer.txt"
        ]);
    }
}
