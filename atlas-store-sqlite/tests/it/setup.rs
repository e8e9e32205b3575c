//! Folders, channels and messages.

use std::path::Path;

use atlas_core::Result;
use atlas_core::model::{
    Author, AuthorId, ChannelId, Message, MessageId, NativeId, SourceId, Timestamp,
};
use atlas_core::ports::{
    ChannelScope, Collection, Commit, EmbeddingSpace, Epoch, Key, MessageStore, Partition, Record,
    RecordStore, Sequence, StoredMessage,
};
use atlas_store_sqlite::{Durability, SqliteSettings, SqliteStore};

/// Runs a test on a runtime of its thread.
pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(test)
}

pub(crate) fn space() -> EmbeddingSpace {
    EmbeddingSpace {
        model: "test".to_owned(),
        revision: "1".to_owned(),
        dimensions: 4,
        is_normalised: false,
    }
}

/// Tests that do not pull the plug need not wait for the disk.
pub(crate) fn settings() -> SqliteSettings {
    SqliteSettings {
        durability: Durability::Normal,
        ..SqliteSettings::default()
    }
}

pub(crate) async fn open(dir: &Path) -> Result<SqliteStore> {
    SqliteStore::open_with(dir, space(), settings()).await
}

pub(crate) fn channel(name: &str) -> ChannelScope {
    ChannelScope::new(ChannelId::new(name))
}

pub(crate) fn message(channel: &ChannelScope, native: &str, text: &str) -> Message {
    let id = MessageId::new(
        SourceId::new("test"),
        channel.channel().clone(),
        NativeId::new(native),
    );
    let author = Author {
        id: AuthorId::new("ann"),
        name: "Ann".to_owned(),
    };
    Message::new(id, author, Timestamp::from_micros(1_000_000).unwrap(), text)
}

/// A commit of one record.
pub(crate) fn put(id: &str, value: &str) -> Commit {
    Commit {
        puts: vec![(Key::new(Collection::new("thing"), id), value.into())],
        ..Commit::default()
    }
}

/// Puts a message and a record into a channel.
pub(crate) async fn fill(store: &SqliteStore, channel: &ChannelScope, word: &str) {
    let said = message(channel, "1", word);
    store.append(channel, Epoch(0), &[said]).await.unwrap();
    let partition = Partition::of(channel);
    store.commit(&partition, &put("1", word)).await.unwrap();
}

/// Whether any file below a folder holds the word.
pub(crate) fn holds(dir: &Path, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holds(&path, word));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        if bytes.windows(word.len()).any(|it| it == word.as_bytes()) {
            found.push(path.display().to_string());
        }
    }
    found
}

/// All that was said in a channel, in the order of writing.
pub(crate) async fn log(store: &SqliteStore, channel: &ChannelScope) -> Vec<StoredMessage> {
    MessageStore::changes(store, channel, Sequence(0), 10_000)
        .await
        .unwrap()
}

/// One record.
pub(crate) async fn record(store: &SqliteStore, partition: &Partition, key: Key) -> Record {
    let found = RecordStore::get(store, partition, &[key]).await.unwrap();
    found.into_iter().next().flatten().unwrap()
}
