//! [`GraphStore`] with faults.

use atlas_core::model::{EntityId, GraphEntity};
use atlas_core::ports::{
    Batch, ChannelScope, Cursor, Epoch, GraphEntry, GraphStats, GraphStore, GraphStoreCapabilities,
    NameQuery, Neighbour, Residue, Scope, Walk,
};
use atlas_core::{Result, async_trait};

use super::Faulty;

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<S: GraphStore> GraphStore for Faulty<S> {
    fn capabilities(&self) -> GraphStoreCapabilities {
        self.inner.capabilities()
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, GraphEntry>) -> Result<()> {
        self.faults
            .around("GraphStore::apply", self.inner.apply(channel, batch))
            .await
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        self.faults
            .around("GraphStore::applied", self.inner.applied(channel))
            .await
    }

    async fn find(&self, scope: &Scope, names: &[NameQuery]) -> Result<Vec<Vec<GraphEntity>>> {
        self.faults
            .around("GraphStore::find", self.inner.find(scope, names))
            .await
    }

    async fn neighbours(
        &self,
        scope: &Scope,
        entities: &[EntityId],
        walk: Walk,
    ) -> Result<Vec<Vec<Neighbour>>> {
        self.faults
            .around(
                "GraphStore::neighbours",
                self.inner.neighbours(scope, entities, walk),
            )
            .await
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<GraphStats> {
        self.faults
            .around("GraphStore::stats", self.inner.stats(channel))
            .await
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.faults
            .around("GraphStore::fence", self.inner.fence(channel, epoch))
            .await
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.faults
            .around("GraphStore::purge", self.inner.purge(channel, epoch))
            .await
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        self.faults
            .around("GraphStore::residue", self.inner.residue(channel))
            .await
    }
}
