//! What an extractor proposes about a message.

use serde::{Deserialize, Serialize};

use super::entity::EntityType;
use super::ids::FactId;
use super::language::Language;
use super::message::Link;
use super::score::UnitScore;
use super::time::Timestamp;

/// The kind of statement a fact is.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// Something was settled.
    Decision,
    /// What somebody thinks or prefers.
    Opinion,
    /// What is, was or happened.
    Observation,
    /// What somebody is to do.
    ActionItem,
    /// What somebody wants to know.
    Question,
}

/// How much hangs on a fact.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Importance {
    /// Nice to know.
    Low,
    /// Ordinary.
    Medium,
    /// Changes what people do.
    High,
    /// Everybody must know.
    Critical,
}

/// Whether a statement says yes or no.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// It is so.
    Positive,
    /// It is not so.
    Negative,
}

/// How surely a statement is made.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Modality {
    /// Stated as so.
    Asserted,
    /// Intended or scheduled.
    Planned,
    /// Wished, suggested or possible.
    Possible,
    /// Asked.
    Asked,
}

/// What a statement is about: two statements can only contradict each other within one slot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Slot {
    /// What it speaks of, normalised (lower case, no article), such as `launch` or `kiran`.
    pub subject: String,
    /// The family of the predicate, such as `date`, `uses`, `status`, `likes`, `role`, `price`.
    pub family: String,
    /// What it says of it, normalised; empty where polarity alone is the statement.
    pub value: String,
    /// Whether it says yes or no.
    pub polarity: Polarity,
    /// How surely.
    pub modality: Modality,
}

/// Where an action item stands.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ActionStatus {
    /// Not begun.
    Open,
    /// Begun.
    InProgress,
    /// Waiting for something.
    Blocked,
    /// Finished.
    Done,
    /// Given up.
    Dropped,
}

/// Who is to do what by when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionItem {
    /// Who is to do it, by name, where it is said.
    pub owner: Option<String>,
    /// When it is due, where it is said.
    pub due: Option<Timestamp>,
    /// Where it stands.
    pub status: ActionStatus,
}

/// A number with what it counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Quantity {
    /// The number as it was said, such as `1,200` or `12.5`.
    pub number: String,
    /// The unit, such as `ms`, `%` or `USD`; empty for a bare number.
    pub unit: String,
}

/// The tone of a statement.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Sentiment {
    /// Glad.
    Positive,
    /// Neither.
    Neutral,
    /// Worried or unhappy.
    Concerned,
}

/// A term and what it means here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct GlossaryTerm {
    /// The term.
    pub term: String,
    /// Its meaning, in the words of the message.
    pub definition: String,
}

/// A name that a statement speaks of.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
pub struct Mention {
    /// The name as said.
    pub name: String,
    /// What it names.
    pub kind: EntityType,
}

/// Where in a message's text something stands: byte offsets on character borders, `start < end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// Finds `words` in `text`, at or after byte `from`; `None` if they are not there or empty.
    pub fn find(text: &str, words: &str, from: usize) -> Option<Self> {
        if words.is_empty() {
            return None;
        }
        let start = from + text.get(from..)?.find(words)?;
        Some(Self {
            start,
            end: start + words.len(),
        })
    }

    /// The words that stand there.
    pub fn of(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }
}

/// A statement that was checked against the message that makes it.
///
/// Scope, author and time are not here: they come from the message, never from an extractor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The statement, to be understood on its own.
    pub text: String,
    /// Where in the message it is made.
    pub span: Span,
    /// The words that stand there.
    pub quote: String,
    /// What kind of statement.
    pub kind: FactKind,
    /// What it is about, where that is clear.
    pub slot: Option<Slot>,
    /// Owner, due and status of an action item.
    pub action: Option<ActionItem>,
    /// How much hangs on it.
    pub importance: Importance,
    /// How well it is said: complete, specific, understandable alone.
    pub quality: UnitScore,
    /// What it is about, in lower-case words.
    pub topic_tags: Vec<String>,
    /// What is done in it, in lower-case verbs.
    pub action_tags: Vec<String>,
    /// The names in it.
    pub mentions: Vec<Mention>,
    /// The language it is in.
    pub language: Language,
    /// When what it says happened or will; the message's time where nothing else is said.
    pub occurred_at: Timestamp,
    /// When it stops being so, where that is said.
    pub valid_until: Option<Timestamp>,
    /// Why, where that is said.
    pub rationale: Option<String>,
    /// What else was considered.
    pub alternatives: Vec<String>,
    /// What follows and is still open.
    pub consequences: Vec<String>,
    /// The numbers in it.
    pub numbers: Vec<Quantity>,
    /// Its tone, where it has one.
    pub sentiment: Option<Sentiment>,
    /// The terms that it explains.
    pub glossary: Vec<GlossaryTerm>,
    /// The links in it.
    pub links: Vec<Link>,
    /// The fact, a question of the same thread, that it answers.
    pub answers: Option<FactId>,
}
