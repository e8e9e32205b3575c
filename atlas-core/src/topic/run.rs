//! Assigns what changed, then writes the summaries that are behind.

use std::collections::BTreeMap;

use super::assign::{Clustering, assign, cluster_all};
use super::keep::keep_ids;
use super::knowledge::{Knowledge, Loaded};
use super::point::Point;
use super::telling::Dropped;
use super::{TopicSettings, write};
use crate::components::Components;
use crate::error::{Error, Result};
use crate::model::{
    AtomicFact, ContentHash, FactId, Fingerprint, Membership, Standing, Stored, TopicCluster,
    TopicId, TopicSummary,
};
use crate::ports::{ChannelScope, CommitBuilder, Partition};
use crate::{stage, vectors};

/// The version of the rules of assigning.
const RULES: &str = "topic 1";

/// What this stage did.
#[derive(Debug, Default)]
pub struct TopicReport {
    /// Facts that were assigned to a topic.
    pub assigned: usize,
    /// Facts that left their topics.
    pub left: usize,
    /// Topics that there are, where anything changed.
    pub topics: usize,
    /// Topics that were split.
    pub splits: usize,
    /// Pairs of topics that became one.
    pub merges: usize,
    /// Summaries that were written, the channel's included.
    pub written: usize,
    /// Topics whose summaries are behind still, with why; the channel's by an empty id.
    pub failed: Vec<(TopicId, Error)>,
    /// Calls of the provider.
    pub n_calls: usize,
    /// Sentences that did not stand the check.
    pub dropped: Dropped,
}

/// Assigns facts that changed, and brings the summaries of topics and channel up to date.
///
/// Every visible fact belongs to one topic afterwards, and no other does. A summary that cannot be
/// written stays as it was and is told in the report; the next run tries again. Where nothing
/// changed, nothing is asked and nothing is written.
///
/// # Errors
///
/// What the stores and the embedder fail with; [`crate::ErrorKind::Conflict`] if somebody else
/// wrote meanwhile: run again.
///
/// # Cancel safety
///
/// Safe: the assignment is one commit, and so is each summary.
pub async fn run(
    parts: &Components,
    channel: &ChannelScope,
    settings: &TopicSettings,
) -> Result<TopicReport> {
    let mut report = TopicReport::default();
    assign_changed(parts, channel, settings, &mut report).await?;
    write::summaries(parts, channel, settings, &mut report).await?;
    Ok(report)
}

async fn assign_changed(
    parts: &Components,
    channel: &ChannelScope,
    settings: &TopicSettings,
    report: &mut TopicReport,
) -> Result<()> {
    let records = parts.records.as_ref();
    let partition = Partition::of(channel);
    let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
    let rules = rules(parts, settings);
    let follows = [AtomicFact::COLLECTION, Standing::COLLECTION];
    let pending = stage::pending(
        records,
        &partition,
        &mut commit,
        ("topic", &rules),
        &follows,
    )
    .await?;
    if pending.is_empty() {
        return Ok(());
    }
    let known = Knowledge::load(records, &partition).await?;
    let memberships = Loaded::<Membership>::load(records, &partition).await?;
    let topics = Loaded::<TopicCluster>::load(records, &partition).await?;
    let visible = known.visible();
    let texts: Vec<&str> = visible.iter().map(|it| it.fact.text()).collect();
    let vectors = vectors::ensure(parts, &partition, &mut commit, &texts).await?;
    // A fact without a vector is near nothing by meaning; its names still place it.
    let nowhere = vec![0.0; parts.embedder.space().dimensions];
    let points: Vec<Point> = (visible.iter().zip(vectors))
        .map(|(seen, vector)| Point::of(seen.fact, vector.unwrap_or_else(|| nowhere.clone())))
        .collect();
    let current: BTreeMap<FactId, TopicId> = (memberships.values.values())
        .map(|it| (it.fact.clone(), it.topic.clone()))
        .collect();
    let made = if pending.is_from_start {
        let made = cluster_all(channel.channel(), points, settings);
        keep_ids(channel.channel(), made, &current)
    } else {
        assign(channel.channel(), points, &current, settings)
    };
    report.assigned = made.n_assigned;
    report.topics = made.topics.len();
    report.splits = made.n_splits;
    report.merges = made.n_merges;
    report.left = replace(&mut commit, &known, (&memberships, &topics), &made)?;
    for topic in topics.values.keys() {
        if !made.topics.iter().any(|it| it.id.as_str() == topic) {
            let key = TopicSummary::key_of(topic.clone());
            commit
                .get(records, &partition, std::slice::from_ref(&key))
                .await?;
            commit.delete(key);
        }
    }
    pending.finish(&mut commit)?;
    stage::commit(records, &partition, commit).await?;
    Ok(())
}

/// Puts what differs; answers how many facts have left their topics for none.
fn replace(
    commit: &mut CommitBuilder,
    known: &Knowledge,
    (memberships, topics): (&Loaded<Membership>, &Loaded<TopicCluster>),
    made: &Clustering,
) -> Result<usize> {
    let mut left: BTreeMap<&str, &Membership> = (memberships.values.iter())
        .map(|(fact, membership)| (fact.as_str(), membership))
        .collect();
    for membership in &made.memberships {
        if left.remove(membership.fact.as_str()) != Some(membership) {
            known.expect(commit, &membership.fact);
            memberships.put(commit, membership)?;
        }
    }
    for (fact, membership) in &left {
        known.expect(commit, &membership.fact);
        memberships.delete(commit, fact);
    }
    for topic in &made.topics {
        if topics.get(topic.id.as_str()) != Some(topic) {
            topics.put(commit, topic)?;
        }
    }
    for id in topics.values.keys() {
        if !made.topics.iter().any(|it| it.id.as_str() == id) {
            topics.delete(commit, id);
        }
    }
    Ok(left.len())
}

/// Names the rules that decide who belongs together: other rules cluster everything again.
fn rules(parts: &Components, settings: &TopicSettings) -> Fingerprint {
    let TopicSettings {
        assign_above,
        merge_above,
        max_members,
        cosine_weight,
        overlap_weight,
        full_rarity,
        ..
    } = settings;
    let space = parts.embedder.space();
    let all = format!(
        "{RULES} {space} {assign_above} {merge_above} {max_members} {cosine_weight} \
         {overlap_weight} {full_rarity}"
    );
    Fingerprint::new(ContentHash::of(all.as_bytes()).short())
}
