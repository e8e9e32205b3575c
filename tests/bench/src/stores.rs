//! The stores that can be measured.

use std::fmt;
use std::path::Path;

use anyhow::Result;
use atlas_core::Components;
use atlas_core::ports::{Embedder, SystemClock};
use atlas_offline::OfflineLlm;
use atlas_store_memory::MemoryStore;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::embedding::DenseFeatures;

/// A store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StoreKind {
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
            Self::Memory => false,
        }
    }

    /// Opens the store in the folder, and puts the parts around it that writing and finding need.
    ///
    /// # Errors
    ///
    /// What the store fails with.
    pub(crate) async fn open(self, _dir: &Path, _durability: Durability) -> Result<Components> {
        let embedder = DenseFeatures::default();
        let space = embedder.space();
        let llm = OfflineLlm::new();
        Ok(match self {
            Self::Memory => Components::new(MemoryStore::new(space), llm, embedder, SystemClock),
        })
    }
}

impl fmt::Display for StoreKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Memory => "memory",
        })
    }
}
