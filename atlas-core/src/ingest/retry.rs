//! What is dead, once more.

use crate::components::Components;
use crate::error::Result;
use crate::model::{DeadReason, MessageId, MessageOutcome, OutcomeStage, SourceId};
use crate::ports::{
    ChannelScope, CommitBuilder, MessageStoreExt, Partition, RecordStoreExt, StoredMessage,
};
use crate::stage;

use super::{WorkItem, schedule};

/// Which dead conversations are meant; an empty one means all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeadFilter {
    /// Only those of the source.
    pub source: Option<SourceId>,
    /// Only this conversation, by its root.
    pub conversation: Option<MessageId>,
    /// Only those that are dead because of the limits of the model: refused or cut off, not failed.
    pub only_limits: bool,
}

impl DeadFilter {
    fn meets(&self, item: &WorkItem) -> bool {
        let is_meant = |reason: &DeadReason| {
            !self.only_limits || matches!(reason, DeadReason::Refused(_) | DeadReason::Truncated)
        };
        item.dead.as_ref().is_some_and(is_meant)
            && (self.source.as_ref()).is_none_or(|it| *it == item.conversation.source)
            && (self.conversation.as_ref()).is_none_or(|it| *it == item.conversation)
    }
}

/// Queues dead conversations again, each with all its attempts; answers how many.
///
/// # Errors
///
/// What the stores fail with; [`crate::ErrorKind::Conflict`] if one of them changed meanwhile. What
/// was queued before stays so.
pub async fn retry_failed(
    parts: &Components,
    channel: &ChannelScope,
    filter: &DeadFilter,
) -> Result<usize> {
    let partition = Partition::of(channel);
    let records = parts.records.as_ref();
    let all = records.load_all::<WorkItem>(&partition).await?;
    let mut n_queued = 0;
    for item in all.iter().map(|it| &it.value).filter(|it| filter.meets(it)) {
        let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
        let id = item.conversation.record_id();
        let now = parts.clock.now();
        let found = commit
            .load_many::<WorkItem>(records, &partition, &[id])
            .await?;
        let Some(item) = found.into_iter().flatten().next().map(|it| it.value) else {
            continue;
        };
        if !filter.meets(&item) {
            continue;
        }
        schedule(&mut commit, Some(&item), &item.grown(item.sequence, now))?;
        let thread: Vec<StoredMessage> = parts
            .messages
            .whole_thread(channel, &item.conversation)
            .await?;
        let ids: Vec<String> = thread.iter().map(|it| it.message.id.record_id()).collect();
        let outcomes = commit
            .load_many::<MessageOutcome>(records, &partition, &ids)
            .await?;
        for (stored, known) in thread.iter().zip(outcomes) {
            let Some(mut outcome) = known.map(|it| it.value) else {
                continue;
            };
            if matches!(outcome.stage, OutcomeStage::Dead { .. }) {
                let waiting = stored.version.clone();
                outcome.stage = OutcomeStage::Queued { waiting };
                commit.put(&outcome)?;
            }
        }
        stage::commit(records, &partition, commit).await?;
        n_queued += 1;
    }
    Ok(n_queued)
}
