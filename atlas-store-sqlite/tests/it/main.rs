//! What a folder has to survive, beyond the contracts of the ports.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests: a failure is a panic"
)]

mod as_in_memory;
mod cancel;
mod erase;
mod maintenance;
mod open;
mod room;
mod schema;
mod setup;
