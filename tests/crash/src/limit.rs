//! A limit on the size of files, which is how a full disk is felt without one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};

/// Lets no file of this process grow beyond so many bytes: a write that would fails with `EFBIG`.
///
/// # Errors
///
/// If the system refuses the limit.
pub fn limit_files(bytes: u64) -> Result<()> {
    // Unless somebody listens for it, the signal ends the process before the write can fail.
    let signal = signal_hook::consts::SIGXFSZ;
    signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))
        .context("listening for SIGXFSZ")?;
    rlimit::setrlimit(rlimit::Resource::FSIZE, bytes, rlimit::INFINITY)
        .or_else(|_| rlimit::setrlimit(rlimit::Resource::FSIZE, bytes, bytes))
        .context("limiting the size of files")
}
