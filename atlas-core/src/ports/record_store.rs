//! The one home of derived knowledge.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::{ChannelScope, Cursor, Epoch, Residue, Revision};
use crate::error::Result;
use crate::model::{ChannelId, ContentHash, PrincipalId};

/// A set of records that are committed together and have one feed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Partition {
    /// What is known of a channel.
    Channel(ChannelId),
    /// A user's sessions and turns.
    Principal(PrincipalId),
    /// What belongs to the installation: assignments, limits, purge jobs, the audit.
    Installation,
}

impl Partition {
    /// The partition of a channel.
    pub fn of(scope: &ChannelScope) -> Self {
        Self::Channel(scope.channel().clone())
    }

    /// Which kind it is.
    pub fn kind(&self) -> PartitionKind {
        match self {
            Self::Channel(_) => PartitionKind::Channel,
            Self::Principal(_) => PartitionKind::Principal,
            Self::Installation => PartitionKind::Installation,
        }
    }

    /// Its id within its kind; empty for the installation.
    pub fn id(&self) -> &str {
        match self {
            Self::Channel(channel) => channel.as_str(),
            Self::Principal(user) => user.as_str(),
            Self::Installation => "",
        }
    }
}

/// The kinds of partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartitionKind {
    /// [`Partition::Channel`].
    Channel,
    /// [`Partition::Principal`].
    Principal,
    /// [`Partition::Installation`].
    Installation,
}

/// A collection's name. One that begins with a dot is *private*: it never enters the feed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Collection(Cow<'static, str>);

impl Collection {
    /// A collection that is named in the code.
    pub const fn literal(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// A collection that is named by a value.
    pub fn new(name: impl Into<String>) -> Self {
        Self(Cow::Owned(name.into()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether its records stay out of the feed.
    pub fn is_private(&self) -> bool {
        self.0.starts_with('.')
    }
}

/// Names a record within its partition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The collection.
    pub collection: Collection,
    /// The id within the collection.
    pub id: String,
}

impl Key {
    /// Names a record.
    pub fn new(collection: Collection, id: impl Into<String>) -> Self {
        Self {
            collection,
            id: id.into(),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.collection.as_str(), self.id)
    }
}

/// A record as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its key.
    pub key: Key,
    /// The commit that last wrote it.
    pub revision: Revision,
    /// Its bytes.
    pub value: Vec<u8>,
}

/// What a decision took for granted of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The record was last written by that commit.
    At(Key, Revision),
    /// There is no such record.
    Absent(Key),
}

impl Expect {
    /// The record it speaks of.
    pub fn key(&self) -> &Key {
        match self {
            Self::At(key, _) | Self::Absent(key) => key,
        }
    }

    /// Expects what was read: the record as it was, or none.
    pub fn as_read(key: Key, read: Option<&Record>) -> Self {
        match read {
            Some(record) => Self::At(key, record.revision),
            None => Self::Absent(key),
        }
    }
}

/// A set of writes that happens whole or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// The epoch that the writer knows.
    pub epoch: Epoch,
    /// Every record that the decision read, written or not.
    pub expects: Vec<Expect>,
    /// What is written: keys and bytes, each key once.
    pub puts: Vec<(Key, Vec<u8>)>,
    /// What is deleted, each key once and none of the puts.
    pub deletes: Vec<Key>,
}

impl Commit {
    /// Whether it writes nothing.
    pub fn is_empty(&self) -> bool {
        self.puts.is_empty() && self.deletes.is_empty()
    }

    /// Whether it writes anything that enters the feed.
    pub fn is_projected(&self) -> bool {
        let puts = self.puts.iter().map(|(key, _)| key);
        puts.chain(&self.deletes)
            .any(|key| !key.collection.is_private())
    }

