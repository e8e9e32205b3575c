//! [`RecordStore`] over SQL.

use atlas_core::ports::{
    Commit, Cursor, Epoch, Feed, Head, Key, Listing, Partition, PartitionKind, Record, RecordStore,
    RecordStoreCapabilities, Residue, Revision, check,
};
use atlas_core::{Result, async_trait};

use crate::SqliteStore;
use crate::erase::Erased;
use crate::failure::failed;
use crate::shelf;

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl RecordStore for SqliteStore {
    fn capabilities(&self) -> RecordStoreCapabilities {
        RecordStoreCapabilities::default().with_durable(true)
    }

    async fn get(&self, partition: &Partition, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        const OP: &str = "RecordStore::get";
        for key in keys {
            check::key(key, OP)?;
        }
        let mut reading = self.reading(OP).await?;
        match shelf::find(&mut reading, partition)
            .await
            .map_err(failed(OP))?
        {
            Some(found) => shelf::get(&mut reading, &found, keys, OP).await,
            None => Ok(vec![None; keys.len()]),
        }
    }

    async fn list(&self, partition: &Partition, listing: &Listing) -> Result<Vec<Record>> {
        const OP: &str = "RecordStore::list";
        check::limit(listing.limit, OP)?;
        check::collection(&listing.collection, OP)?;
        let mut reading = self.reading(OP).await?;
        match shelf::find(&mut reading, partition)
            .await
            .map_err(failed(OP))?
        {
            Some(found) => shelf::list(&mut reading, &found, listing)
                .await
                .map_err(failed(OP)),
            None => Ok(Vec::new()),
        }
    }

    async fn commit(&self, partition: &Partition, commit: &Commit) -> Result<Revision> {
        const OP: &str = "RecordStore::commit";
        check::commit(commit, OP)?;
        let mut writing = self.writing(OP).await?;
        let found = shelf::open(&mut writing, partition)
            .await
            .map_err(failed(OP))?;
        let revision = shelf::commit(&mut writing, &found, commit, OP).await?;
        writing.commit().await.map_err(failed(OP))?;
        Ok(revision)
    }

    async fn changes(&self, partition: &Partition, since: &Cursor, limit: usize) -> Result<Feed> {
        const OP: &str = "RecordStore::changes";
        check::limit(limit, OP)?;
        let mut reading = self.reading(OP).await?;
        let found = shelf::find(&mut reading, partition)
            .await
            .map_err(failed(OP))?
            .unwrap_or_default();
        shelf::changes(&mut reading, &found, since, limit, OP).await
    }

    async fn head(&self, partition: &Partition) -> Result<Head> {
        const OP: &str = "RecordStore::head";
        let mut reading = self.reading(OP).await?;
        let found = shelf::find(&mut reading, partition)
            .await
            .map_err(failed(OP))?
            .unwrap_or_default();
        shelf::head(&mut reading, &found, OP).await
    }

    async fn partitions(
        &self,
        kind: PartitionKind,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Partition>> {
        const OP: &str = "RecordStore::partitions";
        check::limit(limit, OP)?;
        let mut reading = self.reading(OP).await?;
        shelf::partitions(&mut reading, kind, after, limit)
            .await
            .map_err(failed(OP))
    }

    async fn fence(&self, partition: &Partition, epoch: Epoch) -> Result<()> {
        const OP: &str = "RecordStore::fence";
        let mut writing = self.writing(OP).await?;
        let found = shelf::open(&mut writing, partition)
            .await
            .map_err(failed(OP))?;
        check::epoch(found.epoch, epoch, OP)?;
        shelf::fence(&mut writing, &found, epoch)
            .await
            .map_err(failed(OP))?;
        writing.commit().await.map_err(failed(OP))
    }

    async fn purge(&self, partition: &Partition, epoch: Epoch) -> Result<()> {
        const OP: &str = "RecordStore::purge";
        let mut writing = self.writing(OP).await?;
        let found = shelf::open(&mut writing, partition)
            .await
            .map_err(failed(OP))?;
        check::epoch(found.epoch, epoch, OP)?;
        let erased = Erased::records(partition);
        let doom = async {
            shelf::doom(&mut writing, partition, &found, epoch).await?;
            erased.mark(&mut writing).await
        };
        doom.await.map_err(failed(OP))?;
        writing.commit().await.map_err(failed(OP))?;
        self.wipe(&erased, OP).await
    }

    async fn residue(&self, partition: &Partition) -> Result<Residue> {
        const OP: &str = "RecordStore::residue";
        let mut reading = self.reading(OP).await?;
        let counted = async {
            let held = shelf::residue(&mut reading, partition).await?;
            Erased::records(partition).count(&mut reading, held).await
        };
        counted.await.map_err(failed(OP))
    }
}
