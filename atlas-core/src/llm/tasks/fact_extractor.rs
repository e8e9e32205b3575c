//! The task of finding statements in messages.
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PromptMessage;
use crate::llm::{Example, Role, Task, TaskInput, Wording};
use crate::model::{
    ActionStatus, FactKind, GlossaryTerm, Importance, Mention, Modality, Polarity, Quantity,
    Sentiment,
};

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

pub(super) fn positive() -> Polarity {
    Polarity::Positive
}

fn asserted() -> Modality {
    Modality::Asserted
}

impl Task for FactExtractionInput {
    const ROLE: Role = Role::FactExtractor;
    const INSTRUCTIONS: &'static str = INSTRUCTIONS;
    const EXAMPLE: Example = Example {
        input: EXAMPLE_INPUT,
        reply: EXAMPLE_REPLY,
    };
    type Output = FactExtractionOutput;

    fn wording() -> &'static Wording {
        static WORDING: LazyLock<Wording> = LazyLock::new(Wording::of::<FactExtractionInput>);
        &WORDING
    }

    fn into_input(self) -> TaskInput {
        TaskInput::FactExtractor(self)
    }
}

const INSTRUCTIONS: &str = r#"You read the messages of a chat channel and write down the statements in them that are worth remembering.

Worth remembering: decisions; tasks, with who does them and by when; questions that matter and the answers to them; what somebody prefers; what changed, such as a date, a number, a status, a price, a name; what people, teams, products and systems are and do. Not worth remembering: greetings, thanks, jokes, small talk, and messages that only say that something was sent, shared or discussed.

Rules
1. Take statements from `messages` only. `context` holds earlier messages and is there for understanding.
2. Most messages hold none. Give at most `max_facts_per_message` statements from one message.
3. `message` is the label of the message. `quote` is one unbroken piece of its `text`, copied letter by letter: no change of case, spelling or punctuation.
4. `text` is one sentence that is understood without the conversation: put names in the place of "I", "we", "it" and "that". Use the words of the message. Say nothing that the message does not say, and never that somebody said it.
5. `kind` is `decision` for what was settled, `action_item` for what somebody is to do, `question` for what somebody wants to know, `opinion` for what somebody thinks or prefers, `observation` for everything else that is so.
6. `slot` tells what the statement is about, so that a later change can be noticed: `subject` is the thing, `family` the property in one word (`date`, `uses`, `status`, `owner`, `price`, `role`, `likes`), `value` what is said of it. It is null if there is no such property.
7. `due`, `occurred_at` and `valid_until` are the words of the message for a time, such as "next Friday". They are null if the message names no such time.
8. `owner` is who is to do it, by name. `status` is for an `action_item` only.
9. `quality` is how clear and how useful the statement is, from 0 to 1; leave out what is below 0.5.
10. `answers` is the label of the message whose question the statement answers.
11. What a message does not say is null, or [] for a list."#;

const EXAMPLE_INPUT: &str = r#"{"role":"fact_extractor","context":[],
"messages":[
{"label":"m1","author":"Rosa Lind","sent_at":"2024-05-06T08:00:00Z","text":"Morning! After the outage we decided to move the invoice job to Redis. Can somebody tell me who owns the cron server?","thread_root":null,"mentions":[],"links":[]},
{"label":"m2","author":"Tom Berg","sent_at":"2024-05-06T08:04:00Z","text":"thanks, I'll write the migration plan by Friday","thread_root":"m1","mentions":[],"links":[]}],
"max_facts_per_message":2}"#;

const EXAMPLE_REPLY: &str = r#"{"facts":[
{"message":"m1","quote":"After the outage we decided to move the invoice job to Redis.","text":"After the outage it was decided to move the invoice job to Redis.","kind":"decision","slot":{"subject":"invoice job","family":"uses","value":"Redis","polarity":"positive","modality":"planned"},"owner":null,"due":null,"status":null,"importance":"high","quality":0.9,"topic_tags":["invoice job","redis"],"action_tags":["move"],"mentions":[{"name":"Redis","kind":"technology"}],"language":"en","occurred_at":null,"valid_until":null,"rationale":"After the outage","alternatives":[],"consequences":[],"numbers":[],"sentiment":null,"glossary":[],"answers":null},
{"message":"m1","quote":"Can somebody tell me who owns the cron server?","text":"Who owns the cron server?","kind":"question","slot":{"subject":"cron server","family":"owner","value":"","polarity":"positive","modality":"asked"},"owner":null,"due":null,"status":null,"importance":"medium","quality":0.7,"topic_tags":["cron server"],"action_tags":[],"mentions":[],"language":"en","occurred_at":null,"valid_until":null,"rationale":null,"alternatives":[],"consequences":[],"numbers":[],"sentiment":null,"glossary":[],"answers":null},
{"message":"m2","quote":"I'll write the migration plan by Friday","text":"Tom Berg will write the migration plan by Friday.","kind":"action_item","slot":{"subject":"migration plan","family":"owner","value":"Tom Berg","polarity":"positive","modality":"planned"},"owner":"Tom Berg","due":"by Friday","status":"open","importance":"medium","quality":0.8,"topic_tags":["migration plan"],"action_tags":["write"],"mentions":[{"name":"Tom Berg","kind":"person"}],"language":"en","occurred_at":null,"valid_until":null,"rationale":null,"alternatives":[],"consequences":[],"numbers":[],"sentiment":null,"glossary":[],"answers":null}]}"#;

#[cfg(test)]
mod tests {
    #[test]
    fn the_request_is_the_one_that_was_agreed_on() {
        crate::llm::tasks::golden::check::<super::FactExtractionInput>(&expect_test::expect_file![
            "golden/fact_extractor.txt"
        ]);
    }
}
