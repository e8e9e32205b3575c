//! Arbitrary values of every record of the model, for property tests.
//!
//! Values are well formed: lists that are never empty are not, evidence is in order, a pair has
//! the smaller id first, a span begins before it ends. Beyond that every field takes whatever its
//! type can hold, and texts and ids are of every awkward sort.
//!
//! ```
//! use atlas_core::model::{AtomicFact, Stored};
//! use atlas_testkit::strategy::arb_fact;
//! use proptest::prelude::*;
//!
//! proptest!(|(fact in arb_fact())| {
//!     prop_assert_eq!(AtomicFact::decode(&fact.encode()?)?, fact);
//! });
//! ```

mod claim;
mod fact;
mod graph;
mod ids;
mod judgement;
mod message;
mod outcome;
mod page;
mod text;
mod time;
mod topic;
mod turn;

pub use claim::{arb_claim, arb_fact_kind, arb_slot, arb_span, arb_unit_score};
pub use fact::{arb_evidence, arb_fact, arb_fact_state, arb_standing};
pub use graph::{
    arb_entity, arb_entity_claim, arb_entity_type, arb_fact_entities, arb_relation,
    arb_relation_claim, arb_sighting,
};
pub use ids::{
    arb_author_id, arb_channel_id, arb_content_hash, arb_entity_id, arb_fact_id, arb_fingerprint,
    arb_message_id, arb_page_id, arb_principal_id, arb_relation_id, arb_topic_id, arb_turn_id,
};
pub use judgement::{arb_judge, arb_judged, arb_judgement, arb_verdict};
pub use message::{arb_attachment, arb_author, arb_link, arb_message, arb_reaction};
pub use outcome::{arb_dead_reason, arb_message_outcome, arb_outcome_stage, arb_refusal_reason};
pub use page::{arb_curation, arb_page, arb_page_kind, arb_section};
pub use text::{arb_language, arb_name, arb_text};
pub use time::{arb_interval, arb_timestamp};
pub use topic::{
    arb_channel_summary, arb_cited_sentence, arb_membership, arb_topic, arb_topic_summary,
};
pub use turn::{arb_answer_outcome, arb_bill, arb_turn};

use proptest::collection::vec;
use proptest::prelude::*;

/// The most items of a list in a generated value.
const MOST: usize = 3;

/// A list of up to a few values.
fn some_of<T: std::fmt::Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    vec(value, 0..=MOST)
}

/// A list of a few values, never none.
fn at_least_one<T: std::fmt::Debug>(
    value: impl Strategy<Value = T>,
) -> impl Strategy<Value = Vec<T>> {
    vec(value, 1..=MOST)
}

/// A value or none.
fn maybe<T: std::fmt::Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Option<T>> {
    prop::option::of(value)
}

/// The values in order, each once.
fn in_order<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort();
    values.dedup();
    values
}
