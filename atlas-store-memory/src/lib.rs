//! The atlas-store-memory crate of Atlas.
