//! One writer a channel, in all processes.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::Duration;

use atlas_core::{Error, ErrorKind, Result, Retry};

use super::layout::LOCK;
use crate::disk::Disk;
use crate::failure::of_disk;

/// How often a lock is tried.
const PAUSE: Duration = Duration::from_millis(5);

/// Held while a channel is written; given back when it is dropped, and when the process ends.
#[derive(Debug)]
pub(super) struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// Waits for the lock of a channel's folder, for so long.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] if another process has it for longer.
    pub(super) fn take(
        disk: &Disk,
        channel: &Path,
        wait: Duration,
        op: &'static str,
    ) -> Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let file = disk
            .open(&channel.join(LOCK), &options)
            .map_err(|failure| of_disk(op, failure))?;
        let mut waited = Duration::ZERO;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(failure)) => return Err(of_disk(op, failure)),
                Err(TryLockError::WouldBlock) if waited >= wait => {
                    return Err(Error::new(
                        ErrorKind::Unavailable,
                        op,
                        "somebody else writes to the channel's index",
                    )
                    .with_retry(Retry::After(wait.max(PAUSE))));
                }
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(PAUSE);
                    waited += PAUSE;
                }
            }
        }
    }
}
