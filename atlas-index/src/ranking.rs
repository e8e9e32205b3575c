//! The best of what was found, in one order.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use atlas_core::model::{ChannelId, Timestamp};
use atlas_core::ports::IndexHit;

use crate::table::Row;

/// A document that a leg found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'a> {
    pub(crate) score: f32,
    pub(crate) channel: &'a ChannelId,
    pub(crate) row: &'a Row,
}

impl<'a> Found<'a> {
    fn name(&self) -> (&'a ChannelId, atlas_core::ports::DocumentKind, &'a str) {
        (self.channel, self.row.kind, self.row.id.as_str())
    }

    /// Greater scores first; ties by channel, kind and id.
    pub(crate) fn by_score(&self, other: &Self) -> Ordering {
        other
            .score
            .total_cmp(&self.score)
            .then_with(|| self.name().cmp(&other.name()))
    }

    /// What was said last first; ties by channel, kind and id.
    pub(crate) fn by_time(&self, other: &Self) -> Ordering {
        let said_at = |found: &Self| -> Timestamp { found.row.said_at };
        said_at(other)
            .cmp(&said_at(self))
            .then_with(|| self.name().cmp(&other.name()))
    }
}

/// The first documents in the order, each once, at most so many.
///
/// Two records give the same document while it moves from one to the other; its better place
/// counts.
pub(crate) fn first<'a>(
    mut found: Vec<Found<'a>>,
    limit: usize,
    order: impl Fn(&Found<'a>, &Found<'a>) -> Ordering,
) -> Vec<IndexHit> {
    // Twice the limit leaves room for documents that come twice; one that came three times is why
    // the rest is looked at again if that was not enough.
    let room = limit.saturating_mul(2);
    if found.len() > room {
        found.select_nth_unstable_by(room, &order);
        let (head, _) = found.split_at(room);
        let hits = distinct(head.to_vec(), limit, &order);
        if hits.len() == limit {
            return hits;
        }
    }
    distinct(found, limit, &order)
}

fn distinct<'a>(
    mut found: Vec<Found<'a>>,
    limit: usize,
    order: impl Fn(&Found<'a>, &Found<'a>) -> Ordering,
) -> Vec<IndexHit> {
    found.sort_by(order);
    let mut seen = BTreeSet::new();
    found
        .into_iter()
        .filter(|it| seen.insert(it.name()))
        .take(limit)
        .map(|it| IndexHit {
            channel: it.channel.clone(),
            kind: it.row.kind,
            id: it.row.id.clone(),
            score: it.score,
        })
        .collect()
}
