//! The stores that can be measured.

use std::fmt;
use std::path::Path;

use anyhow::Result;
use atlas_core::Components;
use atlas_core::ports::{Embedder, SystemClock};
use atlas_offline::OfflineLlm;
use atlas_store_memory::MemoryStore;
use atlas_store_sqlite::{SqliteSettings, SqliteStore};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::embedding::DenseFeatures;

/// A store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StoreKind {
    /// A folder with an `SQLite` database and its index.
    Sqlite,
    /// Everything in memory.
    Memory,
}

/// What a commit of a durable store waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Durability {
    /// That it survives a loss of power.
    Full,
    /// That it survives the end of the process.
    Normal,
}

impl StoreKind {
    /// Whether it can be opened again.
    pub(crate) fn is_durable(self) -> bool {
        match self {
            Self::Sqlite => true,
            Self::Memory => false,
        }
    }

    /// Opens the store in the folder, and puts the parts around it that writing and finding need.
    ///
    /// # Errors
    ///
    /// What the store fails with.
    pub(crate) async fn open(self, dir: &Path, durability: Durability) -> Result<Opened> {
        let embedder = DenseFeatures::default();
        let space = embedder.space();
        let llm = OfflineLlm::new();
        Ok(match self {
            Self::Sqlite => {
                let settings = SqliteSettings {
                    durability: durability.into(),
                    ..SqliteSettings::default()
                };
                let store = SqliteStore::open_with(dir, space, settings).await?;
                Opened {
                    parts: Components::new(store.clone(), llm, embedder, SystemClock),
                    sqlite: Some(store),
                }
            }
            Self::Memory => Opened {
                parts: Components::new(MemoryStore::new(space), llm, embedder, SystemClock),
                sqlite: None,
            },
        })
    }
}

/// A store that is open.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The store in all of its four places.
    pub(crate) parts: Components,
    sqlite: Option<SqliteStore>,
}

impl Opened {
    /// Closes the store; nothing of it is left to be written.
    pub(crate) async fn close(self) {
        if let Some(store) = self.sqlite {
            store.close().await;
        }
    }
}

impl From<Durability> for atlas_store_sqlite::Durability {
    fn from(durability: Durability) -> Self {
        match durability {
            Durability::Full => Self::Full,
            Durability::Normal => Self::Normal,
        }
    }
}

impl fmt::Display for StoreKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "sqlite",
            Self::Memory => "memory",
        })
    }
}
