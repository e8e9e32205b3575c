//! Leaves an endpoint alone that does not answer, and finds out when it does again.
//!
//! # Source
//!
//! The circuit breaker of Nygard, "Release It!", 2007: closed, open, and half open for one probe.

use std::time::Duration;

use super::route::BreakerSettings;
use crate::error::{Error, ErrorKind};
use crate::model::Timestamp;

/// Whether an endpoint is asked.
#[derive(Clone, Debug)]
pub(super) struct Breaker {
    settings: BreakerSettings,
    state: State,
    n_opened: u64,
    n_closed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Closed {
        failures: u32,
    },
    Open {
        since: Timestamp,
    },
    Probing {
        since: Timestamp,
    },
    /// The next call is the probe.
    Ajar,
}

/// A call that may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// As any other.
    Regular,
    /// To find out whether the endpoint answers again.
    Probe,
}

/// What a call told of the endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Health {
    /// It answers, if only to say no.
    Alive,
    /// It does not serve.
    Dead,
}

impl Health {
    /// What a failure tells. An endpoint that denies everybody serves as little as a dead one; what
    /// it says of one request says that it is there.
    pub(super) fn of(error: &Error) -> Self {
        match error.kind() {
            ErrorKind::Unavailable | ErrorKind::Denied => Self::Dead,
            ErrorKind::NotFound
            | ErrorKind::Conflict
            | ErrorKind::Fenced
            | ErrorKind::Invalid
            | ErrorKind::Unsupported
            | ErrorKind::Corrupt
            | ErrorKind::Unexpected => Self::Alive,
        }
    }
}

impl Breaker {
    pub(super) fn new(settings: BreakerSettings) -> Self {
        Self {
            settings,
            state: State::Closed { failures: 0 },
            n_opened: 0,
            n_closed: 0,
        }
    }

    /// Asks whether a call may be made; if not, how long not yet.
    pub(super) fn ask(&mut self, now: Timestamp) -> Result<Pass, Duration> {
        if let Some(left) = self.left(now) {
            return Err(left);
        }
        match self.state {
            State::Closed { .. } => Ok(Pass::Regular),
            State::Open { .. } | State::Probing { .. } | State::Ajar => {
                self.state = State::Probing { since: now };
                Ok(Pass::Probe)
            }
        }
    }

    /// How long the endpoint is left alone still; none if it is asked. A probe of which nothing was
    /// heard for as long is followed by another; so is one of before the clock was set back.
    pub(super) fn left(&self, now: Timestamp) -> Option<Duration> {
        let (State::Open { since } | State::Probing { since }) = self.state else {
            return None;
        };
        let whole = Duration::from_secs(self.settings.open_seconds.into());
        let gone = now.duration_since(since);
        (since <= now && gone < whole).then(|| whole.saturating_sub(gone))
    }

    /// Takes in how a call ended.
    pub(super) fn conclude(&mut self, pass: Pass, health: Health, now: Timestamp) {
        match (self.state, pass, health) {
            (State::Closed { .. }, _, Health::Alive) => {
                self.state = State::Closed { failures: 0 };
            }
            (State::Closed { failures }, _, Health::Dead) => {
                let failures = failures.saturating_add(1);
                self.state = State::Closed { failures };
                if self.settings.failures > 0 && failures >= self.settings.failures {
                    self.open(now);
                }
            }
            (State::Probing { .. }, Pass::Probe, Health::Alive) => {
                self.state = State::Closed { failures: 0 };
                self.n_closed += 1;
            }
            (State::Probing { .. }, Pass::Probe, Health::Dead) => self.open(now),
            // What began before the endpoint was left alone says nothing of after.
            (State::Probing { .. }, Pass::Regular, _)
            | (State::Open { .. } | State::Ajar, _, _) => {}
        }
    }

    /// Takes in that nobody waited for the end of a call: nothing was learned of the endpoint.
    pub(super) fn give_up(&mut self, pass: Pass) {
        if pass == Pass::Probe && matches!(self.state, State::Probing { .. }) {
            self.state = State::Ajar;
        }
    }

    fn open(&mut self, now: Timestamp) {
        self.state = State::Open { since: now };
        self.n_opened += 1;
    }

