//! What cannot be tried from outside: disks that fail, and what stays open.

mod faults;
mod open_channels;

use atlas_core::Result;
use atlas_core::model::{ChannelId, ContentHash, Interval, Language, Timestamp};
use atlas_core::ports::{
    Batch, ChannelScope, Collection, Cursor, Document, DocumentKind, DocumentState, EmbeddingSpace,
    Epoch, FactIndex, Filter, IndexEntry, IndexHit, Key, Leg, Revision, Scope, SearchRequest,
    Visibility,
};
use futures::executor::block_on;

use super::FolderFactIndex;

fn space() -> EmbeddingSpace {
    EmbeddingSpace {
        model: "test".to_owned(),
        revision: "1".to_owned(),
        dimensions: 2,
        is_normalised: false,
    }
}

fn channel(name: &str) -> ChannelScope {
    ChannelScope::new(ChannelId::new(name))
}

fn cursor(revision: u64) -> Cursor {
    if revision == 0 {
        return Cursor::start();
    }
    Cursor {
        revision: Revision(revision),
        digest: ContentHash::of(&revision.to_le_bytes()),
    }
}

fn entry(id: &str, text: &str) -> IndexEntry {
    let zero = Timestamp::from_micros(0).unwrap();
    IndexEntry {
        origin: Key::new(Collection::literal("fact"), id),
        documents: vec![Document {
            kind: DocumentKind::Fact,
            id: id.to_owned(),
            text: text.to_owned(),
            language: Language::new("en"),
            vector: Some(vec![1.0, f32::from(u8::try_from(id.len()).unwrap())]),
            state: DocumentState::Current,
            validity: vec![Interval::since(zero)],
            recorded_at: zero,
            said_at: zero,
            fact_kind: None,
            tags: Vec::new(),
            authors: Vec::new(),
            entities: Vec::new(),
        }],
    }
}

fn apply(
    index: &FolderFactIndex,
    name: &str,
    (from, to): (u64, u64),
    entries: &[IndexEntry],
) -> Result<()> {
    block_on(index.apply(
        &channel(name),
        Batch {
            epoch: Epoch(0),
            from: &cursor(from),
            to: &cursor(to),
            entries,
        },
    ))
}

fn found(index: &FolderFactIndex, name: &str, leg: Leg) -> Result<Vec<IndexHit>> {
    let request = SearchRequest {
        leg,
        visibility: Visibility::default(),
        filter: Filter::default(),
        limit: 100,
    };
    block_on(index.search(&Scope::from(&channel(name)), &request))
}
