//! The leg by time.

use atlas_core::Result;
use atlas_core::ports::{IndexHit, SearchRequest};

use super::places::{Found, Place, first};
use super::{Looked, Sieved, sieved};

pub(super) fn search(
    channels: &[Looked<'_>],
    request: &SearchRequest,
    op: &'static str,
) -> Result<Vec<IndexHit>> {
    let segments = sieved(channels, request, op)?;
    first(channels, request.limit, op, |room| {
        let mut places = Vec::new();
        let mut is_all = true;
        for segment in &segments {
            let before = places.len();
            places.extend(latest(segment).take(room));
            is_all &= places.len() - before < room;
        }
        Ok(Found { places, is_all })
    })
}

/// The documents of a segment that count, in order.
fn latest<'a>(of: &'a Sieved<'_>) -> impl Iterator<Item = Place> + 'a {
    let columns = &of.segment.columns;
    let by_time = columns.by_time();
    let span = of.sieve.said_in();
    let end = span.and_then(|span| span.end);
    let from = by_time.partition_point(|document| {
        end.is_some_and(|end| columns.said_at(*document) >= end.as_micros())
    });
    let until = by_time.partition_point(|document| {
        span.is_none_or(|span| columns.said_at(*document) >= span.start.as_micros())
    });
    by_time
        .get(from..until)
        .unwrap_or_default()
        .iter()
        .copied()
        .filter(|document| of.segment.is_alive(*document) && of.sieve.admits(*document))
        .map(|document| {
            let rank = columns.said_at(document);
            Place {
                segment: of.place,
                document,
                rank,
                score: seconds(rank),
            }
        })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the order goes by the time itself; the score only tells about it"
)]
fn seconds(micros: i64) -> f32 {
    micros as f32 / 1_000_000.0
}
