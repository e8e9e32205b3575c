//! [`GraphStore`] over SQL.

use atlas_core::model::{EntityId, GraphEntity};
use atlas_core::ports::{
    Batch, ChannelScope, Cursor, Epoch, GraphEntry, GraphStats, GraphStore, GraphStoreCapabilities,
    NameQuery, Neighbour, Residue, Scope, Walk, check,
};
use atlas_core::{Result, async_trait};
use atlas_index::Admission;
use sqlx::sqlite::SqliteConnection;

use crate::SqliteStore;
use crate::erase::Erased;
use crate::failure::failed;
use crate::graph::{self, Graph};

/// The graphs of a scope, in the order of its channels.
async fn graphs(on: &mut SqliteConnection, scope: &Scope, op: &'static str) -> Result<Vec<Graph>> {
    let mut found = Vec::new();
    for channel in scope.channels() {
        found.extend(graph::find(on, channel, op).await?);
    }
    Ok(found)
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl GraphStore for SqliteStore {
    fn capabilities(&self) -> GraphStoreCapabilities {
        GraphStoreCapabilities::default().with_durable(true)
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, GraphEntry>) -> Result<()> {
        const OP: &str = "GraphStore::apply";
        for entry in batch.entries {
            check::graph_entry(channel, entry, OP)?;
        }
        let mut writing = self.writing(OP).await?;
        let mut graph = graph::open(&mut writing, channel, OP).await?;
        match graph.progress.admit(&batch, OP)? {
            Admission::Anew => graph::clear(&mut writing, &graph)
                .await
                .map_err(failed(OP))?,
            Admission::Onward => {}
        }
        graph::put(&mut writing, &graph, batch.entries, OP).await?;
        graph.progress.advance(batch.to);
        graph::keep_progress(&mut writing, &graph)
            .await
            .map_err(failed(OP))?;
        writing.commit().await.map_err(failed(OP))
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        const OP: &str = "GraphStore::applied";
        let mut reading = self.reading(OP).await?;
        let found = graph::find(&mut reading, channel.channel(), OP).await?;
        Ok(found.map_or_else(Cursor::start, |graph| graph.progress.applied().clone()))
    }

    async fn find(&self, scope: &Scope, names: &[NameQuery]) -> Result<Vec<Vec<GraphEntity>>> {
        const OP: &str = "GraphStore::find";
        let mut reading = self.reading(OP).await?;
        let graphs = graphs(&mut reading, scope, OP).await?;
        let mut lists = Vec::with_capacity(names.len());
        for name in names {
            let mut list = Vec::new();
            for graph in &graphs {
                list.extend(graph::find_named(&mut reading, graph, name, OP).await?);
            }
            lists.push(list);
        }
        Ok(lists)
    }

    async fn neighbours(
        &self,
        scope: &Scope,
        entities: &[EntityId],
        walk: Walk,
    ) -> Result<Vec<Vec<Neighbour>>> {
        const OP: &str = "GraphStore::neighbours";
        check::limit(walk.limit, OP)?;
        let mut reading = self.reading(OP).await?;
        let graphs = graphs(&mut reading, scope, OP).await?;
        let mut lists = Vec::with_capacity(entities.len());
        for entity in entities {
            let mut found = Vec::new();
            for graph in &graphs {
                found.extend(graph::neighbours(&mut reading, graph, entity, walk, OP).await?);
            }
            // Stable: edges of the same place stay in the order of their channels.
            found.sort_by(|(a, _), (b, _)| a.cmp(b));
            found.truncate(walk.limit);
            lists.push(found.into_iter().map(|(_, neighbour)| neighbour).collect());
        }
        Ok(lists)
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<GraphStats> {
        const OP: &str = "GraphStore::stats";
        let mut reading = self.reading(OP).await?;
        match graph::find(&mut reading, channel.channel(), OP).await? {
            Some(found) => graph::stats(&mut reading, &found).await.map_err(failed(OP)),
            None => Ok(GraphStats::default()),
        }
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        const OP: &str = "GraphStore::fence";
        let mut writing = self.writing(OP).await?;
        let mut graph = graph::open(&mut writing, channel, OP).await?;
        graph.progress.fence(epoch, OP)?;
        graph::keep_progress(&mut writing, &graph)
            .await
            .map_err(failed(OP))?;
        writing.commit().await.map_err(failed(OP))
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        const OP: &str = "GraphStore::purge";
        let mut writing = self.writing(OP).await?;
        let mut graph = graph::open(&mut writing, channel, OP).await?;
        graph.progress.fence(epoch, OP)?;
        let erased = Erased::graph(channel);
        let doom = async {
            graph::doom(&mut writing, channel, &graph).await?;
            erased.mark(&mut writing).await
        };
        doom.await.map_err(failed(OP))?;
        writing.commit().await.map_err(failed(OP))?;
        self.wipe(&erased, OP).await
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        const OP: &str = "GraphStore::residue";
        let mut reading = self.reading(OP).await?;
        let counted = async {
            let held = graph::residue(&mut reading, channel.channel()).await?;
            Erased::graph(channel).count(&mut reading, held).await
        };
        counted.await.map_err(failed(OP))
    }
}
