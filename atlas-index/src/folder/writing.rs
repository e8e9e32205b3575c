//! Writes to one channel in the folder: one writer at a time, and readers are never disturbed.

use std::path::Path;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::{fs, io};

use atlas_core::ports::{Batch, Cursor, Epoch, IndexEntry};
use atlas_core::{Error, ErrorKind, Result};

use super::layout::{self, CURRENT, Current};
use super::lock::WriterLock;
use super::slot::{Opened, Site, Slot, Standing};
use crate::channel::{Change, Prepared, Trust, View, prepare, write};
use crate::disk::read_small;
use crate::failure::{of_disk, of_tantivy};
use crate::progress::{Admission, Progress};
use crate::vectors::Vectors;

/// A batch that outlives the call.
pub(super) struct OwnedBatch {
    pub(super) epoch: Epoch,
    pub(super) from: Cursor,
    pub(super) to: Cursor,
    pub(super) entries: Vec<IndexEntry>,
}

impl OwnedBatch {
    pub(super) fn of(batch: &Batch<'_, IndexEntry>) -> Self {
        Self {
            epoch: batch.epoch,
            from: batch.from.clone(),
            to: batch.to.clone(),
            entries: batch.entries.to_vec(),
        }
    }

    fn as_batch(&self) -> Batch<'_, IndexEntry> {
        Batch {
            epoch: self.epoch,
            from: &self.from,
            to: &self.to,
            entries: &self.entries,
        }
    }
}

impl Slot {
    pub(super) fn apply(&self, batch: &OwnedBatch, op: &'static str) -> Result<()> {
        let batch = batch.as_batch();
        // Cutting words takes the time, and needs no lock; a batch that is refused is not cut.
        self.progress(op)?.admit(&batch, op)?;
        let change = Change {
            prepared: prepare(batch.entries),
            to: batch.to,
            is_compacting: false,
        };
        let _turn = self.turn(op)?;
        match self.progress(op)?.admit(&batch, op)? {
            Admission::Anew if change.prepared.is_empty() && *batch.to == Cursor::start() => {
                self.erase(op)
            }
            Admission::Anew => self.build(change, op),
            Admission::Onward if batch.from == batch.to => Ok(()),
            Admission::Onward => match self.view(op)? {
                Some(view) => self.write(&view, change, op),
                None => Err(Error::new(
                    ErrorKind::Conflict,
                    op,
                    "the index has gone meanwhile",
                )),
            },
        }
    }

    pub(super) fn fence(&self, epoch: Epoch, op: &'static str) -> Result<()> {
        let _turn = self.turn(op)?;
        self.raise(epoch, op)
    }

    pub(super) fn purge(&self, epoch: Epoch, op: &'static str) -> Result<()> {
        let _turn = self.turn(op)?;
        self.raise(epoch, op)?;
        self.erase(op)
    }

    pub(super) fn compact(&self, op: &'static str) -> Result<()> {
        let _turn = self.turn(op)?;
        let Some(view) = self.view(op)? else {
            return layout::sweep(&self.folder, None).map_err(|failure| of_disk(op, failure));
        };
        let to = view.totals.applied.clone();
        let change = Change {
            prepared: Prepared::new(),
            to: &to,
            is_compacting: true,
        };
        self.write(&view, change, op)?;
        let build = self.opened().build;
        layout::sweep(&self.folder, Some(build)).map_err(|failure| of_disk(op, failure))
    }

    /// Waits to be the only writer.
    fn turn(&self, op: &'static str) -> Result<(MutexGuard<'_, ()>, WriterLock)> {
        let own = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let Site { disk, settings, .. } = &*self.site;
        disk.create_folder(&self.folder)
            .map_err(|failure| of_disk(op, failure))?;
        let lock = WriterLock::take(disk, &self.folder, settings.writer_wait, op)?;
        Ok((own, lock))
    }

