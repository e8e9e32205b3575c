//! Products of whole numbers, many at a time.
//!
//! The loop is plain; [`Lanes`] has it compiled for the widest registers that the processor has.
//! Sums of 32 bits are exact for vectors of up to 133,000 numbers.

use pulp::Arch;

/// The widest registers of this processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes(Arch);

impl Lanes {
    /// Looks what this processor has. That costs next to nothing.
    pub(crate) fn widest() -> Self {
        Self(Arch::new())
    }

    /// Does work with them: what is inlined into it is compiled for them.
    #[inline]
    pub(crate) fn run<R>(self, work: impl FnOnce() -> R) -> R {
        self.0.dispatch(work)
    }
}

/// The sum of the products, up to the shorter one's end.
#[expect(
    clippy::inline_always,
    reason = "it is compiled for the caller's lanes"
)]
#[inline(always)]
pub(crate) fn product(a: &[i8], b: &[i8]) -> i32 {
    a.iter()
        .zip(b)
        .map(|(a, b)| i32::from(*a) * i32::from(*b))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The scan stands on products that are exact, on every processor.
        #[test]
        fn a_product_is_exact_in_any_lanes(
            pair in (0_usize..1_100).prop_flat_map(|width| {
                let codes = || prop::collection::vec(-127_i8..=127, width);
                (codes(), codes())
            }),
        ) {
            let exact: i64 = pair.0.iter().zip(&pair.1).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum();
            for lanes in [Lanes::widest(), Lanes(Arch::Scalar)] {
                let found = lanes.run(|| product(&pair.0, &pair.1));
                prop_assert_eq!(i64::from(found), exact);
            }
        }
    }
}
