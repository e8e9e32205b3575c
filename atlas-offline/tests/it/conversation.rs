//! Messages in few words.

use atlas_core::llm::{
    EntityExtractionInput, EntityExtractionOutput, FactExtractionInput, PromptMessage,
    ProposedFact, serve,
};
use atlas_offline::OfflineLlm;
use futures::executor::block_on;

/// Monday.
pub(crate) const SAID: &str = "2026-03-09T10:00:00Z";

/// A message of somebody.
pub(crate) fn message(label: &str, author: &str, text: &str) -> PromptMessage {
    PromptMessage {
        label: label.to_owned(),
        author: author.to_owned(),
        sent_at: SAID.parse().unwrap(),
        text: text.to_owned(),
        thread_root: None,
        mentions: Vec::new(),
        links: Vec::new(),
    }
}

/// A thread: the first message is its root.
pub(crate) fn thread(messages: &[(&str, &str)]) -> Vec<PromptMessage> {
    messages
        .iter()
        .enumerate()
        .map(|(at, (author, text))| PromptMessage {
            thread_root: (at > 0).then(|| "m0".to_owned()),
            ..message(&format!("m{at}"), author, text)
        })
        .collect()
}

/// Everything that is proposed, good or not.
pub(crate) fn proposed(messages: Vec<PromptMessage>) -> Vec<ProposedFact> {
    let task = FactExtractionInput {
        context: Vec::new(),
        messages,
        max_facts_per_message: 4,
    };
    let output = block_on(serve(&OfflineLlm::new(), &task)).unwrap();
    output
        .facts
        .into_iter()
        .map(|fact| serde_json::from_value(fact).unwrap())
        .collect()
}

/// What is good enough to be admitted.
pub(crate) fn facts(messages: Vec<PromptMessage>) -> Vec<ProposedFact> {
    let mut facts = proposed(messages);
    facts.retain(|fact| fact.quality >= 0.5);
    facts
}

/// The one fact of a message of Priya Shah's.
#[track_caller]
pub(crate) fn fact(text: &str) -> ProposedFact {
    let mut found = facts(vec![message("m0", "Priya Shah", text)]);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found.remove(0)
}

/// The names of messages.
pub(crate) fn names(messages: Vec<PromptMessage>) -> EntityExtractionOutput {
    block_on(serve(
        &OfflineLlm::new(),
        &EntityExtractionInput { messages },
    ))
    .unwrap()
}
