//! Sums of vectors that are exact in any order.

/// One in the fixed point of a sum.
const ONE: f64 = 1_048_576.0;

/// A sum of vectors, each component times 2^20 and rounded.
///
/// Integers add up to the same in any order; floats do not. The centre is the sum over the count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorSum(Vec<i64>);

impl VectorSum {
    /// The sum that is stored.
    pub fn as_slice(&self) -> &[i64] {
        &self.0
    }

    /// The sum as it is stored.
    pub fn into_vec(self) -> Vec<i64> {
        self.0
    }

    /// Adds a vector.
    pub fn add(&mut self, vector: &[f32]) {
        self.change(vector, 1);
    }

    /// Takes away a vector that was added.
    pub fn take(&mut self, vector: &[f32]) {
        self.change(vector, -1);
    }

    fn change(&mut self, vector: &[f32], sign: i64) {
        if self.0.len() < vector.len() {
            self.0.resize(vector.len(), 0);
        }
        for (sum, x) in self.0.iter_mut().zip(vector) {
            *sum = sum.saturating_add(sign * fixed(*x));
        }
    }

    /// The sum scaled to length one; all nought if it has no length.
    pub fn direction(&self) -> Vec<f64> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a direction needs no more than 53 bits"
        )]
        let raw: Vec<f64> = self.0.iter().map(|x| *x as f64).collect();
        unit(raw)
    }
}

/// A component in fixed point. Vectors are checked to be finite where they are made.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast cuts at the range, which no embedding comes near"
)]
fn fixed(x: f32) -> i64 {
    (f64::from(x) * ONE).round() as i64
}

/// A vector scaled to length one; all nought if it has no length.
pub(super) fn unit(mut vector: Vec<f64>) -> Vec<f64> {
    let length = dot(&vector, &vector).sqrt();
    for x in &mut vector {
        *x = if length > 0.0 { *x / length } else { 0.0 };
    }
    vector
}

/// The dot product; of two directions it is their cosine.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_away_leaves_nothing() {
        let mut sum = VectorSum::default();
        sum.add(&[0.1, -0.7]);
        sum.add(&[0.3, 0.3]);
        sum.take(&[0.1, -0.7]);
        let mut alone = VectorSum::default();
        alone.add(&[0.3, 0.3]);
        assert_eq!(sum, alone);
        sum.take(&[0.3, 0.3]);
        assert_eq!(sum.direction(), [0.0, 0.0]);
    }
}
