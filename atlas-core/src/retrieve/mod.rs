//! Questions to evidence.
//!
//! Pure: [`question`] (what is asked for), [`fuse`] (ranked lists to one). The one async entry is
//! [`search`].

pub mod fuse;
mod hydrate;
mod legs;
pub mod question;
mod search;

pub use hydrate::{Found, Hit};
pub use legs::{LegName, Ranked};
pub use search::{Degraded, Freshness, SearchOptions, SearchOutcome, search};

/// The tunables of retrieval.
#[derive(Clone, Debug, PartialEq)]
pub struct RetrieveSettings {
    /// Hits that each leg gives for one that is asked for.
    pub overfetch: usize,
    /// The constant of reciprocal rank fusion.
    pub rank_constant: f64,
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
    /// The weight of recency, where the question asks for it.
    pub weight_recency: f64,
    /// Entities that the graph leg starts from.
    pub max_entities: usize,
}

impl Default for RetrieveSettings {
    fn default() -> Self {
        Self {
            overfetch: 4,
            // Cormack, Clarke, Buettcher, SIGIR 2009.
            rank_constant: 60.0,
            weight_fact_words: 1.0,
            weight_message_words: 1.0,
            weight_fact_meaning: 0.5,
            weight_message_meaning: 0.5,
            weight_graph: 0.5,
            weight_recency: 0.5,
            max_entities: 6,
        }
    }
}
