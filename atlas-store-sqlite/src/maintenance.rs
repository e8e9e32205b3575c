//! Verify, vacuum and backup.

use std::collections::BTreeSet;
use std::path::Path;

use atlas_core::model::{AtomicFact, ChannelId, Stored};
use atlas_core::ports::{
    ChannelScope, FactIndex, Feed, Key, Listing, Partition, PartitionKind, RecordStore, Revision,
};
use atlas_core::{Error, ErrorKind, Result};
use sqlx::Row;

use crate::SqliteStore;
use crate::failure::failed;
use crate::shelf;

/// Partitions and origins that are looked at together.
const PAGE: usize = 500;

/// What does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The database itself: restore a backup.
    Database {
        /// What SQLite says of it.
        says: String,
    },
    /// The index of a channel, which is built again at its next catch-up.
    Index {
        /// The channel.
        channel: ChannelId,
        /// What is wrong with it.
        says: String,
    },
}

/// What [`SqliteStore::verify`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// Channels whose index was compared with the truth.
    pub n_channels: usize,
    /// Documents that were read in all of them.
    pub n_documents: u64,
    /// What does not hold; empty for a sound store.
    pub findings: Vec<Finding>,
}

impl Verification {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.findings.is_empty()
    }
}

impl SqliteStore {
    /// Reads everything: SQLite's own check of the file, the references between its rows, every
    /// checksum of the index, and the index of each channel against the records that it follows.
    /// An index that lags is sound; one that holds what no record gives, or lacks a fact that it
    /// has passed, is not.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] if the folder cannot be read. What is wrong with what it holds is
    /// an answer.
    pub async fn verify(&self) -> Result<Verification> {
        const OP: &str = "SqliteStore::verify";
        let mut verified = Verification::default();
        self.verify_database(&mut verified, OP).await?;
        let mut after: Option<String> = None;
        loop {
            let page = self
                .partitions(PartitionKind::Channel, after.as_deref(), PAGE)
                .await?;
            let Some(last) = page.last() else {
                return Ok(verified);
            };
            after = Some(last.id().to_owned());
            for partition in &page {
                self.verify_index(partition, &mut verified, OP).await?;
            }
        }
    }

    async fn verify_database(&self, into: &mut Verification, op: &'static str) -> Result<()> {
        let integrity = sqlx::query("PRAGMA integrity_check")
            .fetch_all(&self.read)
            .await
            .map_err(failed(op))?;
        for row in integrity {
            let says: String = row.try_get(0).map_err(failed(op))?;
            if says != "ok" {
                into.findings.push(Finding::Database { says });
            }
        }
        let dangling = sqlx::query("PRAGMA foreign_key_check")
            .fetch_all(&self.read)
            .await
            .map_err(failed(op))?;
        for row in dangling {
            let table: String = row.try_get(0).map_err(failed(op))?;
            let says = format!("a row of {table} refers to nothing");
            into.findings.push(Finding::Database { says });
        }
        Ok(())
    }

    async fn verify_index(
        &self,
        partition: &Partition,
        into: &mut Verification,
        op: &'static str,
    ) -> Result<()> {
        let channel = ChannelScope::new(ChannelId::new(partition.id()));
        let checked = self.index.verify(&channel).await?;
        into.n_channels = into.n_channels.saturating_add(1);
        into.n_documents = into.n_documents.saturating_add(checked.n_documents);
        let mut says = checked.faults;
        if says.is_empty() {
            says.extend(self.unfounded(partition, &channel, op).await?);
        }
        into.findings
            .extend(says.into_iter().map(|says| Finding::Index {
                channel: channel.channel().clone(),
                says,
            }));
        Ok(())
    }

    /// What the index of a channel holds and the truth does not give.
    async fn unfounded(
        &self,
        partition: &Partition,
        channel: &ChannelScope,
        op: &'static str,
    ) -> Result<Vec<String>> {
        let applied = self.index.applied(channel).await?;
        if let Feed::Gone { .. } = self.changes(partition, &applied, 1).await? {
            return Ok(vec!["it follows another history".to_owned()]);
        }
        let origins = self.index.origins(channel).await?;
        let mut says = self
            .unindexed(partition, &origins, applied.revision)
            .await?;
        for page in origins.chunks(PAGE) {
            let mut reading = self.reading(op).await?;
            let shelf = shelf::find(&mut reading, partition)
                .await
                .map_err(failed(op))?
                .unwrap_or_default();
            let last_writes = shelf::last_writes(&mut reading, &shelf, page)
                .await
                .map_err(failed(op))?;
            for (origin, last_write) in page.iter().zip(last_writes) {
                // What went or was never there after the index's place, it has yet to learn.
                let is_founded = match last_write {
                    Some(write) => write.is_live || write.revision > applied.revision,
                    None => false,
                };
                if !is_founded {
                    says.push(format!(
                        "it holds what came from {origin}, which is not there"
                    ));
                }
            }
        }
        Ok(says)
    }

    /// Facts that the index has passed and does not hold: each fact is a document.
    async fn unindexed(
        &self,
        partition: &Partition,
        origins: &[Key],
        applied: Revision,
    ) -> Result<Vec<String>> {
        let held: BTreeSet<&Key> = origins.iter().collect();
        let mut listing = Listing {
            collection: AtomicFact::COLLECTION,
            prefix: String::new(),
            after: None,
            limit: PAGE,
        };
        let mut says = Vec::new();
        loop {
            let page = self.list(partition, &listing).await?;
            let Some(last) = page.last() else {
                return Ok(says);
            };
            listing.after = Some(last.key.id.clone());
            let missing = page
                .iter()
                .filter(|it| it.revision <= applied && !held.contains(&it.key));
            says.extend(missing.map(|it| format!("it does not hold {}", it.key)));
        }
    }

    /// Gives back the room of what was deleted: rewrites the database and the index of each
    /// channel. Needs as much free room as the folder takes, and the database is locked meanwhile.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] if another process writes, or the disk is full.
    pub async fn vacuum(&self) -> Result<()> {
        const OP: &str = "SqliteStore::vacuum";
        self.sweep(OP).await?;
        sqlx::query("VACUUM")
            .execute(&self.write)
            .await
            .map_err(failed(OP))?;
        self.truncate(OP).await?;
        for channel in self.index.channels().await? {
            self.index.compact(&ChannelScope::new(channel)).await?;
        }
        Ok(())
    }

    /// Copies the database to a new folder, as it is at one moment, while others read and write.
    /// Open the folder as a store: its index is built from the copy at the first catch-up.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] if the folder holds a store already; [`ErrorKind::Unavailable`] if
    /// there is no room.
    pub async fn backup(&self, to: impl AsRef<Path>) -> Result<()> {
        const OP: &str = "SqliteStore::backup";
        let folder = to.as_ref();
        std::fs::create_dir_all(folder)
            .map_err(|cause| crate::failure::of_io(OP, "the folder cannot be made", cause))?;
        let file = folder.join(crate::sqlite_store::DATABASE);
        if file.exists() {
            return Err(
                Error::new(ErrorKind::Invalid, OP, "the folder holds a store already")
                    .with("folder", folder.display()),
            );
        }
        let Some(name) = file.to_str() else {
            return Err(Error::new(
                ErrorKind::Invalid,
                OP,
                "the name of the folder is not text",
            ));
        };
        sqlx::query("VACUUM INTO ?")
            .bind(name)
            .execute(&self.read)
            .await
            .map_err(failed(OP))?;
        Ok(())
    }
}
