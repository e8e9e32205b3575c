//! The stores as their callers see them.

mod graph_store;
mod message_store;
mod record_store;
mod setup;
