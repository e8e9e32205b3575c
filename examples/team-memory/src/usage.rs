//! What a run took.

use std::fs;

use atlas_core::model::Timestamp;
use atlas_core::ports::{Clock, SystemClock};

/// Where Linux tells how much memory a process has taken.
const STATUS: &str = "/proc/self/status";

/// Measures a run from its beginning.
#[derive(Debug)]
pub(crate) struct Meter {
    begun: Timestamp,
}

impl Meter {
    /// Begins to measure.
    pub(crate) fn start() -> Self {
        Self {
            begun: SystemClock.now(),
        }
    }

    /// Seconds by the clock and, where the system tells it, the most memory that was resident.
    pub(crate) fn told(&self) -> String {
        let micros = SystemClock.now().as_micros() - self.begun.as_micros();
        let tenths = micros.max(0) / 100_000;
        let memory = fs::read_to_string(STATUS)
            .ok()
            .and_then(|status| peak_kib(&status))
            .map(|kib| format!(", {} MiB of memory at most", kib.div_ceil(1024)))
            .unwrap_or_default();
        format!("Took {}.{} s{memory}.\n", tenths / 10, tenths % 10)
    }
}

fn peak_kib(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_where_it_is_told() {
        assert_eq!(
            peak_kib("Name:\tx\nVmHWM:\t   51234 kB\nVmRSS:\t 1 kB\n"),
            Some(51_234)
        );
        assert_eq!(peak_kib("Name:\tx\n"), None);
    }
}
