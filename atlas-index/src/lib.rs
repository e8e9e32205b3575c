//! The atlas-index crate of Atlas.
