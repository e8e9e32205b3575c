//! A call: requests at one place after the other, until one is answered.

use std::time::Duration;

use futures::future::BoxFuture;

use super::attempt::{Failure, Next, Tried, next};
use super::breaker::Health;
use super::charge::{End, tally};
use super::endpoint::Permit;
use super::models::{Place, Router};
use crate::error::{Error, ErrorKind, Result, Retry};
use crate::model::{ModelRole, Tally, Timestamp};
use crate::ports::Usage;

/// What a request is answered with.
pub(super) trait Answer: Send {
    /// What it used, as far as that is known by now.
    fn usage(&self) -> Option<Usage>;

    /// Whether somebody else might answer what this one would not.
    fn is_refusal(&self) -> bool;
}

impl Router {
    /// Makes a call: at one place after the other, again where that is worth it. The answer comes
    /// with the request that gave it, which its end is still to be told of; without one for an
    /// answer that nobody else could better.
    pub(super) async fn call<'a, T: Answer>(
        &'a self,
        (role, guess): (ModelRole, u64),
        places: &[&'a Place],
        ask: &(dyn Fn(usize) -> BoxFuture<'a, Result<T>> + Send + Sync),
    ) -> Result<(T, Option<Attempt<'a>>)> {
        let settings = &self.shared.settings;
        let (mut at, mut here) = (0, 0);
        let mut left = settings.attempts.max(1);
        let (mut refusal, mut failed): (_, Option<Error>) = (None, None);
        while let Some(place) = places.get(at) {
            let has_other = at + 1 < places.len();
            let permit = match place.endpoint.admit(&*self.shared.clock, guess).await {
                Ok(permit) => permit,
                Err(wait) => {
                    self.turn_away(role, place, has_other);
                    failed = Some(match failed {
                        // It says what is to be done, which waiting does not cure.
                        Some(error) if error.kind() != ErrorKind::Unavailable => error,
                        Some(error) => left_alone(place, wait).caused_by(error),
                        None => left_alone(place, wait),
                    });
                    (at, here) = (at + 1, 0);
                    continue;
                }
            };
            let attempt = Attempt {
                router: self,
                role,
                place,
                began: self.now(),
                permit: Some(permit),
            };
            (here, left) = (here + 1, left - 1);
            let error = match ask(at).await {
                Ok(answer) if answer.is_refusal() && has_other && left > 0 => {
                    attempt.end(answer.usage(), false);
                    refusal = Some(answer);
                    (at, here) = (at + 1, 0);
                    continue;
                }
                Ok(answer) => return Ok((answer, Some(attempt))),
                Err(error) => error,
            };
            let failure = Failure {
                kind: error.kind(),
                retry: error.retry(),
            };
            let tried = Tried {
                here,
                left,
                has_other,
                patience: Duration::from_secs(settings.max_wait_seconds.into()),
            };
            let then = next(failure, tried);
            attempt.fail(&error, then == Next::Stop);
            failed = Some(error);
            match then {
                Next::Again(wait) => {
                    let until = self.now().saturating_add(wait);
                    self.shared.clock.sleep_until(until).await;
                }
                Next::Other => (at, here) = (at + 1, 0),
                Next::Stop => break,
            }
        }
        match (refusal, failed) {
            (Some(refusal), _) => Ok((refusal, None)),
            (None, Some(error)) => Err(error),
            (None, None) => Err(nobody().with("role", role)),
        }
    }

    fn turn_away(&self, role: ModelRole, place: &Place, has_other: bool) {
        let tally = Tally {
            turned_away: 1,
            calls: u64::from(!has_other),
            ..Tally::default()
        };
        self.charge(role, place, &tally);
    }
}

pub(super) fn nobody() -> Error {
    Error::new(
        ErrorKind::Unsupported,
        "Router::call",
        "nobody serves the role",
    )
}

/// The refusal while an endpoint is left alone.
fn left_alone(place: &Place, wait: Duration) -> Error {
    Error::new(
        ErrorKind::Unavailable,
        "Router::call",
        "the endpoint failed and is left alone for a while",
    )
    .with("endpoint", &place.endpoint.name)
    .with_retry(Retry::After(wait))
}

/// A request that was sent. Without an end it was given up.
pub(super) struct Attempt<'a> {
    router: &'a Router,
    role: ModelRole,
    place: &'a Place,
    began: Timestamp,
    permit: Option<Permit>,
}

impl Attempt<'_> {
    /// The request was answered, and with it the call, if nobody else is asked.
    pub(super) fn end(self, usage: Option<Usage>, is_call: bool) {
        self.tell(End::Answered(usage), Health::Alive, u64::from(is_call));
    }

    /// The request failed, and with it the call, if nobody else is asked.
    pub(super) fn fail(self, error: &Error, is_call: bool) {
        self.tell(End::Failed, Health::of(error), u64::from(is_call));
    }

    fn tell(mut self, end: End, health: Health, calls: u64) {
        let now = self.router.now();
        let tokens = match end {
            End::Answered(usage) => {
                usage.map(|it| it.input_tokens.saturating_add(it.output_tokens))
            }
            End::Failed | End::GivenUp => None,
        };
        if let Some(permit) = self.permit.take() {
            permit.end(health, tokens, now);
        }
        self.charge(end, calls);
    }

    fn charge(&self, end: End, calls: u64) {
        let took = self.router.now().duration_since(self.began);
        let mut tally = tally(end, self.place.price, took);
        tally.calls = calls;
        self.router.charge(self.role, self.place, &tally);
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if self.permit.is_some() {
            self.charge(End::GivenUp, 1);
        }
    }
}
