//! What one request comes to.

use std::time::Duration;

use super::route::Price;
use crate::model::{Latency, Tally};
use crate::ports::Usage;

/// How a request ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// With an answer, and what it used as far as the server says.
    Answered(Option<Usage>),
    /// With an error.
    Failed,
    /// Nobody waited for its end.
    GivenUp,
}

/// What a request comes to that ended so, after so long.
pub(super) fn tally(end: End, price: Option<Price>, took: Duration) -> Tally {
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    let mut tally = Tally {
        attempts: 1,
        latency: Latency {
            sum_micros: micros,
            max_micros: micros,
        },
        ..Tally::default()
    };
    match end {
        End::Failed => tally.failures = 1,
        End::Answered(None) | End::GivenUp => tally.uncounted = 1,
        End::Answered(Some(usage)) => {
            tally.input_tokens = usage.input_tokens;
            tally.output_tokens = usage.output_tokens;
            match price {
                Some(price) => tally.cost_micros = price.of(usage),
                None => tally.unpriced = u64::from(usage != Usage::default()),
            }
        }
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price {
        input_micros: 150_000,
        output_micros: 600_000,
    };

    fn usage(input_tokens: u64, output_tokens: u64) -> Usage {
        Usage {
            input_tokens,
            output_tokens,
        }
    }

    #[track_caller]
    fn check(end: End, price: Option<Price>, expected: Tally) {
        let took = Duration::from_micros(7);
        let latency = Latency {
            sum_micros: 7,
            max_micros: 7,
        };
        let expected = Tally {
            attempts: 1,
            latency,
            ..expected
        };
        assert_eq!(tally(end, price, took), expected, "{end:?} {price:?}");
    }

    #[test]
    fn what_is_not_known_is_told_and_not_taken_for_nothing() {
        let nothing = Tally::default();
        let tokens = Tally {
            input_tokens: 1_000,
            output_tokens: 100,
            ..nothing
        };
        let used = End::Answered(Some(usage(1_000, 100)));
        check(
            used,
            Some(PRICE),
            Tally {
                cost_micros: 210,
                ..tokens
            },
        );
        check(
            used,
            None,
            Tally {
                unpriced: 1,
                ..tokens
            },
        );
        check(End::Answered(Some(usage(0, 0))), None, nothing);
        check(
            End::Answered(None),
            Some(PRICE),
            Tally {
                uncounted: 1,
                ..nothing
            },
        );
        check(
            End::GivenUp,
            Some(PRICE),
            Tally {
                uncounted: 1,
                ..nothing
            },
        );
        check(
            End::Failed,
            Some(PRICE),
            Tally {
                failures: 1,
                ..nothing
            },
        );
    }

    #[test]
    fn a_cost_is_rounded_up_and_never_runs_over() {
        assert_eq!(PRICE.of(usage(1, 0)), 1);
        assert_eq!(PRICE.of(usage(0, 0)), 0);
        assert_eq!(PRICE.of(usage(1_000_000, 1_000_000)), 750_000);
        let dear = Price {
            input_micros: u64::MAX,
            output_micros: u64::MAX,
        };
        assert_eq!(dear.of(usage(u64::MAX, u64::MAX)), u64::MAX);
    }
}
