//! A store, channels and times in few words.

use atlas_core::model::{ChannelId, Timestamp};
use atlas_core::ports::{ChannelScope, EmbeddingSpace};
use atlas_core::{ErrorKind, Result};
use atlas_store_memory::MemoryStore;

pub(crate) fn store() -> MemoryStore {
    MemoryStore::new(EmbeddingSpace {
        model: "test".to_owned(),
        revision: "1".to_owned(),
        dimensions: 2,
        is_normalised: false,
    })
}

pub(crate) fn channel(name: &str) -> ChannelScope {
    ChannelScope::new(ChannelId::new(name))
}

pub(crate) fn second(at: i64) -> Timestamp {
    Timestamp::from_micros(at * 1_000_000).unwrap()
}

#[track_caller]
pub(crate) fn refused<T: std::fmt::Debug>(outcome: Result<T>, kind: ErrorKind) {
    assert_eq!(outcome.unwrap_err().kind(), kind);
}
