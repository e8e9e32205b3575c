//! Atlas.
