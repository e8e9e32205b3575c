//! [`RecordStore`] with faults.

use atlas_core::ports::{
    Commit, Cursor, Epoch, Feed, Head, Key, Listing, Partition, PartitionKind, Record, RecordStore,
    RecordStoreCapabilities, Residue, Revision,
};
use atlas_core::{Result, async_trait};

use super::Faulty;

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<S: RecordStore> RecordStore for Faulty<S> {
    fn capabilities(&self) -> RecordStoreCapabilities {
        self.inner.capabilities()
    }

    async fn get(&self, partition: &Partition, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        self.faults
            .around("RecordStore::get", self.inner.get(partition, keys))
            .await
    }

    async fn list(&self, partition: &Partition, listing: &Listing) -> Result<Vec<Record>> {
        self.faults
            .around("RecordStore::list", self.inner.list(partition, listing))
            .await
    }

    async fn commit(&self, partition: &Partition, commit: &Commit) -> Result<Revision> {
        self.faults
            .around("RecordStore::commit", self.inner.commit(partition, commit))
            .await
    }

    async fn changes(&self, partition: &Partition, since: &Cursor, limit: usize) -> Result<Feed> {
        self.faults
            .around(
                "RecordStore::changes",
                self.inner.changes(partition, since, limit),
            )
            .await
    }

    async fn head(&self, partition: &Partition) -> Result<Head> {
        self.faults
            .around("RecordStore::head", self.inner.head(partition))
            .await
    }

    async fn partitions(
        &self,
        kind: PartitionKind,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Partition>> {
        self.faults
            .around(
                "RecordStore::partitions",
                self.inner.partitions(kind, after, limit),
            )
            .await
    }

    async fn fence(&self, partition: &Partition, epoch: Epoch) -> Result<()> {
        self.faults
            .around("RecordStore::fence", self.inner.fence(partition, epoch))
            .await
    }

    async fn purge(&self, partition: &Partition, epoch: Epoch) -> Result<()> {
        self.faults
            .around("RecordStore::purge", self.inner.purge(partition, epoch))
            .await
    }

    async fn residue(&self, partition: &Partition) -> Result<Residue> {
        self.faults
            .around("RecordStore::residue", self.inner.residue(partition))
            .await
    }
}
