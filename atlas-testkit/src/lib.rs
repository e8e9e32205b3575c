//! What Atlas adapters and applications are tested with.
//!
//! [`conformance`] has one check for each clause of each store port. An adapter author writes one
//! line for a port, such as `atlas_testkit::record_store_conformance!(|| async { MyStore::new() });`
//! in an integration test, and gets one named test a clause.
//!
//! [`double`] has what stands in for models, clocks and failing stores in a test.
//!
//! [`strategy`] has arbitrary values of every record, for property tests.

#[macro_use]
pub mod conformance;
pub mod double;
pub mod strategy;

#[doc(hidden)]
pub use atlas_core as __atlas_core;
