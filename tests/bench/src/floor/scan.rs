//! Floors: every vector compared, in single precision and in one byte a number.

use simsimd::SpatialSimilarity;

use crate::nearest::Nearest;

/// Sums that are added up side by side.
const LANES: usize = 16;

/// Vectors of one width in single precision, one after the other.
#[derive(Debug)]
pub(crate) struct ScanF32 {
    width: usize,
    numbers: Vec<f32>,
}

impl ScanF32 {
    /// None yet.
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width: width.max(1),
            numbers: Vec::new(),
        }
    }

    /// Adds a vector of length one.
    pub(crate) fn push(&mut self, vector: &[f32]) {
        self.numbers.extend_from_slice(vector);
    }

    /// A vector by its place; empty if there is none.
    pub(crate) fn row(&self, place: usize) -> &[f32] {
        let start = place.saturating_mul(self.width);
        let end = start.saturating_add(self.width);
        self.numbers.get(start..end).unwrap_or_default()
    }

    /// The nearest by the product.
    pub(crate) fn nearest(&self, to: &[f32], limit: usize) -> Vec<(usize, f32)> {
        let mut nearest = Nearest::new(limit);
        for (place, row) in self.numbers.chunks_exact(self.width).enumerate() {
            nearest.offer(place, dot(row, to));
        }
        nearest.into_best()
    }

    /// The same vectors with one byte a number.
    pub(crate) fn quantised(&self) -> ScanI8 {
        let mut bytes = Vec::with_capacity(self.numbers.len());
        let rows = self.numbers.chunks_exact(self.width);
        let scales = rows.map(|row| quantise(row, &mut bytes)).collect();
        ScanI8 {
            width: self.width,
            bytes,
            scales,
        }
    }
}

/// The product of two vectors, in a plain loop.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (chunks_a, rest_a) = a.as_chunks::<LANES>();
    let (chunks_b, rest_b) = b.as_chunks::<LANES>();
    for (x, y) in chunks_a.iter().zip(chunks_b) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += x * y;
        }
    }
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f32>() + rest
}

/// Vectors of one width in one byte a number, each with its scale.
#[derive(Debug)]
pub(crate) struct ScanI8 {
    width: usize,
    bytes: Vec<i8>,
    scales: Vec<f32>,
}

impl ScanI8 {
    /// The nearest by the product of what is left after rounding; nothing is ranked again.
    pub(crate) fn nearest(&self, to: &[f32], limit: usize) -> Vec<(usize, f32)> {
        let mut question = Vec::with_capacity(self.width);
        let own_scale = quantise(to, &mut question);
        let mut nearest = Nearest::new(limit);
        let rows = self.bytes.chunks_exact(self.width);
        for (place, (row, scale)) in rows.zip(&self.scales).enumerate() {
            let product = i8::dot(row, &question).unwrap_or_default();
            nearest.offer(place, single(product) * scale * own_scale);
        }
        nearest.into_best()
    }
}

/// Rounds a vector so that its greatest number becomes 127, and answers what undoes it.
fn quantise(vector: &[f32], into: &mut Vec<i8>) -> f32 {
    let greatest = vector.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
    let scale = if greatest > 0.0 {
        greatest / 127.0
    } else {
        1.0
    };
    into.extend(vector.iter().map(|x| byte(x / scale)));
    scale
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to a byte is what is wanted"
)]
fn byte(number: f32) -> i8 {
    number.round() as i8
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a score needs no double precision"
)]
fn single(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_scans_find_the_nearest() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut scan = ScanF32::new(64);
        let vectors: Vec<Vec<f32>> = (0..200)
            .map(|_| {
                let raw: Vec<f32> = (0..64).map(|_| rng.f32() - 0.5).collect();
                let length = dot(&raw, &raw).sqrt();
                raw.iter().map(|x| x / length).collect()
            })
            .collect();
        for vector in &vectors {
            scan.push(vector);
        }
        let bytes = scan.quantised();
        for (place, vector) in vectors.iter().enumerate() {
            assert_eq!(scan.row(place), vector.as_slice());
            let exact = scan.nearest(vector, 5);
            let rounded = bytes.nearest(vector, 5);
            assert_eq!(exact.len(), 5);
            assert_eq!((exact[0].0, rounded[0].0), (place, place));
            assert!((exact[0].1 - rounded[0].1).abs() < 0.02);
        }
    }
}
