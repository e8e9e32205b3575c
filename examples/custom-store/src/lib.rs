//! A [`GraphStore`] of your own: the graphs of all channels in one JSON file.
//!
//! It is as small as a whole and durable adapter can be, for a guide to writing one. Every write
//! replaces the file, so it suits graphs of some thousand nodes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use atlas_core::model::{ChannelId, EntityId, GraphEntity, GraphRelation};
use atlas_core::ports::{
    Batch, ChannelScope, Cursor, Epoch, GraphEntry, GraphItem, GraphStats, GraphStore,
    GraphStoreCapabilities, Key, NameQuery, Neighbour, Residue, Scope, Walk,
};
use atlas_core::text::normalise_name;
use atlas_core::{ErrorKind, Result, async_trait};
use serde::{Deserialize, Serialize};

mod failure;
use failure::{Failure, refuse};

/// The graph of one channel. What has no origin any longer is gone.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Graph {
    epoch: Epoch,
    /// None before the first batch.
    applied: Option<Cursor>,
    entities: Vec<(Key, GraphEntity)>,
    relations: Vec<(Key, GraphRelation)>,
}

/// The graphs of all channels in one file, which is read once, when it is opened.
#[derive(Debug)]
pub struct JsonGraphStore {
    file: PathBuf,
    graphs: Mutex<BTreeMap<ChannelId, Graph>>,
}

impl JsonGraphStore {
    /// Opens the file, or begins one that is not there.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] if it cannot be read, [`ErrorKind::Corrupt`] if it holds
    /// something else.
    pub fn open(file: impl Into<PathBuf>) -> Result<Self> {
        const OP: &str = "JsonGraphStore::open";
        let file = file.into();
        let graphs = match fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|it| Failure::Json(it).at(OP))?,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
            Err(cause) => return Err(Failure::Io(cause).at(OP)),
        };
        let graphs = Mutex::new(graphs);
        Ok(Self { file, graphs })
    }

    fn lock(&self, op: &'static str) -> Result<MutexGuard<'_, BTreeMap<ChannelId, Graph>>> {
        self.graphs.lock().map_err(|_| Failure::Poisoned.at(op))
    }

    fn graph(&self, op: &'static str, channel: &ChannelScope) -> Result<Graph> {
        let graphs = self.lock(op)?;
        Ok(graphs.get(channel.channel()).cloned().unwrap_or_default())
    }

    /// Changes a channel's graph, unless the epoch is over. What is kept is what the file has.
    fn change(
        &self,
        op: &'static str,
        (channel, epoch): (&ChannelScope, Epoch),
        change: impl FnOnce(&mut Graph) -> Result<()>,
    ) -> Result<()> {
        let mut graphs = self.lock(op)?;
        let mut changed = graphs.clone();
        let graph = changed.entry(channel.channel().clone()).or_default();
        if epoch < graph.epoch {
            return refuse(ErrorKind::Fenced, op, "the channel moved to another epoch");
        }
        change(graph)?;
        self.save(&changed).map_err(|failure| failure.at(op))?;
        *graphs = changed;
        Ok(())
    }

    /// Replaces the file in one step: a crash leaves the file before or the file after.
    fn save(&self, graphs: &BTreeMap<ChannelId, Graph>) -> std::result::Result<(), Failure> {
        let beside = self.file.with_extension("writing");
        let mut file = File::create(&beside)?;
        file.write_all(&serde_json::to_vec(graphs)?)?;
        file.sync_all()?;
        fs::rename(&beside, &self.file)?;
        // The new name has to be on the disk too.
        let folder = self.file.parent().filter(|it| !it.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
        Ok(())
    }
}

impl Graph {
    fn put(&mut self, entry: &GraphEntry) {
        self.entities.retain(|(origin, _)| *origin != entry.origin);
        self.relations.retain(|(origin, _)| *origin != entry.origin);
        let origin = entry.origin.clone();
        match entry.item.clone() {
            Some(GraphItem::Entity(entity)) => self.entities.push((origin, entity)),
            Some(GraphItem::Relation(relation)) => self.relations.push((origin, relation)),
            None => {}
        }
    }

    fn entity(&self, id: &EntityId) -> Option<&GraphEntity> {
        let mut entities = self.entities.iter().map(|(_, entity)| entity);
        entities.find(|entity| entity.id == *id)
    }

    fn find<'a>(&'a self, query: &'a NameQuery) -> impl Iterator<Item = GraphEntity> {
        let named = self.entities.iter().map(|(_, entity)| entity).filter(|it| {
            let is_named =
                normalise_name(&it.name) == query.name || it.aliases.contains(&query.name);
            is_named && query.kind.is_none_or(|kind| it.kind == kind)
        });
        let by_id: BTreeMap<_, _> = named.map(|it| (it.id.clone(), it.clone())).collect();
        by_id.into_values()
    }

    fn neighbours(&self, from: &EntityId, walk: Walk) -> impl Iterator<Item = Neighbour> {
        let is_there = self.entity(from).is_some();
        let relations = self.relations.iter().filter(move |_| is_there);
        relations.filter_map(move |(_, relation)| {
            let other = match (relation.source == *from, relation.target == *from) {
                (true, _) => &relation.target,
                (false, true) => &relation.source,
                (false, false) => return None,
            };
            let holds = walk.as_of.is_none_or(|at| relation.valid.contains(at));
            let entity = self.entity(other).filter(|_| holds)?.clone();
            let relation = relation.clone();
            Some(Neighbour { relation, entity })
        })
    }

    fn stats(&self) -> GraphStats {
        let ids: BTreeSet<_> = self.entities.iter().map(|(_, it)| &it.id).collect();
        GraphStats::new(ids.len() as u64, self.relations.len() as u64)
    }
}

