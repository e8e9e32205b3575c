//! Topics to the channel's summary.

use std::collections::BTreeSet;

use atlas_core::llm::{ChannelSummarizerInput, ChannelSummarizerOutput};
use atlas_core::model::FactKind;

use super::rank::Ranked;
use super::tell::sentences;

/// Sentences at most.
const MOST: usize = 6;
/// Sentences below which a second fact of a topic is told.
const FEWEST: usize = 3;
/// Themes at most.
const THEMES: usize = 8;

/// Tells the most central fact of each topic, the largest topic first.
pub(crate) fn summarise(input: &ChannelSummarizerInput) -> ChannelSummarizerOutput {
    let ranked = Ranked::of(&input.facts);
    let place_of = |label: &String| {
        input
            .facts
            .iter()
            .position(|fact| fact.label == *label && fact.kind != FactKind::Question)
    };
    let mut chosen: Vec<usize> = Vec::new();
    let mut told: BTreeSet<usize> = BTreeSet::new();
    for topic in &input.topics {
        let places = topic
            .facts
            .iter()
            .filter_map(place_of)
            .filter(|place| !told.contains(place));
        if let Some(best) = ranked.best(places, 1).first().copied()
            && chosen.len() < MOST
        {
            chosen.push(best);
            told.insert(best);
        }
    }
    if chosen.len() < FEWEST {
        let rest = (0..input.facts.len()).filter(|place| {
            !told.contains(place)
                && input
                    .facts
                    .get(*place)
                    .is_some_and(|it| it.kind != FactKind::Question)
        });
        chosen.extend(ranked.best(rest, FEWEST - chosen.len()));
    }
    let facts = chosen.iter().filter_map(|place| input.facts.get(*place));
    ChannelSummarizerOutput {
        summary: sentences(facts),
        themes: input
            .topics
            .iter()
            .map(|topic| topic.title.clone())
            .filter(|title| !title.is_empty())
            .take(THEMES)
            .collect(),
    }
}
