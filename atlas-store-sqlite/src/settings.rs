//! How the folder is opened.

use std::time::Duration;

use atlas_index::FolderSettings;
use sqlx::sqlite::SqliteSynchronous;

/// When an acknowledged call is on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Before it is acknowledged, whatever happens to the machine (`synchronous=FULL`).
    #[default]
    Full,
    /// Soon after. It survives the death of the process; when the power fails, the last calls may
    /// be lost, whole ones and the latest first (`synchronous=NORMAL`).
    Normal,
}

impl Durability {
    pub(crate) fn synchronous(self) -> SqliteSynchronous {
        match self {
            Self::Full => SqliteSynchronous::Full,
            Self::Normal => SqliteSynchronous::Normal,
        }
    }
}

/// How the folder is opened. Nothing of it is stored in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqliteSettings {
    /// When an acknowledged call is on disk.
    pub durability: Durability,
    /// Connections that read at the same time. There is one that writes.
    pub readers: u32,
    /// How long a call waits for another process that writes.
    pub busy_timeout: Duration,
    /// The greatest size of the database in bytes; a write beyond it is `Unavailable`.
    pub max_bytes: Option<u64>,
    /// The page cache of each connection in bytes.
    pub cache_bytes: u32,
    /// How the index beside it is opened.
    pub index: FolderSettings,
}

impl Default for SqliteSettings {
    fn default() -> Self {
        Self {
            durability: Durability::Full,
            readers: 4,
            busy_timeout: Duration::from_secs(10),
            max_bytes: None,
            cache_bytes: 16 * 1024 * 1024,
            index: FolderSettings::default(),
        }
    }
}
