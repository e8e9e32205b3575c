//! Exports as users have them, good and bad.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that finds something else than it expects should stop there"
)]

mod accounting;
mod containers;
mod export;
mod messages;
mod real;
mod texts;
