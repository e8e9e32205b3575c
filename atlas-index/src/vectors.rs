//! The vectors of one channel, one after the other, and the exact scan over them.

use std::collections::BTreeMap;

use crate::table::Slot;

/// Sums that are added up side by side, so that the scan is done several numbers at a time.
const LANES: usize = 8;

/// A segment of vectors of one width.
///
/// Rows are kept as they came and compared in double precision, so that vectors of one direction
/// have one cosine, whatever their lengths.
#[derive(Debug)]
pub(crate) struct VectorSegment {
    width: usize,
    numbers: Vec<f32>,
    /// The document of each row, and one over its length.
    rows: Vec<(Slot, f64)>,
    places: BTreeMap<Slot, usize>,
}

impl VectorSegment {
    /// An empty segment of vectors of the width.
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            numbers: Vec::new(),
            rows: Vec::new(),
            places: BTreeMap::new(),
        }
    }

    /// Adds the vector of a document. One without length is not kept, since nothing is near to it.
    pub(crate) fn insert(&mut self, slot: Slot, vector: &[f32]) {
        let length = dot(vector, vector).sqrt();
        if vector.len() != self.width || length <= 0.0 {
            return;
        }
        self.places.insert(slot, self.rows.len());
        self.rows.push((slot, length.recip()));
        self.numbers.extend_from_slice(vector);
    }

    /// Takes out the vector of a document, if it has one. The last row moves to its place.
    pub(crate) fn remove(&mut self, slot: Slot) {
        let Some(at) = self.places.remove(&slot) else {
            return;
        };
        let last = self.rows.len().saturating_sub(1);
        self.rows.swap_remove(at);
        let start = last.saturating_mul(self.width);
        if at < last {
            self.numbers
                .copy_within(start.., at.saturating_mul(self.width));
            if let Some((moved, _)) = self.rows.get(at) {
                self.places.insert(*moved, at);
            }
        }
        self.numbers.truncate(start);
    }

    /// The cosine of every admitted document's vector to this one; none for a vector without
    /// length.
    pub(crate) fn cosines(&self, to: &[f32], admits: impl Fn(Slot) -> bool) -> Vec<(Slot, f32)> {
        let length = dot(to, to).sqrt();
        if to.len() != self.width || length <= 0.0 {
            return Vec::new();
        }
        let scale = length.recip();
        self.rows
            .iter()
            .zip(self.numbers.chunks_exact(self.width.max(1)))
            .filter(|((slot, _), _)| admits(*slot))
            .map(|((slot, row_scale), row)| (*slot, score(dot(row, to) * row_scale * scale)))
            .collect()
    }
}

/// A cosine as a score: never past one, and nought without a sign, so that equals are equal.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a score is rounded to single precision on purpose"
)]
fn score(cosine: f64) -> f32 {
    cosine.clamp(-1.0, 1.0) as f32 + 0.0
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    let mut sums = [0.0_f64; LANES];
    let (chunks_a, rest_a) = a.as_chunks::<LANES>();
    let (chunks_b, rest_b) = b.as_chunks::<LANES>();
    for (x, y) in chunks_a.iter().zip(chunks_b) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += f64::from(*x) * f64::from(*y);
        }
    }
    let rest: f64 = rest_a
        .iter()
        .zip(rest_b)
        .map(|(x, y)| f64::from(*x) * f64::from(*y))
        .sum();
    sums.iter().sum::<f64>() + rest
}
