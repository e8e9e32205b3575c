//! Documents, searches, and all that an index holds.

use atlas_core::model::{AuthorId, EntityId, FactKind, Interval, Language, Timestamp};
use atlas_core::ports::{
    ChannelScope, Collection, Cursor, Document, DocumentKind, DocumentState, FactIndex,
    FactIndexStats, Filter, IndexEntry, IndexHit, Key, Leg, Residue, Scope, SearchRequest,
    Visibility,
};

use crate::conformance::Seen;
use crate::conformance::batches::{batch, cursor};
use crate::conformance::corpus::at;

/// A vector of the index's width and of length one, at an angle to the first axis.
pub(super) fn pointing(index: &impl FactIndex, radians: f32) -> Vec<f32> {
    let mut vector = vec![0.0; index.space().dimensions];
    for (place, part) in vector.iter_mut().zip([radians.cos(), radians.sin()]) {
        *place = part;
    }
    vector
}

/// A current document in English with nothing special, which every leg that is offered can find.
pub(super) fn document(index: &impl FactIndex, id: &str, text: &str) -> Document {
    Document {
        kind: DocumentKind::Fact,
        id: id.to_owned(),
        text: text.to_owned(),
        language: Language::new("en"),
        vector: Some(pointing(index, 0.0)),
        state: DocumentState::Current,
        validity: vec![Interval::since(Timestamp::MIN)],
        recorded_at: at(0),
        said_at: at(0),
        fact_kind: Some(FactKind::Observation),
        tags: vec!["tag".to_owned()],
        authors: vec![AuthorId::new("U1")],
        entities: vec![EntityId::new("e1")],
    }
}

/// The entry of a document, from the record of its kind and id.
pub(super) fn entry(document: Document) -> IndexEntry {
    let collection = match document.kind {
        DocumentKind::Fact => "fact",
        DocumentKind::Message => "outcome",
        DocumentKind::Section => "page",
    };
    IndexEntry {
        origin: Key::new(Collection::literal(collection), document.id.as_str()),
        documents: vec![document],
    }
}

/// The entry of a record and its documents.
pub(super) fn from_origin(id: &str, documents: Vec<Document>) -> IndexEntry {
    IndexEntry {
        origin: Key::new(Collection::literal("fact"), id),
        documents,
    }
}

/// Writes documents as the whole index of a channel.
pub(super) async fn fill(
    index: &impl FactIndex,
    channel: &ChannelScope,
    documents: Vec<Document>,
) -> Result<(), Seen> {
    let entries: Vec<IndexEntry> = documents.into_iter().map(entry).collect();
    Ok(index
        .apply(channel, batch(&Cursor::start(), &cursor(1), &entries))
        .await?)
}

/// A search for whatever a reader sees by default.
pub(super) fn request(leg: Leg, limit: usize) -> SearchRequest {
    SearchRequest {
        leg,
        visibility: Visibility::default(),
        filter: Filter::default(),
        limit,
    }
}

/// A search by words.
pub(super) fn words(text: &str) -> Leg {
    Leg::Lexical {
        text: text.to_owned(),
    }
}

/// The legs that the index offers: those that find the word and the angle nought, and the recent.
pub(super) fn offered(index: &impl FactIndex, word: &str) -> Vec<Leg> {
    let capabilities = index.capabilities();
    let mut legs = vec![Leg::Recent];
    if capabilities.lexical {
        legs.push(words(word));
    }
    if capabilities.dense {
        legs.push(Leg::Dense {
            vector: pointing(index, 0.0),
        });
    }
    legs
}

/// The ids of hits.
pub(super) fn ids(hits: &[IndexHit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.id.as_str()).collect()
}

/// What a channel's index holds, as the index tells it.
pub(super) type Picture = (Cursor, FactIndexStats, Residue, Vec<IndexHit>);

pub(super) async fn picture(
    index: &impl FactIndex,
    channel: &ChannelScope,
) -> Result<Picture, Seen> {
    let everything = request(Leg::Recent, 1_000);
    Ok((
        index.applied(channel).await?,
        index.stats(channel).await?,
        index.residue(channel).await?,
        index.search(&Scope::from(channel), &everything).await?,
    ))
}
