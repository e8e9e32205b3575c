//! What is asked of a provider, and what it replied.

use atlas_core::ErrorKind;
use atlas_core::llm::{
    AnswererInput, AnswererOutput, ChannelSummarizerInput, ChannelSummarizerOutput,
    ContradictionInput, ContradictionOutput, EntityExtractionInput, EntityExtractionOutput,
    FactExtractionInput, FactExtractionOutput, LabelledEvidence, LabelledFact, PromptMessage, Role,
    SectionBrief, Task, TopicDigest, TopicSummarizerInput, TopicSummarizerOutput, WikiWriterInput,
    WikiWriterOutput,
};
use atlas_core::model::{FactKind, Importance};
use atlas_core::ports::{
    Completion, CompletionEvent, CompletionRequest, CompletionStream, FinishReason, LlmProvider,
    Usage,
};
use futures::StreamExt;
use serde::de::DeserializeOwned;

use crate::conformance::corpus::at;
use crate::conformance::{Checked, Seen};

/// The endpoint behind a provider has to refuse a task that says this.
pub const REFUSE: &str = "atlas testkit: refuse this";
/// The endpoint behind a provider has to leave a task that says this without an answer.
pub const FAIL: &str = "atlas testkit: fail this";

/// What people say in the tasks, if nothing else is to be said.
pub(super) const SAID: &str = "We decided to move the launch to Friday because the tests failed.";

fn message(label: &str, text: &str) -> PromptMessage {
    PromptMessage {
        label: label.to_owned(),
        author: "Ada".to_owned(),
        sent_at: at(0),
        text: text.to_owned(),
        thread_root: None,
        mentions: Vec::new(),
        links: Vec::new(),
    }
}

fn fact(label: &str, text: &str) -> LabelledFact {
    LabelledFact {
        label: label.to_owned(),
        text: text.to_owned(),
        quote: text.to_owned(),
        author: "Ada".to_owned(),
        said_at: at(0),
        kind: FactKind::Decision,
        importance: Importance::High,
        slot: None,
        tags: vec!["launch".to_owned()],
        mentions: vec!["Ada".to_owned()],
        answers: None,
        is_disputed: false,
    }
}

/// A small task of the role in which people say this.
pub(super) fn request(role: Role, said: &str) -> Result<CompletionRequest, Seen> {
    let facts = || vec![fact("f1", said), fact("f2", "The launch is on Monday.")];
    let request = match role {
        Role::FactExtractor => FactExtractionInput {
            context: Vec::new(),
            messages: vec![message("m1", said)],
            max_facts_per_message: 2,
        }
        .request(),
        Role::EntityExtractor => EntityExtractionInput {
            messages: vec![message("m1", said)],
        }
        .request(),
        Role::ContradictionDetector => ContradictionInput {
            fact: fact("f0", said),
            candidates: facts(),
        }
        .request(),
        Role::TopicSummarizer => TopicSummarizerInput {
            facts: facts(),
            other_titles: vec!["Hiring".to_owned()],
        }
        .request(),
        Role::ChannelSummarizer => ChannelSummarizerInput {
            topics: vec![TopicDigest {
                title: "Launch".to_owned(),
                facts: vec!["f1".to_owned()],
            }],
            facts: facts(),
        }
        .request(),
        Role::WikiWriter => WikiWriterInput {
            page: "Launch".to_owned(),
            kind: "topic".to_owned(),
            sections: vec![SectionBrief {
                id: "s1".to_owned(),
                title: "State".to_owned(),
                facts: vec!["f1".to_owned(), "f2".to_owned()],
            }],
            facts: facts(),
        }
        .request(),
        Role::Answerer => AnswererInput {
            question: "When is the launch?".to_owned(),
            asked_at: at(9),
            evidence: vec![LabelledEvidence {
                label: "e1".to_owned(),
                text: said.to_owned(),
                quote: said.to_owned(),
                author: "Ada".to_owned(),
                said_at: at(0),
                kind: Some(FactKind::Decision),
                is_superseded: false,
                answers: None,
            }],
            max_sentences: 3,
        }
        .request(),
    };
    Ok(request?)
}

/// Demands that a text is one value of what the role puts out.
pub(super) fn reads_as_output(role: Role, text: &str) -> Checked {
    fn read<T: DeserializeOwned>(text: &str) -> Result<(), serde_json::Error> {
        serde_json::from_str::<T>(text).map(drop)
    }
    let read = match role {
        Role::FactExtractor => read::<FactExtractionOutput>(text),
        Role::EntityExtractor => read::<EntityExtractionOutput>(text),
        Role::ContradictionDetector => read::<ContradictionOutput>(text),
        Role::TopicSummarizer => read::<TopicSummarizerOutput>(text),
        Role::ChannelSummarizer => read::<ChannelSummarizerOutput>(text),
        Role::WikiWriter => read::<WikiWriterOutput>(text),
        Role::Answerer => read::<AnswererOutput>(text),
    };
    read.map_err(|cause| Seen::new(format!("{}: {cause}: {text:?}", role.as_str())))
}

/// The roles that the provider serves.
pub(super) async fn served(llm: &impl LlmProvider) -> Result<Vec<Role>, Seen> {
    let mut served = Vec::new();
    for role in Role::ALL {
        match llm.complete(&request(role, SAID)?).await {
            Ok(_) => served.push(role),
            Err(refusal) if refusal.kind() == ErrorKind::Unsupported => {}
            Err(error) => return Err(error.into()),
        }
    }
    require!(!served.is_empty(), "no role is served");
    Ok(served)
}

/// Reads a stream to its end, and demands that the end is there once, and last.
pub(super) async fn collected(stream: CompletionStream<'_>) -> Result<Completion, Seen> {
    let events: Vec<_> = stream.collect().await;
    let mut text = String::new();
    let mut end: Option<(FinishReason, Option<Usage>)> = None;
    for event in events {
        if let Some(end) = end {
            return Err(Seen::new(format!("after the end {end:?} came {event:?}")));
        }
        match event? {
            CompletionEvent::Text(part) => text.push_str(&part),
            CompletionEvent::Finished { finish, usage } => end = Some((finish, usage)),
        }
    }
    let (finish, usage) = end.ok_or_else(|| Seen::new(format!("no end after {text:?}")))?;
    Ok(Completion {
        text,
        finish,
        usage,
    })
}
