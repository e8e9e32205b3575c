//! The task of comparing a fact with others.
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LabelledFact;
use crate::llm::{Example, Role, Task, TaskInput, Wording};

/// A fact and the facts that may speak against it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContradictionInput {
    /// The fact.
    pub fact: LabelledFact,
    /// The candidates.
    pub candidates: Vec<LabelledFact>,
}

/// What was found of the candidates. One that is not named has nothing to do with the fact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContradictionOutput {
    /// The verdicts.
    pub verdicts: Vec<ProposedVerdict>,
}

/// A verdict on the fact and one candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedVerdict {
    /// The candidate's label.
    pub candidate: String,
    /// How the two stand.
    pub relation: FactRelation,
    /// How sure, 0 to 1.
    pub confidence: f32,
    /// Why, in a sentence.
    pub reason: String,
}

/// How two facts stand to each other.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FactRelation {
    /// Both cannot be so at the same time.
    Contradicts,
    /// One says more precisely what the other says.
    Refines,
    /// They say the same.
    Duplicates,
    /// They have nothing to do with each other.
    Unrelated,
}

impl Task for ContradictionInput {
    const ROLE: Role = Role::ContradictionDetector;
    const INSTRUCTIONS: &'static str = INSTRUCTIONS;
    const EXAMPLE: Example = Example {
        input: EXAMPLE_INPUT,
        reply: EXAMPLE_REPLY,
    };
    type Output = ContradictionOutput;

    fn wording() -> &'static Wording {
        static WORDING: LazyLock<Wording> = LazyLock::new(Wording::of::<ContradictionInput>);
        &WORDING
    }

    fn into_input(self) -> TaskInput {
        TaskInput::ContradictionDetector(self)
    }
}

const INSTRUCTIONS: &str = r"You compare one `fact` with each of the `candidates`, and say how the two stand to each other. Which of the two was said later, and which of them counts, is not asked.

Rules
1. `contradicts`: both speak of the same property of the same thing, and cannot both be so at the same time. A date, a choice, a number, an owner or a status that changed is such a case.
2. `duplicates`: both say the same, in whatever words.
3. `refines`: one says what the other says, and more precisely.
4. `unrelated`: everything else. Two facts about different things, or about different properties of one thing, are unrelated, however alike their words are. In doubt they are unrelated.
5. `candidate` is the label of the candidate. Name no label that is not offered, and each at most once. A candidate that is unrelated may be left out.
6. `confidence` is how sure you are, from 0 to 1. `reason` is one short sentence that names what differs or agrees.";

const EXAMPLE_INPUT: &str = r#"{"role":"contradiction_detector",
"fact":{"label":"fact","text":"The harbour demo is on 14 June.","quote":"The harbour demo is on 14 June.","author":"Rosa Lind","said_at":"2024-05-06T08:00:00Z","kind":"decision","importance":"medium","slot":null,"tags":["harbour demo"],"mentions":[],"answers":null,"is_disputed":false},
"candidates":[
{"label":"f1","text":"The harbour demo is on 7 June.","quote":"The harbour demo is on 7 June.","author":"Tom Berg","said_at":"2024-04-02T10:00:00Z","kind":"decision","importance":"medium","slot":null,"tags":["harbour demo"],"mentions":[],"answers":null,"is_disputed":false},
{"label":"f2","text":"The harbour demo runs on the staging server.","quote":"The harbour demo runs on the staging server.","author":"Tom Berg","said_at":"2024-04-02T10:05:00Z","kind":"observation","importance":"medium","slot":null,"tags":["harbour demo"],"mentions":[],"answers":null,"is_disputed":false}]}"#;

const EXAMPLE_REPLY: &str = r#"{"verdicts":[{"candidate":"f1","relation":"contradicts","confidence":0.95,"reason":"The harbour demo cannot be on 14 June and on 7 June."}]}"#;

#[cfg(test)]
mod tests {
    #[test]
    fn the_request_is_the_one_that_was_agreed_on() {
        crate::llm::tasks::golden::check::<super::ContradictionInput>(&expect_test::expect_file![
            "golden/contradiction_detector.txt"
        ]);
    }
}
