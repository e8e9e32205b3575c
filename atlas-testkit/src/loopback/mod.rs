//! An HTTP endpoint of the test's own, on loopback, that answers as it is told and misbehaves on
//! command.
//!
//! A [`LoopbackServer`] listens on a free port of `127.0.0.1` and gives every request to a handler,
//! which turns what was [`Received`] into an [`Answer`]. An answer can be slow, stall, be cut off or
//! come in pieces. The handler is a closure, or one of these:
//!
//! - [`Replay`]: recorded exchanges. It compares each request with the recording and tells the
//!   difference.
//! - [`Model`]: any [`LlmProvider`](atlas_core::ports::LlmProvider) and
//!   [`Embedder`](atlas_core::ports::Embedder), served in the dialect of chat completions, so that
//!   a whole ingest can go over HTTP without a model.
//! - [`every_nth`]: another handler, with some of its answers exchanged.
//!
//! The server has threads of its own and needs no runtime. It never sleeps: what stalls waits
//! until somebody lets it go or the server is dropped.

mod answer;
mod model;
mod replay;
mod request;
mod server;
mod storm;

pub use answer::{Answer, Framing};
pub use model::Model;
pub use replay::{Exchange, RecordedAnswer, RecordedBody, RecordedRequest, Replay};
pub use request::Received;
pub use server::LoopbackServer;
pub use storm::every_nth;
