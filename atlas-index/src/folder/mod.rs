//! [`FactIndex`] in a folder.
//!
//! | module | what |
//! |---|---|
//! | `layout` | where things are, and the small files that say what they are |
//! | `slot` | one channel: how it stands, and what it holds |
//! | `writing` | one channel: written, built anew, erased |
//! | `lock` | one writer a channel, in all processes |
//! | `slots` | which channels are open |
//! | `threads` | where it computes, reads and writes |
//! | `verify` | everything that is stored, against what was committed |

mod layout;
mod lock;
mod settings;
mod slot;
mod slots;
#[cfg(test)]
mod tests;
mod threads;
mod verification;
mod verify;
mod writing;

use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use atlas_core::model::ChannelId;
use atlas_core::ports::{
    Batch, ChannelScope, Cursor, EmbeddingSpace, Epoch, FactIndex, FactIndexCapabilities,
    FactIndexStats, IndexEntry, IndexHit, Key, Residue, Scope, SearchRequest,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};

pub use settings::FolderSettings;
pub use verification::Verification;

use crate::channel::{View, check_entry};
use crate::disk::Disk;
use crate::failure::of_disk;
use crate::search::{self, Looked, Spread};
use layout::{CURRENT, Current, INDEX, IndexManifest};
use lock::WriterLock;
use slot::{Site, Slot};
use slots::Slots;
use threads::Threads;
use writing::OwnedBatch;

/// A [`FactIndex`] in a folder, which several processes may share.
///
/// Clones share what is open. A channel is opened when it is first used; its writer lives for one
/// batch. All computing, reading and writing is done on threads of its own; a call whose future is
/// dropped is finished all the same, or was never begun.
///
/// A batch is one commit: before it all of a channel is as it was, after it all is on the disk, and
/// other processes see it at their next call. An index that is damaged, or was made for something
/// else, answers [`Cursor::start`] as what it has applied, so that catching up builds it again from
/// the feed; until then a search of it is [`ErrorKind::Corrupt`], never an empty answer.
#[derive(Clone, Debug)]
pub struct FolderFactIndex {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    site: Arc<Site>,
    threads: Threads,
    slots: Slots,
}

impl FolderFactIndex {
    /// Opens the index in a folder, or begins one there. No channel is opened yet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] if its vectors live in another space; [`ErrorKind::Unsupported`] for
    /// a folder of a later format; [`ErrorKind::Denied`] and [`ErrorKind::Unavailable`] if the
    /// folder cannot be written.
    pub fn open(dir: &Path, space: EmbeddingSpace, settings: FolderSettings) -> Result<Self> {
        Self::open_on(dir, space, settings, Disk::default())
    }

    fn open_on(
        dir: &Path,
        space: EmbeddingSpace,
        settings: FolderSettings,
        disk: Disk,
    ) -> Result<Self> {
        const OP: &str = "FolderFactIndex::open";
        disk.create_folder(dir).map_err(|it| of_disk(OP, it))?;
        disk.create_folder(&dir.join(layout::CHANNELS))
            .map_err(|it| of_disk(OP, it))?;
        let path = dir.join(INDEX);
        let known = match layout::load::<IndexManifest>(&path, OP) {
            // Each channel says again which space it is of.
            Err(error) if error.kind() == ErrorKind::Corrupt => None,
            known => known?,
        };
        match known {
            Some(known) if known.space == space => {}
            Some(known) => return Err(other_space(&known.space, &space, OP)),
            None => {
                let _turn = WriterLock::take(&disk, dir, settings.writer_wait, OP)?;
                // Another process may have been first.
                match layout::load::<IndexManifest>(&path, OP) {
                    Ok(Some(known)) if known.space != space => {
                        return Err(other_space(&known.space, &space, OP));
                    }
                    Ok(Some(_)) => {}
                    Ok(None) | Err(_) => {
                        let space = space.clone();
                        layout::save(&disk, &path, IndexManifest { space }, OP)?;
                    }
                }
            }
        }
        let threads = Threads::start(settings.n_threads, settings.n_writer_threads, OP)?;
        let slots = Slots::new(settings.max_open_channels);
        let site = Site {
            dir: dir.to_path_buf(),
            space,
            settings,
            disk,
        };
        Ok(Self {
            inner: Arc::new(Inner {
                site: Arc::new(site),
                threads,
                slots,
            }),
        })
    }

    /// The channels that the folder holds an index of, in order. One whose files do not say so any
    /// longer is left out: it is built again when it is next caught up.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] if the folder cannot be read.
    pub async fn channels(&self) -> Result<Vec<ChannelId>> {
        const OP: &str = "FolderFactIndex::channels";
        let site = Arc::clone(&self.inner.site);
        self.inner.threads.read(OP, move || listed(&site, OP)).await
    }

    /// Reads everything that is stored of the channel: every checksum, and what was committed
    /// against what is there. What is found to be damaged is built again at the next catch-up.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] if the folder cannot be read; what is wrong with the index itself
    /// is an answer.
    pub async fn verify(&self, channel: &ChannelScope) -> Result<Verification> {
        self.read(channel, "FolderFactIndex::verify", Slot::verify)
            .await
    }

