//! The leg by words.

use std::collections::BTreeSet;

use atlas_core::Result;
use atlas_core::ports::{IndexHit, SearchRequest};

use super::bm25::{self, Extent};
use super::places::{Found, Place, first};
use super::{Looked, Spread, sieved};
use crate::analysis;

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
    let found = found.concat();
    first(channels, request.limit, op, |_| {
        Ok(Found {
            places: found.clone(),
            is_all: true,
        })
    })
}
