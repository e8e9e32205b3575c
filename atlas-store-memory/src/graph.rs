//! The graph of one channel: nodes and edges by where they come from.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use atlas_core::model::{EntityId, GraphEntity, GraphRelation, RelationId, UnitScore};
use atlas_core::ports::{GraphEntry, GraphItem, GraphStats, Key, NameQuery, Neighbour, Walk};
use atlas_index::Progress;

/// The place of an edge in walking order, and the record that it comes from.
pub(crate) type EdgePlace = (Reverse<UnitScore>, RelationId, Key);

/// The graph of one channel.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) progress: Progress,
    items: BTreeMap<Key, GraphItem>,
    /// The records that each node comes from: the first one counts.
    nodes: BTreeMap<EntityId, BTreeSet<Key>>,
    names: BTreeMap<String, BTreeSet<(EntityId, Key)>>,
    /// The edges at each end, in walking order.
    edges: BTreeMap<EntityId, BTreeSet<EdgePlace>>,
    n_edges: u64,
}

impl Graph {
    /// Empties it, but for where it stands.
    pub(crate) fn clear(&mut self) {
        *self = Self {
            progress: self.progress.clone(),
            ..Self::default()
        };
    }

    /// Puts an entry's item in the place of what its origin had.
    pub(crate) fn put(&mut self, entry: &GraphEntry) {
        self.remove(&entry.origin);
        let origin = &entry.origin;
        match &entry.item {
            None => return,
            Some(GraphItem::Entity(entity)) => {
                self.nodes
                    .entry(entity.id.clone())
                    .or_default()
                    .insert(origin.clone());
                for name in entity.names() {
                    self.names
                        .entry(name)
                        .or_default()
                        .insert((entity.id.clone(), origin.clone()));
                }
            }
            Some(GraphItem::Relation(relation)) => {
                self.n_edges = self.n_edges.saturating_add(1);
                let place = place_of(origin, relation);
                for end in [&relation.source, &relation.target] {
                    self.edges
                        .entry(end.clone())
                        .or_default()
                        .insert(place.clone());
                }
            }
        }
        if let Some(item) = &entry.item {
            self.items.insert(origin.clone(), item.clone());
        }
    }

    fn remove(&mut self, origin: &Key) {
        match self.items.remove(origin) {
            None => {}
            Some(GraphItem::Entity(entity)) => {
                take(&mut self.nodes, &entity.id, origin);
                let named = (entity.id.clone(), origin.clone());
                for name in entity.names() {
                    take(&mut self.names, &name, &named);
                }
            }
            Some(GraphItem::Relation(relation)) => {
                self.n_edges = self.n_edges.saturating_sub(1);
                let place = place_of(origin, &relation);
                for end in [&relation.source, &relation.target] {
                    take(&mut self.edges, end, &place);
                }
            }
        }
    }

    /// The nodes of the name, in order of id.
    pub(crate) fn find<'a>(&'a self, query: &NameQuery) -> impl Iterator<Item = &'a GraphEntity> {
        let kind = query.kind;
        self.names
            .get(&query.name)
            .into_iter()
            .flatten()
            .filter(|(id, origin)| self.nodes.get(id).and_then(BTreeSet::first) == Some(origin))
            .filter_map(|(id, _)| self.entity(id))
            .filter(move |entity| kind.is_none_or(|kind| entity.kind == kind))
    }

    /// The edges of a node in walking order, as many as the walk asks for.
    pub(crate) fn neighbours(
        &self,
        entity: &EntityId,
        walk: Walk,
    ) -> impl Iterator<Item = (&EdgePlace, Neighbour)> {
        let is_there = self.nodes.contains_key(entity);
        self.edges
            .get(entity)
            .filter(|_| is_there)
            .into_iter()
            .flatten()
            .filter_map(move |place| {
                let Some(GraphItem::Relation(relation)) = self.items.get(&place.2) else {
                    return None;
                };
                if walk.as_of.is_some_and(|at| !relation.valid.contains(at)) {
                    return None;
                }
                let other = if relation.source == *entity {
                    &relation.target
                } else {
                    &relation.source
                };
                let neighbour = Neighbour {
                    relation: relation.clone(),
                    entity: self.entity(other)?.clone(),
                };
                Some((place, neighbour))
            })
            .take(walk.limit)
    }

    pub(crate) fn stats(&self) -> GraphStats {
        GraphStats::new(
            u64::try_from(self.nodes.len()).unwrap_or(u64::MAX),
            self.n_edges,
        )
    }

    fn entity(&self, id: &EntityId) -> Option<&GraphEntity> {
        let origin = self.nodes.get(id)?.first()?;
        match self.items.get(origin)? {
            GraphItem::Entity(entity) => Some(entity),
            GraphItem::Relation(_) => None,
        }
    }
}

fn place_of(origin: &Key, relation: &GraphRelation) -> EdgePlace {
    (
        Reverse(relation.confidence),
        relation.id.clone(),
        origin.clone(),
    )
}

/// Takes a value out of a set, and the set out of the map once it is empty.
fn take<K: Ord, V: Ord>(sets: &mut BTreeMap<K, BTreeSet<V>>, key: &K, value: &V) {
    if let Some(set) = sets.get_mut(key) {
        set.remove(value);
        if set.is_empty() {
            sets.remove(key);
        }
    }
}
