//! The best of what was found, in one order.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use atlas_core::Result;
use atlas_core::ports::{DocumentKind, IndexHit};
use tantivy::DocId;

use super::Looked;
use crate::channel::{Segment, text_of};

/// A document that a leg found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The place of its channel in the scope, and of its segment in the channel.
    pub(super) segment: (u32, u32),
    pub(super) document: DocId,
    /// Greater is better.
    pub(super) rank: i64,
    pub(super) score: f32,
}

/// What a leg found of a channel's best.
pub(super) struct Found {
    /// Among them the best, as many as there was room for; of those that are no better than the
    /// last of these, any.
    pub(super) places: Vec<Place>,
    /// Whether these are all that there are.
    pub(super) is_all: bool,
}

impl Place {
    /// A place that is ranked by its score.
    pub(super) fn by_score(segment: (u32, u32), document: DocId, score: f32) -> Self {
        let bits = score.to_bits().cast_signed();
        // The order of `f32::total_cmp`.
        let rank = bits ^ ((bits >> 31).cast_unsigned() >> 1).cast_signed();
        Self {
            segment,
            document,
            rank: i64::from(rank),
            score,
        }
    }
}

/// The first documents by rank, channel, kind and id, each once, at most so many.
///
/// Two records give the same document while it moves from one to the other; its better place
/// counts. So the leg is asked for twice as many at first, and for more while that is not enough.
pub(super) fn first(
    channels: &[Looked<'_>],
    limit: usize,
    op: &'static str,
    mut leg: impl FnMut(usize) -> Result<Found>,
) -> Result<Vec<IndexHit>> {
    let mut room = limit.saturating_mul(2);
    loop {
        let Found { mut places, is_all } = leg(room)?;
        let n_found = places.len();
        cut(channels, &mut places, room);
        let is_all = is_all && places.len() == n_found && n_found <= room;
        let hits = distinct(channels, places, room, limit, op)?;
        if hits.len() == limit || is_all {
            return Ok(hits);
        }
        room = room.saturating_mul(4);
    }
}

/// Leaves the best places. Of those that are tied for the last, each segment keeps its first.
fn cut(channels: &[Looked<'_>], places: &mut Vec<Place>, room: usize) {
    if places.len() <= room {
        return;
    }
    let (_, last, _) =
        places.select_nth_unstable_by_key(room.saturating_sub(1), |it| Reverse(it.rank));
    let last = last.rank;
    let (mut kept, mut tied): (Vec<Place>, Vec<Place>) = places
        .drain(..)
        .filter(|it| it.rank >= last)
        .partition(|it| it.rank > last);
    if tied.len() > room {
        tied.sort_by_cached_key(|it| (it.segment, name_in_segment(channels, *it)));
        for of_segment in tied.chunk_by(|a, b| a.segment == b.segment) {
            kept.extend(of_segment.iter().take(room));
        }
    } else {
        kept.append(&mut tied);
    }
    *places = kept;
}

/// Takes the first so many documents among the first places. Only these are named: that costs more
/// than to find them.
fn distinct(
    channels: &[Looked<'_>],
    mut places: Vec<Place>,
    room: usize,
    limit: usize,
    op: &'static str,
) -> Result<Vec<IndexHit>> {
    places.sort_unstable_by_key(|it| Reverse(it.rank));
    let mut seen = BTreeSet::new();
    let mut hits = Vec::new();
    // Behind the room the order is not known in full.
    let mut left = room;
    for tied in places.chunk_by(|a, b| a.rank == b.rank) {
        if hits.len() == limit || left == 0 {
            break;
        }
        let mut named = Vec::with_capacity(tied.len());
        for place in tied {
            if let Some((looked, segment)) = segment_of(channels, *place) {
                let id = text_of(&segment.columns.ids, place.document)
                    .map_err(|failure| looked.blame(op, failure))?;
                let kind = segment.columns.kind(place.document);
                named.push((looked.channel, kind, id, place.score));
            }
        }
        named.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
        for (channel, kind, id, score) in named.into_iter().take(left) {
            if hits.len() < limit && seen.insert((channel, kind, id.clone())) {
                hits.push(IndexHit {
                    channel: channel.clone(),
                    kind,
                    id,
                    score,
                });
            }
        }
        left = left.saturating_sub(tied.len());
    }
    Ok(hits)
}

fn segment_of<'a>(channels: &[Looked<'a>], place: Place) -> Option<(Looked<'a>, &'a Segment)> {
    let (channel, segment) = place.segment;
    let looked = channels.get(usize::try_from(channel).ok()?)?;
    let segment = looked.view.segments.get(usize::try_from(segment).ok()?)?;
    Some((*looked, segment))
}

/// What orders documents of one segment as kind and id do.
fn name_in_segment(channels: &[Looked<'_>], place: Place) -> Option<(DocumentKind, u64)> {
    let (_, segment) = segment_of(channels, place)?;
    let columns = &segment.columns;
    Some((
        columns.kind(place.document),
        columns.id_place(place.document),
    ))
}
