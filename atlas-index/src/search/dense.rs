//! The leg by meaning: every vector is looked at, and none that could be among the nearest is left
//! out.
//!
//! 1. Each row's codes give bounds of its cosine by one product of whole numbers. A row whose upper
//!    bound is below the k-th greatest lower bound is not among the k nearest.
//! 2. The rows that are left get narrower bounds by a second product.
//! 3. The rows that are left then are read whole, and compared in double precision.

use std::ops::Range;
use std::sync::Arc;

use atlas_core::ports::{IndexHit, SearchRequest};
use atlas_core::{Error, ErrorKind, Result};
use tantivy::DocId;

use super::places::{Found, Place, first};
use super::{Looked, Sieved, Spread, sieved};
use crate::failure::of_disk;
use crate::vectors::{Bounds, Codes, Direction, Floor, Lanes, NO_ROW, Probe, SharedFloor};

/// Documents that one thread looks at in one go.
const STRETCH: u32 = 2_048;
/// Rows that one thread reads whole in one go.
const AT_A_TIME: usize = 256;

pub(super) fn search(
    channels: &[Looked<'_>],
    vector: &[f32],
    request: &SearchRequest,
    spread: Spread,
    op: &'static str,
) -> Result<Vec<IndexHit>> {
    let Some(direction) = Direction::of(vector) else {
        return Ok(Vec::new());
    };
    let segments = sieved(channels, request, op)?;
    let scan = Scan {
        probe: Probe::new(&direction.unit()),
        direction,
        stretches: stretches(&segments, spread, op)?,
        lanes: Lanes::widest(),
        spread,
        op,
    };
    first(channels, request.limit, op, |room| scan.nearest(room))
}

/// Neighbouring documents of a segment.
struct Stretch<'a> {
    of: &'a Sieved<'a>,
    codes: Arc<Codes>,
    /// By document.
    rows: Arc<[u32]>,
    documents: Range<DocId>,
}

fn stretches<'a>(
    segments: &'a [Sieved<'a>],
    spread: Spread,
    op: &'static str,
) -> Result<Vec<Stretch<'a>>> {
    let opened = spread.each(segments, |of| {
        let vectors = &of.looked.view.vectors;
        let codes = vectors.codes().map_err(|it| blame(of.looked, op, it))?;
        let rows = of
            .segment
            .columns
            .rows(vectors.extent().generation, &codes)
            .map_err(|failure| of.looked.blame(op, failure))?;
        Ok((of, codes, rows))
    })?;
    let mut stretches = Vec::new();
    for (of, codes, rows) in opened {
        let end = of.segment.reader.max_doc();
        let mut from = 0;
        while from < end {
            let until = from.saturating_add(STRETCH).min(end);
            stretches.push(Stretch {
                of,
                codes: Arc::clone(&codes),
                rows: Arc::clone(&rows),
                documents: from..until,
            });
            from = until;
        }
    }
    Ok(stretches)
}

/// A document that may be among the nearest.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The place of its stretch.
    stretch: usize,
    document: DocId,
    row: u32,
    bounds: Bounds,
}

/// A scan over all stretches.
struct Scan<'a> {
    probe: Probe,
    direction: Direction<'a>,
    stretches: Vec<Stretch<'a>>,
    lanes: Lanes,
    spread: Spread,
    op: &'static str,
}

