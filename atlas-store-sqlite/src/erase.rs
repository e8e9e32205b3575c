//! How words leave the file.
//!
//! A purge *dooms* the life of a channel in one small transaction, after which no reader finds it,
//! and then takes its rows away a slice at a time, so that other channels can write in between.
//! What is deleted is made nought in the pages (`secure_delete`); what stands in the write-ahead
//! log goes when it is truncated. Until that is done a row in `erasing` says so, and `residue`
//! counts it: an erasure that was broken off is finished by whoever asks for it again.
//!
//! The index follows the records, so it holds the words of a forgotten message until it has caught
//! up with them. A mark stays for each such message; once nothing in the index comes from one, the
//! index is rewritten without what went, and the marks go.

use std::collections::BTreeSet;

use atlas_core::model::{MessageId, MessageOutcome, Stored};
use atlas_core::ports::{ChannelScope, Partition, Residue};
use atlas_core::{Error, ErrorKind, Result, Retry};
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Row};

use crate::SqliteStore;
use crate::failure::failed;
use crate::number::read;
use crate::shelf;

/// Rows that are deleted in one transaction.
const SLICE: u32 = 2_000;

/// Marks a message whose words the index may hold.
const INDEXED: &str = "index";

/// The id of such a mark: the message after its channel. No two pairs give the same one.
fn indexed_prefix(channel: &str, record_id: &str) -> Vec<u8> {
    let mut id = u64::try_from(channel.len())
        .unwrap_or(u64::MAX)
        .to_be_bytes()
        .to_vec();
    id.extend_from_slice(channel.as_bytes());
    id.extend_from_slice(record_id.as_bytes());
    id
}

/// What words are erased from.
#[derive(Clone, Debug)]
pub(crate) struct Erased {
    what: &'static str,
    id: Vec<u8>,
}

impl Erased {
    /// The messages of a channel.
    pub(crate) fn messages(channel: &ChannelScope) -> Self {
        Self {
            what: "messages",
            id: channel.channel().as_str().into(),
        }
    }

    /// The records of a partition.
    pub(crate) fn records(partition: &Partition) -> Self {
        let what = match partition {
            Partition::Channel(_) => "records of a channel",
            Partition::Principal(_) => "records of a principal",
            Partition::Installation => "records of the installation",
        };
        Self {
            what,
            id: shelf::id_of(partition).into(),
        }
    }

    /// The graph of a channel.
    pub(crate) fn graph(channel: &ChannelScope) -> Self {
        Self {
            what: "graph",
            id: channel.channel().as_str().into(),
        }
    }

    /// A message, whose words the index of its channel may hold until it has followed.
    pub(crate) fn indexed(message: &MessageId) -> Self {
        Self {
            what: INDEXED,
            id: indexed_prefix(message.channel.as_str(), &message.record_id()),
        }
    }

    /// Notes, in the transaction that erases, that bytes may be left behind.
    pub(crate) async fn mark(&self, on: &mut SqliteConnection) -> sqlx::Result<()> {
        sqlx::query("INSERT OR IGNORE INTO erasing (what, id) VALUES (?, ?)")
            .bind(self.what)
            .bind(self.id.as_slice())
            .execute(on)
            .await
            .map(|_| ())
    }

    /// Adds what an erasure that has not ended may have left behind.
    pub(crate) async fn count(
        &self,
        on: &mut SqliteConnection,
        held: Residue,
    ) -> sqlx::Result<Residue> {
        let row = sqlx::query("SELECT count(*) FROM erasing WHERE what = ? AND id = ?")
            .bind(self.what)
            .bind(self.id.as_slice())
            .fetch_one(on)
            .await?;
        Ok(Residue {
            items: held.items.saturating_add(read(&row, 0)?),
            ..held
        })
    }

    async fn unmark(&self, on: &mut SqliteConnection) -> sqlx::Result<()> {
        sqlx::query("DELETE FROM erasing WHERE what = ? AND id = ?")
            .bind(self.what)
            .bind(self.id.as_slice())
            .execute(on)
            .await
            .map(|_| ())
    }
}

/// The tables whose rows belong to a doomed life, what they belong to, and by which column. Rows
/// that belong to them in turn go along.
const DOOMED: [(&str, &str, &str); 5] = [
    ("message", "log", "log"),
    ("record", "partition", "part"),
    ("digest", "partition", "part"),
    ("entity", "graph", "graph"),
    ("relation", "graph", "graph"),
];

impl SqliteStore {
    /// Takes away what is doomed, and every byte of it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unavailable`] if a reader holds on to the write-ahead log for too long.
    pub(crate) async fn wipe(&self, erased: &Erased, op: &'static str) -> Result<()> {
        self.sweep(op).await?;
        self.truncate(op).await?;
        let mut writing = self.writing(op).await?;
        erased.unmark(&mut writing).await.map_err(failed(op))?;
        writing.commit().await.map_err(failed(op))
    }

