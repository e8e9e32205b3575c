//! The leg by words.

use std::collections::BTreeSet;

use atlas_core::Result;
use atlas_core::ports::{IndexHit, SearchRequest};

use super::bm25::{self, Extent};
use super::places::{Found, Place, first};
use super::{Looked, Spread, sieved};
use crate::analysis;
use crate::vectors::Floor;

pub(super) fn search(
    channels: &[Looked<'_>],
    text: &str,
    request: &SearchRequest,
    spread: Spread,
    op: &'static str,
) -> Result<Vec<IndexHit>> {
    let languages: BTreeSet<&str> = channels
        .iter()
        .flat_map(|it| it.view.totals.languages.keys().map(String::as_str))
        .collect();
    let words = analysis::of_question(text, &languages);
    let extent = Extent::of(channels);
    let weights = bm25::weights(channels, extent, &words, op)?;
    let segments = sieved(channels, request, op)?;
    let found = spread.each(&segments, |it| {
        let scored = bm25::score(it.segment, &words, &weights)
            .map_err(|failure| it.looked.blame(op, failure))?;
        Ok(scored
            .into_iter()
            .filter(|(document, _)| it.sieve.admits(*document))
            .map(|(document, score)| Place::by_score(it.place, document, score))
            .collect::<Vec<_>>())
    })?;
    first(channels, request.limit, op, |room| {
        let mut floor = Floor::new(room);
        for place in found.iter().flatten() {
            floor.offer(f64::from(place.score));
        }
        let best = |place: &&Place| f64::from(place.score) >= floor.value();
        let places: Vec<Place> = found.iter().flatten().filter(best).copied().collect();
        let n_found: usize = found.iter().map(Vec::len).sum();
        Ok(Found {
            is_all: places.len() == n_found,
            places,
        })
    })
}
