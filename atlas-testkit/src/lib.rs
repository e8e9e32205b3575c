//! What Atlas adapters and applications are tested with.
//!
//! [`conformance`] has one check for each clause of each port. An adapter author writes one line
//! for a port, such as `atlas_testkit::record_store_conformance!(|| async { MyStore::new() });` in
//! an integration test, and gets one named test a clause. The [guide for adapters] walks through a
//! store from its first line to its last test.
//!
//! [guide for adapters]: https://github.com/atlas-memory/atlas/blob/main/docs/adapters.md
//!
//! [`double`] has what stands in for models, clocks and failing stores in a test.
//!
//! [`loopback`], a feature, has an HTTP endpoint that answers as it is told, for adapters of models.
//!
//! [`strategy`] has arbitrary values of every record, for property tests.

#[macro_use]
pub mod conformance;
pub mod double;
#[cfg(feature = "loopback")]
pub mod loopback;
pub mod strategy;

#[doc(hidden)]
pub use atlas_core as __atlas_core;
