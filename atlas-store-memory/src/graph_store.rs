//! [`GraphStore`] in memory.

use atlas_core::model::{EntityId, GraphEntity};
use atlas_core::ports::{
    Batch, ChannelScope, Cursor, Epoch, GraphEntry, GraphStats, GraphStore, GraphStoreCapabilities,
    NameQuery, Neighbour, Residue, Scope, Walk, check,
};
use atlas_core::{Result, async_trait};
use atlas_index::Admission;

use crate::MemoryStore;
use crate::graph::Graph;
use crate::memory_store::lock;

impl MemoryStore {
    /// Reads from the channel's graph; one that nobody wrote to is empty.
    fn in_graph<T>(
        &self,
        op: &'static str,
        channel: &ChannelScope,
        read: impl Fn(&Graph) -> T,
    ) -> Result<T> {
        let graphs = lock(&self.graphs, op)?;
        Ok(graphs
            .get(channel.channel())
            .map_or_else(|| read(&Graph::default()), &read))
    }

    fn to_graph<T>(
        &self,
        op: &'static str,
        channel: &ChannelScope,
        write: impl FnOnce(&mut Graph) -> Result<T>,
    ) -> Result<T> {
        let mut graphs = lock(&self.graphs, op)?;
        write(graphs.entry(channel.channel().clone()).or_default())
    }
}

#[async_trait]
impl GraphStore for MemoryStore {
    fn capabilities(&self) -> GraphStoreCapabilities {
        GraphStoreCapabilities::default()
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, GraphEntry>) -> Result<()> {
        const OP: &str = "GraphStore::apply";
        for entry in batch.entries {
            check::graph_entry(channel, entry, OP)?;
        }
        self.to_graph(OP, channel, |graph| {
            match graph.progress.admit(&batch, OP)? {
                Admission::Anew => graph.clear(),
                Admission::Onward => {}
            }
            for entry in batch.entries {
                graph.put(entry);
            }
            graph.progress.advance(batch.to);
            Ok(())
        })
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        self.in_graph("GraphStore::applied", channel, |graph| {
            graph.progress.applied().clone()
        })
    }

    async fn find(&self, scope: &Scope, names: &[NameQuery]) -> Result<Vec<Vec<GraphEntity>>> {
        let graphs = lock(&self.graphs, "GraphStore::find")?;
        Ok(names
            .iter()
            .map(|query| {
                scope
                    .channels()
                    .filter_map(|channel| graphs.get(channel))
                    .flat_map(|graph| graph.find(query).cloned())
                    .collect()
            })
            .collect())
    }

    async fn neighbours(
        &self,
        scope: &Scope,
        entities: &[EntityId],
        walk: Walk,
    ) -> Result<Vec<Vec<Neighbour>>> {
        const OP: &str = "GraphStore::neighbours";
        check::limit(walk.limit, OP)?;
        let graphs = lock(&self.graphs, OP)?;
        Ok(entities
            .iter()
            .map(|entity| {
                let mut found: Vec<_> = scope
                    .channels()
                    .filter_map(|channel| graphs.get(channel))
                    .flat_map(|graph| graph.neighbours(entity, walk))
                    .collect();
                // Stable: edges of the same place stay in the order of their channels.
                found.sort_by_key(|(place, _)| *place);
                found
                    .into_iter()
                    .take(walk.limit)
                    .map(|(_, neighbour)| neighbour)
                    .collect()
            })
            .collect())
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<GraphStats> {
        self.in_graph("GraphStore::stats", channel, Graph::stats)
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        const OP: &str = "GraphStore::fence";
        self.to_graph(OP, channel, |graph| graph.progress.fence(epoch, OP))
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        const OP: &str = "GraphStore::purge";
        self.to_graph(OP, channel, |graph| {
            graph.progress.fence(epoch, OP)?;
            graph.progress.restart();
            graph.clear();
            Ok(())
        })
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        self.in_graph("GraphStore::residue", channel, |graph| {
            let stats = graph.stats();
            Residue {
                items: stats.n_entities.saturating_add(stats.n_relations),
                marks: graph.progress.marks(),
            }
        })
    }
}
