//! How far a projection has followed its feed, and which batches it may take in next.

use atlas_core::ports::{Batch, Cursor, Epoch, check};
use atlas_core::{Error, ErrorKind, Result};

/// Where the projection of one channel stands: what it has applied, and the epoch it is fenced at.
///
/// The rules of batches are the same for everything that follows a feed, so they stand here once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    epoch: Epoch,
    applied: Cursor,
}

/// How an admitted batch is to be taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It follows what was applied.
    Onward,
    /// It begins at the start: what is there goes first.
    Anew,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            epoch: Epoch::default(),
            applied: Cursor::start(),
        }
    }
}

impl Progress {
    /// A projection that stands at the cursor in the epoch.
    pub fn at(epoch: Epoch, applied: Cursor) -> Self {
        Self { epoch, applied }
    }

    /// The epoch it is fenced at.
    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// What was applied last.
    pub fn applied(&self) -> &Cursor {
        &self.applied
    }

    /// The marks that it leaves: one once anything was applied.
    pub fn marks(&self) -> u64 {
        u64::from(self.applied != Cursor::start())
    }

    /// Whether the batch may be applied, and how. Changes nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] for a batch that has entries and does not move forward, or that
    /// moves backward; [`ErrorKind::Fenced`] for one of a lower epoch; [`ErrorKind::Conflict`] for
    /// one that begins neither at the applied cursor nor at the start.
    pub fn admit<E>(&self, batch: &Batch<'_, E>, op: &'static str) -> Result<Admission> {
        let moves = batch.to.revision > batch.from.revision;
        let rests = batch.to == batch.from && batch.entries.is_empty();
        if !moves && !rests {
            return Err(
                Error::new(ErrorKind::Invalid, op, "the batch does not move forward")
                    .with("from", batch.from.revision)
                    .with("to", batch.to.revision),
            );
        }
        self.check_epoch(batch.epoch, op)?;
        if *batch.from == Cursor::start() {
            return Ok(Admission::Anew);
        }
        if *batch.from != self.applied {
            return Err(Error::new(
                ErrorKind::Conflict,
                op,
                "the batch does not begin where the last one ended",
            )
            .with("from", batch.from.revision)
            .with("applied", self.applied.revision));
        }
        Ok(Admission::Onward)
    }

    /// Moves to the end of an admitted batch that was taken in.
    pub fn advance(&mut self, to: &Cursor) {
        self.applied = to.clone();
    }

    /// Raises the epoch.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Fenced`] for a lower one.
    pub fn fence(&mut self, epoch: Epoch, op: &'static str) -> Result<()> {
        self.check_epoch(epoch, op)?;
        self.epoch = epoch;
        Ok(())
    }

    /// Goes back to the start, keeping the epoch.
    pub fn restart(&mut self) {
        self.applied = Cursor::start();
    }

    fn check_epoch(&self, epoch: Epoch, op: &'static str) -> Result<()> {
        check::epoch(self.epoch, epoch, op)
    }
}
