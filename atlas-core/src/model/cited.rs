//! Sentences with their evidence.

use serde::{Deserialize, Serialize};

use super::ids::FactId;

/// A sentence and the facts that it rests on, never none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitedSentence {
    /// The sentence, without citation marks.
    pub text: String,
    /// The facts that say it, in order of weight.
    pub facts: Vec<FactId>,
}
