//! A topic while it is being made.

use std::collections::{BTreeMap, BTreeSet};

use super::centroid::VectorSum;
use super::point::Space;
use crate::model::TopicId;

/// A topic while it is being made: members by their place in the canonical order, and what is
/// derived from them.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    pub(super) id: TopicId,
    pub(super) members: BTreeSet<usize>,
    pub(super) sum: VectorSum,
    /// The sum's direction.
    pub(super) direction: Vec<f64>,
    /// How many members have each mark.
    pub(super) marks: BTreeMap<usize, u32>,
    /// Whether its members changed in this round.
    pub(super) is_touched: bool,
}

impl Cluster {
    pub(super) fn new(
        id: TopicId,
        space: &Space,
        members: impl IntoIterator<Item = usize>,
    ) -> Self {
        let mut cluster = Self {
            id,
            members: BTreeSet::new(),
            sum: VectorSum::default(),
            direction: Vec::new(),
            marks: BTreeMap::new(),
            is_touched: false,
        };
        for member in members {
            cluster.count(space, member);
        }
        cluster.direction = cluster.sum.direction();
        cluster
    }

    pub(super) fn add(&mut self, space: &Space, member: usize) {
        self.count(space, member);
        self.direction = self.sum.direction();
        self.is_touched = true;
    }

    fn count(&mut self, space: &Space, member: usize) {
        let Some(point) = space.points.get(member) else {
            return;
        };
        if !self.members.insert(member) {
            return;
        }
        self.sum.add(&point.vector);
        for mark in space.marks_of(member) {
            *self.marks.entry(*mark).or_default() += 1;
        }
    }

    /// The share of members that have the mark.
    pub(super) fn share(&self, mark: usize) -> f64 {
        let n = u32::try_from(self.members.len()).unwrap_or(u32::MAX);
        let count = self.marks.get(&mark).copied().unwrap_or_default();
        f64::from(count) / f64::from(n.max(1))
    }

    /// The first member in canonical order.
    pub(super) fn first(&self) -> usize {
        self.members.first().copied().unwrap_or_default()
    }
}
