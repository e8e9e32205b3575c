//! Brings the graph's records up to the outcomes.

use std::collections::{BTreeMap, BTreeSet};

use super::GraphSettings;
use super::resolve::resolve;
use crate::components::Components;
use crate::error::Result;
use crate::model::{Fingerprint, MessageOutcome, Stored};
use crate::ports::{
    ChannelScope, CommitBuilder, Key, Partition, Record, RecordStore, RecordStoreExt,
};
use crate::stage;

/// What the graph stage did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphReport {
    /// Nodes that there are.
    pub entities: usize,
    /// Edges that there are.
    pub relations: usize,
}

/// Folds the channel's outcomes into its graph, if one of them changed.
///
/// # Errors
///
/// What the store fails with.
///
/// # Cancel safety
///
/// Safe: the graph's records change in one commit.
pub async fn run(
    parts: &Components,
    channel: &ChannelScope,
    settings: &GraphSettings,
) -> Result<GraphReport> {
    let records = parts.records.as_ref();
    let partition = Partition::of(channel);
    let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
    let fingerprint = Fingerprint::new(format!("graph/1:{}", settings.max_sightings));
    let follows = [MessageOutcome::COLLECTION];
    let pending = stage::pending(
        records,
        &partition,
        &mut commit,
        ("graph", &fingerprint),
        &follows,
    )
    .await?;
    if pending.is_empty() {
        return Ok(GraphReport::default());
    }
    let outcomes = records.load_all::<MessageOutcome>(&partition).await?;
    let outcomes: Vec<&MessageOutcome> = outcomes.iter().map(|it| &it.value).collect();
    let graph = resolve(channel.channel(), &outcomes, settings.max_sightings);
    replace(records, &partition, &mut commit, &graph.entities).await?;
    replace(records, &partition, &mut commit, &graph.relations).await?;
    replace(records, &partition, &mut commit, &graph.mentions).await?;
    pending.finish(&mut commit)?;
    stage::commit(records, &partition, commit).await?;
    Ok(GraphReport {
        entities: graph.entities.len(),
        relations: graph.relations.len(),
    })
}

/// Makes a collection hold these values and no others, writing only what differs.
async fn replace<T: Stored + Sync>(
    records: &dyn RecordStore,
    partition: &Partition,
    commit: &mut CommitBuilder,
    values: &[T],
) -> Result<()> {
    let known: BTreeMap<Key, Record> = records
        .list_all(partition, &T::COLLECTION, "")
        .await?
        .into_iter()
        .map(|record| (record.key.clone(), record))
        .collect();
    let mut kept: BTreeSet<Key> = BTreeSet::new();
    for value in values {
        let key = value.key();
        let bytes = value.encode()?;
        if known.get(&key).is_none_or(|record| record.value != bytes) {
            commit.expect(key.clone(), known.get(&key));
            commit.put_raw(key.clone(), bytes);
        }
        kept.insert(key);
    }
    for (key, record) in known.iter().filter(|(key, _)| !kept.contains(*key)) {
        commit.expect(key.clone(), Some(record));
        commit.delete(key.clone());
    }
    Ok(())
}
