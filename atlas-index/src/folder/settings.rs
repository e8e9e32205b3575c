//! How an index in a folder behaves.

use std::time::Duration;

/// How a [`FolderFactIndex`](crate::FolderFactIndex) behaves. Nothing of it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FolderSettings {
    /// Channels that are kept open; the one that was used least recently closes first. At least 1.
    pub max_open_channels: usize,
    /// How long a write waits for another process that writes to the same channel.
    pub writer_wait: Duration,
    /// Threads that answer searches. At least 1.
    pub n_threads: usize,
    /// Threads that take in batches, each for another channel. At least 1.
    pub n_writer_threads: usize,
}

impl Default for FolderSettings {
    fn default() -> Self {
        Self {
            max_open_channels: 64,
            writer_wait: Duration::from_secs(5),
            n_threads: std::thread::available_parallelism().map_or(2, usize::from),
            n_writer_threads: 2,
        }
    }
}

impl FolderSettings {
    /// Sets how many channels are kept open.
    #[must_use]
    pub fn with_max_open_channels(mut self, max_open_channels: usize) -> Self {
        self.max_open_channels = max_open_channels;
        self
    }

    /// Sets how long a write waits for another process.
    #[must_use]
    pub fn with_writer_wait(mut self, writer_wait: Duration) -> Self {
        self.writer_wait = writer_wait;
        self
    }

    /// Sets how many threads answer searches.
    #[must_use]
    pub fn with_n_threads(mut self, n_threads: usize) -> Self {
        self.n_threads = n_threads;
        self
    }

    /// Sets how many threads take in batches.
    #[must_use]
    pub fn with_n_writer_threads(mut self, n_writer_threads: usize) -> Self {
        self.n_writer_threads = n_writer_threads;
        self
    }
}
