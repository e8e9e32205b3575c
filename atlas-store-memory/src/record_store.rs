//! [`RecordStore`] in memory.

use atlas_core::model::{ChannelId, PrincipalId};
use atlas_core::ports::{
    Commit, Cursor, Epoch, Feed, Head, Key, Listing, Partition, PartitionKind, Record, RecordStore,
    RecordStoreCapabilities, Residue, Revision, check,
};
use atlas_core::{Result, async_trait};

use crate::MemoryStore;
use crate::memory_store::lock;
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
            check::key(key, OP)?;
        }
        self.in_shelf(OP, partition, |shelf| {
            keys.iter().map(|key| shelf.get(key)).collect()
        })
    }

    async fn list(&self, partition: &Partition, listing: &Listing) -> Result<Vec<Record>> {
        const OP: &str = "RecordStore::list";
        check::limit(listing.limit, OP)?;
        check::collection(&listing.collection, OP)?;
        self.in_shelf(OP, partition, |shelf| shelf.list(listing))
    }

    async fn commit(&self, partition: &Partition, commit: &Commit) -> Result<Revision> {
        const OP: &str = "RecordStore::commit";
        check::commit(commit, OP)?;
        self.to_shelf(OP, partition, |shelf| shelf.commit(commit, OP))
    }

    async fn changes(&self, partition: &Partition, since: &Cursor, limit: usize) -> Result<Feed> {
        const OP: &str = "RecordStore::changes";
        check::limit(limit, OP)?;
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
        check::limit(limit, OP)?;
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
