//! An endpoint as the router treats it: asked when it may be, and not more often.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_lock::{Semaphore, SemaphoreGuardArc};

use super::breaker::{Breaker, Health, Pass};
use super::limit::Bucket;
use super::route::EndpointSettings;
use crate::model::Timestamp;
use crate::ports::Clock;

/// An endpoint, shared by all that ask it.
pub(super) struct Endpoint {
    pub(super) name: String,
    gates: Mutex<Gates>,
    slots: Option<Arc<Semaphore>>,
}

struct Gates {
    breaker: Breaker,
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
}

/// That one request may be sent. Without an end it was given up.
pub(super) struct Permit {
    endpoint: Arc<Endpoint>,
    pass: Pass,
    guess: u64,
    has_ended: bool,
    _slot: Option<SemaphoreGuardArc>,
}

impl Endpoint {
    pub(super) fn new(name: String, settings: EndpointSettings, now: Timestamp) -> Self {
        let bucket = |limit: Option<u64>| limit.map(|it| Bucket::new(it, now));
        Self {
            name,
            gates: Mutex::new(Gates {
                breaker: Breaker::new(settings.breaker),
                requests: bucket(settings.requests_per_minute),
                tokens: bucket(settings.tokens_per_minute),
            }),
            slots: (settings.max_concurrent).map(|it| Arc::new(Semaphore::new(it.max(1)))),
        }
    }

    /// Waits until a request of about so many tokens may be sent; if the endpoint is left alone,
    /// answers at once for how long. Whoever waits for a limit holds no place meanwhile.
    pub(super) async fn admit(
        self: &Arc<Self>,
        clock: &dyn Clock,
        guess: u64,
    ) -> Result<Permit, Duration> {
        loop {
            let slot = match &self.slots {
                Some(slots) => Some(slots.acquire_arc().await),
                None => None,
            };
            let now = clock.now();
            let ready = match self.gates().pass(guess, now)? {
                Ok(pass) => {
                    return Ok(Permit {
                        endpoint: Arc::clone(self),
                        pass,
                        guess,
                        has_ended: false,
                        _slot: slot,
                    });
                }
                Err(ready) => ready,
            };
            drop(slot);
            clock.sleep_until(ready).await;
        }
    }

    /// How often its breaker opened and closed again, and how long it is open still.
    pub(super) fn state(&self, now: Timestamp) -> ((u64, u64), Option<Duration>) {
        let gates = self.gates();
        (gates.breaker.turns(), gates.breaker.left(now))
    }

    fn gates(&self) -> MutexGuard<'_, Gates> {
        self.gates.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Gates {
    /// A pass, or when to ask again; an error while the endpoint is left alone.
    fn pass(&mut self, guess: u64, now: Timestamp) -> Result<Result<Pass, Timestamp>, Duration> {
        if let Some(left) = self.breaker.left(now) {
            return Err(left);
        }
        let of_requests = self.requests.as_mut().map(|it| it.ready(1, now));
        let of_tokens = self.tokens.as_mut().map(|it| it.ready(guess, now));
        let ready = of_requests.max(of_tokens).unwrap_or(now);
        if ready > now {
            return Ok(Err(ready));
        }
        let pass = self.breaker.ask(now)?;
        self.requests.iter_mut().for_each(|it| it.spend(1, now));
        self.tokens.iter_mut().for_each(|it| it.spend(guess, now));
        Ok(Ok(pass))
    }
}

impl Permit {
    /// Takes in how the request ended, and how many tokens it used if that is known.
    pub(super) fn end(mut self, health: Health, tokens: Option<u64>, now: Timestamp) {
        self.has_ended = true;
        let mut gates = self.endpoint.gates();
        gates.breaker.conclude(self.pass, health, now);
        if let (Some(bucket), Some(tokens)) = (&mut gates.tokens, tokens) {
            bucket.settle(self.guess, tokens);
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if !self.has_ended {
            let mut gates = self.endpoint.gates();
            gates.breaker.give_up(self.pass);
        }
    }
}
