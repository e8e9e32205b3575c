//! Ids of topics across a re-cluster.

use std::collections::{BTreeMap, BTreeSet};

use super::assign::{Clustering, topic_id};
use crate::model::{ChannelId, FactId, TopicId};

/// Gives each topic the id of the former topic that it is the heir of, so that what hangs on the
/// id (its page, its curation, its summary) stays.
///
/// An heir has at least half of the union of both in common with it. Topics that inherit nothing
/// keep the id that their first member gives them, unless an heir has it.
#[must_use]
pub fn keep_ids(
    channel: &ChannelId,
    mut made: Clustering,
    former: &BTreeMap<FactId, TopicId>,
) -> Clustering {
    let mut n_former: BTreeMap<&TopicId, usize> = BTreeMap::new();
    for topic in former.values() {
        *n_former.entry(topic).or_default() += 1;
    }
    let mut common: BTreeMap<(&TopicId, &TopicId), usize> = BTreeMap::new();
    let mut n_made: BTreeMap<&TopicId, usize> = BTreeMap::new();
    for membership in &made.memberships {
        *n_made.entry(&membership.topic).or_default() += 1;
        if let Some(old) = former.get(&membership.fact) {
            *common.entry((old, &membership.topic)).or_default() += 1;
        }
    }
    let mut heirs: Vec<(usize, usize, &TopicId, &TopicId)> = common
        .into_iter()
        .filter_map(|((old, new), n)| {
            let union = n_former.get(old)? + n_made.get(new)? - n;
            (2 * n >= union).then_some((n, union, old, new))
        })
        .collect();
    // The greatest part in common first: n / union, compared without dividing; ties by id.
    heirs.sort_by(|x, y| {
        (y.0 * x.1)
            .cmp(&(x.0 * y.1))
            .then_with(|| (x.2, x.3).cmp(&(y.2, y.3)))
    });
    let mut renamed: BTreeMap<TopicId, TopicId> = BTreeMap::new();
    let mut taken: BTreeSet<TopicId> = BTreeSet::new();
    for (_, _, old, new) in heirs {
        if !taken.contains(old) && !renamed.contains_key(new) {
            taken.insert(old.clone());
            renamed.insert(new.clone(), old.clone());
        }
    }
    for topic in &made.topics {
        if renamed.contains_key(&topic.id) {
            continue;
        }
        let mut id = topic.id.clone();
        let mut attempt = 0;
        while !taken.insert(id.clone()) {
            id = topic_id(channel, topic.id.as_str(), attempt);
            attempt += 1;
        }
        renamed.insert(topic.id.clone(), id);
    }
    for topic in &mut made.topics {
        if let Some(id) = renamed.get(&topic.id) {
            topic.id = id.clone();
        }
    }
    for membership in &mut made.memberships {
        if let Some(id) = renamed.get(&membership.topic) {
            membership.topic = id.clone();
        }
    }
    made.topics.sort_by(|a, b| a.id.cmp(&b.id));
    made
}
