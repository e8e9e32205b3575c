//! [`FactIndex`] in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use atlas_core::model::ChannelId;
use atlas_core::ports::{
    Batch, ChannelScope, Cursor, EmbeddingSpace, Epoch, FactIndex, FactIndexCapabilities,
    FactIndexStats, IndexEntry, IndexHit, Residue, Scope, SearchRequest,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};
use tantivy::directory::RamDirectory;

use crate::channel::{Change, Trust, View, check_entry, prepare, write as write_change};
use crate::progress::{Admission, Progress};
use crate::search::{self, Looked, Spread};
use crate::vectors::Shelf;

/// A [`FactIndex`] in memory: one index a channel, each behind a lock of its own.
///
/// A search sees each channel as it is before a batch or after it. It computes on the thread that
/// polls it, as does applying: this crate has no runtime to move work to, and a caller that must
/// not wait gives the call to a thread that may.
#[derive(Debug)]
pub struct MemoryFactIndex {
    space: EmbeddingSpace,
    channels: RwLock<BTreeMap<ChannelId, Shared>>,
}

type Shared = Arc<RwLock<Channel>>;

/// The index of one channel.
#[derive(Debug)]
struct Channel {
    progress: Progress,
    view: Arc<View>,
    /// None until there is a document: most channels that are only looked at never need it.
    directory: Option<RamDirectory>,
}

impl MemoryFactIndex {
    /// An empty index whose vectors live in the space.
    pub fn new(space: EmbeddingSpace) -> Self {
        Self {
            space,
            channels: RwLock::default(),
        }
    }

    fn existing(&self, channel: &ChannelId, op: &'static str) -> Result<Option<Shared>> {
        Ok(read(&self.channels, op)?.get(channel).map(Arc::clone))
    }

    fn existing_or_empty(&self, channel: &ChannelScope, op: &'static str) -> Result<Shared> {
        if let Some(index) = self.existing(channel.channel(), op)? {
            return Ok(index);
        }
        let width = self.space.dimensions;
        let mut channels = write(&self.channels, op)?;
        let index = channels
            .entry(channel.channel().clone())
            .or_insert_with(|| Arc::new(RwLock::new(Channel::new(width, Progress::default()))));
        Ok(Arc::clone(index))
    }

    /// Reads from the channel's index; of one that nobody wrote to, the default.
    fn peek<T: Default>(
        &self,
        channel: &ChannelScope,
        op: &'static str,
        look: impl FnOnce(&Channel) -> T,
    ) -> Result<T> {
        match self.existing(channel.channel(), op)? {
            Some(index) => Ok(look(&*read(&index, op)?)),
            None => Ok(T::default()),
        }
    }
}

impl Channel {
    fn new(width: usize, progress: Progress) -> Self {
        Self {
            progress,
            view: Arc::new(View::empty(width)),
            directory: None,
        }
    }

    /// Takes in a change after what is there.
    fn take_in(&mut self, change: Change<'_>, op: &'static str) -> Result<()> {
        let is_nothing = change.prepared.is_empty();
        let to = change.to.clone();
        if !is_nothing {
            let directory = self.directory.get_or_insert_with(RamDirectory::create);
            let vectors = write_change(
                Box::new(directory.clone()),
                &Shelf::Memory,
                &self.view,
                change,
                op,
            )?;
            let view = View::open(directory, |_| Ok(vectors), Some(&self.view), Trust::Own, op)?;
            self.view = Arc::new(view);
        }
        self.progress.advance(&to);
        Ok(())
    }

    /// Takes in a batch whose documents were prepared and checked.
    fn apply(
        &mut self,
        batch: &Batch<'_, IndexEntry>,
        change: Change<'_>,
        width: usize,
        op: &'static str,
    ) -> Result<()> {
        match self.progress.admit(batch, op)? {
            Admission::Anew => {
                let mut anew = Self::new(width, self.progress.clone());
                anew.take_in(change, op)?;
                *self = anew;
            }
            Admission::Onward => {
                let outcome = self.take_in(change, op);
                if outcome.is_err() {
                    // Whether it was committed is not known: what follows has to begin anew.
                    self.progress.restart();
                }
                outcome?;
            }
        }
        Ok(())
    }
}

#[async_trait]
impl FactIndex for MemoryFactIndex {
    fn capabilities(&self) -> FactIndexCapabilities {
        FactIndexCapabilities::default()
            .with_lexical(true)
            .with_dense(true)
    }

    fn space(&self) -> EmbeddingSpace {
        self.space.clone()
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, IndexEntry>) -> Result<()> {
        const OP: &str = "FactIndex::apply";
        for entry in batch.entries {
            check_entry(&self.space, entry, OP)?;
        }
        let index = self.existing_or_empty(channel, OP)?;
        // Cutting words takes the time, and needs no lock; a batch that is refused is not cut.
        read(&index, OP)?.progress.admit(&batch, OP)?;
        let change = Change {
            prepared: prepare(batch.entries),
            to: batch.to,
            is_compacting: false,
        };
        write(&index, OP)?.apply(&batch, change, self.space.dimensions, OP)
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        let applied = self.peek(channel, "FactIndex::applied", |index| {
            Some(index.progress.applied().clone())
        })?;
        Ok(applied.unwrap_or_else(Cursor::start))
    }

    async fn search(&self, scope: &Scope, request: &SearchRequest) -> Result<Vec<IndexHit>> {
        const OP: &str = "FactIndex::search";
        search::check(&self.space, request, OP)?;
        let mut views = Vec::new();
        for channel in scope.channels() {
            if let Some(index) = self.existing(channel, OP)? {
                views.push((channel, Arc::clone(&read(&index, OP)?.view)));
            }
        }
        let channels: Vec<Looked<'_>> = views
            .iter()
            .map(|(channel, view)| Looked { channel, view })
            .collect();
        search::search(&channels, request, Spread::Caller, OP)
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<FactIndexStats> {
        self.peek(channel, "FactIndex::stats", |index| {
            index.view.totals.to_stats()
        })
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        const OP: &str = "FactIndex::fence";
        let index = self.existing_or_empty(channel, OP)?;
        write(&index, OP)?.progress.fence(epoch, OP)
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        const OP: &str = "FactIndex::purge";
        let index = self.existing_or_empty(channel, OP)?;
        let mut index = write(&index, OP)?;
        index.progress.fence(epoch, OP)?;
        index.progress.restart();
        *index = Channel::new(self.space.dimensions, index.progress.clone());
        Ok(())
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        self.peek(channel, "FactIndex::residue", |index| Residue {
            items: index.view.totals.n_documents,
            marks: index.progress.marks(),
        })
    }
}

fn read<'a, T>(lock: &'a RwLock<T>, op: &'static str) -> Result<RwLockReadGuard<'a, T>> {
    lock.read().map_err(|poison| poisoned(&poison, op))
}

fn write<'a, T>(lock: &'a RwLock<T>, op: &'static str) -> Result<RwLockWriteGuard<'a, T>> {
    lock.write().map_err(|poison| poisoned(&poison, op))
}

fn poisoned<T>(_poison: &PoisonError<T>, op: &'static str) -> Error {
    Error::new(
        ErrorKind::Unexpected,
        op,
        "a thread panicked while it wrote to the index",
    )
}
