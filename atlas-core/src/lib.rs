//! Atlas turns the messages of a chat channel into knowledge that can be trusted.
//!
//! This crate is the model, the ports and the stages. It has no store, no model and no runtime of
//! its own: those are adapters.

pub mod error;
pub mod llm;
pub mod model;
pub mod ports;
pub mod text;

pub use async_trait::async_trait;
pub use error::{Error, ErrorKind, Result, Retry};
