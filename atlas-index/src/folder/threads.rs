//! The threads that an index computes, reads and writes on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use atlas_core::{Error, ErrorKind, Result};
use futures::channel::oneshot;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Threads for searches, and others for batches, which may have to wait.
#[derive(Debug)]
pub(super) struct Threads {
    readers: ThreadPool,
    writers: ThreadPool,
}

impl Threads {
    pub(super) fn start(n_readers: usize, n_writers: usize, op: &'static str) -> Result<Self> {
        let pool = |name: &'static str, n_threads: usize| {
            ThreadPoolBuilder::new()
                .num_threads(n_threads.max(1))
                .thread_name(move |at| format!("atlas-index-{name}-{at}"))
                .build()
                .map_err(|cause| {
                    Error::new(ErrorKind::Unavailable, op, "a thread cannot be started")
                        .caused_by(cause)
                })
        };
        Ok(Self {
            readers: pool("read", n_readers)?,
            writers: pool("write", n_writers)?,
        })
    }

    /// Runs work that reads.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        op: &'static str,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        run(&self.readers, op, work).await
    }

    /// Runs work that writes. It is finished although nobody waits for its outcome.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        op: &'static str,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        run(&self.writers, op, work).await
    }
}

async fn run<T: Send + 'static>(
    pool: &ThreadPool,
    op: &'static str,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let (answer, answered) = oneshot::channel();
    pool.spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|_| Err(Error::new(ErrorKind::Unexpected, op, "the index panicked")));
        // Whoever asked may have gone.
        drop(answer.send(outcome));
    });
    answered
        .await
        .map_err(|_| Error::new(ErrorKind::Unexpected, op, "a thread of the index ended"))?
}
