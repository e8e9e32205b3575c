//! Brings the index and the graph up to the feed.

use std::collections::{BTreeMap, BTreeSet};

use super::documents::{fact_document, graph_entry, message_document, page_documents};
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::model::{
    AtomicFact, FactEntities, MessageId, MessageOutcome, Standing, Stored, WikiPage,
};
use crate::ports::{
    Batch, Change, ChannelScope, Cursor, Epoch, Feed, GraphEntry, IndexEntry, Partition,
    RecordStoreExt,
};
use crate::vectors;

/// Entries that are applied at a time. An index commits, syncs and merges once a page, whatever its
/// size.
const PAGE: usize = 2_000;
/// How often another writer may come first before giving up.
const TRIES: usize = 8;

/// What catching up did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaughtUp {
    /// Entries that the index took in.
    pub documents: usize,
    /// Entries that the graph took in.
    pub nodes: usize,
    /// Whether one of them was built again from the start.
    pub is_rebuilt: bool,
}

/// Which projection is brought up.
#[derive(Clone, Copy)]
enum Projection {
    Index,
    Graph,
}

/// Brings the index and the graph of a channel up to its feed. Calls no embedder.
///
/// # Errors
///
/// What the stores fail with. What was applied stays.
///
/// # Cancel safety
///
/// Safe: a batch is applied whole or not.
pub async fn catch_up(parts: &Components, channel: &ChannelScope) -> Result<CaughtUp> {
    let mut report = CaughtUp::default();
    for projection in [Projection::Index, Projection::Graph] {
        follow(parts, channel, projection, &mut report).await?;
    }
    Ok(report)
}

async fn follow(
    parts: &Components,
    channel: &ChannelScope,
    projection: Projection,
    report: &mut CaughtUp,
) -> Result<()> {
    let partition = Partition::of(channel);
    let mut from = applied(parts, channel, projection).await?;
    let mut conflicts = 0;
    loop {
        let head = parts.records.head(&partition).await?;
        if head.cursor == from {
            return Ok(());
        }
        let (entries, to) = match parts.records.changes(&partition, &from, PAGE).await? {
            Feed::Page { entries, to, .. } => (entries, to),
            Feed::Gone { .. } => {
                report.is_rebuilt = true;
                from = Cursor::start();
                // An empty batch from the start to the start would not move: take the first page.
                match parts.records.changes(&partition, &from, PAGE).await? {
                    Feed::Page { entries, to, .. } => (entries, to),
                    Feed::Gone { .. } => {
                        return Err(Error::new(
                            ErrorKind::Unexpected,
                            "project::catch_up",
                            "the start of a feed is gone",
                        ));
                    }
                }
            }
        };
        if to == from && from != Cursor::start() {
            return Ok(());
        }
        let step = Step {
            epoch: head.epoch,
            from: &from,
            to: &to,
            entries: &entries,
        };
        match apply(parts, channel, projection, step, report).await {
            Ok(()) => from = to,
            Err(error) if error.kind() == ErrorKind::Conflict && conflicts < TRIES => {
                conflicts += 1;
                from = applied(parts, channel, projection).await?;
            }
            Err(error) => return Err(error),
        }
        if from == Cursor::start() {
            return Ok(());
        }
    }
}

async fn applied(
    parts: &Components,
    channel: &ChannelScope,
    projection: Projection,
) -> Result<Cursor> {
    match projection {
        Projection::Index => parts.facts.applied(channel).await,
        Projection::Graph => parts.graph.applied(channel).await,
    }
}

/// A page of the feed that is to be applied.
#[derive(Clone, Copy)]
struct Step<'a> {
    epoch: Epoch,
    from: &'a Cursor,
    to: &'a Cursor,
    entries: &'a [Change],
}

async fn apply(
    parts: &Components,
    channel: &ChannelScope,
    projection: Projection,
    step: Step<'_>,
    report: &mut CaughtUp,
) -> Result<()> {
    let Step {
        epoch,
        from,
        to,
        entries,
    } = step;
    match projection {
        Projection::Index => {
            let entries = index_entries(parts, channel, entries).await?;
            report.documents += entries.len();
            parts
                .facts
                .apply(
                    channel,
                    Batch {
                        epoch,
                        from,
                        to,
                        entries: &entries,
                    },
                )
                .await
        }
        Projection::Graph => {
            let entries: Vec<GraphEntry> = entries
                .iter()
                .filter_map(|it| graph_entry(it).transpose())
                .collect::<Result<_>>()?;
            report.nodes += entries.len();
            parts
                .graph
                .apply(
                    channel,
                    Batch {
                        epoch,
                        from,
                        to,
                        entries: &entries,
                    },
                )
                .await
        }
    }
}

