//! The log to the queue.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{WorkItem, schedule, skip_reason};
use crate::components::Components;
use crate::error::{ErrorKind, Result};
use crate::model::{MessageId, MessageOutcome, OutcomeStage, Stored};
use crate::ports::{
    ChannelScope, Collection, CommitBuilder, Partition, Sequence, StoredMessage, Versioned,
};
use crate::stage;

/// How often another writer may come first.
const TRIES: usize = 5;
/// Messages that are taken in with one commit.
const BATCH: usize = 200;

/// How far the queue has followed the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct IntakeMark {
    sequence: Sequence,
}

impl Stored for IntakeMark {
    const COLLECTION: Collection = Collection::literal(".intake");
    const SCHEMA: u32 = 1;

    fn record_id(&self) -> String {
        "mark".to_owned()
    }
}

/// What an intake did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntakeReport {
    /// Messages that were taken in.
    pub taken: usize,
    /// Conversations that were queued for it; one that waited already is counted too.
    pub queued: usize,
}

/// Queues the conversations of everything in the log that was not taken in yet.
///
/// The mark, the queue items and the messages' outcome records are one commit, so a crash between
/// the log and the records leaves a mark that lags, and nothing else.
///
/// # Errors
///
/// What the stores fail with.
pub async fn intake(
    parts: &Components,
    channel: &ChannelScope,
    reads_bots: bool,
) -> Result<IntakeReport> {
    let partition = Partition::of(channel);
    let records = parts.records.as_ref();
    let mut report = IntakeReport::default();
    let mut tries = 0;
    loop {
        let epoch = stage::epoch(records, channel).await?;
        let mut commit = CommitBuilder::new(epoch);
        let mark = commit
            .load_many::<IntakeMark>(records, &partition, &["mark".to_owned()])
            .await?
            .into_iter()
            .next()
            .flatten();
        let since = mark.map_or_else(Sequence::default, |mark| mark.value.sequence);
        let batch = parts.messages.changes(channel, since, BATCH).await?;
        let Some(last) = batch.last() else { break };
        let sequence = last.sequence;
        report.taken += batch.len();
        let queued = take(parts, &partition, &mut commit, &batch, reads_bots).await?;
        commit.put(&IntakeMark { sequence })?;
        match stage::commit(records, &partition, commit).await {
            Ok(_) => {
                tries = 0;
                report.queued += queued;
            }
            // Another writer took the same messages in: look again.
            Err(error) if error.kind() == ErrorKind::Conflict && tries < TRIES => {
                tries += 1;
                report.taken -= batch.len();
            }
            Err(error) => return Err(error),
        }
    }
    Ok(report)
}

async fn take(
    parts: &Components,
    partition: &Partition,
    commit: &mut CommitBuilder,
    batch: &[StoredMessage],
    reads_bots: bool,
) -> Result<usize> {
    let records = parts.records.as_ref();
    let ids: Vec<String> = batch.iter().map(|it| it.message.id.record_id()).collect();
    let known = commit
        .load_many::<MessageOutcome>(records, partition, &ids)
        .await?;
    let mut conversations: BTreeMap<String, MessageId> = BTreeMap::new();
    for (stored, known) in batch.iter().zip(known) {
        let (outcome, is_to_read) = taken_in(stored, known, reads_bots);
        if is_to_read {
            let root = stored.message.conversation();
            conversations.insert(root.record_id(), root);
        }
        commit.put(&outcome)?;
    }
    let ids: Vec<String> = conversations.keys().cloned().collect();
    let queued = commit
        .load_many::<WorkItem>(records, partition, &ids)
        .await?;
    let now = parts.clock.now();
    let sequence = batch.last().map(|it| it.sequence).unwrap_or_default();
    let n_queued = ids.len();
    for (root, old) in conversations.into_values().zip(queued) {
        let old = old.map(|it| it.value);
        let item = match &old {
            Some(old) => old.grown(sequence, now),
            None => WorkItem::new(root, sequence, now),
        };
        schedule(commit, old.as_ref(), &item)?;
    }
    Ok(n_queued)
}

/// The outcome of a message as it is taken in, and whether its conversation is to be read.
///
/// What was admitted from an earlier version stays until the conversation has been read again.
fn taken_in(
    stored: &StoredMessage,
    known: Option<Versioned<MessageOutcome>>,
    reads_bots: bool,
) -> (MessageOutcome, bool) {
    let message = &stored.message;
    let waiting = stored.version.clone();
    if let Some(known) = known {
        let mut outcome = known.value;
        outcome.stage = OutcomeStage::Queued { waiting };
        return (outcome, true);
    }
    let skip = skip_reason(message, reads_bots);
    let outcome = MessageOutcome {
        message: message.id.clone(),
        version: stored.version.clone(),
        conversation: message.conversation(),
        author: message.author.clone(),
        sent_at: message.sent_at,
        media: message.attachments.clone(),
        stage: match skip {
            Some(reason) => OutcomeStage::Skipped { reason },
            None => OutcomeStage::Queued { waiting },
        },
        extraction: None,
        claims: Vec::new(),
        entities: Vec::new(),
        relations: Vec::new(),
        refusals: Vec::new(),
    };
    (outcome, skip.is_none())
}
