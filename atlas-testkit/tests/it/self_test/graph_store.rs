//! Broken adapters of [`GraphStore`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use atlas_core::model::{ChannelId, EntityId, GraphEntity, PrincipalId};
use atlas_core::ports::{
    Access, AllowAll, Authorizer, Batch, ChannelScope, Cursor, Epoch, GraphEntry, GraphStats,
    GraphStore, GraphStoreCapabilities, NameQuery, Neighbour, Residue, Scope, Walk,
};
use atlas_core::{Result, async_trait};

use crate::memory::store;

/// What is wrong with the adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defect {
    /// Finding loses the properties.
    DropsProperties,
    /// A batch from behind is passed over.
    SkipsBehind,
    /// A batch from the start is added.
    KeepsAll,
    /// A name that is asked twice is answered once.
    DropsRepeated,
    /// An edge from a node to itself comes twice.
    LoopsTwice,
    /// An end that was gone once is gone for ever.
    ForgetsEnds,
    /// The limit comes before the instant.
    FiltersLate,
    /// A channel finds in one of nearly its name.
    LeaksChannels,
    /// Purging takes no notice of the fence.
    PurgesLate,
    /// Nothing is ever counted as left.
    CountsNothing,
    /// A limit of nought gives empty lists.
    EmptyForNought,
    /// Nodes are counted as edges.
    SwapsCounts,
}

/// An adapter with a defect.
struct Broken {
    inner: Arc<dyn GraphStore>,
    defect: Defect,
    /// All entries, ends that were gone, and the fence, of each channel.
    entries: Mutex<BTreeMap<ChannelId, Vec<GraphEntry>>>,
    gone: Mutex<BTreeSet<String>>,
    fence: Mutex<Epoch>,
}

impl Broken {
    fn new(defect: Defect) -> Self {
        Self {
            inner: Arc::new(store()),
            defect,
            entries: Mutex::default(),
            gone: Mutex::default(),
            fence: Mutex::default(),
        }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == defect
    }
}

#[async_trait]
impl GraphStore for Broken {
    fn capabilities(&self) -> GraphStoreCapabilities {
        self.inner.capabilities()
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, GraphEntry>) -> Result<()> {
        let applied = self.inner.applied(channel).await?;
        let is_behind = batch.from.revision < applied.revision;
        if self.has(Defect::SkipsBehind) && is_behind && *batch.from != Cursor::start() {
            return Ok(());
        }
        let mut all = match self.entries.lock().unwrap().get(channel.channel()) {
            Some(all) if self.has(Defect::KeepsAll) && *batch.from == Cursor::start() => {
                all.clone()
            }
            _ => Vec::new(),
        };
        all.extend(batch.entries.iter().cloned());
        let changed = Batch {
            entries: &all,
            ..batch.clone()
        };
        self.inner.apply(channel, changed).await?;
        let gone = batch.entries.iter().filter(|it| it.item.is_none());
        self.gone
            .lock()
            .unwrap()
            .extend(gone.map(|it| it.origin.id.clone()));
        let mut entries = self.entries.lock().unwrap();
        let known = entries.entry(channel.channel().clone()).or_default();
        known.extend(batch.entries.iter().cloned());
        Ok(())
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        self.inner.applied(channel).await
    }

    async fn find(&self, scope: &Scope, names: &[NameQuery]) -> Result<Vec<Vec<GraphEntity>>> {
        let scope = match self.defect {
            Defect::LeaksChannels => with_neighbour(scope).await?,
            _ => scope.clone(),
        };
        let mut lists = self.inner.find(&scope, names).await?;
        if self.has(Defect::DropsRepeated) {
            let mut seen = BTreeSet::new();
            let mut is_first = names.iter().map(|it| seen.insert((&it.name, it.kind)));
            lists.retain(|_| is_first.next().unwrap());
        }
        if self.has(Defect::DropsProperties) {
            for entity in lists.iter_mut().flatten() {
                entity.properties.clear();
            }
        }
        Ok(lists)
    }