impl Scan<'_> {
    /// Among others, the `k` nearest with their cosines.
    fn nearest(&self, k: usize) -> Result<Found> {
        let numbered: Vec<(usize, &Stretch<'_>)> = self.stretches.iter().enumerate().collect();
        let shared = SharedFloor::new();
        let scanned = self.spread.each(&numbered, |(at, stretch)| {
            Ok(self
                .lanes
                .run(|| self.scan_stretch(*at, stretch, k, &shared)))
        })?;
        let n_seen: usize = scanned.iter().map(|(n_seen, _)| n_seen).sum();
        let mut candidates: Vec<Candidate> =
            scanned.into_iter().flat_map(|(_, some)| some).collect();
        leave_best(&mut candidates, k);
        for candidate in &mut candidates {
            let row = self
                .stretches
                .get(candidate.stretch)
                .and_then(|stretch| stretch.codes.row(candidate.row));
            if let Some(row) = row {
                candidate.bounds = self.probe.narrow_bounds(row);
            }
        }
        leave_best(&mut candidates, k);
        Ok(Found {
            is_all: candidates.len() == n_seen,
            places: self.compared(candidates)?,
        })
    }

    /// How many vectors of a stretch count, and those that may be among the `k` nearest.
    #[expect(
        clippy::inline_always,
        reason = "it is compiled for the caller's lanes"
    )]
    #[inline(always)]
    fn scan_stretch(
        &self,
        at: usize,
        stretch: &Stretch<'_>,
        k: usize,
        shared: &SharedFloor,
    ) -> (usize, Vec<Candidate>) {
        let mut floor = Floor::new(k);
        let elsewhere = shared.value();
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut n_seen = 0;
        let first = usize::try_from(stretch.documents.start).unwrap_or(usize::MAX);
        let rows = stretch.rows.get(first..).unwrap_or_default();
        for (document, row) in stretch.documents.clone().zip(rows) {
            if *row == NO_ROW
                || !stretch.of.sieve.admits(document)
                || !stretch.of.segment.is_alive(document)
            {
                continue;
            }
            let Some(coded) = stretch.codes.row(*row) else {
                continue;
            };
            n_seen += 1;
            let bounds = self.probe.bounds(coded);
            if bounds.upper >= floor.value().max(elsewhere) {
                floor.offer(bounds.lower);
                candidates.push(Candidate {
                    stretch: at,
                    document,
                    row: *row,
                    bounds,
                });
            }
        }
        shared.raise(&floor);
        let least = shared.value();
        candidates.retain(|it| it.bounds.upper >= least);
        (n_seen, candidates)
    }

    /// The candidates with their cosines.
    fn compared(&self, mut candidates: Vec<Candidate>) -> Result<Vec<Place>> {
        let channel = |it: &Candidate| self.stretches.get(it.stretch).map(|it| it.of.place.0);
        candidates.sort_by_key(|it| (channel(it), it.row));
        let groups: Vec<&[Candidate]> = candidates
            .chunk_by(|a, b| channel(a) == channel(b))
            .flat_map(|of_channel| of_channel.chunks(AT_A_TIME))
            .collect();
        let compared = self.spread.each(&groups, |group| {
            let Some(stretch) = group.first().and_then(|it| self.stretches.get(it.stretch)) else {
                return Ok(Vec::new());
            };
            let looked = stretch.of.looked;
            let rows: Vec<u32> = group.iter().map(|it| it.row).collect();
            let cosines = looked
                .view
                .vectors
                .cosines(&rows, &self.direction)
                .map_err(|failure| blame(looked, self.op, failure))?;
            Ok(group
                .iter()
                .zip(cosines)
                .filter_map(|(it, cosine)| {
                    let segment = self.stretches.get(it.stretch)?.of.place;
                    Some(Place::by_score(segment, it.document, cosine))
                })
                .collect::<Vec<_>>())
        })?;
        Ok(compared.concat())
    }
}

/// Takes out what cannot be among the `k` nearest.
fn leave_best(candidates: &mut Vec<Candidate>, k: usize) {
    let mut floor = Floor::new(k);
    for candidate in candidates.iter() {
        floor.offer(candidate.bounds.lower);
    }
    candidates.retain(|it| it.bounds.upper >= floor.value());
}

fn blame(looked: Looked<'_>, op: &'static str, failure: std::io::Error) -> Error {
    let error = of_disk(op, failure).with("channel", looked.channel);
    if error.kind() == ErrorKind::Corrupt {
        looked.view.blame();
    }
    error
}
