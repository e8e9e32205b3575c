//! Questions to evidence.
//!
//! Pure: [`question`] (what is asked for), [`parts`] (a question that asks for several things), [`fuse`] (ranked lists to one), [`context`] (what stands
//! around a hit). The one async entry is [`search`].

use std::time::Duration;

use self::fuse::Calibration;

pub mod context;
pub mod fuse;
mod hydrate;
mod legs;
mod neighbours;
pub mod parts;
pub mod question;
mod search;
mod times;

pub use hydrate::{Found, Hit};
pub use legs::{LegName, Ranked};
pub use search::{Degraded, Freshness, SearchOptions, SearchOutcome, search};

/// The tunables of retrieval.
///
/// The weights of what stands around a hit were chosen on conversations 1 to 5 of `LoCoMo`, by words
/// alone. Those of the legs by meaning are low because the offline embedder adds little to words; a
/// model's vectors deserve more.
#[derive(Clone, Debug, PartialEq)]
pub struct RetrieveSettings {
    /// Hits that each leg gives for one that is asked for.
    pub overfetch: usize,
    /// Hits that each leg gives at least: what stands around a hit is told by other hits.
    pub depth: usize,
    /// How the scores of legs become comparable.
    pub calibration: Calibration,
    /// The weight of words in facts.
    pub weight_fact_words: f64,
    /// The weight of words in messages.
    pub weight_message_words: f64,
    /// The weight of meaning in facts.
    pub weight_fact_meaning: f64,
    /// The weight of meaning in messages.
    pub weight_message_meaning: f64,
    /// The weight of the entities that the question names, and of their neighbours.
    pub weight_graph: f64,
    /// The share of the message before that counts for a message.
    pub weight_previous: f64,
    /// The share of the message after that counts for a message.
    pub weight_next: f64,
    /// The weight of a hit's session.
    pub weight_session: f64,
    /// The share of what is found for a part of a question, beside what is found for the whole.
    pub weight_part: f64,
    /// What it adds that somebody said it whom the question names.
    pub weight_speaker: f64,
    /// What it adds that it was said in a time that the question names.
    pub weight_time: f64,
    /// The weight of recency, where the question asks for it.
    pub weight_recency: f64,
    /// Messages further apart than this are of two sessions.
    pub session_gap: Duration,
    /// Hits, the best, whose following message is looked at.
    pub max_neighbours: usize,
    /// Entities that the graph leg starts from.
    pub max_entities: usize,
}

impl Default for RetrieveSettings {
    fn default() -> Self {
        Self {
            overfetch: 4,
            depth: 60,
            calibration: Calibration::MinMax,
            weight_fact_words: 0.7,
            weight_message_words: 1.0,
            weight_fact_meaning: 0.1,
            weight_message_meaning: 0.1,
            weight_graph: 0.2,
            weight_previous: 0.5,
            weight_next: 0.25,
            weight_session: 0.4,
            weight_part: 0.5,
            weight_speaker: 0.2,
            weight_time: 0.3,
            weight_recency: 0.3,
            session_gap: Duration::from_hours(6),
            max_neighbours: 40,
            max_entities: 6,
        }
    }
}
