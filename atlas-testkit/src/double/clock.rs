//! A clock that is set by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use atlas_core::async_trait;
use atlas_core::model::Timestamp;
use atlas_core::ports::Clock;

/// A clock that stands still until it is set or advanced. A clone is another handle on it.
///
/// Whoever waits on it moves it forwards instead, and waits no longer.
#[derive(Clone, Debug)]
pub struct FixedClock(Arc<AtomicI64>);

impl FixedClock {
    /// A clock that stands at the instant.
    pub fn at(instant: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(instant.as_micros())))
    }

    /// Sets it, forwards or backwards.
    pub fn set(&self, instant: Timestamp) {
        self.0.store(instant.as_micros(), Ordering::SeqCst);
    }

    /// Moves it forwards and tells where it stands.
    pub fn advance(&self, by: Duration) -> Timestamp {
        let instant = self.now().saturating_add(by);
        self.set(instant);
        instant
    }
}

#[async_trait]
impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst)).unwrap_or(Timestamp::MAX)
    }

    async fn sleep_until(&self, at: Timestamp) {
        self.0.fetch_max(at.as_micros(), Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_moves_only_by_hand_and_for_whoever_waits() {
        let start: Timestamp = "2026-03-09T10:00:00Z".parse().unwrap();
        let clock = FixedClock::at(start);
        let other_handle = clock.clone();
        assert_eq!(clock.now(), start);
        let later = other_handle.advance(Duration::from_secs(90));
        assert_eq!(clock.now(), later);
        assert_eq!(later.to_string(), "2026-03-09T10:01:30Z");
        clock.set(start);
        assert_eq!(other_handle.now(), start);
        for (until, expected) in [(later, later), (start, later)] {
            futures::executor::block_on(clock.sleep_until(until));
            assert_eq!(other_handle.now(), expected);
        }
        clock.set(Timestamp::MAX);
        assert_eq!(clock.advance(Duration::MAX), Timestamp::MAX);
    }
}
