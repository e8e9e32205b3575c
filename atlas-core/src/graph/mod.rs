//! Names to entities and relations.
//!
//! Pure: [`resolve`] (what was said in all messages to nodes and edges). The one async entry is
//! [`run`].

pub mod resolve;
mod run;
#[cfg(test)]
mod tests;

pub use run::{GraphReport, run};

/// The tunables of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphSettings {
    /// Sightings that are kept with an entity or a relation; the earliest and the latest stay.
    pub max_sightings: usize,
}

impl Default for GraphSettings {
    fn default() -> Self {
        Self { max_sightings: 50 }
    }
}
