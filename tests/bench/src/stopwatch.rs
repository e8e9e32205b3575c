//! Time that passes.

use std::time::{Duration, Instant};

/// Tells how long something took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Begins.
    #[expect(
        clippy::disallowed_methods,
        reason = "a benchmark measures the time that passes and decides nothing by it"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// What has passed since.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