    async fn neighbours(
        &self,
        scope: &Scope,
        entities: &[EntityId],
        walk: Walk,
    ) -> Result<Vec<Vec<Neighbour>>> {
        if self.has(Defect::EmptyForNought) && walk.limit == 0 {
            return Ok(vec![Vec::new(); entities.len()]);
        }
        let asked = match self.defect {
            Defect::FiltersLate => Walk {
                as_of: None,
                ..walk
            },
            _ => walk,
        };
        let mut lists = self.inner.neighbours(scope, entities, asked).await?;
        for list in &mut lists {
            if self.has(Defect::FiltersLate) {
                list.retain(|it| walk.as_of.is_none_or(|at| it.relation.valid.contains(at)));
            }
            if self.has(Defect::ForgetsEnds) {
                let gone = self.gone.lock().unwrap();
                list.retain(|it| !gone.contains(it.entity.id.as_str()));
            }
            if self.has(Defect::LoopsTwice) {
                let twice = list.iter().flat_map(|it| {
                    let is_loop = it.relation.source == it.relation.target;
                    std::iter::repeat_n(it.clone(), 1 + usize::from(is_loop))
                });
                *list = twice.take(walk.limit).collect();
            }
        }
        Ok(lists)
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<GraphStats> {
        let stats = self.inner.stats(channel).await?;
        Ok(match self.defect {
            Defect::SwapsCounts => GraphStats::new(stats.n_relations, stats.n_entities),
            _ => stats,
        })
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.inner.fence(channel, epoch).await?;
        *self.fence.lock().unwrap() = epoch;
        Ok(())
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        let fence = *self.fence.lock().unwrap();
        let epoch = match self.defect {
            Defect::PurgesLate => epoch.max(fence),
            _ => epoch,
        };
        self.inner.purge(channel, epoch).await?;
        self.entries.lock().unwrap().remove(channel.channel());
        Ok(())
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        match self.defect {
            Defect::CountsNothing => Ok(Residue::default()),
            _ => self.inner.residue(channel).await,
        }
    }
}

/// The scope with a channel of nearly the name of its first.
async fn with_neighbour(scope: &Scope) -> Result<Scope> {
    let authorizer = Authorizer::new(AllowAll);
    let reader = authorizer.principal(PrincipalId::new("reader"));
    let mut channels: Vec<ChannelId> = scope.channels().cloned().collect();
    channels.push(ChannelId::new(format!("{}/", channels[0])));
    authorizer.scope(&reader, &channels, Access::Read).await
}

defects! { graph_store
    drops_the_properties: DropsProperties => [gs_1_apply_takes_in_all_and_moves_the_cursor];
    passes_over_a_batch_from_behind: SkipsBehind => [gs_2_a_batch_from_elsewhere_is_conflict];
    does_not_empty_at_the_start: KeepsAll => [gs_3_a_batch_from_the_start_empties_first];
    answers_a_name_that_is_asked_twice_once: DropsRepeated => [gs_5_find_answers_one_list_a_name];
    walks_a_loop_twice: LoopsTwice => [gs_6_neighbours_go_by_confidence_then_id];
    does_not_walk_to_an_end_that_came_back: ForgetsEnds => [gs_7_an_edge_without_an_end_is_not_walked];
    filters_after_the_limit: FiltersLate => [gs_8_an_instant_keeps_the_edges_that_hold_then];
    leaks_channels: LeaksChannels => [gs_9_nothing_outside_the_scope_is_found];
    forgets_the_fence: PurgesLate => [gs_10_lower_epochs_are_fenced];
    counts_no_residue: CountsNothing => [gs_11_purge_leaves_no_residue];
    answers_empty_instead_of_invalid: EmptyForNought => [gs_12_a_limit_of_nought_is_invalid];
    counts_nodes_as_edges: SwapsCounts => [gs_13_stats_count_one_channel];
}
