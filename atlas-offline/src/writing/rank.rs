//! Facts by how much they tell of what the others tell.

use std::collections::BTreeSet;

use atlas_core::llm::LabelledFact;
use atlas_core::model::{FactKind, Importance};

use crate::text::stem::{frequencies, ratio, stem_set};

/// Facts by falling weight, ties by time and label.
///
/// A fact weighs the mean share of the facts that each of its words stands in, so that a long fact
/// does not win by its length, times what kind and importance make of it.
///
/// # Source
///
/// The centroid of Radev, Jing, Budzikowska, "Centroid-based summarization", 2000, without its
/// idf: within one topic a common word is what the topic is about.
pub(crate) fn rank(facts: &[LabelledFact]) -> Vec<&LabelledFact> {
    let sets: Vec<BTreeSet<String>> = facts.iter().map(|fact| stem_set(&fact.text)).collect();
    let frequencies = frequencies(&sets);
    let mut weighed: Vec<(f32, &LabelledFact)> = facts
        .iter()
        .zip(&sets)
        .map(|(fact, stems)| {
            let shares = stems
                .iter()
                .filter_map(|stem| frequencies.get(stem.as_str()));
            let share: f32 = shares.map(|n| ratio(*n, facts.len())).sum();
            // Four words at least: "Yes, Friday." is central to nothing.
            let mean = share / ratio(stems.len().max(4), 1);
            (mean * kind(fact) * importance(fact), fact)
        })
        .collect();
    weighed.sort_by(|(x, a), (y, b)| {
        y.total_cmp(x)
            .then_with(|| (a.said_at, &a.label).cmp(&(b.said_at, &b.label)))
    });
    weighed.into_iter().map(|(_, fact)| fact).collect()
}

fn kind(fact: &LabelledFact) -> f32 {
    match fact.kind {
        FactKind::Decision => 1.6,
        FactKind::Observation => 1.1,
        FactKind::ActionItem => 1.0,
        FactKind::Opinion => 0.9,
        FactKind::Question => 0.6,
    }
}

fn importance(fact: &LabelledFact) -> f32 {
    match fact.importance {
        Importance::Critical => 1.5,
        Importance::High => 1.3,
        Importance::Medium => 1.0,
        Importance::Low => 0.8,
    }
}
