//! Facts by how central they are among their like.

use std::collections::{BTreeMap, BTreeSet};

use atlas_core::llm::LabelledFact;
use atlas_core::model::{FactKind, Importance};

use crate::text::stem::{frequencies, ratio, stem_set};

/// Facts by their places, with the stems of their words.
pub(crate) struct Ranked {
    stems: Vec<BTreeSet<String>>,
    scores: Vec<f32>,
}

impl Ranked {
    /// Scores each fact by how often its words stand in the others, by its kind and by how much
    /// hangs on it.
    pub(crate) fn of(facts: &[LabelledFact]) -> Self {
        let stems: Vec<BTreeSet<String>> = facts.iter().map(|fact| stem_set(&fact.text)).collect();
        let counts: BTreeMap<&str, usize> = frequencies(&stems);
        let scores = facts
            .iter()
            .zip(&stems)
            .map(|(fact, stems)| {
                let shared: f32 = stems
                    .iter()
                    .map(|stem| ratio(counts.get(stem.as_str()).map_or(0, |n| n - 1), facts.len()))
                    .sum();
                // Long facts share more words for their length alone.
                let length = ratio(stems.len().max(4), 1).sqrt();
                shared / length + weight(fact)
            })
            .collect();
        Self { stems, scores }
    }

    pub(crate) fn score(&self, place: usize) -> f32 {
        self.scores.get(place).copied().unwrap_or(0.0)
    }

    /// The best of the places, no two of them alike, in the order of rank.
    pub(crate) fn best(&self, places: impl Iterator<Item = usize>, most: usize) -> Vec<usize> {
        let mut places: Vec<usize> = places.collect();
        places.sort_by(|a, b| self.score(*b).total_cmp(&self.score(*a)).then(a.cmp(b)));
        let mut chosen: Vec<usize> = Vec::new();
        for place in places {
            if chosen.len() >= most {
                break;
            }
            if !chosen.iter().any(|other| self.are_alike(*other, place)) {
                chosen.push(place);
            }
        }
        chosen
    }

    fn are_alike(&self, a: usize, b: usize) -> bool {
        match (self.stems.get(a), self.stems.get(b)) {
            (Some(a), Some(b)) => crate::text::stem::overlap(a, b) >= 0.8,
            _ => false,
        }
    }
}

/// What the kind and the importance of a fact add to its rank.
fn weight(fact: &LabelledFact) -> f32 {
    let kind = match fact.kind {
        FactKind::Decision => 0.5,
        FactKind::ActionItem => 0.25,
        FactKind::Observation => 0.2,
        FactKind::Opinion => 0.1,
        FactKind::Question => -0.3,
    };
    let importance = match fact.importance {
        Importance::Low => 0.0,
        Importance::Medium => 0.15,
        Importance::High => 0.35,
        Importance::Critical => 0.5,
    };
    let slot = if fact.slot.is_some() { 0.15 } else { 0.0 };
    kind + importance + slot
}
