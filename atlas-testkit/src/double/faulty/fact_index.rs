//! [`FactIndex`] with faults.

use atlas_core::ports::{
    Batch, ChannelScope, Cursor, EmbeddingSpace, Epoch, FactIndex, FactIndexCapabilities,
    FactIndexStats, IndexEntry, IndexHit, Residue, Scope, SearchRequest,
};
use atlas_core::{Result, async_trait};

use super::Faulty;

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<S: FactIndex> FactIndex for Faulty<S> {
    fn capabilities(&self) -> FactIndexCapabilities {
        self.inner.capabilities()
    }

    fn space(&self) -> EmbeddingSpace {
        self.inner.space()
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, IndexEntry>) -> Result<()> {
        self.faults
            .around("FactIndex::apply", self.inner.apply(channel, batch))
            .await
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        self.faults
            .around("FactIndex::applied", self.inner.applied(channel))
            .await
    }

    async fn search(&self, scope: &Scope, request: &SearchRequest) -> Result<Vec<IndexHit>> {
        self.faults
            .around("FactIndex::search", self.inner.search(scope, request))
            .await
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<FactIndexStats> {
        self.faults
            .around("FactIndex::stats", self.inner.stats(channel))
            .await
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.faults
            .around("FactIndex::fence", self.inner.fence(channel, epoch))
            .await
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.faults
            .around("FactIndex::purge", self.inner.purge(channel, epoch))
            .await
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        self.faults
            .around("FactIndex::residue", self.inner.residue(channel))
            .await
    }
}
