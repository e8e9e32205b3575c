//! What happens after a call failed: again, elsewhere, or not any more.

use std::time::Duration;

use crate::error::{ErrorKind, Retry};

/// How long is waited before a second try at once, and twice as long before each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// What is done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The same endpoint is asked again after a pause.
    Again(Duration),
    /// The next endpoint is asked.
    Other,
    /// The call has failed.
    Stop,
}

/// How a call failed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failure {
    pub(super) kind: ErrorKind,
    pub(super) retry: Retry,
}

/// How far a call is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tried {
    /// How often this endpoint was asked.
    pub(super) here: u32,
    /// How often any may still be asked.
    pub(super) left: u32,
    /// Whether another one serves the role.
    pub(super) has_other: bool,
    /// How long is waited at most.
    pub(super) patience: Duration,
}

/// Decides what is done after a failure.
///
/// Another endpoint can cure that one does not answer, does not take the credentials, does not know
/// the model or does not serve the role. What is wrong with the request is wrong everywhere.
pub(super) fn next(failure: Failure, tried: Tried) -> Next {
    let elsewhere = if tried.has_other {
        Next::Other
    } else {
        Next::Stop
    };
    if tried.left == 0 {
        return Next::Stop;
    }
    match (failure.kind, failure.retry) {
        // The last try is better spent on another one.
        (ErrorKind::Unavailable, Retry::Now)
            if tried.has_other && (tried.here > 1 || tried.left == 1) =>
        {
            Next::Other
        }
        (ErrorKind::Unavailable, Retry::Now) => Next::Again(pause(tried.here)),
        (ErrorKind::Unavailable, Retry::After(wait))
            if !tried.has_other && wait <= tried.patience =>
        {
            Next::Again(wait)
        }
        (
            ErrorKind::Unavailable
            | ErrorKind::Denied
            | ErrorKind::Unsupported
            | ErrorKind::NotFound,
            _,
        ) => elsewhere,
        (
            ErrorKind::Invalid
            | ErrorKind::Conflict
            | ErrorKind::Fenced
            | ErrorKind::Corrupt
            | ErrorKind::Unexpected,
            _,
        ) => Next::Stop,
    }
}

fn pause(here: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(1 << here.saturating_sub(1).min(10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: ErrorKind, retry: Retry, (here, left, has_other): (u32, u32, bool), then: Next) {
        let tried = Tried {
            here,
            left,
            has_other,
            patience: Duration::from_mins(1),
        };
        assert_eq!(
            next(Failure { kind, retry }, tried),
            then,
            "{kind:?} {retry:?} {tried:?}"
        );
    }

    #[test]
    fn what_does_not_answer_is_asked_again_then_elsewhere() {
        let kind = ErrorKind::Unavailable;
        let millis = |n| Next::Again(Duration::from_millis(n));
        check(kind, Retry::Now, (1, 2, false), millis(250));
        check(kind, Retry::Now, (2, 1, false), millis(500));
        check(kind, Retry::Now, (1, 2, true), millis(250));
        check(kind, Retry::Now, (2, 1, true), Next::Other);
        check(kind, Retry::Now, (1, 1, true), Next::Other);
        check(kind, Retry::Never, (1, 2, true), Next::Other);
        check(kind, Retry::Never, (1, 2, false), Next::Stop);
    }

    #[test]
    fn what_asks_to_wait_is_waited_for_only_where_nobody_else_is() {
        let kind = ErrorKind::Unavailable;
        let after = |seconds| Retry::After(Duration::from_secs(seconds));
        check(
            kind,
            after(60),
            (1, 2, false),
            Next::Again(Duration::from_mins(1)),
        );
        check(kind, after(61), (1, 2, false), Next::Stop);
        check(kind, after(1), (1, 2, true), Next::Other);
        check(kind, after(61), (1, 2, true), Next::Other);
    }

    #[test]
    fn another_endpoint_cures_what_is_the_endpoints_own() {
        for kind in [
            ErrorKind::Denied,
            ErrorKind::Unsupported,
            ErrorKind::NotFound,
        ] {
            check(kind, Retry::Never, (1, 2, true), Next::Other);
            check(kind, Retry::Never, (1, 2, false), Next::Stop);
        }
        for kind in [
            ErrorKind::Invalid,
            ErrorKind::Conflict,
            ErrorKind::Fenced,
            ErrorKind::Corrupt,
            ErrorKind::Unexpected,
        ] {
            check(kind, Retry::Now, (1, 2, true), Next::Stop);
        }
    }

    #[test]
    fn no_call_goes_beyond_its_tries() {
        for kind in [ErrorKind::Unavailable, ErrorKind::Denied] {
            for retry in [Retry::Now, Retry::After(Duration::ZERO), Retry::Never] {
                check(kind, retry, (1, 0, true), Next::Stop);
                check(kind, retry, (3, 0, false), Next::Stop);
            }
        }
    }
}
