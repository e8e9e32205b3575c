//! The tasks that read messages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Role, Task, TaskInput};
use crate::model::{
    ActionStatus, EntityType, FactKind, GlossaryTerm, Importance, Mention, Modality, Polarity,
    Quantity, Sentiment, Timestamp,
};

/// A message as a task sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptMessage {
    /// What the reply calls it, such as `m3`.
    pub label: String,
    /// Who said it, by name.
    pub author: String,
    /// When.
    pub sent_at: Timestamp,
    /// What was said.
    pub text: String,
    /// The label of the root of its thread, if that is another message of the task.
    pub thread_root: Option<String>,
    /// The names of the people whom the text addresses by handle, as they stand in the text.
    pub mentions: Vec<String>,
    /// The addresses of its links.
    pub links: Vec<String>,
}

/// Messages to statements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactExtractionInput {
    /// Earlier messages of the same threads: to understand, not to extract from.
    pub context: Vec<PromptMessage>,
    /// The messages to extract from, whole conversations in order.
    pub messages: Vec<PromptMessage>,
    /// At most this many statements from one message.
    pub max_facts_per_message: usize,
}

/// What statements were found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactExtractionOutput {
    /// The statements, each as a value of its own, so that one bad item costs no other.
    #[schemars(with = "Vec<ProposedFact>")]
    pub facts: Vec<serde_json::Value>,
}

/// A statement that an extractor proposes. Only what stands here is taken from an extractor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedFact {
    /// The label of the message.
    pub message: String,
    /// The words of the message, letter by letter.
    pub quote: String,
    /// The statement, to be understood on its own.
    pub text: String,
    /// What kind of statement.
    pub kind: FactKind,
    /// What it is about.
    #[serde(default)]
    pub slot: Option<ProposedSlot>,
    /// Who is to do it, for an action item.
    #[serde(default)]
    pub owner: Option<String>,
    /// When it is due: RFC 3339, or the words of the message.
    #[serde(default)]
    pub due: Option<String>,
    /// Where an action item stands.
    #[serde(default)]
    pub status: Option<ActionStatus>,
    /// How much hangs on it.
    #[serde(default = "medium")]
    pub importance: Importance,
    /// How well it is said, 0 to 1.
    pub quality: f32,
    /// What it is about, in lower-case words.
    #[serde(default)]
    pub topic_tags: Vec<String>,
    /// What is done in it, in lower-case verbs.
    #[serde(default)]
    pub action_tags: Vec<String>,
    /// The names in it.
    #[serde(default)]
    pub mentions: Vec<Mention>,
    /// The language tag of the statement.
    #[serde(default)]
    pub language: Option<String>,
    /// When what it says happened or will: RFC 3339, or the words of the message.
    #[serde(default)]
    pub occurred_at: Option<String>,
    /// When it stops being so: RFC 3339, or the words of the message.
    #[serde(default)]
    pub valid_until: Option<String>,
    /// Why.
    #[serde(default)]
    pub rationale: Option<String>,
    /// What else was considered.
    #[serde(default)]
    pub alternatives: Vec<String>,
    /// What follows and is still open.
    #[serde(default)]
    pub consequences: Vec<String>,
    /// The numbers in it.
    #[serde(default)]
    pub numbers: Vec<Quantity>,
    /// Its tone.
    #[serde(default)]
    pub sentiment: Option<Sentiment>,
    /// The terms that it explains.
    #[serde(default)]
    pub glossary: Vec<GlossaryTerm>,
    /// The label of the message whose question it answers.
    #[serde(default)]
    pub answers: Option<String>,
}

/// What a proposed statement is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedSlot {
    /// What it speaks of.
    pub subject: String,
    /// The family of the predicate: `date`, `uses`, `status`, `likes`, `role`, `price` …
    pub family: String,
    /// What it says of it.
    #[serde(default)]
    pub value: String,
    /// Whether it says yes or no.
    #[serde(default = "positive")]
    pub polarity: Polarity,
    /// How surely.
    #[serde(default = "asserted")]
    pub modality: Modality,
}

fn medium() -> Importance {
    Importance::Medium
}

fn positive() -> Polarity {
    Polarity::Positive
}

fn asserted() -> Modality {
    Modality::Asserted
}

impl Task for FactExtractionInput {
    const ROLE: Role = Role::FactExtractor;
    const INSTRUCTIONS: &'static str = "Extract the statements that are worth remembering from \
        `messages`: decisions, action items with owner and due date, questions and their answers, \
        preferences, changes of status, dates, numbers and other facts. Take none from `context`. \
        Leave out greetings, thanks and chatter. Make each statement understandable on its own, \
        with names in place of pronouns. `quote` must be copied letter by letter from the message. \
        State nothing that the message does not say.";
    type Output = FactExtractionOutput;

    fn into_input(self) -> TaskInput {
        TaskInput::FactExtractor(self)
    }
}

/// Messages to names and relations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityExtractionInput {
    /// The messages, whole conversations in order.
    pub messages: Vec<PromptMessage>,
}

/// What names and relations were found, each as a value of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EntityExtractionOutput {
    /// The names.
    #[schemars(with = "Vec<ProposedEntity>")]
    pub entities: Vec<serde_json::Value>,
    /// The relations.
    #[schemars(with = "Vec<ProposedRelation>")]
    pub relations: Vec<serde_json::Value>,
}

/// A name that an extractor proposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedEntity {
    /// The label of the message.
    pub message: String,
    /// The name, letter by letter as the message has it.
    pub name: String,
    /// What it names.
    pub kind: EntityType,
    /// Other names that the same message gives it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What the message says of it.
    #[serde(default)]
    pub properties: Vec<ProposedProperty>,
}

/// What a message says of something that it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedProperty {
    /// Which property, such as `role`.
    pub name: String,
    /// Its value, letter by letter as the message has it, such as `designer`.
    pub value: String,
}

/// A relation that an extractor proposes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedRelation {
    /// The label of the message.
    pub message: String,
    /// The words that say it, letter by letter.
    pub quote: String,
    /// The name at its start, as proposed among the entities.
    pub source: String,
    /// The verb as said.
    pub verb: String,
    /// The name at its end, as proposed among the entities.
    pub target: String,
    /// Whether it is said to be so or not so.
    #[serde(default = "positive")]
    pub polarity: Polarity,
    /// How sure, 0 to 1.
    pub confidence: f32,
}

impl Task for EntityExtractionInput {
    const ROLE: Role = Role::EntityExtractor;
    const INSTRUCTIONS: &'static str = "Find the people, teams, organizations, projects, products, \
        technologies, places, events and documents that the messages name, and the relations \
        between them that the messages state. Copy names and quotes letter by letter. Guess \
        nothing that is not said.";
    type Output = EntityExtractionOutput;

    fn into_input(self) -> TaskInput {
        TaskInput::EntityExtractor(self)
    }
}
