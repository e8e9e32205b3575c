//! Vectors in whole numbers, with a bound on how far that is from the truth.

use super::product::product;

/// The greatest whole number.
const MOST: f64 = 127.0;

/// More than all rounding of double precision and of a score in single precision adds up to.
const ROUNDING: f64 = 1e-6;

/// A vector as `scale * codes`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantised {
    pub(crate) codes: Vec<i8>,
    pub(crate) scale: f32,
    /// At least the distance between the vector and `scale * codes`.
    pub(crate) error: f32,
}

impl Quantised {
    /// Takes a vector of length one, or less, into whole numbers.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "codes are clamped; the scale is used as it was rounded; the error is rounded up"
    )]
    pub(crate) fn of(vector: &[f64]) -> Self {
        let largest = vector.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
        let scale = (largest / MOST) as f32;
        let wide = f64::from(scale);
        let codes: Vec<i8> = vector
            .iter()
            .map(|number| {
                let code = if wide > 0.0 { number / wide } else { 0.0 };
                code.round().clamp(-MOST, MOST) as i8
            })
            .collect();
        let error = residue(vector, &codes, wide)
            .iter()
            .map(|it| it * it)
            .sum::<f64>()
            .sqrt();
        Self {
            codes,
            scale,
            error: (error as f32).next_up(),
        }
    }
}

fn residue(vector: &[f64], codes: &[i8], scale: f64) -> Vec<f64> {
    vector
        .iter()
        .zip(codes)
        .map(|(number, code)| number - f64::from(*code) * scale)
        .collect()
}

/// A row of quantised vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodedRow<'a> {
    pub(crate) codes: &'a [i8],
    pub(crate) scale: f32,
    pub(crate) error: f32,
}

impl CodedRow<'_> {
    /// Whether the row holds exactly that.
    pub(crate) fn is(&self, quantised: &Quantised) -> bool {
        self.codes == quantised.codes
            && self.scale.to_bits() == quantised.scale.to_bits()
            && self.error.to_bits() == quantised.error.to_bits()
    }
}

/// Between which bounds a cosine lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

/// A direction in whole numbers, and what these leave out in whole numbers again.
#[derive(Debug)]
pub(crate) struct Probe {
    coarse: Quantised,
    fine: Quantised,
}

impl Probe {
    /// Makes a direction of length one ready to be compared with rows.
    pub(crate) fn new(unit: &[f64]) -> Self {
        let coarse = Quantised::of(unit);
        let fine = Quantised::of(&residue(unit, &coarse.codes, f64::from(coarse.scale)));
        Self { coarse, fine }
    }

    /// Bounds of the cosine with a row, by one product of whole numbers.
    #[expect(
        clippy::inline_always,
        reason = "it is compiled for the caller's lanes"
    )]
    #[inline(always)]
    pub(crate) fn bounds(&self, row: CodedRow<'_>) -> Bounds {
        around(self.coarse.product(row), row, self.coarse.error)
    }

    /// Narrower bounds, by two products.
    pub(crate) fn narrow_bounds(&self, row: CodedRow<'_>) -> Bounds {
        let product = self.coarse.product(row) + self.fine.product(row);
        around(product, row, self.fine.error)
    }
}

impl Quantised {
    #[expect(
        clippy::inline_always,
        reason = "it is compiled for the caller's lanes"
    )]
    #[inline(always)]
    fn product(&self, row: CodedRow<'_>) -> f64 {
        f64::from(product(row.codes, &self.codes)) * f64::from(row.scale) * f64::from(self.scale)
    }
}

/// The bounds around a product of a coded row and a coded direction of length one.
///
/// With a row `x`, its codes `c`, the direction `q` and its codes `d`:
/// `|x·q - c·d| <= |x - c|·|q| + |c|·|q - d|`, where `|q| = 1` and `|c| <= 1 + |x - c|`.
#[expect(
    clippy::inline_always,
    reason = "it is compiled for the caller's lanes"
)]
#[inline(always)]
fn around(product: f64, row: CodedRow<'_>, error: f32) -> Bounds {
    let of_row = f64::from(row.error);
    let off = of_row + (1.0 + of_row) * f64::from(error) + ROUNDING;
    Bounds {
        lower: product - off,
        upper: product + off,
    }
}

#[cfg(test)]
mod tests {
    use super::super::cosine::Direction;
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![
            4 => -1.0_f32..1.0,
            1 => Just(0.0),
            1 => prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL,
            1 => prop::sample::select(vec![f32::MIN_POSITIVE, f32::MAX, 1e-45, -1e30, 127.0, 1.0]),
        ]
    }

    proptest! {
        #[test]
        fn a_cosine_lies_within_its_bounds(
            pair in (1_usize..70).prop_flat_map(|width| {
                let vector = || prop::collection::vec(number(), width);
                (vector(), vector())
            }),
        ) {
            let (Some(a), Some(b)) = (Direction::of(&pair.0), Direction::of(&pair.1)) else {
                return Ok(());
            };
            let cosine = f64::from(a.cosine(&pair.1));
            let row = Quantised::of(&b.unit());
            let row = CodedRow { codes: &row.codes, scale: row.scale, error: row.error };
            let probe = Probe::new(&a.unit());
            for bounds in [probe.bounds(row), probe.narrow_bounds(row)] {
                prop_assert!(bounds.lower <= cosine && cosine <= bounds.upper, "{cosine} {bounds:?}");
            }
        }
    }
}
