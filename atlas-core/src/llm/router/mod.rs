//! Roles to models: which endpoint serves a call, how often it is tried, and what it cost.
//!
//! Decided purely: whether an endpoint is asked at all (`breaker.rs`), when (`limit.rs`), what
//! happens after a failure (`attempt.rs`), and what is owed (`charge.rs`). `endpoint.rs`,
//! `call.rs` and `provider.rs` read the clock, wait, call and keep count. The router serves the port that it calls,
//! so that a stage cannot tell it from a provider.

mod attempt;
mod breaker;
mod call;
mod charge;
mod embedder;
mod endpoint;
mod limit;
mod models;
mod provider;
mod route;

pub use embedder::RoutedEmbedder;
pub use models::{EndpointState, Ledger, Router};
pub use route::{
    Assignment, BreakerSettings, DEFAULT_PROVIDER, EMBEDDER_ENDPOINT, EmbedderSettings,
    EndpointSettings, ModelSettings, Price, Target,
};
