//! Facts to topics and summaries.
//!
//! Pure: `point` (a fact as clustering sees it), `centroid`, `affinity`, `assign`, `split`,
//! `merge`, `keep` (ids across a re-cluster), `code_span` and `sentence` (what may stand on a
//! page), `telling` (facts as tasks see them, and the check of replies), `title`, `summarize`. The
//! one async entry is [`run()`].

mod affinity;
mod assign;
mod centroid;
mod cluster;
pub(crate) mod code_span;
mod keep;
pub(crate) mod knowledge;
mod merge;
mod point;
mod run;
pub mod sentence;
mod settings;
mod split;
pub mod summarize;
pub mod telling;
pub mod title;
mod write;

#[cfg(test)]
pub(crate) mod tests;

pub use assign::{Clustering, assign, cluster_all};
pub use centroid::VectorSum;
pub use keep::keep_ids;
pub use point::{Mark, Place, Point};
pub use run::{TopicReport, run};
pub use settings::TopicSettings;