/// Refuses what is of another channel or has no id.
fn check(channel: &ChannelScope, entry: &GraphEntry, op: &'static str) -> Result<()> {
    let is_right = match &entry.item {
        Some(GraphItem::Entity(entity)) => {
            entity.channel == *channel.channel() && !entity.id.as_str().is_empty()
        }
        Some(GraphItem::Relation(relation)) => {
            let ends = [&relation.source, &relation.target];
            ends.iter().all(|end| !end.as_str().is_empty()) && !relation.id.as_str().is_empty()
        }
        None => true,
    };
    if !is_right {
        return refuse(
            ErrorKind::Invalid,
            op,
            "an item that is foreign or has no id",
        );
    }
    Ok(())
}

#[async_trait]
impl GraphStore for JsonGraphStore {
    fn capabilities(&self) -> GraphStoreCapabilities {
        GraphStoreCapabilities::default().with_durable(true)
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, GraphEntry>) -> Result<()> {
        const OP: &str = "GraphStore::apply";
        let checked = batch.entries.iter().map(|entry| check(channel, entry, OP));
        checked.collect::<Result<()>>()?;
        self.change(OP, (channel, batch.epoch), |graph| {
            if *batch.from == Cursor::start() {
                graph.entities.clear();
                graph.relations.clear();
            } else if graph.applied.as_ref() != Some(batch.from) {
                return refuse(ErrorKind::Conflict, OP, "the batch begins elsewhere");
            }
            batch.entries.iter().for_each(|entry| graph.put(entry));
            graph.applied = Some(batch.to.clone());
            Ok(())
        })
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        let graph = self.graph("GraphStore::applied", channel)?;
        Ok(graph.applied.unwrap_or_else(Cursor::start))
    }

    async fn find(&self, scope: &Scope, names: &[NameQuery]) -> Result<Vec<Vec<GraphEntity>>> {
        let graphs = self.lock("GraphStore::find")?;
        let in_scope = || scope.channels().filter_map(|channel| graphs.get(channel));
        let found = |query| in_scope().flat_map(|graph| graph.find(query)).collect();
        Ok(names.iter().map(found).collect())
    }

    async fn neighbours(
        &self,
        scope: &Scope,
        entities: &[EntityId],
        walk: Walk,
    ) -> Result<Vec<Vec<Neighbour>>> {
        const OP: &str = "GraphStore::neighbours";
        if walk.limit == 0 {
            return refuse(ErrorKind::Invalid, OP, "the limit is nought");
        }
        let graphs = self.lock(OP)?;
        let in_scope = || scope.channels().filter_map(|channel| graphs.get(channel));
        let walked = |from| {
            let neighbours = in_scope().flat_map(|graph| graph.neighbours(from, walk));
            let mut neighbours: Vec<Neighbour> = neighbours.collect();
            neighbours.sort_by_key(|it| (Reverse(it.relation.confidence), it.relation.id.clone()));
            neighbours.truncate(walk.limit);
            neighbours
        };
        Ok(entities.iter().map(walked).collect())
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<GraphStats> {
        Ok(self.graph("GraphStore::stats", channel)?.stats())
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.change("GraphStore::fence", (channel, epoch), |graph| {
            graph.epoch = epoch;
            Ok(())
        })
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.change("GraphStore::purge", (channel, epoch), |graph| {
            let empty = Graph::default();
            *graph = Graph { epoch, ..empty };
            Ok(())
        })
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        let graph = self.graph("GraphStore::residue", channel)?;
        Ok(Residue {
            items: (graph.entities.len() + graph.relations.len()) as u64,
            marks: u64::from(graph.applied.is_some()),
        })
    }
}
