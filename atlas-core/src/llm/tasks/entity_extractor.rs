//! The task of finding names and relations in messages.
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PromptMessage;
use super::fact_extractor::positive;
use crate::llm::{Example, Role, Task, TaskInput, Wording};
use crate::model::{EntityType, Polarity};

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
    const INSTRUCTIONS: &'static str = INSTRUCTIONS;
    const EXAMPLE: Example = Example {
        input: EXAMPLE_INPUT,
        reply: EXAMPLE_REPLY,
    };
    type Output = EntityExtractionOutput;

    fn wording() -> &'static Wording {
        static WORDING: LazyLock<Wording> = LazyLock::new(Wording::of::<EntityExtractionInput>);
        &WORDING
    }

    fn into_input(self) -> TaskInput {
        TaskInput::EntityExtractor(self)
    }
}

const INSTRUCTIONS: &str = r#"You read the messages of a chat channel and list the names in them, and the relations between those names that the messages state.

Rules
1. A name is what a person, team, organization, project, product, technology, place, event or document is called. Words such as "the server", "we" or "the customer" are no names. Use `concept` only for an idea that has a name of its own here.
2. `message` is the label of the message that has the name. `name` is copied from its `text` letter by letter. An author may be named as `author` gives the name, where the message speaks of its author.
3. Give each name once for each message that has it. `aliases` are other names that the same message gives the same thing.
4. `properties` are what the message says of the thing in its own words, such as `role` with the value "tech lead". Usually there are none.
5. A relation is stated by words of one message: `quote` is those words, letter by letter; `source` and `target` are two of the names that you list for that message; `verb` is the verb as it is said.
6. `polarity` is `negative` where the message says that it is not so. `confidence` is how clearly it is said, from 0 to 1; leave out what is below 0.6.
7. Guess nothing. If there is no name, both lists are empty."#;

const EXAMPLE_INPUT: &str = r#"{"role":"entity_extractor",
"messages":[{"label":"m1","author":"Rosa Lind","sent_at":"2024-05-06T08:00:00Z","text":"Tom Berg, our tech lead, moved the invoices to Redis. I am not on the Harbour project any more.","thread_root":null,"mentions":[],"links":[]}]}"#;

const EXAMPLE_REPLY: &str = r#"{"entities":[
{"message":"m1","name":"Tom Berg","kind":"person","aliases":[],"properties":[{"name":"role","value":"tech lead"}]},
{"message":"m1","name":"Redis","kind":"technology","aliases":[],"properties":[]},
{"message":"m1","name":"Rosa Lind","kind":"person","aliases":[],"properties":[]},
{"message":"m1","name":"Harbour","kind":"project","aliases":[],"properties":[]}],
"relations":[
{"message":"m1","quote":"Tom Berg, our tech lead, moved the invoices to Redis.","source":"Tom Berg","verb":"moved to","target":"Redis","polarity":"positive","confidence":0.7},
{"message":"m1","quote":"I am not on the Harbour project any more.","source":"Rosa Lind","verb":"am on","target":"Harbour","polarity":"negative","confidence":0.9}]}"#;

#[cfg(test)]
mod tests {
    #[test]
    fn the_request_is_the_one_that_was_agreed_on() {
        crate::llm::tasks::golden::check::<super::EntityExtractionInput>(
            &expect_test::expect_file!["golden/entity_extractor.txt"],
        );
    }
}
