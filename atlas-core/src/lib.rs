//! Atlas turns the messages of a chat channel into knowledge that can be trusted.
//!
//! This crate is the model, the ports and the stages. It has no store, no model and no runtime of
//! its own: those are adapters.

pub mod answer;
pub mod components;
pub mod error;
pub mod extract;
pub mod graph;
pub mod grounding;
pub mod ingest;
pub mod lifecycle;
pub mod llm;
pub mod model;
pub mod ports;
pub mod project;
pub mod retrieve;
pub mod settings;
pub mod stage;
pub mod text;
pub mod topic;
pub mod vectors;
pub mod wiki;

pub use async_trait::async_trait;
pub use components::Components;
pub use error::{Error, ErrorKind, Result, Retry};
pub use settings::Settings;
