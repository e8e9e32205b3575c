//! A language model provider and an embedder for Atlas that need no model.
mod compare;
mod embedder;
mod facts;
mod features;
mod names;
mod provider;
mod text;
mod write;

pub use embedder::OfflineEmbedder;
pub use provider::OfflineLlm;
#[doc(hidden)]
pub fn dev_facts(messages: Vec<atlas_core::llm::PromptMessage>) -> Vec<serde_json::Value> {
    facts::extract::extract(
        &atlas_core::llm::FactExtractionInput {
            context: vec![],
            messages,
            max_facts_per_message: 2,
        },
        0,
    )
    .facts
}
