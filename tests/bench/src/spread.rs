//! How durations are distributed.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Percentiles of durations.
///
/// # Units
///
/// Milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
}

impl Spread {
    /// The percentiles by nearest rank; nought of nothing.
    pub(crate) fn of(durations: &[Duration]) -> Self {
        let mut sorted = durations.to_vec();
        sorted.sort_unstable();
        let at = |percent: usize| {
            let rank = sorted.len().saturating_mul(percent).div_ceil(100);
            let found = sorted.get(rank.saturating_sub(1));
            found.map_or(0.0, |it| it.as_secs_f64() * 1_000.0)
        };
        Self {
            p50: at(50),
            p95: at(95),
            p99: at(99),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_durations() {
        let check = |count: u64, [p50, p95, p99]: [f64; 3]| {
            let all: Vec<Duration> = (1..=count).rev().map(Duration::from_millis).collect();
            assert_eq!(Spread::of(&all), Spread { p50, p95, p99 });
        };
        check(100, [50.0, 95.0, 99.0]);
        check(1, [1.0, 1.0, 1.0]);
        check(0, [0.0, 0.0, 0.0]);
    }
}
