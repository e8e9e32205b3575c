//! [`FactIndex`], answered by the index beside the database.

use atlas_core::ports::{
    Batch, ChannelScope, Cursor, EmbeddingSpace, Epoch, FactIndex, FactIndexCapabilities,
    FactIndexStats, IndexEntry, IndexHit, Residue, Scope, SearchRequest,
};
use atlas_core::{Result, async_trait};

use crate::SqliteStore;

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl FactIndex for SqliteStore {
    fn capabilities(&self) -> FactIndexCapabilities {
        self.index.capabilities()
    }

    fn space(&self) -> EmbeddingSpace {
        self.index.space()
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, IndexEntry>) -> Result<()> {
        self.index.apply(channel, batch).await?;
        self.wipe_index(channel, "FactIndex::apply").await
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        self.index.applied(channel).await
    }

    async fn search(&self, scope: &Scope, request: &SearchRequest) -> Result<Vec<IndexHit>> {
        self.index.search(scope, request).await
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<FactIndexStats> {
        self.index.stats(channel).await
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.index.fence(channel, epoch).await
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.index.purge(channel, epoch).await?;
        self.wipe_index(channel, "FactIndex::purge").await
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        let held = self.index.residue(channel).await?;
        let n_forgotten = self.n_in_index(channel, "FactIndex::residue").await?;
        Ok(Residue {
            items: held.items.saturating_add(n_forgotten),
            ..held
        })
    }
}
