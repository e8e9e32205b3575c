//! The router, with doubles behind it.

mod bills;
mod conformance;
mod failing;
mod limits;
mod roles;

use std::collections::BTreeMap;
use std::sync::Arc;

use atlas_core::llm::router::{Assignment, ModelSettings, Router, Target};
use atlas_core::llm::{AnswererInput, AnswererOutput, Role, Task};
use atlas_core::model::Timestamp;
use atlas_core::ports::{Clock, CompletionRequest, LlmProvider};
use atlas_testkit::double::{FixedClock, Reply, Rule, ScriptedLlm};

pub(crate) fn noon() -> Timestamp {
    "2026-03-09T12:00:00Z".parse().unwrap()
}

pub(crate) fn clock() -> FixedClock {
    FixedClock::at(noon())
}

/// A router over providers by name.
pub(crate) fn router<P: LlmProvider + Clone + 'static>(
    providers: &[(&str, P)],
    clock: impl Clock + 'static,
    settings: ModelSettings,
) -> Router {
    let providers: BTreeMap<String, Arc<dyn LlmProvider>> = providers
        .iter()
        .map(|(name, provider)| ((*name).to_owned(), Arc::new(provider.clone()) as _))
        .collect();
    Router::new(&providers, Arc::new(clock), settings).unwrap()
}

/// Every role at the first of these providers, and at the others where that one cannot.
pub(crate) fn at(names: &[&str]) -> ModelSettings {
    let mut targets = names.iter().map(|name| Target::new(*name));
    let first = targets.next().unwrap();
    let assignment = targets.fold(Assignment::from(first), Assignment::with_fallback);
    ModelSettings::default().with_default(assignment)
}

/// A question to an answerer.
pub(crate) fn question(words: &str) -> CompletionRequest {
    let task = AnswererInput {
        question: words.to_owned(),
        asked_at: noon(),
        evidence: Vec::new(),
        max_sentences: 1,
    };
    task.request().unwrap()
}

/// A reply that answers it.
pub(crate) fn reply() -> Reply {
    Reply::json(&AnswererOutput::default())
}

/// A provider that answers in turn.
pub(crate) fn answering(replies: impl IntoIterator<Item = Reply>) -> ScriptedLlm {
    ScriptedLlm::new([Rule::in_turn(Role::Answerer, replies)])
}
