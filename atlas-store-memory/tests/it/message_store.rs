//! Versions, threads, forgetting: MS-2 to MS-14.

use atlas_core::ErrorKind;
use atlas_core::model::{Author, AuthorId, ChannelId, Message, MessageId, NativeId, SourceId};
use atlas_core::ports::{Appended, Epoch, MessageStore, Residue, Sequence, StoredMessage};
use atlas_store_memory::MemoryStore;
use futures::executor::block_on;

use super::setup::{channel, refused, second, store};

fn id(native: &str) -> MessageId {
    MessageId::new(
        SourceId::new("test"),
        ChannelId::new("c"),
        NativeId::new(native),
    )
}

fn message(native: &str, at: i64, text: &str) -> Message {
    let author = Author {
        id: AuthorId::new("ann"),
        name: "Ann".to_owned(),
    };
    Message::new(id(native), author, second(at), text)
}

fn edited(native: &str, at: i64, text: &str, edited: i64) -> Message {
    Message {
        edited_at: Some(second(edited)),
        ..message(native, at, text)
    }
}

#[track_caller]
fn append(store: &MemoryStore, messages: &[Message]) -> Vec<Appended> {
    block_on(store.append(&channel("c"), Epoch(0), messages)).unwrap()
}

fn texts(found: &[StoredMessage]) -> Vec<&str> {
    found.iter().map(|it| it.message.text.as_str()).collect()
}

fn sequences(store: &MemoryStore) -> Vec<u64> {
    let changes = block_on(store.changes(&channel("c"), Sequence(0), 100)).unwrap();
    changes.iter().map(|it| it.sequence.0).collect()
}

#[test]
fn the_latest_edit_is_current_whatever_arrives_last() {
    use Appended::{Changed, New, Unchanged};
    let store = store();
    let first = message("1", 1, "one");
    let second_edit = edited("1", 1, "three", 9);
    let late = edited("1", 1, "two", 5);
    let outcomes = append(
        &store,
        &[
            first.clone(),
            second_edit.clone(),
            late.clone(),
            second_edit,
            late,
            first,
        ],
    );
    assert_eq!(
        outcomes,
        [New, Changed, Unchanged, Unchanged, Unchanged, Unchanged]
    );
    let versions = block_on(store.versions(&channel("c"), &id("1"))).unwrap();
    assert_eq!(texts(&versions), ["one", "three", "two"]);
    let current = block_on(store.get(&channel("c"), &[id("1"), id("2")])).unwrap();
    assert_eq!(current[0].as_ref().unwrap().message.text, "three");
    assert_eq!(current[1], None);
    assert_eq!(sequences(&store), [2]);
}

#[test]
fn an_edit_moves_a_message_in_the_feed_only() {
    let store = store();
    append(&store, &[message("a", 2, "a"), message("b", 1, "b")]);
    append(&store, &[edited("a", 2, "a2", 3)]);
    let read = |after: Option<&StoredMessage>, limit| {
        let after = after.map(|it| (it.message.sent_at, it.message.id.clone()));
        block_on(store.read(&channel("c"), after.as_ref(), limit)).unwrap()
    };
    let first = read(None, 1);
    assert_eq!(texts(&first), ["b"]);
    assert_eq!(texts(&read(first.last(), 5)), ["a2"]);
    assert_eq!(sequences(&store), [2, 3]);
}

#[test]
fn a_thread_lives_without_its_root() {
    let store = store();
    let reply = |native: &str, at| Message {
        thread_root: Some(NativeId::new("root")),
        ..message(native, at, native)
    };
    append(
        &store,
        &[reply("r2", 3), reply("r1", 2), message("x", 1, "x")],
    );
    let thread = |after: Option<(i64, &str)>, limit| {
        let after = after.map(|(at, native)| (second(at), id(native)));
        block_on(store.thread(&channel("c"), &id("root"), after.as_ref(), limit)).unwrap()
    };
    assert_eq!(texts(&thread(None, 9)), ["r1", "r2"]);
    append(&store, &[message("root", 1, "root")]);
    assert_eq!(texts(&thread(None, 9)), ["root", "r1", "r2"]);
    assert_eq!(texts(&thread(None, 2)), ["root", "r1"]);
    assert_eq!(texts(&thread(Some((2, "r1")), 9)), ["r2"]);
}

#[test]
fn what_is_forgotten_stays_so() {
    let store = store();
    let secret = Message {
        thread_root: Some(NativeId::new("root")),
        ..message("1", 1, "secret")
    };
    append(&store, &[secret.clone(), message("2", 2, "other")]);
    append(&store, &[edited("1", 1, "secret again", 5)]);
    let forget = |ids: &[MessageId]| block_on(store.forget(&channel("c"), Epoch(0), ids)).unwrap();
    assert_eq!(forget(&[id("1"), id("1"), id("9")]), 1);
    let later = Message {
        is_deleted: true,
        ..edited("1", 1, "secret once more", 99)
    };
    assert_eq!(append(&store, &[secret, later]), [Appended::Unchanged; 2]);
    let versions = block_on(store.versions(&channel("c"), &id("1"))).unwrap();
    assert_eq!(texts(&versions), [""]);
    assert!(!format!("{versions:?}").contains("secret"));
    assert_eq!(
        texts(&block_on(store.read(&channel("c"), None, 9)).unwrap()),
        ["", "other"]
    );
    assert_eq!(sequences(&store), [2, 4]);
    assert_eq!(
        block_on(store.residue(&channel("c"))).unwrap(),
        Residue { items: 1, marks: 1 }
    );
}

#[test]
fn a_message_of_another_channel_refuses_its_batch() {
    let store = store();
    let mut foreign = message("2", 2, "b");
    foreign.id.channel = ChannelId::new("d");
    for bad in [foreign, message("", 3, "no id")] {
        let batch = [message("1", 1, "a"), bad];
        refused(
            block_on(store.append(&channel("c"), Epoch(0), &batch)),
            ErrorKind::Invalid,
        );
    }
    assert_eq!(sequences(&store), [0; 0]);
}

#[test]
fn a_fence_outlives_a_purge_and_no_number_comes_twice() {
    let store = store();
    append(&store, &[message("1", 1, "a")]);
    let purge = |epoch| block_on(store.purge(&channel("c"), Epoch(epoch)));
    purge(3).unwrap();
    refused(purge(2), ErrorKind::Fenced);
    refused(
        block_on(store.fence(&channel("c"), Epoch(2))),
        ErrorKind::Fenced,
    );
    refused(
        block_on(store.append(&channel("c"), Epoch(2), &[])),
        ErrorKind::Fenced,
    );
    assert_eq!(
        block_on(store.residue(&channel("c"))).unwrap(),
        Residue::default()
    );
    assert_eq!(
        block_on(MessageStore::epoch(&store, &channel("c"))).unwrap(),
        Epoch(3)
    );
    block_on(store.append(&channel("c"), Epoch(3), &[message("1", 1, "a")])).unwrap();
    assert_eq!(sequences(&store), [2]);
}