/// What the changed records are to be found by, as the records are at this moment.
async fn index_entries(
    parts: &Components,
    channel: &ChannelScope,
    changes: &[Change],
) -> Result<Vec<IndexEntry>> {
    let ids = |collections: &[crate::ports::Collection]| -> Vec<String> {
        let ids: BTreeSet<String> = changes
            .iter()
            .filter(|it| collections.contains(&it.key.collection))
            .map(|it| it.key.id.clone())
            .collect();
        ids.into_iter().collect()
    };
    let facts = ids(&[
        AtomicFact::COLLECTION,
        Standing::COLLECTION,
        FactEntities::COLLECTION,
    ]);
    let mut entries = fact_entries(parts, channel, facts).await?;
    entries.extend(message_entries(parts, channel, ids(&[MessageOutcome::COLLECTION])).await?);
    for change in changes
        .iter()
        .filter(|it| it.key.collection == WikiPage::COLLECTION)
    {
        let page = change.value.as_deref().map(WikiPage::decode).transpose()?;
        let documents = page.as_ref().map(page_documents).unwrap_or_default();
        entries.push(IndexEntry {
            origin: change.key.clone(),
            documents,
        });
    }
    Ok(entries)
}

async fn fact_entries(
    parts: &Components,
    channel: &ChannelScope,
    ids: Vec<String>,
) -> Result<Vec<IndexEntry>> {
    let partition = Partition::of(channel);
    let facts = parts
        .records
        .load_many::<AtomicFact>(&partition, &ids)
        .await?;
    let standings = parts
        .records
        .load_many::<Standing>(&partition, &ids)
        .await?;
    let entities = parts
        .records
        .load_many::<FactEntities>(&partition, &ids)
        .await?;
    let texts: Vec<&str> = facts.iter().flatten().map(|it| it.value.text()).collect();
    let mut kept = vectors::kept(parts, &partition, &texts).await?.into_iter();
    let mut entries = Vec::with_capacity(ids.len());
    for (((id, fact), standing), entities) in
        ids.into_iter().zip(facts).zip(standings).zip(entities)
    {
        let document = fact.map(|fact| {
            let vector = kept.next().flatten();
            let standing = standing.map(|it| it.value);
            let entities = entities.map(|it| it.value);
            fact_document(&fact.value, standing.as_ref(), entities.as_ref(), vector)
        });
        entries.push(IndexEntry {
            origin: AtomicFact::key_of(id),
            documents: document.into_iter().collect(),
        });
    }
    Ok(entries)
}

async fn message_entries(
    parts: &Components,
    channel: &ChannelScope,
    ids: Vec<String>,
) -> Result<Vec<IndexEntry>> {
    let partition = Partition::of(channel);
    let outcomes = parts
        .records
        .load_many::<MessageOutcome>(&partition, &ids)
        .await?;
    let messages: Vec<MessageId> = outcomes
        .iter()
        .flatten()
        .map(|it| it.value.message.clone())
        .collect();
    let stored = parts.messages.get(channel, &messages).await?;
    let texts: Vec<&str> = stored
        .iter()
        .flatten()
        .map(|it| it.message.text.as_str())
        .collect();
    let kept = vectors::kept(parts, &partition, &texts).await?;
    let vectors: BTreeMap<&str, Option<Vec<f32>>> = texts.iter().copied().zip(kept).collect();
    let mut stored = stored.iter();
    let mut entries = Vec::with_capacity(ids.len());
    for (id, outcome) in ids.into_iter().zip(outcomes) {
        let document = outcome.and_then(|outcome| {
            let stored = stored.next()?.as_ref()?;
            let vector = vectors.get(stored.message.text.as_str()).cloned().flatten();
            message_document(stored, &outcome.value, vector)
        });
        entries.push(IndexEntry {
            origin: MessageOutcome::key_of(id),
            documents: document.into_iter().collect(),
        });
    }
    Ok(entries)
}
