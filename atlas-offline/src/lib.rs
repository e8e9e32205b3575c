//! The atlas-offline crate of Atlas.
