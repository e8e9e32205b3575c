//! Facts for tests.

use crate::model::{
    AtomicFact, Attribution, Author, AuthorId, ChannelId, Claim, ContentHash, EntityType, Evidence,
    FactId, FactKind, Fingerprint, Importance, Language, Mention, MessageId, NativeId, SourceId,
    Span, Timestamp, UnitScore,
};

pub(crate) fn channel() -> ChannelId {
    ChannelId::new("C1")
}

pub(crate) fn at(hour: u32) -> Timestamp {
    let start: Timestamp = "2026-03-02T08:00:00Z".parse().unwrap();
    start.saturating_add_micros(i64::from(hour) * 3_600_000_000)
}

/// An observation that says `text`, said by Ada in the given hour, in a message of its own.
pub(crate) fn fact(hour: u32, text: &str) -> AtomicFact {
    let message = MessageId::new(
        SourceId::new("test"),
        channel(),
        NativeId::new(format!("m{hour}")),
    );
    let span = Span {
        start: 0,
        end: text.len().max(1),
    };
    AtomicFact {
        id: FactId::of(&channel(), text),
        channel: channel(),
        claim: Claim {
            text: text.to_owned(),
            span,
            quote: text.to_owned(),
            kind: FactKind::Observation,
            slot: None,
            action: None,
            importance: Importance::Medium,
            quality: UnitScore::ONE,
            topic_tags: Vec::new(),
            action_tags: Vec::new(),
            mentions: Vec::new(),
            language: Language::new("en"),
            occurred_at: at(hour),
            valid_until: None,
            rationale: None,
            alternatives: Vec::new(),
            consequences: Vec::new(),
            numbers: Vec::new(),
            sentiment: None,
            glossary: Vec::new(),
            links: Vec::new(),
            answers: None,
        },
        evidence: vec![Evidence {
            message,
            version: ContentHash::of(text.as_bytes()),
            span,
            quote: text.to_owned(),
            author: Author {
                id: AuthorId::new("U1"),
                name: "Ada".to_owned(),
            },
            sent_at: at(hour),
            attribution: Attribution::Exact,
        }],
        thread: None,
        media: Vec::new(),
        recorded_at: at(hour),
        extractor: Fingerprint::new("test"),
    }
}

pub(crate) fn tagged(hour: u32, text: &str, tags: &[&str]) -> AtomicFact {
    let mut fact = fact(hour, text);
    fact.claim.topic_tags = tags.iter().map(|it| (*it).to_owned()).collect();
    fact
}

pub(crate) fn of_kind(kind: FactKind, fact: AtomicFact) -> AtomicFact {
    let mut fact = fact;
    fact.claim.kind = kind;
    fact
}

pub(crate) fn naming(fact: AtomicFact, name: &str, kind: EntityType) -> AtomicFact {
    let mut fact = fact;
    fact.claim.mentions.push(Mention {
        name: name.to_owned(),
        kind,
    });
    fact
}
