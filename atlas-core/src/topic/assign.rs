//! Facts to the nearest topics.

use std::collections::{BTreeMap, BTreeSet};

use super::TopicSettings;
use super::affinity;
use super::cluster::Cluster;
use super::merge::merge_all;
use super::point::{Point, Space};
use super::split::split;
use crate::model::{ChannelId, ContentHash, FactId, Membership, TopicCluster, TopicId};

/// What a channel's facts belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clustering {
    /// The topics in order of id, none of them empty.
    pub topics: Vec<TopicCluster>,
    /// One membership a fact, in order of the fact's id.
    pub memberships: Vec<Membership>,
    /// How many facts found a topic in this round.
    pub n_assigned: usize,
    /// How often a topic was split.
    pub n_splits: usize,
    /// How often two topics became one.
    pub n_merges: usize,
}

/// Clusters all facts of a channel from nothing: the same for any order of the points.
pub fn cluster_all(
    channel: &ChannelId,
    points: Vec<Point>,
    settings: &TopicSettings,
) -> Clustering {
    assign(channel, points, &BTreeMap::new(), settings)
}

/// Assigns the facts that have no topic yet, in canonical order; the others stay where they are.
///
/// A fact joins the topic of the greatest affinity above the threshold, ties by id, else it begins
/// a topic. A topic that outgrows the most members is split at once. Then facts that are alone
/// join a topic that has grown near them, and topics that are near each other become one.
///
/// # Shape
///
/// `points` are all facts that count, each once; `current` may name others, which have left. Every
/// point has exactly one membership afterwards.
pub fn assign(
    channel: &ChannelId,
    points: Vec<Point>,
    current: &BTreeMap<FactId, TopicId>,
    settings: &TopicSettings,
) -> Clustering {
    let space = Space::new(points);
    let mut round = Round::resume(channel, &space, current, settings);
    let newcomers: Vec<usize> = (space.points.iter().enumerate())
        .filter(|(_, point)| !current.contains_key(&point.fact))
        .map(|(place, _)| place)
        .collect();
    for point in &newcomers {
        round.place(*point);
    }
    round.gather_lone();
    round.n_merges = merge_all(&space, &mut round.clusters, settings);
    round.finish(newcomers.len())
}

/// One round of assigning.
struct Round<'a> {
    channel: &'a ChannelId,
    space: &'a Space,
    settings: &'a TopicSettings,
    clusters: Vec<Cluster>,
    taken: BTreeSet<TopicId>,
    n_splits: usize,
    n_merges: usize,
}

impl<'a> Round<'a> {
    fn resume(
        channel: &'a ChannelId,
        space: &'a Space,
        current: &BTreeMap<FactId, TopicId>,
        settings: &'a TopicSettings,
    ) -> Self {
        let mut members: BTreeMap<&TopicId, Vec<usize>> = BTreeMap::new();
        for (place, point) in space.points.iter().enumerate() {
            if let Some(topic) = current.get(&point.fact) {
                members.entry(topic).or_default().push(place);
            }
        }
        let mut round = Self {
            channel,
            space,
            settings,
            clusters: Vec::new(),
            taken: current.values().cloned().collect(),
            n_splits: 0,
            n_merges: 0,
        };
        for (id, members) in members {
            let cluster = Cluster::new(id.clone(), space, members);
            round.clusters.push(cluster);
            round.split_last_if_large();
        }
        round
    }

    /// Puts a fact into the nearest topic, or begins one.
    fn place(&mut self, point: usize) {
        let Some(index) = self.nearest(point, None) else {
            let id = self.free_id(point);
            let mut cluster = Cluster::new(id, self.space, [point]);
            cluster.is_touched = true;
            self.clusters.push(cluster);
            return;
        };
        if let Some(cluster) = self.clusters.get_mut(index) {
            cluster.add(self.space, point);
            // The last place is where a split looks; the order of topics has no meaning.
            let last = self.clusters.len() - 1;
            self.clusters.swap(index, last);
            self.split_last_if_large();
        }
    }

