//! Atlas: chat channels to knowledge that can be trusted.
//!
//! The whole library under one name, and [`open`]: a folder that keeps everything, with no key and
//! no server. Stores and models of your own go through [`Atlas::new`]; models behind
//! OpenAI-compatible endpoints are the module `openai`, by the feature of that name.
//!
//! ```
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! # let folder = tempfile::tempdir()?;
//! # let dir = folder.path();
//! use atlas::model::{Author, AuthorId, ChannelId, Message, MessageId, NativeId, SourceId};
//!
//! let atlas = atlas::open(dir).await?;
//! let channel = atlas.channel(ChannelId::new("product"));
//! let id = MessageId::new(SourceId::new("chat"), channel.id().clone(), NativeId::new("1"));
//! let ana = Author { id: AuthorId::new("ana"), name: "Ana".to_owned() };
//! let said = "We decided to use Postgres for the billing service.";
//! channel.remember(&[Message::new(id, ana, "2026-03-02T09:00:00Z".parse()?, said)]).await?;
//! assert_eq!(channel.facts().await?.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::path::Path;

use atlas_core::ports::{Embedder as _, SystemClock};

pub use atlas_core::*;
#[cfg(feature = "openai")]
pub use atlas_llm_openai as openai;
pub use atlas_offline as offline;
pub use atlas_store_sqlite as sqlite;

use offline::{OfflineEmbedder, OfflineLlm};
use sqlite::SqliteStore;

/// Opens an Atlas that keeps everything in a folder and needs no model: SQLite, and rules.
///
/// Nobody reads across channels until there is an [`Authorizer`](ports::Authorizer): see
/// [`components`]. It needs a tokio runtime with time enabled.
///
/// # Errors
///
/// As [`SqliteStore::open_with`].
pub async fn open(dir: impl AsRef<Path>) -> Result<Atlas> {
    Atlas::new(components(dir).await?, Settings::default())
}

/// The parts that [`open`] puts together, to change some of them first.
///
/// # Errors
///
/// As [`SqliteStore::open_with`].
pub async fn components(dir: impl AsRef<Path>) -> Result<Components> {
    let embedder = OfflineEmbedder::default();
    let store = SqliteStore::open(dir, embedder.space()).await?;
    Ok(Components::new(
        store,
        OfflineLlm::default(),
        embedder,
        SystemClock,
    ))
}
