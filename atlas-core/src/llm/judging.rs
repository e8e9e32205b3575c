//! The task that compares facts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LabelledFact, Role, Task, TaskInput};

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
    const INSTRUCTIONS: &'static str = "Compare `fact` with each of `candidates`. Two facts \
        contradict each other only if they speak of the same property of the same thing and \
        cannot both be so at the same time, as when a date, a choice, a number or a status \
        changed. Name only candidates that are offered, by their labels.";
    type Output = ContradictionOutput;

    fn into_input(self) -> TaskInput {
        TaskInput::ContradictionDetector(self)
    }
}
