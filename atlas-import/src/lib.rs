//! The atlas-import crate of Atlas.
