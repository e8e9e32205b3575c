//! Broken adapters of [`GraphStore`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use atlas_core::model::{ChannelId, EntityId, GraphEntity, PrincipalId};
use atlas_core::ports::{
    Access, AllowAll, Authorizer, Batch, ChannelScope, Cursor, Epoch, GraphEntry, GraphItem,
    GraphStats, GraphStore, GraphStoreCapabilities, NameQuery, Neighbour, Residue, Scope, Walk,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};

use atlas_store_memory::MemoryStore;

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
    /// A node is found by names it once had.
    KeepsOldNames,
    /// What has no id is left out.
    SkipsNameless,
    /// It says that it is durable, and is not.
    SaysDurable,
    /// A fence is kept until it is closed.
    ForgetsFence,
    /// The fence is looked up by the first read only.
    ReadsFenceLate,
    /// A lower fence is passed over.
    IdlesAtLowerFence,
    /// It has none: it keeps what it was told.
    Nothing,
}

/// An adapter with a defect.
struct Broken {
    inner: Arc<dyn GraphStore>,
    defect: Defect,
    is_durable: bool,
    /// Whether anything was read since it was opened.
    was_read: AtomicBool,
    /// All entries, ends that were gone, and the fence, of each channel.
    entries: Mutex<BTreeMap<ChannelId, Vec<GraphEntry>>>,
    gone: Mutex<BTreeSet<String>>,
    /// The names that each node ever had, the last one last.
    names: Mutex<BTreeMap<EntityId, Vec<String>>>,
    fences: Mutex<BTreeMap<ChannelId, Epoch>>,
}

impl Broken {
    /// An adapter that is gone with its process.
    fn of(defect: Defect) -> Self {
        Self {
            is_durable: defect == Defect::SaysDurable,
            ..Self::over(store(), defect)
        }
    }

    /// An adapter whose store stays when it goes.
    fn over(store: MemoryStore, defect: Defect) -> Self {
        Self {
            inner: Arc::new(store),
            defect,
            is_durable: true,
            was_read: AtomicBool::default(),
            entries: Mutex::default(),
            gone: Mutex::default(),
            names: Mutex::default(),
            fences: Mutex::default(),
        }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == defect
    }

    fn learn_names(&self, channel: &ChannelScope, entries: &[GraphEntry]) {
        let mut names = self.names.lock().unwrap();
        for entry in entries {
            if let Some(GraphItem::Entity(entity)) = &entry.item
                && entity.channel == *channel.channel()
            {
                let known = names.entry(entity.id.clone()).or_default();
                known.push(entity.name.clone());
            }
        }
    }

    /// The queries, with the name of today where a name of before is asked for.
    fn with_names_of_today(&self, queries: &[NameQuery]) -> Vec<NameQuery> {
        let names = self.names.lock().unwrap();
        let today = |name: &String| {
            let known = names.values().find(|known| known.contains(name));
            known.and_then(|known| known.last()).unwrap_or(name).clone()
        };
        let of_today = queries.iter().map(|query| NameQuery {
            name: today(&query.name),
            ..query.clone()
        });
        of_today.collect()
    }

    /// The fence that it was told since it was opened.
    fn held(&self, channel: &ChannelScope) -> Epoch {
        let fences = self.fences.lock().unwrap();
        fences.get(channel.channel()).copied().unwrap_or_default()
    }

    fn read(&self) {
        self.was_read.store(true, Ordering::Relaxed);
    }

    /// Whether this call comes before the adapter knows the fence.
    fn is_unaware(&self) -> bool {
        self.has(Defect::ReadsFenceLate) && !self.was_read.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl GraphStore for Broken {
    fn capabilities(&self) -> GraphStoreCapabilities {
        self.inner.capabilities().with_durable(self.is_durable)
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
        if self.has(Defect::SkipsNameless) {
            all.retain(|it| match &it.item {
                Some(GraphItem::Entity(entity)) => !entity.id.as_str().is_empty(),
                _ => true,
            });
        }
        if self.has(Defect::ForgetsFence) && batch.epoch < self.held(channel) {
            return Err(Error::new(ErrorKind::Fenced, "apply", "it was fenced"));
        }
        if self.has(Defect::KeepsOldNames) {
            self.learn_names(channel, &all);
        }
        let changed = Batch {
            entries: &all,
            ..batch.clone()
        };
        let answer = self.inner.apply(channel, changed.clone()).await;
        match answer {
            Err(refusal) if self.is_unaware() && refusal.kind() == ErrorKind::Fenced => {
                let unfenced = Batch {
                    epoch: Epoch(u64::MAX),
                    ..changed
                };
                self.inner.apply(channel, unfenced).await?;
            }
            answer => answer?,
        }
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
        self.read();
        self.inner.applied(channel).await
    }

    async fn find(&self, scope: &Scope, names: &[NameQuery]) -> Result<Vec<Vec<GraphEntity>>> {
        let scope = match self.defect {
            Defect::LeaksChannels => with_neighbour(scope).await?,
            _ => scope.clone(),
        };
        self.read();
        let names = self.with_names_of_today(names);
        let mut lists = self.inner.find(&scope, &names).await?;
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
        self.read();
        let stats = self.inner.stats(channel).await?;
        Ok(match self.defect {
            Defect::SwapsCounts => GraphStats::new(stats.n_relations, stats.n_entities),
            _ => stats,
        })
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        let held = self.held(channel);
        if self.has(Defect::IdlesAtLowerFence) && epoch < held {
            return Ok(());
        }
        if !self.has(Defect::ForgetsFence) {
            self.inner.fence(channel, epoch).await?;
        }
        let mut fences = self.fences.lock().unwrap();
        fences.insert(channel.channel().clone(), epoch.max(held));
        Ok(())
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        let held = self.held(channel);
        let epoch = match self.defect {
            Defect::PurgesLate => epoch.max(held),
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

defects! {
    graph_store: [
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
    finds_by_names_of_before: KeepsOldNames => [gs_4_an_item_replaces_what_its_origin_had];
    says_that_it_is_durable: SaysDurable => [gs_14_what_was_acknowledged_is_there_again];
    leaves_out_what_has_no_id: SkipsNameless => [gs_15_what_is_foreign_or_has_no_id_refuses_its_batch];
    passes_over_a_lower_fence: IdlesAtLowerFence => [gs_10_lower_epochs_are_fenced];
    ]
    opened again: [
    a_durable_store_keeps_the_contract: Nothing => [];
    forgets_the_fence_when_it_closes: ForgetsFence => [gs_10_lower_epochs_are_fenced, gs_14_what_was_acknowledged_is_there_again];
    looks_up_the_fence_too_late: ReadsFenceLate => [gs_14_what_was_acknowledged_is_there_again];
    ]
}