    fn nearest(&self, point: usize, but: Option<usize>) -> Option<usize> {
        let candidates = self.clusters.iter().enumerate();
        candidates
            .filter(|(index, _)| Some(*index) != but)
            .map(|(index, it)| {
                let affinity = affinity::to_topic(self.space, point, it, self.settings);
                (index, &it.id, affinity)
            })
            .filter(|(_, _, affinity)| *affinity > self.settings.assign_above)
            .max_by(|a, b| a.2.total_cmp(&b.2).then_with(|| b.1.cmp(a.1)))
            .map(|(index, _, _)| index)
    }

    /// The id of a topic that the fact begins. A topic whose first member has left keeps its id, so
    /// the first choice may be taken.
    fn free_id(&mut self, first: usize) -> TopicId {
        let fact = (self.space.points.get(first)).map_or("", |point| point.fact.as_str());
        let mut attempt = 0_usize;
        loop {
            let id = topic_id(self.channel, fact, attempt);
            if self.taken.insert(id.clone()) {
                return id;
            }
            attempt += 1;
        }
    }

    fn split_last_if_large(&mut self) {
        let Some(last) = self.clusters.pop() else {
            return;
        };
        if last.members.len() <= self.settings.max_members.max(1) {
            self.clusters.push(last);
            return;
        }
        self.n_splits += 1;
        let members: Vec<usize> = last.members.iter().copied().collect();
        let (mut stays, mut leaves) = split(self.space, &members, self.settings);
        // The larger part keeps the id; of two equal ones that with the first member.
        if leaves.len() > stays.len()
            || (leaves.len() == stays.len() && leaves.first() < stays.first())
        {
            std::mem::swap(&mut stays, &mut leaves);
        }
        let begins = leaves.first().copied().unwrap_or_default();
        let id = self.free_id(begins);
        for (id, part) in [(last.id, stays), (id, leaves)] {
            let mut cluster = Cluster::new(id, self.space, part);
            cluster.is_touched = true;
            self.clusters.push(cluster);
            self.split_last_if_large();
        }
    }

    /// Lets facts that are alone join a topic that has grown near them since they came.
    fn gather_lone(&mut self) {
        let mut lone: Vec<usize> = (self.clusters.iter())
            .filter(|it| it.members.len() == 1)
            .map(Cluster::first)
            .collect();
        lone.sort_unstable();
        for point in lone {
            let own = self
                .clusters
                .iter()
                .position(|it| it.members.len() == 1 && it.first() == point);
            let Some(own) = own else { continue };
            let Some(near) = self.nearest(point, Some(own)) else {
                continue;
            };
            let has_room = (self.clusters.get(near))
                .is_some_and(|it| it.members.len() < self.settings.max_members);
            if has_room {
                if let Some(cluster) = self.clusters.get_mut(near) {
                    cluster.add(self.space, point);
                }
                self.clusters.remove(own);
            }
        }
    }

    fn finish(self, n_assigned: usize) -> Clustering {
        let mut clustering = Clustering {
            n_assigned,
            n_splits: self.n_splits,
            n_merges: self.n_merges,
            ..Clustering::default()
        };
        for cluster in self.clusters {
            let members = (cluster.members.iter()).filter_map(|it| self.space.points.get(*it));
            clustering.memberships.extend(members.map(|it| Membership {
                fact: it.fact.clone(),
                topic: cluster.id.clone(),
            }));
            clustering.topics.push(TopicCluster {
                id: cluster.id,
                n_members: cluster.members.len() as u64,
                vector_sum: cluster.sum.into_vec(),
            });
        }
        clustering.memberships.sort();
        clustering.topics.sort_by(|a, b| a.id.cmp(&b.id));
        clustering
    }
}

/// The id of the topic that a fact begins; further attempts give other ids.
pub(super) fn topic_id(channel: &ChannelId, first: &str, attempt: usize) -> TopicId {
    let attempt = attempt.to_string();
    TopicId::new(ContentHash::of_parts(&["topic", channel.as_str(), first, &attempt]).short())
}
