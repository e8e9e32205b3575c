//! Time from outside.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use futures_timer::Delay;

use crate::model::Timestamp;

/// Tells the time, and waits. The core asks nothing else for either.
#[async_trait]
pub trait Clock: Send + Sync {
    /// The present instant.
    fn now(&self) -> Timestamp;

    /// Waits until the instant; not at all for one that is past. A clock that stands still moves
    /// there instead.
    ///
    /// # Cancel safety
    ///
    /// Safe: a wait that is dropped leaves nothing behind.
    async fn sleep_until(&self, at: Timestamp);
}

/// The machine's clock. It waits on a timer of its own, so that any runtime will do.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

#[async_trait]
impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the one clock that others replace"
        )]
        let elapsed = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let micros = i64::try_from(elapsed.as_micros()).unwrap_or(i64::MAX);
        Timestamp::from_micros(micros).unwrap_or(Timestamp::MAX)
    }

    async fn sleep_until(&self, at: Timestamp) {
        let left = at.duration_since(self.now());
        if left > Duration::ZERO {
            Delay::new(left).await;
        }
    }
}
