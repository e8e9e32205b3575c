//! A bar on the terminal.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use atlas_core::maintain::{Observer, Progress, StageName};
use indicatif::{ProgressBar, ProgressStyle};

/// Parts of a channel: the unit of the bar.
const PARTS: u64 = 1_000;

/// How often the bar is drawn anew while a step takes long.
const TICK: Duration = Duration::from_millis(120);

/// Shows how far the channels are; on a terminal only.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    /// Where the present channel begins.
    from: AtomicU64,
}

impl Bar {
    /// A bar over as many channels.
    pub(crate) fn new(n_channels: usize) -> Self {
        let whole = u64::try_from(n_channels).unwrap_or(u64::MAX);
        // It draws on stderr, and hides where that is no terminal.
        let bar = ProgressBar::new(whole.saturating_mul(PARTS));
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3}% {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(TICK);
        Self {
            bar,
            from: AtomicU64::new(0),
        }
    }

    /// A channel begins, the `nth` from nought.
    pub(crate) fn begin(&self, nth: usize, channel: &str) {
        let from = u64::try_from(nth).unwrap_or(0).saturating_mul(PARTS);
        self.from.store(from, Ordering::Relaxed);
        self.bar.set_position(from);
        self.bar.set_prefix(channel.to_owned());
        self.bar.set_message(format!("{channel}: reading"));
    }

    /// All channels are done.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Bar {
    fn progress(&self, progress: Progress) {
        let (from, to) = share(progress.stage);
        let done = u64::try_from(progress.done).unwrap_or(0);
        let total = u64::try_from(progress.total).unwrap_or(0).max(1);
        let within = from + (to - from) * done.min(total) / total;
        self.bar
            .set_position(self.from.load(Ordering::Relaxed) + within);
        let stage = progress.stage.as_str();
        self.bar
            .set_message(format!("{}: {stage}", self.bar.prefix()));
    }
}

/// From where to where a stage moves a channel: extraction and judging take most of the time.
fn share(stage: StageName) -> (u64, u64) {
    match stage {
        StageName::Ingest => (0, 20),
        StageName::Extract => (20, 700),
        StageName::Lifecycle => (700, 850),
        StageName::Graph => (850, 880),
        StageName::Topic => (880, 930),
        StageName::Wiki => (930, 980),
        StageName::Index => (980, PARTS),
    }
}
