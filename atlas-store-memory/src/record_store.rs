//! [`RecordStore`] in memory.

use std::collections::BTreeSet;

use atlas_core::model::{ChannelId, PrincipalId};
use atlas_core::ports::{
    Collection, Commit, Cursor, Epoch, Expect, Feed, Head, Key, Listing, Partition, PartitionKind,
    Record, RecordStore, RecordStoreCapabilities, Residue, Revision,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};

use crate::MemoryStore;
use crate::memory_store::{check_limit, lock};
use crate::shelf::Shelf;

impl MemoryStore {
    /// Reads from the partition; one that nobody wrote to is empty.
    fn in_shelf<T>(
        &self,
        op: &'static str,
        partition: &Partition,
        read: impl Fn(&Shelf) -> T,
    ) -> Result<T> {
        let shelves = lock(&self.records, op)?;
        Ok(shelves
            .get(partition)
            .map_or_else(|| read(&Shelf::default()), &read))
    }

    fn to_shelf<T>(
        &self,
        op: &'static str,
        partition: &Partition,
        write: impl FnOnce(&mut Shelf) -> Result<T>,
    ) -> Result<T> {
        let mut shelves = lock(&self.records, op)?;
        write(shelves.entry(partition.clone()).or_default())
    }
}

#[async_trait]
impl RecordStore for MemoryStore {
    fn capabilities(&self) -> RecordStoreCapabilities {
        RecordStoreCapabilities::default()
    }

    async fn get(&self, partition: &Partition, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        const OP: &str = "RecordStore::get";
        for key in keys {
            check_key(key, OP)?;
        }
        self.in_shelf(OP, partition, |shelf| {
            keys.iter().map(|key| shelf.get(key)).collect()
        })
    }

    async fn list(&self, partition: &Partition, listing: &Listing) -> Result<Vec<Record>> {
        const OP: &str = "RecordStore::list";
        check_limit(listing.limit, OP)?;
        check_collection(&listing.collection, OP)?;
        self.in_shelf(OP, partition, |shelf| shelf.list(listing))
    }

    async fn commit(&self, partition: &Partition, commit: &Commit) -> Result<Revision> {
        const OP: &str = "RecordStore::commit";
        check_commit(commit, OP)?;
        self.to_shelf(OP, partition, |shelf| shelf.commit(commit, OP))
    }

    async fn changes(&self, partition: &Partition, since: &Cursor, limit: usize) -> Result<Feed> {
        const OP: &str = "RecordStore::changes";
        check_limit(limit, OP)?;
        self.in_shelf(OP, partition, |shelf| shelf.changes(since, limit))
    }

    async fn head(&self, partition: &Partition) -> Result<Head> {
        self.in_shelf("RecordStore::head", partition, Shelf::head)
    }

    async fn partitions(
        &self,
        kind: PartitionKind,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Partition>> {
        const OP: &str = "RecordStore::partitions";
        check_limit(limit, OP)?;
        let shelves = lock(&self.records, OP)?;
        let from = match kind {
            PartitionKind::Channel => Partition::Channel(ChannelId::new(after.unwrap_or_default())),
            PartitionKind::Principal => {
                Partition::Principal(PrincipalId::new(after.unwrap_or_default()))
            }
            PartitionKind::Installation => Partition::Installation,
        };
        Ok(shelves
            .range(from..)
            .take_while(|(partition, _)| partition.kind() == kind)
            .filter(|(partition, shelf)| {
                shelf.holds_records() && after.is_none_or(|after| after < partition.id())
            })
            .take(limit)
            .map(|(partition, _)| partition.clone())
            .collect())
    }

    async fn fence(&self, partition: &Partition, epoch: Epoch) -> Result<()> {
        const OP: &str = "RecordStore::fence";
        self.to_shelf(OP, partition, |shelf| shelf.fence(epoch, OP))
    }

    async fn purge(&self, partition: &Partition, epoch: Epoch) -> Result<()> {
        const OP: &str = "RecordStore::purge";
        self.to_shelf(OP, partition, |shelf| shelf.purge(epoch, OP))
    }

    async fn residue(&self, partition: &Partition) -> Result<Residue> {
        self.in_shelf("RecordStore::residue", partition, Shelf::residue)
    }
}

/// Refuses a commit that names a key twice among its writes, or a key without a collection.
fn check_commit(commit: &Commit, op: &'static str) -> Result<()> {
    let mut written = BTreeSet::new();
    for key in commit
        .puts
        .iter()
        .map(|(key, _)| key)
        .chain(&commit.deletes)
    {
        check_key(key, op)?;
        if !written.insert(key) {
            return Err(
                Error::new(ErrorKind::Invalid, op, "a key is written twice").with("key", key)
            );
        }
    }
    commit
        .expects
        .iter()
        .map(Expect::key)
        .try_for_each(|key| check_key(key, op))
}

fn check_key(key: &Key, op: &'static str) -> Result<()> {
    check_collection(&key.collection, op)?;
    if key.id.is_empty() {
        return Err(Error::new(ErrorKind::Invalid, op, "a key without an id").with("key", key));
    }
    Ok(())
}

fn check_collection(collection: &Collection, op: &'static str) -> Result<()> {
    if collection.as_str().trim_start_matches('.').is_empty() {
        return Err(Error::new(
            ErrorKind::Invalid,
            op,
            "a collection without a name",
        ));
    }
    Ok(())
}
