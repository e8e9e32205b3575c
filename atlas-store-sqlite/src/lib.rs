//! The durable stores of Atlas: a folder with one SQLite database as the truth and its search index
//! beside it.
//!
//! [`SqliteStore`] implements the four store ports. An acknowledged call is on disk
//! ([`Durability::Full`]); a process may be killed at any instruction; several processes may open
//! one folder at once. The index is a projection: delete `index/`, and it is built again from the
//! database with no call to an embedder.
//!
//! | in the folder | what |
//! |---|---|
//! | `atlas.db`, `atlas.db-wal`, `atlas.db-shm` | messages, records and the graph |
//! | `index/` | words and vectors: [`atlas_index::FolderFactIndex`] |
//! | `open.lock` | held while a process opens the folder |
//!
//! It needs a tokio runtime with time enabled. It is not for network file systems, whose locks do
//! not hold what SQLite needs of them.
//!
//! | file | what |
//! |---|---|
//! | `sqlite_store.rs`, `settings.rs` | the store, opened; how it is opened |
//! | `schema.rs`, `schema/` | the tables, and the way from an older version to this one |
//! | `message_store.rs`, `message_log.rs` | the port, and the log of one channel in SQL |
//! | `record_store.rs`, `shelf.rs` | the port, and the records of one partition in SQL |
//! | `graph_store.rs`, `graph.rs` | the port, and the graph of one channel in SQL |
//! | `fact_index.rs` | the port, answered by [`atlas_index`] |
//! | `erase.rs` | how words leave the file |
//! | `maintenance.rs` | verify, vacuum, backup |
//! | `failure.rs` | what SQLite fails with, as errors of Atlas |
//! | `batches.rs`, `number.rs` | rows at a time; numbers as SQL has them |
//!
//! ```
//! use atlas_core::model::ChannelId;
//! use atlas_core::ports::{ChannelScope, EmbeddingSpace, Epoch, MessageStore};
//! use atlas_store_sqlite::SqliteStore;
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
//! # runtime.block_on(async {
//! let folder = tempfile::tempdir().unwrap();
//! let space = EmbeddingSpace {
//!     model: "none".to_owned(),
//!     revision: "1".to_owned(),
//!     dimensions: 4,
//!     is_normalised: true,
//! };
//! let store = SqliteStore::open(folder.path(), space).await?;
//! let channel = ChannelScope::new(ChannelId::new("C1"));
//! assert_eq!(store.epoch(&channel).await?, Epoch(0));
//! # Ok::<(), atlas_core::Error>(())
//! # }).unwrap();
//! ```

mod batches;
mod erase;
mod fact_index;
mod failure;
mod graph;
mod graph_store;
mod maintenance;
mod message_log;
mod message_store;
mod number;
mod record_store;
mod schema;
mod settings;
mod shelf;
mod sqlite_store;

pub use maintenance::{Finding, Verification};
pub use settings::{Durability, SqliteSettings};
pub use sqlite_store::SqliteStore;
