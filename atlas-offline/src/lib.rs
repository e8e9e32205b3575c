//! A language model provider and an embedder for Atlas that need no model.

mod answer;
mod contradict;
mod embedder;
mod facts;
mod names;
mod provider;
mod text;
mod writing;

pub use embedder::OfflineEmbedder;
pub use provider::OfflineLlm;