    /// The messages that were forgotten and whose words the index of the channel may hold still.
    pub(crate) async fn n_in_index(&self, channel: &ChannelScope, op: &'static str) -> Result<u64> {
        Ok(in_index(&mut *self.reading(op).await?, channel)
            .await
            .map_err(failed(op))?
            .len()
            .try_into()
            .unwrap_or(u64::MAX))
    }

    /// Rewrites the index of a channel once nothing in it comes from a message that was forgotten.
    pub(crate) async fn wipe_index(&self, channel: &ChannelScope, op: &'static str) -> Result<()> {
        let marks = in_index(&mut *self.reading(op).await?, channel)
            .await
            .map_err(failed(op))?;
        if marks.is_empty() {
            return Ok(());
        }
        let head = indexed_prefix(channel.channel().as_str(), "").len();
        let origins: BTreeSet<Vec<u8>> = self
            .index
            .origins(channel)
            .await?
            .into_iter()
            .filter(|origin| origin.collection == MessageOutcome::COLLECTION)
            .map(|origin| origin.id.into_bytes())
            .collect();
        let is_held = |mark: &Erased| mark.id.get(head..).is_some_and(|id| origins.contains(id));
        if marks.iter().any(is_held) {
            return Ok(());
        }
        self.index.compact(channel).await?;
        let mut writing = self.writing(op).await?;
        for mark in &marks {
            mark.unmark(&mut writing).await.map_err(failed(op))?;
        }
        writing.commit().await.map_err(failed(op))
    }

    /// Deletes the rows of doomed lives, a slice at a time.
    pub(crate) async fn sweep(&self, op: &'static str) -> Result<()> {
        if !self.is_doomed().await.map_err(failed(op))? {
            return Ok(());
        }
        for (table, owner, column) in DOOMED {
            // A table without row ids is deleted from by its key.
            let key = if table == "digest" {
                "(part, revision)"
            } else {
                "rowid"
            };
            let columns = key.trim_matches(['(', ')']);
            let delete = format!(
                "DELETE FROM {table} WHERE {key} IN (SELECT {columns} FROM {table} \
                 WHERE {column} IN (SELECT pk FROM {owner} WHERE doomed = 1) LIMIT {SLICE})"
            );
            loop {
                let mut writing = self.writing(op).await?;
                let deleted = sqlx::query(AssertSqlSafe(delete.as_str()))
                    .execute(&mut *writing)
                    .await
                    .map_err(failed(op))?;
                writing.commit().await.map_err(failed(op))?;
                if deleted.rows_affected() < u64::from(SLICE) {
                    break;
                }
            }
        }
        let mut writing = self.writing(op).await?;
        for owner in ["log", "partition", "graph"] {
            let delete = format!("DELETE FROM {owner} WHERE doomed = 1");
            sqlx::query(AssertSqlSafe(delete))
                .execute(&mut *writing)
                .await
                .map_err(failed(op))?;
        }
        writing.commit().await.map_err(failed(op))
    }

    /// Whether anything waits to be deleted.
    async fn is_doomed(&self) -> sqlx::Result<bool> {
        sqlx::query(
            "SELECT EXISTS (SELECT 1 FROM log WHERE doomed = 1) \
             OR EXISTS (SELECT 1 FROM partition WHERE doomed = 1) \
             OR EXISTS (SELECT 1 FROM graph WHERE doomed = 1)",
        )
        .fetch_one(&self.write)
        .await?
        .try_get(0)
    }

    /// Moves the write-ahead log into the database and cuts it to nothing.
    pub(crate) async fn truncate(&self, op: &'static str) -> Result<()> {
        let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
            .fetch_one(&self.write)
            .await
            .map_err(failed(op))?;
        if row.try_get::<i64, _>(0).map_err(failed(op))? != 0 {
            return Err(Error::new(
                ErrorKind::Unavailable,
                op,
                "a reader holds on to the write-ahead log, which may still hold erased words",
            )
            .with_retry(Retry::Now));
        }
        Ok(())
    }
}

/// The marks of messages that the index of the channel may hold.
async fn in_index(on: &mut SqliteConnection, channel: &ChannelScope) -> sqlx::Result<Vec<Erased>> {
    let from = indexed_prefix(channel.channel().as_str(), "");
    let mut to = from.clone();
    to.push(u8::MAX);
    sqlx::query("SELECT id FROM erasing WHERE what = ? AND id > ? AND id < ?")
        .bind(INDEXED)
        .bind(from)
        .bind(to)
        .fetch_all(on)
        .await?
        .iter()
        .map(|row| {
            Ok(Erased {
                what: INDEXED,
                id: row.try_get(0)?,
            })
        })
        .collect()
}