    /// The digest of a feed after this commit, given the digest before it and its number.
    ///
    /// Every store computes it so; private records do not count.
    pub fn digest_after(&self, before: &ContentHash, revision: Revision) -> ContentHash {
        let mut puts: Vec<&(Key, Vec<u8>)> = self
            .puts
            .iter()
            .filter(|(key, _)| !key.collection.is_private())
            .collect();
        puts.sort();
        let mut deletes: Vec<&Key> = self
            .deletes
            .iter()
            .filter(|key| !key.collection.is_private())
            .collect();
        deletes.sort();
        // The epoch tells the feed of a channel from that of its life before a purge.
        let mut parts = vec![
            before.to_string(),
            self.epoch.to_string(),
            revision.to_string(),
        ];
        for (key, value) in puts {
            parts.extend([
                "put".to_owned(),
                key.to_string(),
                ContentHash::of(value).to_string(),
            ]);
        }
        for key in deletes {
            parts.extend(["delete".to_owned(), key.to_string()]);
        }
        ContentHash::of_parts(&parts)
    }
}

/// One entry of a feed: the last write of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The record.
    pub key: Key,
    /// The commit that wrote it.
    pub revision: Revision,
    /// Its bytes; none if it was deleted.
    pub value: Option<Vec<u8>>,
}

/// A page of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feed {
    /// The entries after the cursor.
    Page {
        /// In order of revision, then key; no commit is cut in two.
        entries: Vec<Change>,
        /// Where the page ends: give it for the next page.
        to: Cursor,
        /// Whether there is more after it.
        has_more: bool,
    },
    /// The feed cannot go on from the cursor: begin again at [`Cursor::start`].
    Gone {
        /// Why.
        reason: GoneReason,
    },
}

/// Why a feed cannot go on from a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GoneReason {
    /// The cursor is ahead of the store, or of another history: a backup was restored.
    Diverged,
}

/// Where a partition stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its epoch; nought if it was never fenced.
    pub epoch: Epoch,
    /// The number of its last commit; nought if there is none.
    pub revision: Revision,
    /// The end of its feed: the last commit that wrote a projected collection, or
    /// [`Cursor::start`].
    pub cursor: Cursor,
}

/// What to list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The collection.
    pub collection: Collection,
    /// Only ids that begin so; empty for all.
    pub prefix: String,
    /// Only ids after this one.
    pub after: Option<String>,
    /// At most this many.
    pub limit: usize,
}

/// What a [`RecordStore`] can do beyond its contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordStoreCapabilities {
    /// Whether what was acknowledged survives the process.
    pub durable: bool,
}

impl RecordStoreCapabilities {
    /// Sets whether what was acknowledged survives the process.
    #[must_use]
    pub fn with_durable(mut self, durable: bool) -> Self {
        self.durable = durable;
        self
    }
}

/// Keeps versioned records in partitions, commits sets of them, and feeds the projections.
///
/// # Contract
///
/// - RS-1 get answers one slot a key, in the order asked; none where there is none.
/// - RS-2 a record keeps its bytes exactly, whatever they are, and its key's id exactly.
/// - RS-3 a record of another partition is not there.
/// - RS-4 commit writes all of its puts and deletes or nothing.
/// - RS-5 commits are numbered from 1 without a gap in each partition, and a record's revision is its last commit.
/// - RS-6 a commit one of whose expects does not hold is Conflict and writes nothing.
/// - RS-7 expects cover records that are read and not written.
/// - RS-8 a commit of another epoch than the partition's is Fenced and writes nothing; so is a fence of a lower one, and one of the same is idle.
/// - RS-9 a commit that names a key twice among its puts and deletes is Invalid and writes nothing.
/// - RS-10 a commit without puts and deletes checks its expects, takes no number and answers the last one.
/// - RS-11 list goes by the bytes of the id, each record once, under the prefix, a limit at a time.
/// - RS-12 changes gives the last write of each record after the cursor, by revision, then key.
/// - RS-13 private collections never enter changes, and a commit of theirs alone moves no cursor.
/// - RS-14 deleted records stay in changes as tombstones, and get and list do not show them.
/// - RS-15 a page of changes holds whole commits and at least one entry if there is any.
/// - RS-16 once changes has ended at a cursor, nothing at or below it appears later.
/// - RS-17 a cursor that is ahead or of another digest is Gone as Diverged; the start never is.
/// - RS-18 the digest after a commit that writes projected collections is [`Commit::digest_after`].
/// - RS-19 partitions lists those that hold records, by kind, in the order of the bytes of their ids.
/// - RS-20 purge leaves no residue in its partition, touches no other, and keeps the epoch.
/// - RS-21 a limit of nought is Invalid.
/// - RS-22 deleting a record that is not there is no error and leaves a tombstone only where a record was.
/// - RS-23 what was acknowledged, epochs, revisions and cursors included, is there when a durable store is opened again.
/// - RS-24 a key without an id or without the name of a collection is Invalid and nothing is written.
///
/// # Implementing
///
/// A commit is one transaction. A get, and a page of list or changes, shows one moment; two pages
/// need not show the same one, so what was listed is not guarded by expects: a decision that rests
/// on a listing expects a record that every writer of the listed things writes.
///
/// Everything may be dropped while it waits: it is then done or not done, and so is a commit that
/// answers Unavailable; repeating one whose expects no longer hold is a Conflict. The suite
/// `atlas_testkit::record_store_conformance!` checks each clause, and opens a durable store again
/// in every check.
#[async_trait]
pub trait RecordStore: Send + Sync {
    /// What this store can do beyond the contract.
    fn capabilities(&self) -> RecordStoreCapabilities {
        RecordStoreCapabilities::default()
    }

