//! The queue of conversations that wait for extraction.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::model::{MessageId, Stored, Timestamp};
use crate::ports::{
    Collection, CommitBuilder, Key, Listing, Partition, RecordStore, RecordStoreExt, Sequence,
};

/// How long a conversation waits after its first, second … failure, in seconds.
pub const BACK_OFF_SECONDS: [i64; 5] = [5, 30, 90, 180, 360];

/// Where the queue is kept in the order of its times.
const DUE: Collection = Collection::literal(".due");

/// A conversation that waits for extraction. There is one item a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkItem {
    /// The root of the conversation.
    pub conversation: MessageId,
    /// The write of the log that queued it last: growing meanwhile is a change of the item, even
    /// if the clock stands.
    pub sequence: Sequence,
    /// Not before this instant; none if it failed too often and is dead.
    pub due: Option<Timestamp>,
    /// How often it has failed.
    pub failures: u32,
    /// How it failed last.
    pub last_error: Option<String>,
}

impl Stored for WorkItem {
    const COLLECTION: Collection = Collection::literal(".work");
    const SCHEMA: u32 = 1;

    fn record_id(&self) -> String {
        self.conversation.record_id()
    }
}

impl WorkItem {
    /// An item that is due at once.
    pub fn new(conversation: MessageId, sequence: Sequence, now: Timestamp) -> Self {
        Self {
            conversation,
            sequence,
            due: Some(now),
            failures: 0,
            last_error: None,
        }
    }

    /// The item after one more failure: it waits longer, and is dead after five.
    #[must_use]
    pub fn after_failure(&self, error: &str, now: Timestamp) -> Self {
        let wait = usize::try_from(self.failures)
            .ok()
            .and_then(|n| BACK_OFF_SECONDS.get(n));
        let failures = self.failures.saturating_add(1);
        let is_dead = usize::try_from(failures).map_or(true, |n| n >= BACK_OFF_SECONDS.len());
        Self {
            conversation: self.conversation.clone(),
            sequence: self.sequence,
            due: match wait {
                Some(seconds) if !is_dead => Some(now.saturating_add_micros(seconds * 1_000_000)),
                _ => None,
            },
            failures,
            last_error: Some(error.to_owned()),
        }
    }

    fn due_key(&self) -> Option<Key> {
        let due = self.due?;
        // Never negative, so that the text sorts as the number does.
        let since_first = due.as_micros().abs_diff(Timestamp::MIN.as_micros());
        Some(Key::new(
            DUE,
            format!("{since_first:020}/{}", self.conversation.record_id()),
        ))
    }
}

/// Puts an item in place of what the queue holds of its conversation.
///
/// # Errors
///
/// [`crate::ErrorKind::Unexpected`] if it does not serialise.
pub fn schedule(commit: &mut CommitBuilder, old: Option<&WorkItem>, new: &WorkItem) -> Result<()> {
    if let Some(key) = old.and_then(WorkItem::due_key) {
        commit.delete(key);
    }
    commit.put(new)?;
    if let Some(key) = new.due_key() {
        commit.put_raw(key, new.encode()?);
    }
    Ok(())
}

/// Takes an item out of the queue.
pub fn forget_work(commit: &mut CommitBuilder, item: &WorkItem) {
    commit.delete(item.key());
    if let Some(key) = item.due_key() {
        commit.delete(key);
    }
}

/// How many conversations wait; those that are dead do not.
///
/// # Errors
///
/// What the store fails with.
pub async fn n_waiting(records: &dyn RecordStore, partition: &Partition) -> Result<usize> {
    Ok(records.list_all(partition, &DUE, "").await?.len())
}

/// The conversations that are due, the longest waiting first.
///
/// # Errors
///
/// What the store fails with.
pub async fn due(
    records: &dyn RecordStore,
    partition: &Partition,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<WorkItem>> {
    let listing = Listing {
        collection: DUE,
        prefix: String::new(),
        after: None,
        limit,
    };
    let mut items = Vec::new();
    for record in records.list(partition, &listing).await? {
        let item = WorkItem::decode(&record.value)?;
        if item.due.is_some_and(|due| due <= now) {
            items.push(item);
        }
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ChannelId, NativeId, SourceId};

    #[test]
    fn a_conversation_waits_longer_each_time_and_is_dead_after_five() {
        let id = MessageId::new(SourceId::new("s"), ChannelId::new("c"), NativeId::new("1"));
        let now = Timestamp::from_micros(0).unwrap();
        let mut item = WorkItem::new(id, Sequence(1), now);
        let mut waits = Vec::new();
        for _ in 0..5 {
            item = item.after_failure("no answer", now);
            waits.push(item.due.map(|due| due.as_micros() / 1_000_000));
        }
        assert_eq!(waits, [Some(5), Some(30), Some(90), Some(180), None]);
    }

    #[test]
    fn the_queue_sorts_by_time() {
        let id = MessageId::new(SourceId::new("s"), ChannelId::new("c"), NativeId::new("1"));
        let key = |micros: i64| {
            WorkItem::new(
                id.clone(),
                Sequence(1),
                Timestamp::from_micros(micros).unwrap(),
            )
            .due_key()
            .unwrap()
            .id
        };
        assert!(key(-5) < key(0) && key(0) < key(7) && key(7) < key(1_000_000_000_000));
    }
}
