//! How a stage follows the feed: where it stopped, and what changed since.
//!
//! A stage reads what changed since its checkpoint, decides, and commits what it decided together
//! with its next checkpoint. So a crash repeats a step and never skips one.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::model::{Fingerprint, Stored};
use crate::ports::{
    Change, ChannelScope, Collection, CommitBuilder, Cursor, Epoch, Feed, Partition, RecordStore,
    Revision,
};

/// Entries read from the feed at a time.
const PAGE: usize = 1_000;

/// How far a stage has come in its channel's feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The stage.
    pub stage: String,
    /// What it had read up to.
    pub cursor: Cursor,
    /// With which rules; other rules begin again.
    pub fingerprint: Fingerprint,
}

impl Stored for Checkpoint {
    const COLLECTION: Collection = Collection::literal(".checkpoint");
    const SCHEMA: u32 = 1;

    fn record_id(&self) -> String {
        self.stage.clone()
    }
}

/// What a stage has to look at: the last write of each record since its checkpoint.
#[derive(Debug)]
pub struct Pending {
    /// The entries of the collections that it follows, in order.
    pub changes: Vec<Change>,
    /// Whether everything is to be looked at, because there is no checkpoint to go on from.
    pub is_from_start: bool,
    checkpoint: Checkpoint,
    is_moved: bool,
}

impl Pending {
    /// Whether there is nothing to decide.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && !self.is_from_start
    }

    /// Where the feed ended when it was read.
    pub fn cursor(&self) -> &Cursor {
        &self.checkpoint.cursor
    }

    /// Whether the checkpoint is to be moved at all.
    pub fn is_moved(&self) -> bool {
        self.is_moved
    }

    /// Moves the checkpoint, in the same commit as what was decided.
    ///
    /// # Errors
    ///
    /// [`crate::ErrorKind::Unexpected`] if it does not serialise.
    pub fn finish(&self, commit: &mut CommitBuilder) -> Result<()> {
        commit.put(&self.checkpoint)
    }
}

/// Reads what changed in the collections since the stage's checkpoint, and expects the checkpoint
/// to stay as read.
///
/// # Errors
///
/// What the store fails with.
pub async fn pending(
    records: &dyn RecordStore,
    partition: &Partition,
    commit: &mut CommitBuilder,
    (stage, fingerprint): (&str, &Fingerprint),
    follows: &[Collection],
) -> Result<Pending> {
    let key = Checkpoint::key_of(stage);
    let found = commit
        .get(records, partition, &[key])
        .await?
        .into_iter()
        .next()
        .flatten();
    let known = found
        .map(|record| Checkpoint::decode(&record.value))
        .transpose()?;
    let known = known.filter(|checkpoint| checkpoint.fingerprint == *fingerprint);
    let mut is_from_start = known.is_none();
    let start = known.map_or_else(Cursor::start, |checkpoint| checkpoint.cursor);
    let mut cursor = start.clone();
    let mut changes = Vec::new();
    loop {
        match records.changes(partition, &cursor, PAGE).await? {
            Feed::Page {
                entries,
                to,
                has_more,
            } => {
                changes.extend(
                    entries
                        .into_iter()
                        .filter(|it| follows.contains(&it.key.collection)),
                );
                cursor = to;
                if !has_more {
                    break;
                }
            }
            Feed::Gone { .. } => {
                changes.clear();
                cursor = Cursor::start();
                is_from_start = true;
            }
        }
    }
    let is_moved = is_from_start || cursor != start;
    let checkpoint = Checkpoint {
        stage: stage.to_owned(),
        cursor,
        fingerprint: fingerprint.clone(),
    };
    Ok(Pending {
        changes,
        is_from_start,
        checkpoint,
        is_moved,
    })
}

/// The epoch of a channel's records.
///
/// # Errors
///
/// What the store fails with.
pub async fn epoch(records: &dyn RecordStore, channel: &ChannelScope) -> Result<Epoch> {
    Ok(records.head(&Partition::of(channel)).await?.epoch)
}

/// Commits what was gathered, if it writes anything.
///
/// # Errors
///
/// What the store fails with: [`crate::ErrorKind::Conflict`] if what was read has changed.
pub async fn commit(
    records: &dyn RecordStore,
    partition: &Partition,
    commit: CommitBuilder,
) -> Result<Option<Revision>> {
    let commit = commit.build();
    if commit.is_empty() {
        return Ok(None);
    }
    records.commit(partition, &commit).await.map(Some)
}
