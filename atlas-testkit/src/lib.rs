//! The atlas-testkit crate of Atlas.
