//! The store: a folder, opened.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use atlas_core::ports::EmbeddingSpace;
use atlas_core::{Error, ErrorKind, Result, Retry};
use atlas_index::FolderFactIndex;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqlitePool, SqlitePoolOptions};
use sqlx::{ConnectOptions, Connection, Sqlite, Transaction};

use crate::failure::{failed, of_io};
use crate::schema;
use crate::settings::SqliteSettings;

/// The database within the folder.
pub(crate) const DATABASE: &str = "atlas.db";
/// The index within the folder.
const INDEX: &str = "index";
/// Held while a process opens the folder.
const LOCK: &str = "open.lock";
/// Between two looks at a lock that somebody else holds.
const PAUSE: Duration = Duration::from_millis(5);
/// What a page of the database holds.
const PAGE_BYTES: u32 = 4096;
/// Rows that wait for their reader.
const ROW_BUFFER: usize = 256;

/// All four stores in a folder. A clone is another handle on the same stores.
///
/// # Cancel safety
///
/// Every call may be dropped while it waits: it is then done or not done, which may show only once
/// the next call that writes has begun. A purge that was dropped
/// is done for every reader and may have left bytes behind; `residue` counts them, and calling it
/// again takes them away.
#[derive(Clone, Debug)]
pub struct SqliteStore {
    pub(crate) write: SqlitePool,
    pub(crate) read: SqlitePool,
    pub(crate) index: FolderFactIndex,
    pub(crate) folder: PathBuf,
}

impl SqliteStore {
    /// Opens the store in a folder, or begins one there. Its vectors live in the space.
    ///
    /// # Errors
    ///
    /// As [`SqliteStore::open_with`].
    pub async fn open(folder: impl AsRef<Path>, space: EmbeddingSpace) -> Result<Self> {
        Self::open_with(folder, space, SqliteSettings::default()).await
    }

    /// Opens the store in a folder, or begins one there, with settings of your own.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] if the path is no folder, the database is of another application, or
    /// the store was made with another embedding space (both are named); [`ErrorKind::Unsupported`]
    /// if a newer version of Atlas wrote it; [`ErrorKind::Denied`] if the folder may not be written
    /// to; [`ErrorKind::Unavailable`] if another process holds it for too long or the disk is full;
    /// [`ErrorKind::Corrupt`] if the file is damaged.
    pub async fn open_with(
        folder: impl AsRef<Path>,
        space: EmbeddingSpace,
        settings: SqliteSettings,
    ) -> Result<Self> {
        const OP: &str = "SqliteStore::open";
        let folder = folder.as_ref().to_path_buf();
        let named = |error: Error| error.with("folder", folder.display());
        std::fs::create_dir_all(&folder)
            .map_err(|cause| of_io(OP, "the folder cannot be made", cause))
            .map_err(named)?;
        let lock = lock(&folder.join(LOCK), settings.busy_timeout, OP)
            .await
            .map_err(named)?;
        let file = folder.join(DATABASE);
        prepare(&file, &space, &settings, OP).await.map_err(named)?;
        let writing = SqlitePoolOptions::new()
            .max_connections(1)
            .connect_with(options(&file, &settings))
            .await
            .map_err(failed(OP))
            .map_err(named)?;
        let reading = SqlitePoolOptions::new()
            .max_connections(settings.readers.max(1))
            .connect_lazy_with(options(&file, &settings).read_only(true));
        let index =
            FolderFactIndex::open(&folder.join(INDEX), space, settings.index).map_err(named)?;
        drop(lock);
        Ok(Self {
            write: writing,
            read: reading,
            index,
            folder,
        })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Closes every connection, once what runs on them has ended. Dropping the last handle does so
    /// too, but does not wait for it.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }

    /// Begins to write: nobody else does until this ends.
    pub(crate) async fn writing(&self, op: &'static str) -> Result<Transaction<'static, Sqlite>> {
        self.write
            .begin_with("BEGIN IMMEDIATE")
            .await
            .map_err(failed(op))
    }

    /// Begins to read: everything that is read shows one moment.
    pub(crate) async fn reading(&self, op: &'static str) -> Result<Transaction<'static, Sqlite>> {
        self.read.begin().await.map_err(failed(op))
    }
}

/// What every connection of the store is opened with.
fn options(file: &Path, settings: &SqliteSettings) -> SqliteConnectOptions {
    let mut options = plain(file, settings)
        .foreign_keys(true)
        .synchronous(settings.durability.synchronous())
        .pragma("cache_size", format!("-{}", settings.cache_bytes / 1024))
        // What is deleted or overwritten is made nought: no word stays in a free page.
        .pragma("secure_delete", "ON")
        .row_buffer_size(ROW_BUFFER);
    if let Some(bytes) = settings.max_bytes {
        let pages = bytes / u64::from(PAGE_BYTES);
        options = options.pragma("max_page_count", pages.max(1).to_string());
    }
    options
}

fn plain(file: &Path, settings: &SqliteSettings) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .page_size(PAGE_BYTES)
        .busy_timeout(settings.busy_timeout)
}

/// Brings the database up before anything else opens it: what is of another application or a newer
/// version is left as it is.
async fn prepare(
    file: &Path,
    space: &EmbeddingSpace,
    settings: &SqliteSettings,
    op: &'static str,
) -> Result<()> {
    let mut connection: SqliteConnection =
        plain(file, settings).connect().await.map_err(failed(op))?;
    let outcome = match schema::bring_up(&mut connection, space, op).await {
        Ok(()) => journal(&mut connection).await.map_err(failed(op)),
        Err(refusal) => Err(refusal),
    };
    connection.close().await.map_err(failed(op))?;
    outcome
}

/// A write-ahead log lets readers go on while somebody writes; the file remembers it.
async fn journal(connection: &mut SqliteConnection) -> sqlx::Result<()> {
    sqlx::query("PRAGMA journal_mode = WAL")
        .fetch_one(connection)
        .await
        .map(|_mode| ())
}

/// Waits for the lock of the folder.
async fn lock(path: &Path, patience: Duration, op: &'static str) -> Result<File> {
    let failed = |cause| of_io(op, "the lock of the folder cannot be taken", cause);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(failed)?;
    let mut waited = Duration::ZERO;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(cause)) => return Err(failed(cause)),
            Err(TryLockError::WouldBlock) if waited < patience => {
                tokio::time::sleep(PAUSE).await;
                waited = waited.saturating_add(PAUSE);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(Error::new(
                    ErrorKind::Unavailable,
                    op,
                    "another process is opening the folder",
                )
                .with_retry(Retry::Now));
            }
        }
    }
}