    /// Every origin that the channel's documents come from, in order.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] for a damaged index.
    pub async fn origins(&self, channel: &ChannelScope) -> Result<Vec<Key>> {
        self.read(channel, "FolderFactIndex::origins", Slot::origins)
            .await
    }

    /// Rewrites the channel's index, so that no word and no vector of a document that went is left
    /// in its files.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] if another process writes, or the folder cannot be written;
    /// [`ErrorKind::Corrupt`] for a damaged index.
    pub async fn compact(&self, channel: &ChannelScope) -> Result<()> {
        self.write(channel, "FolderFactIndex::compact", Slot::compact)
            .await
    }

    async fn read<T: Send + 'static>(
        &self,
        channel: &ChannelScope,
        op: &'static str,
        look: impl FnOnce(&Slot, &'static str) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let slot = self.slot(channel.channel());
        let inner = &self.inner;
        inner.threads.read(op, move || look(&slot, op)).await
    }

    async fn write<T: Send + 'static>(
        &self,
        channel: &ChannelScope,
        op: &'static str,
        change: impl FnOnce(&Slot, &'static str) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let slot = self.slot(channel.channel());
        let inner = &self.inner;
        inner.threads.write(op, move || change(&slot, op)).await
    }

    fn slot(&self, channel: &ChannelId) -> Arc<Slot> {
        self.inner.slots.of(channel, &self.inner.site)
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl FactIndex for FolderFactIndex {
    fn capabilities(&self) -> FactIndexCapabilities {
        FactIndexCapabilities::default()
            .with_lexical(true)
            .with_dense(true)
            .with_durable(true)
    }

    fn space(&self) -> EmbeddingSpace {
        self.inner.site.space.clone()
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, IndexEntry>) -> Result<()> {
        const OP: &str = "FactIndex::apply";
        for entry in batch.entries {
            check_entry(&self.inner.site.space, entry, OP)?;
        }
        let batch = OwnedBatch::of(&batch);
        self.write(channel, OP, move |slot, op| slot.apply(&batch, op))
            .await
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        self.read(channel, "FactIndex::applied", Slot::applied)
            .await
    }

    async fn search(&self, scope: &Scope, request: &SearchRequest) -> Result<Vec<IndexHit>> {
        const OP: &str = "FactIndex::search";
        search::check(&self.inner.site.space, request, OP)?;
        let slots: Vec<Arc<Slot>> = scope.channels().map(|it| self.slot(it)).collect();
        let request = request.clone();
        let hits = self
            .inner
            .threads
            .read(OP, move || searched(&slots, &request, OP))
            .await;
        self.inner.slots.close_surplus();
        hits
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<FactIndexStats> {
        self.read(channel, "FactIndex::stats", Slot::stats).await
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        let fence = move |slot: &Slot, op| slot.fence(epoch, op);
        self.write(channel, "FactIndex::fence", fence).await
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        let purge = move |slot: &Slot, op| slot.purge(epoch, op);
        self.write(channel, "FactIndex::purge", purge).await
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        self.read(channel, "FactIndex::residue", Slot::residue)
            .await
    }
}

fn searched(
    slots: &[Arc<Slot>],
    request: &SearchRequest,
    op: &'static str,
) -> Result<Vec<IndexHit>> {
    let views = Spread::Pool.each(slots, |slot| Ok((slot, slot.view(op)?)))?;
    let views: Vec<(&Arc<Slot>, Arc<View>)> = views
        .into_iter()
        .filter_map(|(slot, view)| Some((slot, view?)))
        .collect();
    let channels: Vec<Looked<'_>> = views
        .iter()
        .map(|(slot, view)| Looked {
            channel: slot.channel(),
            view,
        })
        .collect();
    let hits = search::search(&channels, request, Spread::Pool, op);
    if hits.is_err() {
        for (slot, view) in views.iter().filter(|(_, view)| view.is_damaged()) {
            slot.mark(view);
        }
    }
    hits
}

fn listed(site: &Site, op: &'static str) -> Result<Vec<ChannelId>> {
    let list = || -> io::Result<Vec<_>> {
        let entries = fs::read_dir(site.dir.join(layout::CHANNELS))?;
        entries.map(|entry| Ok(entry?.path())).collect()
    };
    let mut channels = Vec::new();
    for folder in list().map_err(|failure| of_disk(op, failure))? {
        match layout::load::<Current>(&folder.join(CURRENT), op) {
            Ok(current) => channels.extend(current.map(|it| it.channel)),
            Err(error) if error.kind() == ErrorKind::Corrupt => {}
            Err(error) => return Err(error),
        }
    }
    channels.sort();
    Ok(channels)
}

fn other_space(known: &EmbeddingSpace, asked: &EmbeddingSpace, op: &'static str) -> Error {
    let message = format!(
        "the index holds vectors of the space {known} and was opened for the space {asked}"
    );
    Error::new(ErrorKind::Invalid, op, message)
}
