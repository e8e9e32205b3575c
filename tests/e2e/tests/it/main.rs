//! The whole path, from an export or from messages to facts, pages and answers.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests: a failure is a panic, and what was skipped or exercised is printed"
)]

mod answers;
mod bad_input;
mod calls;
mod changes;
mod edits;
mod fault_list;
mod faults;
mod folder;
mod isolation;
mod knowledge;
mod order;
mod reading;
mod sample;
mod storm;
mod wiki;
