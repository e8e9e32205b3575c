//! Atlas turns the messages of a chat channel into knowledge that can be trusted.
//!
//! This crate is the model, the ports and the stages. It has no store, no model and no runtime of
//! its own: those are adapters.
//!
//! ```text
//! messages ─ingest─► queue ─extract─► claims ─lifecycle─► facts ─► graph (entities, relations)
//!                                                           └────► topics ─► summaries
//!                                                                    └─────► wiki pages
//! question ─retrieve─► evidence ─answer─► cited answer
//! ```
//!
//! The truth is in the [`MessageStore`](ports::MessageStore) and the
//! [`RecordStore`](ports::RecordStore); the [`FactIndex`](ports::FactIndex) and the
//! [`GraphStore`](ports::GraphStore) are projections of the feeds and can be built again at any
//! time. Nothing here starts a task, reads a clock, an environment variable or a random number by
//! itself.
//!
//! | module | what it is |
//! |---|---|
//! | [`model`] | every record |
//! | [`ports`] | the traits that adapters implement |
//! | [`llm`] | the tasks that a provider serves |
//! | [`source`] | platforms to the log, by fetching and by being pushed to |
//! | [`ingest`], [`extract`], [`lifecycle`], [`graph`], [`topic`], [`wiki`] | the stages, in the order in which data flows |
//! | [`project`] | records to indexes |
//! | [`retrieve`], [`answer`] | questions to cited answers |
//! | [`maintain`] | settling, checking and comparing a channel |

pub mod answer;
mod atlas;
mod channel;
mod components;
mod error;
pub mod extract;
pub mod graph;
pub mod grounding;
pub mod ingest;
pub mod lifecycle;
pub mod llm;
pub mod maintain;
pub mod model;
pub mod ports;
pub mod project;
pub mod retrieve;
mod settings;
pub mod source;
pub mod stage;
pub mod text;
pub mod topic;
pub mod vectors;
pub mod wiki;

pub use async_trait::async_trait;
pub use atlas::{Across, Atlas};
pub use channel::Channel;
pub use components::Components;
pub use error::{Error, ErrorKind, Result, Retry};
pub use settings::Settings;
