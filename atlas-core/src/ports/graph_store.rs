//! What can be walked.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Batch, ChannelScope, Cursor, Epoch, Key, Residue, Scope};
use crate::error::Result;
use crate::model::{EntityId, EntityType, GraphEntity, GraphRelation, Timestamp};

/// What became of one record: its item replaces what it had before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphEntry {
    /// The record that the item comes from.
    pub origin: Key,
    /// The item; none if it is gone.
    pub item: Option<GraphItem>,
}

/// A node or an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphItem {
    /// A node with its aliases.
    Entity(GraphEntity),
    /// An edge with its evidence.
    Relation(GraphRelation),
}

/// A name to look up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameQuery {
    /// The normalised name or alias.
    pub name: String,
    /// Only entities of this type.
    pub kind: Option<EntityType>,
}

/// Which edges to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Only edges that hold then.
    pub as_of: Option<Timestamp>,
    /// At most this many edges for each entity.
    pub limit: usize,
}

/// An edge with the entity at its other end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The edge, in either direction.
    pub relation: GraphRelation,
    /// The entity at the other end.
    pub entity: GraphEntity,
}

/// How much a channel's graph holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphStats {
    /// Nodes.
    pub n_entities: u64,
    /// Edges.
    pub n_relations: u64,
}

impl GraphStats {
    /// The counts of nodes and of edges.
    pub fn new(n_entities: u64, n_relations: u64) -> Self {
        Self {
            n_entities,
            n_relations,
        }
    }
}

/// What a [`GraphStore`] can do beyond its contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphStoreCapabilities {
    /// Whether it survives the process.
    pub durable: bool,
}

impl GraphStoreCapabilities {
    /// Sets whether it survives the process.
    #[must_use]
    pub fn with_durable(mut self, durable: bool) -> Self {
        self.durable = durable;
        self
    }
}

/// Finds entities by name and walks from them.
///
/// # Contract
///
/// - GS-1 apply takes in all entries of a batch and moves the cursor to its end, or does neither.
/// - GS-2 a batch that does not begin at the applied cursor is Conflict and changes nothing.
/// - GS-3 a batch that begins at the start empties the channel's graph first.
/// - GS-4 the item of an entry replaces what its origin had; none removes it.
/// - GS-5 find answers one list a query, in the order asked: entities of that name or alias, by channel, then id.
/// - GS-6 neighbours answers one list an entity, in the order asked: its edges by falling confidence, then id.
/// - GS-7 an edge one of whose ends is not there is not walked, and is when the end comes.
/// - GS-8 an as-of instant keeps the edges that hold then, before the limit.
/// - GS-9 nothing of a channel outside the scope is found or walked to.
/// - GS-10 a batch or a fence of a lower epoch is Fenced and changes nothing; a fence of the same epoch is idle.
/// - GS-11 purge leaves no residue in its channel, touches no other, and keeps the epoch.
/// - GS-12 a limit of nought is Invalid.
/// - GS-13 stats count nodes and edges of one channel.
/// - GS-14 what was applied, epochs and cursors included, is there when a durable store is opened again.
/// - GS-15 an entity of another channel, and an item without an id, is Invalid and nothing of its batch is applied.
///
/// # Implementing
///
/// The graph holds nothing that cannot be built again from the feed. One that is durable keeps its
/// cursor and its epoch with its items, in one transaction: a cursor that is ahead of what it
/// stands for hides a loss for ever. Everything may be dropped while it waits: it is then done or
/// not done. The suite `atlas_testkit::graph_store_conformance!` checks each clause, and opens a durable
/// graph again in every check.
#[async_trait]
pub trait GraphStore: Send + Sync {
    /// What this store can do beyond the contract.
    fn capabilities(&self) -> GraphStoreCapabilities {
        GraphStoreCapabilities::default()
    }

    /// Takes in a batch; GS-1 to GS-4, GS-10.
    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, GraphEntry>) -> Result<()>;

    /// What was applied last; [`Cursor::start`] for an empty graph.
    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor>;

    /// Finds entities by normalised name or alias; GS-5, GS-9.
    async fn find(&self, scope: &Scope, names: &[NameQuery]) -> Result<Vec<Vec<GraphEntity>>>;

    /// Walks one step from each entity; GS-6 to GS-9.
    async fn neighbours(
        &self,
        scope: &Scope,
        entities: &[EntityId],
        walk: Walk,
    ) -> Result<Vec<Vec<Neighbour>>>;

    /// Counts; GS-13.
    async fn stats(&self, channel: &ChannelScope) -> Result<GraphStats>;

    /// Raises the channel's epoch; GS-10.
    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()>;

    /// Erases the channel's graph, keeping its epoch; GS-11.
    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()>;

    /// Counts what is left of the channel; GS-11.
    async fn residue(&self, channel: &ChannelScope) -> Result<Residue>;
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<T: GraphStore + ?Sized> GraphStore for Arc<T> {
    fn capabilities(&self) -> GraphStoreCapabilities {
        (**self).capabilities()
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, GraphEntry>) -> Result<()> {
        (**self).apply(channel, batch).await
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        (**self).applied(channel).await
    }

    async fn find(&self, scope: &Scope, names: &[NameQuery]) -> Result<Vec<Vec<GraphEntity>>> {
        (**self).find(scope, names).await
    }

    async fn neighbours(
        &self,
        scope: &Scope,
        entities: &[EntityId],
        walk: Walk,
    ) -> Result<Vec<Vec<Neighbour>>> {
        (**self).neighbours(scope, entities, walk).await
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<GraphStats> {
        (**self).stats(channel).await
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        (**self).fence(channel, epoch).await
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        (**self).purge(channel, epoch).await
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        (**self).residue(channel).await
    }
}
