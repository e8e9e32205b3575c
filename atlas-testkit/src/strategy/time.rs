//! Instants and intervals.

use atlas_core::model::{Interval, Timestamp};
use proptest::prelude::*;

/// Any instant that has a text: the edges, these years, or anywhere between.
pub fn arb_timestamp() -> impl Strategy<Value = Timestamp> {
    let micros = Timestamp::MIN.as_micros()..=Timestamp::MAX.as_micros();
    prop_oneof![
        4 => (0..2_000_000_000_i64).prop_map(|seconds| seconds * 1_000_000),
        4 => micros,
        1 => Just(Timestamp::MIN.as_micros()),
        1 => Just(Timestamp::MAX.as_micros()),
        1 => Just(0),
    ]
    .prop_map(|micros| {
        Timestamp::MIN.saturating_add_micros(micros.saturating_sub(Timestamp::MIN.as_micros()))
    })
}

/// Any interval: still open, or with an end that is not before its start.
pub fn arb_interval() -> impl Strategy<Value = Interval> {
    (arb_timestamp(), super::maybe(arb_timestamp())).prop_map(|(a, b)| match b {
        None => Interval::since(a),
        Some(b) => Interval {
            start: a.min(b),
            end: Some(a.max(b)),
        },
    })
}
