//! The e2e crate of Atlas.