    fn raise(&self, epoch: Epoch, op: &'static str) -> Result<()> {
        let known = match layout::load_epoch(&self.folder, op) {
            // Whoever fences takes the epoch from the truth.
            Err(error) if error.kind() == ErrorKind::Corrupt => Epoch::default(),
            known => known?,
        };
        Progress::at(known, Cursor::start()).fence(epoch, op)?;
        layout::save_epoch(&self.site.disk, &self.folder, epoch, op)
    }

    /// Takes a change into the build that counts.
    fn write(&self, view: &Arc<View>, change: Change<'_>, op: &'static str) -> Result<()> {
        let build = self.opened().build;
        let folder = layout::build_folder(&self.folder, build);
        let outcome = self.commit(&folder, view, change, op);
        if outcome
            .as_ref()
            .is_err_and(|it| it.kind() == ErrorKind::Corrupt)
        {
            self.mark(view);
        }
        let after = outcome?;
        self.opened().view = Some(Arc::new(after));
        Ok(())
    }

    fn commit(
        &self,
        folder: &Path,
        view: &View,
        change: Change<'_>,
        op: &'static str,
    ) -> Result<View> {
        let directory = || {
            let directory = self.site.disk.directory(folder);
            directory.map_err(|failure| of_tantivy(op, failure))
        };
        let vectors: Vectors = write(directory()?, &self.shelf_in(folder), view, change, op)?;
        View::open(&*directory()?, |_| Ok(vectors), Some(view), Trust::Own, op)
    }

    /// Builds the index from nothing beside the one that counts, then lets it count.
    fn build(&self, change: Change<'_>, op: &'static str) -> Result<()> {
        let disk = &self.site.disk;
        let counted = match self.look(op)? {
            Standing::Absent => None,
            Standing::Sound(_) | Standing::Damaged(_) => Some(self.opened().build),
        };
        let broken = |failure| of_disk(op, failure);
        let latest = layout::builds(&self.folder)
            .map_err(broken)?
            .last()
            .copied();
        let build = latest.max(counted).unwrap_or_default().saturating_add(1);
        let folder = layout::build_folder(&self.folder, build);
        disk.create_folder(&folder).map_err(broken)?;
        let empty = View::empty(self.site.space.dimensions);
        let switched = self.commit(&folder, &empty, change, op).and_then(|view| {
            layout::save(disk, &self.folder.join(CURRENT), self.current(build), op)?;
            Ok(view)
        });
        if switched.is_err() && self.is_not_current(build) {
            drop(fs::remove_dir_all(&folder));
        }
        let view = switched?;
        let current = read_small(&self.folder.join(CURRENT)).map_err(broken)?;
        *self.opened() = Opened {
            current: current.unwrap_or_default(),
            build,
            view: Some(Arc::new(view)),
        };
        // Readers keep what they have open; what cannot be removed yet, the next build removes.
        drop(layout::sweep(&self.folder, Some(build)));
        Ok(())
    }

    /// Whether it is certain that a build does not count.
    fn is_not_current(&self, build: u64) -> bool {
        let current: Result<Option<Current>> =
            layout::load(&self.folder.join(CURRENT), "FactIndex::apply");
        matches!(current, Ok(known) if known.as_ref().is_none_or(|it| it.build != build))
    }

    /// Removes everything but the epoch.
    fn erase(&self, op: &'static str) -> Result<()> {
        let erase = || -> io::Result<()> {
            match fs::remove_file(self.folder.join(CURRENT)) {
                Err(failure) if failure.kind() != io::ErrorKind::NotFound => return Err(failure),
                Ok(()) | Err(_) => {}
            }
            self.site.disk.sync_folder(&self.folder)?;
            layout::sweep(&self.folder, None)?;
            self.site.disk.sync_folder(&self.folder)
        };
        *self.opened() = Opened::default();
        erase().map_err(|failure| of_disk(op, failure))
    }
}
