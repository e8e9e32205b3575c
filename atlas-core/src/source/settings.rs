//! The tunables of a sync.

use std::time::Duration;

use crate::error::{Error, ErrorKind, Result};

/// The tunables of a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncSettings {
    /// How far before the last place history is read again, for edits, deletions and new threads.
    pub overlap: Duration,
    /// How long after its last reply a thread is read again, for late replies and edits.
    pub thread_window: Duration,
    /// Messages of one page, at least two.
    pub page: usize,
    /// Messages of one sync, at least two; what is left over is read by the next. None reads all.
    pub max_messages: Option<usize>,
    /// How long after a whole sync the next one is put off.
    pub cool_down: Duration,
    /// How long a sync that says nothing keeps others out.
    pub lease: Duration,
}

impl Default for SyncSettings {
    fn default() -> Self {
        const DAY: u64 = 86_400;
        Self {
            overlap: Duration::from_secs(DAY),
            thread_window: Duration::from_secs(14 * DAY),
            page: 200,
            max_messages: None,
            cool_down: Duration::from_mins(1),
            lease: Duration::from_mins(5),
        }
    }
}

impl SyncSettings {
    /// Refuses what would never end or never begin.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] for a page or a limit below two, or a lease of nothing.
    pub fn check(&self) -> Result<()> {
        let fault = if self.page < 2 {
            "a page of less than two messages"
        } else if self.max_messages.is_some_and(|limit| limit < 2) {
            "a limit of less than two messages"
        } else if self.lease.is_zero() {
            "a lease of nothing"
        } else {
            return Ok(());
        };
        Err(Error::new(ErrorKind::Invalid, "SyncSettings::check", fault))
    }
}
