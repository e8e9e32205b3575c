//! The stores as their callers see them.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at what it did not expect"
)]

mod graph_store;
mod message_store;
mod record_store;
mod setup;
