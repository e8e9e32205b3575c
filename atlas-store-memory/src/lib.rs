//! The reference stores of Atlas, in memory.
//!
//! [`MemoryStore`] implements the four store ports. It is *stricter than a real store*: whatever a
//! contract's clauses forbid is refused here, so that a caller who passes with this store passes
//! with any other that keeps the contract.
//!
//! It is not durable: everything is gone with the last clone. Nothing waits on input or output;
//! a call holds the lock of its port for as long as it computes, and never over an await. Every
//! map is ordered, so that a call costs what it touches and not what the store holds.
//!
//! | file | what |
//! |---|---|
//! | `message_store.rs`, `message_log.rs` | the port, and the log of one channel |
//! | `record_store.rs`, `shelf.rs` | the port, and the records of one partition |
//! | `graph_store.rs`, `graph.rs` | the port, and the graph of one channel |
//! | `fact_index.rs` | the port, answered by [`atlas_index`] |
//!
//! ```
//! use atlas_core::model::ChannelId;
//! use atlas_core::ports::{ChannelScope, EmbeddingSpace, Epoch, MessageStore};
//! use atlas_store_memory::MemoryStore;
//!
//! # futures::executor::block_on(async {
//! let store = MemoryStore::new(EmbeddingSpace {
//!     model: "none".to_owned(),
//!     revision: "1".to_owned(),
//!     dimensions: 4,
//!     is_normalised: true,
//! });
//! let channel = ChannelScope::new(ChannelId::new("C1"));
//! assert_eq!(store.epoch(&channel).await?, Epoch(0));
//! # Ok::<(), atlas_core::Error>(())
//! # }).unwrap();
//! ```

mod fact_index;
mod graph;
mod graph_store;
mod memory_store;
mod message_log;
mod message_store;
mod record_store;
mod shelf;

pub use memory_store::MemoryStore;
