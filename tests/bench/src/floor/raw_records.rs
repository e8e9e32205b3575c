//! Floor: records in one table of `SQLite`, a transaction a batch.

use std::path::Path;

use anyhow::Result;
use atlas_core::ports::Key;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{Connection, QueryBuilder, Sqlite, SqliteConnection};

use crate::stores::Durability;

/// Rows of a statement.
const ROWS: usize = 100;

/// One table with the keys and bytes that the store is given.
#[derive(Debug)]
pub(crate) struct RawRecords {
    connection: SqliteConnection,
}

impl RawRecords {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// What `SQLite` fails with.
    pub(crate) async fn create(file: &Path, durability: Durability) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(match durability {
                Durability::Full => SqliteSynchronous::Full,
                Durability::Normal => SqliteSynchronous::Normal,
            });
        let mut connection = SqliteConnection::connect_with(&options).await?;
        let table = "CREATE TABLE record (channel TEXT NOT NULL, collection TEXT NOT NULL,
            id TEXT NOT NULL, revision INTEGER NOT NULL, value BLOB NOT NULL,
            PRIMARY KEY (channel, collection, id))";
        sqlx::query(table).execute(&mut connection).await?;
        Ok(Self { connection })
    }

    /// Writes a batch.
    ///
    /// # Errors
    ///
    /// What `SQLite` fails with.
    pub(crate) async fn write(
        &mut self,
        channel: &str,
        revision: i64,
        records: &[(Key, Vec<u8>)],
    ) -> Result<()> {
        let mut transaction = self.connection.begin().await?;
        for rows in records.chunks(ROWS) {
            let mut query: QueryBuilder<Sqlite> =
                QueryBuilder::new("INSERT INTO record (channel, collection, id, revision, value) ");
            query.push_values(rows, |mut row, (key, value)| {
                row.push_bind(channel.to_owned())
                    .push_bind(key.collection.as_str().to_owned())
                    .push_bind(key.id.clone())
                    .push_bind(revision)
                    .push_bind(value.clone());
            });
            query.build().execute(&mut *transaction).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Ends, with everything in the file.
    ///
    /// # Errors
    ///
    /// What `SQLite` fails with.
    pub(crate) async fn close(self) -> Result<()> {
        Ok(self.connection.close().await?)
    }
}
