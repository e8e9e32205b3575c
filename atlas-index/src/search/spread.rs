//! Whether work is spread over threads.

use atlas_core::Result;
use rayon::prelude::*;

/// On which threads a search computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spread {
    /// On that of the caller alone.
    Caller,
    /// On those of the pool that the caller is in.
    Pool,
}

impl Spread {
    /// Does the same with each; the answers come in the order of the questions.
    ///
    /// Whoever holds a lock does not call it: a thread that waits here takes up other work.
    pub(crate) fn each<'a, T: Sync, R: Send>(
        self,
        all: &'a [T],
        work: impl Fn(&'a T) -> Result<R> + Send + Sync,
    ) -> Result<Vec<R>> {
        match self {
            Self::Caller => all.iter().map(work).collect(),
            Self::Pool => all.par_iter().map(work).collect(),
        }
    }
}
