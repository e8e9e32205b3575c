//! Every field of every record survives being stored, and every field is put to the test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use atlas_core::model::{
    AtomicFact, ChannelSummary, Curation, FactEntities, GraphEntity, GraphRelation, Judgement,
    Membership, Message, MessageOutcome, Standing, Stored, TopicCluster, TopicSummary, Turn,
    WikiPage,
};
use atlas_testkit::strategy;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value;

/// How many values are looked at to see what varies.
const SAMPLES: usize = 400;

/// What is seen of a value with fields.
const FIELDS: &str = "fields";
/// What is seen of a list of two.
const PAIR: &str = "2 items";

/// What was seen at each place of values: scalars, tags of variants, and lengths of lists.
#[derive(Default)]
struct Places(BTreeMap<String, BTreeSet<String>>);

impl Places {
    fn add(&mut self, place: &str, value: &Value) {
        let seen = match value {
            Value::Object(fields) if place.ends_with("metadata") => {
                format!("{fields:?}")
            }
            Value::Object(fields) => {
                for (name, value) in fields {
                    self.add(&format!("{place}.{name}"), value);
                }
                FIELDS.to_owned()
            }
            Value::Array(items) => {
                for item in items {
                    self.add(&format!("{place}[]"), item);
                }
                format!("{} items", items.len())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
        };
        self.0.entry(place.to_owned()).or_default().insert(seen);
    }

    /// The places where only one thing was ever seen.
    ///
    /// A value that always has fields is looked at field by field, and a pair always has two items.
    fn constant(&self) -> Vec<&str> {
        let by_parts = [FIELDS, PAIR].map(|it| BTreeSet::from([it.to_owned()]));
        self.0
            .iter()
            .filter(|(_, seen)| seen.len() < 2 && !by_parts.contains(seen))
            .map(|(place, _)| place.as_str())
            .collect()
    }
}

fn sample<S: Strategy>(strategy: &S) -> Vec<S::Value> {
    let mut runner = TestRunner::deterministic();
    (0..SAMPLES)
        .map(|_| strategy.new_tree(&mut runner).unwrap().current())
        .collect()
}

fn places_of<T: serde::Serialize>(values: &[T]) -> Places {
    let mut places = Places::default();
    for value in values {
        places.add("", &serde_json::to_value(value).unwrap());
    }
    places
}

/// The record as a store gives it back.
fn stored_and_read<T: Stored>(value: &T) -> T {
    T::decode(&value.encode().unwrap()).unwrap()
}

macro_rules! records {
    ($($name:ident: $type:ident = $strategy:expr;)*) => {
        /// The types that are put to the test here.
        const TYPES: &[&str] = &[$(stringify!($type)),*];

        mod round_trip {
            use super::*;

            proptest! {
                $(
                    #[test]
                    fn $name(value in $strategy) {
                        let read = stored_and_read(&value);
                        prop_assert_eq!(read.key(), value.key());
                        prop_assert_eq!(read, value);
                    }
                )*
            }
        }

        mod no_field_is_constant {
            use super::*;

            $(
                #[test]
                fn $name() {
                    let values: Vec<$type> = sample(&$strategy);
                    let constant = places_of(&values).constant().join(", ");
                    assert_eq!(constant, "", "only one value was ever generated there");
                }
            )*
        }
    };
}

records! {
    message_outcome: MessageOutcome = strategy::arb_message_outcome();
    fact: AtomicFact = strategy::arb_fact();
    standing: Standing = strategy::arb_standing();
    judgement: Judgement = strategy::arb_judgement();
    entity: GraphEntity = strategy::arb_entity();
    fact_entities: FactEntities = strategy::arb_fact_entities();
    relation: GraphRelation = strategy::arb_relation();
    topic: TopicCluster = strategy::arb_topic();
    membership: Membership = strategy::arb_membership();
    topic_summary: TopicSummary = strategy::arb_topic_summary();
    channel_summary: ChannelSummary = strategy::arb_channel_summary();
    page: WikiPage = strategy::arb_page();
    curation: Curation = strategy::arb_curation();
    turn: Turn = strategy::arb_turn();
}

#[test]
fn no_record_of_the_model_is_left_out() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../atlas-core/src/model/stored.rs");
    let source = std::fs::read_to_string(source).unwrap();
    let (_, table) = source.split_once("\nstored! {\n").unwrap();
    let (table, _) = table.split_once("\n}").unwrap();
    let stored: Vec<&str> = table
        .lines()
        .filter_map(|line| line.trim().split_once(',').map(|(name, _)| name))
        .collect();
    assert_eq!(TYPES, stored);
}

proptest! {
    #[test]
    fn a_message_survives_too(message in strategy::arb_message()) {
        let bytes = serde_json::to_vec(&message).unwrap();
        let read: Message = serde_json::from_slice(&bytes).unwrap();
        prop_assert_eq!(read.version(), message.version());
        prop_assert_eq!(read, message);
    }
}

#[test]
fn no_field_of_a_message_is_constant() {
    let constant = places_of(&sample(&strategy::arb_message()))
        .constant()
        .join(", ");
    assert_eq!(constant, "");
}

#[test]
fn a_constant_field_is_noticed() {
    let values = [
        serde_json::json!({"a": 1, "b": {"c": "x"}, "d": [1, 2, 3], "e": null}),
        serde_json::json!({"a": 2, "b": {"c": "x"}, "d": [3, 2, 1], "e": null}),
    ];
    assert_eq!(places_of(&values).constant(), [".b.c", ".d", ".e"]);
}
