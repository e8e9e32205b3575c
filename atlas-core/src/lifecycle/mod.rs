//! Facts to judgements and standings.
//!
//! Pure: [`fold`] (judgements to standings), [`pairs`] (which facts are compared), [`plan`]
//! (verdicts to judgements). Async entries: [`run`], which compares what changed, and [`judge`],
//! by which a person judges.

pub mod fold;
mod judge;
mod ledger;
pub mod pairs;
pub mod plan;
mod run;
#[cfg(test)]
mod tests;

pub use judge::judge;
pub use ledger::{judgements_of, judges_of};
pub use run::{LifecycleReport, run};

use crate::model::UnitScore;

/// The tunables of judging.
#[derive(Clone, Debug, PartialEq)]
pub struct LifecycleSettings {
    /// The confidence from which a contradiction supersedes.
    pub supersede_from: UnitScore,
    /// The confidence from which a contradiction is a dispute.
    pub dispute_from: UnitScore,
    /// The cosine from which two facts may be the same.
    pub duplicate_from: f32,
    /// The cosine from which two facts are compared at all.
    pub compare_from: f32,
    /// Candidates in one call of the detector.
    pub candidates_per_call: usize,
}

impl Default for LifecycleSettings {
    fn default() -> Self {
        Self {
            supersede_from: UnitScore::clamped(0.8),
            dispute_from: UnitScore::clamped(0.5),
            duplicate_from: 0.92,
            compare_from: 0.6,
            candidates_per_call: 10,
        }
    }
}
