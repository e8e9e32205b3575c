//! An Atlas over a folder, or in memory as the truth to compare with.

use std::path::Path;

use anyhow::Result;
use atlas_core::model::{ChannelId, Timestamp};
use atlas_core::ports::Embedder;
use atlas_core::{Atlas, Channel, Components, Settings};
use atlas_offline::{OfflineEmbedder, OfflineLlm};
use atlas_store_memory::MemoryStore;
use atlas_store_sqlite::{SqliteSettings, SqliteStore};
use atlas_testkit::double::FixedClock;

/// An Atlas whose clock stands where the operation of the moment puts it.
#[derive(Clone, Debug)]
pub struct World {
    /// The Atlas.
    pub atlas: Atlas,
    /// Its clock.
    pub clock: FixedClock,
    folder: Option<SqliteStore>,
}

impl World {
    /// Opens a folder.
    ///
    /// # Errors
    ///
    /// What opening fails with.
    pub async fn open(dir: &Path, settings: SqliteSettings) -> atlas_core::Result<Self> {
        let space = OfflineEmbedder::default().space();
        let store = SqliteStore::open_with(dir, space, settings).await?;
        let clock = FixedClock::at(Timestamp::MIN);
        let parts = Components::new(
            store.clone(),
            OfflineLlm::default(),
            OfflineEmbedder::default(),
            clock.clone(),
        );
        Ok(Self {
            atlas: Atlas::new(parts, Settings::default())?,
            clock,
            folder: Some(store),
        })
    }

    /// An empty one in memory.
    ///
    /// # Errors
    ///
    /// What putting the parts together fails with.
    pub fn in_memory() -> atlas_core::Result<Self> {
        let store = MemoryStore::new(OfflineEmbedder::default().space());
        let clock = FixedClock::at(Timestamp::MIN);
        let parts = Components::new(
            store,
            OfflineLlm::default(),
            OfflineEmbedder::default(),
            clock.clone(),
        );
        Ok(Self {
            atlas: Atlas::new(parts, Settings::default())?,
            clock,
            folder: None,
        })
    }

    /// A channel of it.
    pub fn channel(&self, id: &ChannelId) -> Channel {
        self.atlas.channel(id.clone())
    }

    /// Closes the folder, so that another may open it as if the process had ended.
    pub async fn close(self) {
        if let Some(store) = self.folder {
            store.close().await;
        }
    }

    /// What the store itself finds wrong with its folder; nothing in memory.
    ///
    /// # Errors
    ///
    /// What the store fails with.
    pub async fn verify(&self) -> Result<Vec<String>> {
        match &self.folder {
            Some(store) => Ok(crate::verify::problems(store).await?),
            None => Ok(Vec::new()),
        }
    }
}

/// Runs a future on a runtime of its own.
///
/// # Errors
///
/// If there can be no runtime.
pub fn runtime() -> Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    Ok(builder.enable_all().build()?)
}
