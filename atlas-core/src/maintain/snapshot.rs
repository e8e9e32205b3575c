//! What a channel holds, in a form that can be compared.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::model::{
    AtomicFact, ChannelSummary, FactEntities, GraphEntity, GraphRelation, Judgement, Membership,
    MessageOutcome, Standing, Stored, TopicCluster, TopicSummary, WikiPage,
};
use crate::ports::{ChannelScope, MessageStore, Partition, ReadCursor, RecordStoreExt};

/// What a channel holds, without what depends on when or in how many steps it was learned.
///
/// Left out are revisions, epochs, recorded times, attempts, cursors and caches; the numbers of
/// page revisions are left out too, since they count steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Snapshot {
    /// Messages by id: the hash of the current version.
    pub messages: BTreeMap<String, String>,
    /// What is known: outcomes, facts, standings, entities and relations. It is equal for the same
    /// messages in any order and any batches.
    pub knowledge: BTreeMap<String, Value>,
    /// What is written: topics, summaries and pages. It is equal where one settle followed the
    /// whole ingest.
    pub written: BTreeMap<String, Value>,
}

/// Fields that tell when or in how many steps something was learned.
const STEPS: [&str; 4] = ["recorded_at", "revision", "sequence", "old_slugs"];

/// Takes a snapshot of a channel.
///
/// # Errors
///
/// What the stores fail with.
pub async fn snapshot(parts: &Components, channel: &ChannelScope) -> Result<Snapshot> {
    let partition = Partition::of(channel);
    let mut snapshot = Snapshot {
        messages: messages(parts.messages.as_ref(), channel).await?,
        ..Snapshot::default()
    };
    let known = &mut snapshot.knowledge;
    collect::<MessageOutcome>(parts, &partition, known).await?;
    collect::<AtomicFact>(parts, &partition, known).await?;
    collect::<Standing>(parts, &partition, known).await?;
    collect::<GraphEntity>(parts, &partition, known).await?;
    collect::<GraphRelation>(parts, &partition, known).await?;
    collect::<FactEntities>(parts, &partition, known).await?;
    let written = &mut snapshot.written;
    collect::<Judgement>(parts, &partition, written).await?;
    collect::<TopicCluster>(parts, &partition, written).await?;
    collect::<Membership>(parts, &partition, written).await?;
    collect::<TopicSummary>(parts, &partition, written).await?;
    collect::<ChannelSummary>(parts, &partition, written).await?;
    collect::<WikiPage>(parts, &partition, written).await?;
    Ok(snapshot)
}

async fn messages(
    store: &dyn MessageStore,
    channel: &ChannelScope,
) -> Result<BTreeMap<String, String>> {
    const PAGE: usize = 500;
    let mut all = BTreeMap::new();
    let mut after: Option<ReadCursor> = None;
    loop {
        let page = store.read(channel, after.as_ref(), PAGE).await?;
        let is_last = page.len() < PAGE;
        after = page
            .last()
            .map(|it| (it.message.sent_at, it.message.id.clone()));
        all.extend(
            page.into_iter()
                .map(|it| (it.message.id.record_id(), it.version.to_string())),
        );
        if is_last {
            return Ok(all);
        }
    }
}

async fn collect<T: Stored + Send>(
    parts: &Components,
    partition: &Partition,
    into: &mut BTreeMap<String, Value>,
) -> Result<()> {
    for record in parts.records.load_all::<T>(partition).await? {
        let mut value = serde_json::to_value(&record.value).map_err(|cause| {
            Error::new(
                ErrorKind::Unexpected,
                "maintain::snapshot",
                "a record does not serialise",
            )
            .caused_by(cause)
        })?;
        strip(&mut value);
        into.insert(record.value.key().to_string(), value);
    }
    Ok(())
}

/// Takes out, at any depth, what tells of steps.
fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !STEPS.contains(&name.as_str()));
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