    /// Reads records by key; RS-1, RS-3.
    async fn get(&self, partition: &Partition, keys: &[Key]) -> Result<Vec<Option<Record>>>;

    /// Reads a page of a collection; RS-11. The next page starts after the last id.
    async fn list(&self, partition: &Partition, listing: &Listing) -> Result<Vec<Record>>;

    /// Writes a set of records whole or not at all; RS-4 to RS-10. Answers its number.
    async fn commit(&self, partition: &Partition, commit: &Commit) -> Result<Revision>;

    /// Reads a page of the feed; RS-12 to RS-18. The limit counts entries and may be exceeded by
    /// the rest of a commit.
    async fn changes(&self, partition: &Partition, since: &Cursor, limit: usize) -> Result<Feed>;

    /// Where the partition stands.
    async fn head(&self, partition: &Partition) -> Result<Head>;

    /// Lists partitions of a kind after an id; RS-19.
    async fn partitions(
        &self,
        kind: PartitionKind,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Partition>>;

    /// Raises the partition's epoch; RS-8.
    async fn fence(&self, partition: &Partition, epoch: Epoch) -> Result<()>;

    /// Erases the partition's records, keeping its epoch; RS-20.
    async fn purge(&self, partition: &Partition, epoch: Epoch) -> Result<()>;

    /// Counts what is left of the partition; RS-20.
    async fn residue(&self, partition: &Partition) -> Result<Residue>;
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<T: RecordStore + ?Sized> RecordStore for Arc<T> {
    fn capabilities(&self) -> RecordStoreCapabilities {
        (**self).capabilities()
    }

    async fn get(&self, partition: &Partition, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        (**self).get(partition, keys).await
    }

    async fn list(&self, partition: &Partition, listing: &Listing) -> Result<Vec<Record>> {
        (**self).list(partition, listing).await
    }

    async fn commit(&self, partition: &Partition, commit: &Commit) -> Result<Revision> {
        (**self).commit(partition, commit).await
    }

    async fn changes(&self, partition: &Partition, since: &Cursor, limit: usize) -> Result<Feed> {
        (**self).changes(partition, since, limit).await
    }

    async fn head(&self, partition: &Partition) -> Result<Head> {
        (**self).head(partition).await
    }

    async fn partitions(
        &self,
        kind: PartitionKind,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Partition>> {
        (**self).partitions(kind, after, limit).await
    }

    async fn fence(&self, partition: &Partition, epoch: Epoch) -> Result<()> {
        (**self).fence(partition, epoch).await
    }

    async fn purge(&self, partition: &Partition, epoch: Epoch) -> Result<()> {
        (**self).purge(partition, epoch).await
    }

    async fn residue(&self, partition: &Partition) -> Result<Residue> {
        (**self).residue(partition).await
    }
}
