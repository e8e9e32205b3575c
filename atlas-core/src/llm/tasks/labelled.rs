//! Facts and sentences under labels.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{AtomicFact, FactKind, Importance, Slot, Timestamp};

/// A fact as a task sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelledFact {
    /// What the reply calls it, such as `f3`.
    pub label: String,
    /// What it says.
    pub text: String,
    /// The words of its latest evidence.
    pub quote: String,
    /// Who said it, by name.
    pub author: String,
    /// When it was said last.
    pub said_at: Timestamp,
    /// What kind of statement.
    pub kind: FactKind,
    /// How much hangs on it.
    pub importance: Importance,
    /// What it is about.
    pub slot: Option<Slot>,
    /// Its topic tags.
    pub tags: Vec<String>,
    /// The names in it.
    pub mentions: Vec<String>,
    /// The label of the question that it answers, if that is offered too.
    pub answers: Option<String>,
    /// Whether other facts speak against it.
    pub is_disputed: bool,
}

/// A sentence with the labels of what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelledSentence {
    /// The sentence, without citation marks.
    pub text: String,
    /// The labels, never none.
    pub cites: Vec<String>,
}

impl LabelledFact {
    /// A fact under a label. What it answers is left out: the caller knows what is offered.
    pub fn new(fact: &AtomicFact, label: String, is_disputed: bool) -> Self {
        let latest = fact.latest();
        Self {
            label,
            text: fact.claim.text.clone(),
            quote: latest.map(|it| it.quote.clone()).unwrap_or_default(),
            author: latest.map(|it| it.author.name.clone()).unwrap_or_default(),
            said_at: latest.map_or(fact.claim.occurred_at, |it| it.sent_at),
            kind: fact.claim.kind,
            importance: fact.claim.importance,
            slot: fact.claim.slot.clone(),
            tags: fact.claim.topic_tags.clone(),
            mentions: fact
                .claim
                .mentions
                .iter()
                .map(|it| it.name.clone())
                .collect(),
            answers: None,
            is_disputed,
        }
    }
}
