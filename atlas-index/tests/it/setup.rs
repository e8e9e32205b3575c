//! Documents, batches and searches in few words.

use atlas_core::model::{ChannelId, ContentHash, Interval, Language, PrincipalId, Timestamp};
use atlas_core::ports::{
    Access, AllowAll, Authorizer, Batch, ChannelScope, Collection, Cursor, Document, DocumentKind,
    DocumentState, EmbeddingSpace, Epoch, FactIndex, Filter, IndexEntry, IndexHit, Key, Leg,
    Revision, Scope, SearchRequest, Visibility,
};
use atlas_core::{ErrorKind, Result};
use futures::executor::block_on;

pub(crate) use super::kind::{Index, index};

pub(crate) const WIDTH: usize = 3;

pub(crate) fn space() -> EmbeddingSpace {
    EmbeddingSpace {
        model: "test".to_owned(),
        revision: "1".to_owned(),
        dimensions: WIDTH,
        is_normalised: false,
    }
}

pub(crate) fn channel(name: &str) -> ChannelScope {
    ChannelScope::new(ChannelId::new(name))
}

pub(crate) fn across(names: &[&str]) -> Scope {
    let authorizer = Authorizer::new(AllowAll);
    let user = authorizer.principal(PrincipalId::new("u"));
    let channels: Vec<ChannelId> = names.iter().map(|name| ChannelId::new(*name)).collect();
    block_on(authorizer.scope(&user, &channels, Access::Read)).unwrap()
}

pub(crate) fn second(at: i64) -> Timestamp {
    Timestamp::from_micros(at * 1_000_000).unwrap()
}

pub(crate) fn document(id: &str, text: &str) -> Document {
    Document {
        kind: DocumentKind::Fact,
        id: id.to_owned(),
        text: text.to_owned(),
        language: Language::new("en"),
        vector: None,
        state: DocumentState::Current,
        validity: vec![Interval::since(second(0))],
        recorded_at: second(0),
        said_at: second(0),
        fact_kind: None,
        tags: Vec::new(),
        authors: Vec::new(),
        entities: Vec::new(),
    }
}

pub(crate) fn entry(origin: &str, documents: Vec<Document>) -> IndexEntry {
    IndexEntry {
        origin: Key::new(Collection::literal("fact"), origin),
        documents,
    }
}

/// An entry a document, each of its own origin.
pub(crate) fn entries(documents: Vec<Document>) -> Vec<IndexEntry> {
    documents
        .into_iter()
        .map(|document| entry(&document.id.clone(), vec![document]))
        .collect()
}

pub(crate) fn cursor(revision: u64) -> Cursor {
    if revision == 0 {
        return Cursor::start();
    }
    Cursor {
        revision: Revision(revision),
        digest: ContentHash::of(&revision.to_le_bytes()),
    }
}

pub(crate) fn try_apply(
    index: &Index,
    name: &str,
    (epoch, from, to): (u64, u64, u64),
    entries: &[IndexEntry],
) -> Result<()> {
    block_on(index.apply(
        &channel(name),
        Batch {
            epoch: Epoch(epoch),
            from: &cursor(from),
            to: &cursor(to),
            entries,
        },
    ))
}

/// Applies the next batch, whatever was applied before.
#[track_caller]
pub(crate) fn apply(index: &Index, name: &str, entries: &[IndexEntry]) {
    let applied = block_on(index.applied(&channel(name))).unwrap().revision.0;
    try_apply(index, name, (0, applied, applied + 1), entries).unwrap();
}

#[track_caller]
pub(crate) fn refused(outcome: Result<()>, kind: ErrorKind) {
    assert_eq!(outcome.unwrap_err().kind(), kind);
}

pub(crate) fn request(leg: Leg) -> SearchRequest {
    SearchRequest {
        leg,
        visibility: Visibility::default(),
        filter: Filter::default(),
        limit: 10,
    }
}

pub(crate) fn by_words(text: &str) -> SearchRequest {
    request(Leg::Lexical {
        text: text.to_owned(),
    })
}

pub(crate) fn by_vector(vector: [f32; WIDTH]) -> SearchRequest {
    request(Leg::Dense {
        vector: vector.to_vec(),
    })
}

pub(crate) fn hits(index: &Index, names: &[&str], request: &SearchRequest) -> Vec<IndexHit> {
    block_on(index.search(&across(names), request)).unwrap()
}

pub(crate) fn ids(index: &Index, names: &[&str], request: &SearchRequest) -> Vec<String> {
    hits(index, names, request)
        .into_iter()
        .map(|hit| format!("{}/{}", hit.channel, hit.id))
        .collect()
}
