//! What the testkit promises, tested.

#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod contract_pages;
mod faults;
mod memory;
mod models;
mod records;
mod router;
mod scripted_llm;
mod self_test;
