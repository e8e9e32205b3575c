//! The k-th greatest of what went by.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicI64, Ordering};

/// Keeps the greatest `k` numbers of those offered, to tell the least of them.
#[derive(Debug)]
pub(crate) struct Floor {
    k: usize,
    /// Numbers as integers of the same order.
    greatest: BinaryHeap<Reverse<i64>>,
    value: f64,
}

impl Floor {
    pub(crate) fn new(k: usize) -> Self {
        Self {
            k: k.max(1),
            greatest: BinaryHeap::new(),
            value: f64::NEG_INFINITY,
        }
    }

    /// The k-th greatest; below everything while there are fewer.
    pub(crate) fn value(&self) -> f64 {
        self.value
    }

    pub(crate) fn offer(&mut self, number: f64) {
        if self.greatest.len() < self.k {
            self.greatest.push(Reverse(ordered(number)));
        } else if number > self.value {
            if let Some(mut least) = self.greatest.peek_mut() {
                *least = Reverse(ordered(number));
            }
        } else {
            return;
        }
        if self.greatest.len() == self.k
            && let Some(Reverse(least)) = self.greatest.peek()
        {
            self.value = number_of(*least);
        }
    }
}

/// The greatest of the floors that threads reached over their parts: what is below it is not among
/// the greatest of all parts together.
#[derive(Debug)]
pub(crate) struct SharedFloor(AtomicI64);

impl SharedFloor {
    pub(crate) fn new() -> Self {
        Self(AtomicI64::new(ordered(f64::NEG_INFINITY)))
    }

    pub(crate) fn value(&self) -> f64 {
        number_of(self.0.load(Ordering::Relaxed))
    }

    /// Takes up what a thread reached.
    pub(crate) fn raise(&self, floor: &Floor) {
        self.0.fetch_max(ordered(floor.value), Ordering::Relaxed);
    }
}

/// A number as an integer, in the order of `f64::total_cmp`.
fn ordered(number: f64) -> i64 {
    flip(number.to_bits().cast_signed())
}

fn number_of(ordered: i64) -> f64 {
    f64::from_bits(flip(ordered).cast_unsigned())
}

/// Turns the order of negative numbers around; undoes itself.
fn flip(bits: i64) -> i64 {
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_floor_is_the_kth_greatest(
            numbers in prop::collection::vec(-2.0_f64..2.0, 0..40),
            k in 1_usize..10,
        ) {
            let mut floor = Floor::new(k);
            for number in &numbers {
                floor.offer(*number);
            }
            let mut sorted = numbers;
            sorted.sort_by(|a, b| b.total_cmp(a));
            let expected = sorted.get(k - 1).copied().unwrap_or(f64::NEG_INFINITY);
            prop_assert!(floor.value().total_cmp(&expected).is_eq());
        }

        #[test]
        fn nothing_of_the_greatest_is_below_a_shared_floor(
            parts in prop::collection::vec(prop::collection::vec(-2.0_f64..2.0, 0..20), 1..5),
            k in 1_usize..10,
        ) {
            let shared = SharedFloor::new();
            for part in &parts {
                let mut floor = Floor::new(k);
                for number in part {
                    floor.offer(*number);
                }
                shared.raise(&floor);
            }
            let mut sorted = parts.concat();
            sorted.sort_by(|a, b| b.total_cmp(a));
            for number in sorted.iter().take(k) {
                prop_assert!(*number >= shared.value());
            }
        }
    }
}
