//! A fact as clustering sees it.

use std::collections::{BTreeMap, BTreeSet};

use super::centroid::unit;
use crate::model::{AtomicFact, EntityType, FactId, MessageId, Span, Timestamp};
use crate::text::normalise_name;

/// Where a fact stands in the canonical order: by its first evidence, then by its id. Arrival
/// does not matter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    said_at: Timestamp,
    message: Option<MessageId>,
    span: Option<Span>,
    fact: FactId,
}

impl Place {
    /// The place of a fact.
    pub fn of(fact: &AtomicFact) -> Self {
        let first = fact.first();
        Self {
            said_at: first.map_or(fact.claim.occurred_at, |it| it.sent_at),
            message: first.map(|it| it.message.clone()),
            span: first.map(|it| it.span),
            fact: fact.id.clone(),
        }
    }
}

/// Something that two facts can have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// A tag, a name of something other than a person, or the subject of a slot, normalised.
    Word(String),
    /// The thread in which it was said.
    Thread(MessageId),
}

/// A fact as clustering sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Which fact.
    pub fact: FactId,
    /// Its place in the canonical order.
    pub place: Place,
    /// The vector of its text.
    pub vector: Vec<f32>,
    /// What it may have in common with others.
    pub marks: BTreeSet<Mark>,
}

impl Point {
    /// The point of a fact. People are left out of its marks: one person speaks of many matters.
    pub fn of(fact: &AtomicFact, vector: Vec<f32>) -> Self {
        let claim = &fact.claim;
        let (people, things): (Vec<_>, Vec<_>) = claim
            .mentions
            .iter()
            .partition(|it| it.kind == EntityType::Person);
        let people: BTreeSet<String> = people.iter().map(|it| normalise_name(&it.name)).collect();
        let words = (claim.topic_tags.iter().map(String::as_str))
            .chain(things.iter().map(|it| it.name.as_str()))
            .chain(claim.slot.iter().map(|it| it.subject.as_str()))
            .map(normalise_name)
            .filter(|word| !word.is_empty() && !people.contains(word))
            .map(Mark::Word);
        Self {
            fact: fact.id.clone(),
            place: Place::of(fact),
            vector,
            marks: words.chain(fact.thread.clone().map(Mark::Thread)).collect(),
        }
    }
}

/// All facts of a channel that are clustered, in canonical order, with how rare their marks are.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) points: Vec<Point>,
    /// The direction of each point's vector.
    pub(super) directions: Vec<Vec<f64>>,
    /// The marks of each point that another point has too, by number.
    pub(super) marks: Vec<Vec<usize>>,
    /// How rare each mark is, by its number: between nought and one.
    pub(super) rarity: Vec<f64>,
}

impl Space {
    pub(super) fn new(mut points: Vec<Point>) -> Self {
        points.sort_by(|a, b| a.place.cmp(&b.place));
        points.dedup_by(|a, b| a.fact == b.fact);
        let mut counts: BTreeMap<&Mark, usize> = BTreeMap::new();
        for mark in points.iter().flat_map(|it| &it.marks) {
            *counts.entry(mark).or_default() += 1;
        }
        counts.retain(|_, count| *count > 1);
        let ordinary = f64::from(u32::try_from(points.len()).unwrap_or(u32::MAX)).sqrt();
        let rarity = counts
            .values()
            .map(|count| {
                let others = f64::from(u32::try_from(count - 1).unwrap_or(u32::MAX));
                ordinary / (ordinary + others)
            })
            .collect();
        let numbers: BTreeMap<&Mark, usize> = counts.into_keys().zip(0..).collect();
        let marks = points
            .iter()
            .map(|it| {
                let known = it.marks.iter().filter_map(|mark| numbers.get(mark));
                known.copied().collect()
            })
            .collect();
        let directions = points
            .iter()
            .map(|it| unit(it.vector.iter().copied().map(f64::from).collect()))
            .collect();
        Self {
            points,
            directions,
            marks,
            rarity,
        }
    }

    pub(super) fn marks_of(&self, point: usize) -> &[usize] {
        self.marks.get(point).map_or(&[], Vec::as_slice)
    }

    pub(super) fn direction_of(&self, point: usize) -> &[f64] {
        self.directions.get(point).map_or(&[], Vec::as_slice)
    }

    pub(super) fn rarity_of(&self, mark: usize) -> f64 {
        self.rarity.get(mark).copied().unwrap_or_default()
    }
}
