//! At most so much in a minute.
//!
//! # Source
//!
//! A token bucket, as in Tanenbaum and Wetherall, "Computer Networks", 5.4.2: it holds a minute's
//! worth, fills evenly, and may be overdrawn by what cannot be known before.

use crate::model::Timestamp;

/// Microseconds in a minute.
const MINUTE: i128 = 60_000_000;

/// What may still be spent. Counted in parts of which a minute's worth of one unit has as many as a
/// minute has microseconds, so that nothing is rounded.
#[derive(Clone, Debug)]
pub(super) struct Bucket {
    per_minute: i128,
    level: i128,
    at: Timestamp,
}

impl Bucket {
    /// A full bucket; a limit of none is taken as one.
    pub(super) fn new(per_minute: u64, now: Timestamp) -> Self {
        let per_minute = i128::from(per_minute.max(1));
        Self {
            per_minute,
            level: per_minute * MINUTE,
            at: now,
        }
    }

    /// When that much may be spent: now, or later. More than a minute's worth may be spent when the
    /// bucket is full.
    pub(super) fn ready(&mut self, cost: u64, now: Timestamp) -> Timestamp {
        self.fill(now);
        let needed = i128::from(cost).min(self.per_minute) * MINUTE - self.level;
        if needed <= 0 {
            return now;
        }
        let wait = (needed + self.per_minute - 1) / self.per_minute;
        now.saturating_add_micros(i64::try_from(wait).unwrap_or(i64::MAX))
    }

    /// Spends that much.
    pub(super) fn spend(&mut self, cost: u64, now: Timestamp) {
        self.fill(now);
        self.level -= i128::from(cost) * MINUTE;
    }

    /// Sets right what was guessed: `guess` was spent before, `cost` is what it was.
    pub(super) fn settle(&mut self, guess: u64, cost: u64) {
        self.level += (i128::from(guess) - i128::from(cost)) * MINUTE;
        self.level = self.level.min(self.per_minute * MINUTE);
    }

    fn fill(&mut self, now: Timestamp) {
        // A clock that was set back fills nothing.
        let gone = now.as_micros().saturating_sub(self.at.as_micros()).max(0);
        self.at = now;
        let most = self.per_minute * MINUTE;
        self.level = (self.level + i128::from(gone) * self.per_minute).min(most);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};

    use super::*;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).unwrap()
    }

    #[test]
    fn a_minutes_worth_may_be_spent_at_once_then_evenly() {
        let mut bucket = Bucket::new(60, at(0));
        for _ in 0..60 {
            assert_eq!(bucket.ready(1, at(0)), at(0));
            bucket.spend(1, at(0));
        }
        assert_eq!(bucket.ready(1, at(0)), at(1_000_000));
        assert_eq!(bucket.ready(3, at(0)), at(3_000_000));
        assert_eq!(bucket.ready(1, at(400_000)), at(1_000_000));
    }

    #[test]
    fn what_is_more_than_a_minutes_worth_goes_when_it_is_full() {
        let mut bucket = Bucket::new(10, at(0));
        assert_eq!(bucket.ready(25, at(0)), at(0));
        bucket.spend(25, at(0));
        // What was overdrawn fills first.
        assert_eq!(bucket.ready(1, at(0)), at(96_000_000));
    }

    #[test]
    fn a_guess_is_set_right() {
        let mut bucket = Bucket::new(60, at(0));
        bucket.spend(60, at(0));
        bucket.settle(60, 50);
        assert_eq!(bucket.ready(10, at(0)), at(0));
        bucket.settle(0, 20);
        assert_eq!(bucket.ready(1, at(0)), at(11_000_000));
        bucket.settle(1_000, 0);
        bucket.spend(60, at(0));
        assert_eq!(bucket.ready(1, at(0)), at(1_000_000));
    }

    #[test]
    fn a_clock_that_is_set_back_fills_nothing() {
        let mut bucket = Bucket::new(60, at(60_000_000));
        bucket.spend(60, at(60_000_000));
        assert_eq!(bucket.ready(1, at(0)), at(1_000_000));
    }

    #[test]
    #[expect(
        clippy::print_stdout,
        reason = "what was exercised is part of the result"
    )]
    fn whoever_waits_as_long_as_told_goes_and_no_window_holds_too_much() {
        let mut runner = TestRunner::new(Config {
            cases: 128,
            ..Config::default()
        });
        let n_waits = Cell::new(0);
        let calls = prop::collection::vec((1..40_u64, 0..3_000_000_i64), 1..60);
        runner
            .run(&(1..200_u64, calls), |(per_minute, calls)| {
                let mut bucket = Bucket::new(per_minute, at(0));
                let mut now = at(0);
                let mut spent: Vec<(i64, u64)> = Vec::new();
                for (cost, pause) in calls {
                    let cost = cost.min(per_minute);
                    now = now.saturating_add_micros(pause);
                    let ready = bucket.ready(cost, now);
                    n_waits.set(n_waits.get() + usize::from(ready > now));
                    now = ready;
                    prop_assert_eq!(bucket.ready(cost, now), now);
                    bucket.spend(cost, now);
                    spent.push((now.as_micros(), cost));
                }
                for (first, (from, _)) in spent.iter().enumerate() {
                    let mut sum = 0;
                    for (to, cost) in &spent[first..] {
                        sum += i128::from(*cost);
                        let filled = i128::from(to - from) * i128::from(per_minute);
                        let most = i128::from(per_minute) * MINUTE + filled;
                        prop_assert!(sum * MINUTE <= most, "{} from {} to {}", sum, from, to);
                    }
                }
                Ok(())
            })
            .unwrap();
        let n_waits = n_waits.get();
        println!("{n_waits} waits");
        assert!(n_waits >= 1_000, "{n_waits}");
    }
}
