//! The durable path of a message: claims, leases, back-off, splits, kept replies, the worker.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests: a failure is a panic, and what was exercised is printed"
)]

mod interleavings;
mod model;
mod rig;
mod rows;
mod worker;
