//! Replies that are kept until the outcome that they lead to is committed, so that no crash and no
//! retry asks a model twice.
//!
//! What one extractor made of one piece of a conversation is kept under what it was asked, who it
//! is and which rules checked its proposals. With which other conversations the piece shared a
//! request does not matter.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::components::Components;
use crate::error::{ErrorKind, Result};
use crate::model::{DeadReason, Stored, Timestamp};
use crate::ports::{ChannelScope, Collection, CommitBuilder, Key, Partition, RecordStoreExt};
use crate::stage;

const COLLECTION: Collection = Collection::literal(".reading");
const SCHEMA: u32 = 1;

/// How long a reply is kept that no outcome came of, in seconds.
pub(super) const KEPT_SECONDS: i64 = 7 * 24 * 3_600;
/// How many of them are kept in a channel.
pub(super) const MAX_KEPT: usize = 10_000;

/// What an extractor made of a piece of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept<T> {
    /// `{input}/{role}/{fingerprint}`, each but the role as a hash.
    pub(super) id: String,
    /// When it was made.
    pub(super) made_at: Timestamp,
    /// One for each of its first messages that are offered, in order.
    pub(super) read: Vec<Part<T>>,
    /// Where that is not all of them: at most this many of the others are read in a request.
    pub(super) rest: Option<usize>,
}

/// What was made of one message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Part<T> {
    /// What was admitted and refused.
    Read(T),
    /// It is given up.
    Dead(DeadReason),
}

impl<T: Serialize + DeserializeOwned> Stored for Kept<T> {
    const COLLECTION: Collection = COLLECTION;
    const SCHEMA: u32 = SCHEMA;

    fn record_id(&self) -> String {
        self.id.clone()
    }
}

/// The age of a kept reply, whatever it is of.
#[derive(Serialize, Deserialize)]
struct Age {
    id: String,
    made_at: Timestamp,
}

impl Stored for Age {
    const COLLECTION: Collection = COLLECTION;
    const SCHEMA: u32 = SCHEMA;

    fn record_id(&self) -> String {
        self.id.clone()
    }
}

/// Drops kept replies that nothing will come of: what is too old, and the oldest of too many.
///
/// # Errors
///
/// What the store fails with.
pub(super) async fn sweep(parts: &Components, channel: &ChannelScope) -> Result<usize> {
    let partition = Partition::of(channel);
    let records = parts.records.as_ref();
    let mut kept: Vec<Age> = records
        .load_all::<Age>(&partition)
        .await?
        .into_iter()
        .map(|it| it.value)
        .collect();
    let oldest = parts
        .clock
        .now()
        .saturating_add_micros(-KEPT_SECONDS * 1_000_000);
    kept.sort_by(|a, b| (a.made_at, &a.id).cmp(&(b.made_at, &b.id)));
    let n_too_many = kept.len().saturating_sub(MAX_KEPT);
    let n_old = kept.partition_point(|it| it.made_at < oldest);
    kept.truncate(n_old.max(n_too_many));
    drop_kept(parts, channel, kept.iter().map(Stored::key)).await?;
    Ok(kept.len())
}

async fn drop_kept(
    parts: &Components,
    channel: &ChannelScope,
    keys: impl Iterator<Item = Key> + Send,
) -> Result<()> {
    let records = parts.records.as_ref();
    let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
    keys.for_each(|key| commit.delete(key));
    match stage::commit(records, &Partition::of(channel), commit).await {
        // Somebody else drops them.
        Err(error) if error.kind() == ErrorKind::Conflict => Ok(()),
        done => done.map(|_| ()),
    }
}
