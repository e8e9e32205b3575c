//! Contracts, clause by clause.
//!
//! Every clause on the page of a port is one check here, an async function over a fresh adapter. The table of a port, in its `mod.rs`, lists each check once by name beside the words of
//! its clause; the generated tests, the list for use outside of tests (`checks`), and the self-test
//! of this crate all expand from it, and a test compares its words with the trait's page.
//!
//! A finding is a value, so that the suite can be run anywhere:
//!
//! ```
//! # use atlas_core::ports::RecordStore;
//! use atlas_testkit::conformance::{Finding, Harness, record_store, run_all};
//!
//! async fn is_fit<H: Harness<Store: RecordStore>>(harness: H) -> bool {
//!     let findings: Vec<Finding> = run_all(harness, record_store::checks()).await;
//!     findings.is_empty()
//! }
//! ```
//!
//! What an adapter declares in its capabilities chooses what is expected of it: a leg that it does
//! not offer has to be refused as unsupported, and what says that it is durable is closed and
//! opened again by a [`Harness`], in a second run of every check. No check is skipped.

#[macro_use]
mod seen;
#[macro_use]
mod table;

mod batches;
mod check;
pub mod corpus;
pub mod embedder;
pub mod fact_index;
mod fixture;
pub mod graph_store;
mod harness;
pub mod llm_provider;
pub mod message_store;
pub mod record_store;

pub use check::{Check, Finding, Outcome, run_all};
#[doc(hidden)]
pub use check::{test, test_all};
pub use fixture::Fixture;
pub use harness::Harness;
#[doc(hidden)]
pub use harness::{Shared, SharedPlace};
pub use seen::{Checked, Seen};