    /// How often it opened, and how often it closed again.
    pub(super) fn turns(&self) -> (u64, u64) {
        (self.n_opened, self.n_closed)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn broken(at_second: i64) -> Breaker {
        let mut breaker = Breaker::new(BreakerSettings::default());
        for _ in 0..3 {
            assert_eq!(breaker.ask(at(at_second)), Ok(Pass::Regular));
            breaker.conclude(Pass::Regular, Health::Dead, at(at_second));
        }
        breaker
    }

    #[test]
    fn three_failures_in_a_row_open_it_for_a_minute() {
        let mut breaker = broken(100);
        assert_eq!(breaker.ask(at(100)), Err(Duration::from_mins(1)));
        assert_eq!(breaker.ask(at(159)), Err(Duration::from_secs(1)));
        assert_eq!(breaker.ask(at(160)), Ok(Pass::Probe));
        assert_eq!(breaker.turns(), (1, 0));
    }

    #[test]
    fn what_answers_in_between_keeps_it_closed() {
        let mut breaker = Breaker::new(BreakerSettings::default());
        for health in [
            Health::Dead,
            Health::Dead,
            Health::Alive,
            Health::Dead,
            Health::Dead,
        ] {
            assert_eq!(breaker.ask(at(1)), Ok(Pass::Regular));
            breaker.conclude(Pass::Regular, health, at(1));
        }
        assert_eq!(breaker.ask(at(1)), Ok(Pass::Regular));
    }

    #[test]
    fn one_probe_closes_it_or_opens_it_again() {
        let mut breaker = broken(0);
        assert_eq!(breaker.ask(at(60)), Ok(Pass::Probe));
        // The others wait for what the probe finds out.
        assert_eq!(breaker.ask(at(61)), Err(Duration::from_secs(59)));
        breaker.conclude(Pass::Probe, Health::Dead, at(70));
        assert_eq!(breaker.ask(at(129)), Err(Duration::from_secs(1)));
        assert_eq!(breaker.ask(at(130)), Ok(Pass::Probe));
        breaker.conclude(Pass::Probe, Health::Alive, at(131));
        assert_eq!(breaker.ask(at(131)), Ok(Pass::Regular));
        assert_eq!(breaker.turns(), (2, 1));
    }

    #[test]
    fn a_probe_that_was_given_up_or_never_ends_is_followed_by_another() {
        let mut breaker = broken(0);
        assert_eq!(breaker.ask(at(60)), Ok(Pass::Probe));
        breaker.give_up(Pass::Probe);
        assert_eq!(breaker.ask(at(61)), Ok(Pass::Probe));
        assert_eq!(breaker.ask(at(121)), Ok(Pass::Probe));
    }

    #[test]
    fn what_began_before_it_opened_says_nothing() {
        let mut breaker = broken(0);
        breaker.conclude(Pass::Regular, Health::Alive, at(1));
        breaker.conclude(Pass::Regular, Health::Dead, at(1));
        breaker.give_up(Pass::Regular);
        assert_eq!(breaker.ask(at(2)), Err(Duration::from_secs(58)));
    }

    #[test]
    fn a_clock_that_is_set_back_leaves_nobody_alone_for_ever() {
        assert_eq!(broken(86_400).ask(at(10)), Ok(Pass::Probe));
    }

    #[test]
    fn without_a_limit_it_never_opens() {
        let mut breaker = Breaker::new(BreakerSettings {
            failures: 0,
            open_seconds: 60,
        });
        for _ in 0..10 {
            breaker.conclude(Pass::Regular, Health::Dead, at(0));
        }
        assert_eq!(breaker.ask(at(0)), Ok(Pass::Regular));
    }

    /// What happens: time goes by, a call is asked for, or the oldest open call ends.
    fn arb_step() -> impl Strategy<Value = (u8, i64)> {
        (0..6_u8, 1..50_i64)
    }

    #[test]
    #[expect(
        clippy::print_stdout,
        reason = "what was exercised is part of the result"
    )]
    fn whatever_happens_it_lets_one_probe_through_at_a_time_and_none_too_early() {
        let mut runner = TestRunner::new(Config {
            cases: 256,
            ..Config::default()
        });
        let (n_opened, n_closed) = (Cell::new(0), Cell::new(0));
        runner
            .run(&prop::collection::vec(arb_step(), 1..120), |steps| {
                let mut breaker = Breaker::new(BreakerSettings::default());
                let (mut now, mut opened_at) = (0, None);
                let mut open_calls: Vec<Pass> = Vec::new();
                let mut probed_at = None;
                for (step, seconds) in steps {
                    match step {
                        0 | 1 => now += seconds,
                        2 | 3 => match breaker.ask(at(now)) {
                            Ok(Pass::Regular) => {
                                prop_assert!(opened_at.is_none());
                                open_calls.push(Pass::Regular);
                            }
                            Ok(Pass::Probe) => {
                                let since = opened_at.max(probed_at);
                                prop_assert!(since.is_some_and(|it| now - it >= 60));
                                probed_at = Some(now);
                                open_calls.retain(|it| *it == Pass::Regular);
                                open_calls.push(Pass::Probe);
                            }
                            Err(left) => {
                                prop_assert!(opened_at.is_some());
                                prop_assert!(left > Duration::ZERO);
                                prop_assert!(left <= Duration::from_mins(1));
                            }
                        },
                        _ if open_calls.is_empty() => {}
                        _ => {
                            let pass = open_calls.remove(0);
                            let health = if step == 4 {
                                Health::Alive
                            } else {
                                Health::Dead
                            };
                            let before = breaker.turns();
                            breaker.conclude(pass, health, at(now));
                            let after = breaker.turns();
                            if after.0 > before.0 {
                                (opened_at, probed_at) = (Some(now), None);
                                n_opened.set(n_opened.get() + 1);
                            }
                            if after.1 > before.1 {
                                prop_assert_eq!((pass, health), (Pass::Probe, Health::Alive));
                                (opened_at, probed_at) = (None, None);
                                n_closed.set(n_closed.get() + 1);
                            }
                        }
                    }
                }
                Ok(())
            })
            .unwrap();
        let (n_opened, n_closed) = (n_opened.get(), n_closed.get());
        println!("opened {n_opened} times, closed {n_closed} times");
        assert!(n_opened >= 100 && n_closed >= 30, "{n_opened} {n_closed}");
    }
}
