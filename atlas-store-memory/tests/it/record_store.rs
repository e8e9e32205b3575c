//! Commits, the feed and listing: RS-4 to RS-22.

use std::collections::BTreeMap;

use atlas_core::ErrorKind;
use atlas_core::model::ContentHash;
use atlas_core::ports::{
    Change, Collection, Commit, Cursor, Epoch, Expect, Feed, GoneReason, Key, Listing, Partition,
    PartitionKind, RecordStore, Revision,
};
use atlas_store_memory::MemoryStore;
use futures::executor::block_on;

use super::setup::{channel, refused, store};

fn here() -> Partition {
    Partition::of(&channel("c"))
}

fn key(name: &str) -> Key {
    let (collection, id) = name.split_once('/').unwrap();
    Key::new(Collection::new(collection), id)
}

fn commit(puts: &[&str], deletes: &[&str]) -> Commit {
    Commit {
        puts: puts
            .iter()
            .map(|name| (key(name), name.as_bytes().to_vec()))
            .collect(),
        deletes: deletes.iter().map(|name| key(name)).collect(),
        ..Commit::default()
    }
}

#[track_caller]
fn done(store: &MemoryStore, commit: &Commit) -> u64 {
    block_on(store.commit(&here(), commit)).unwrap().0
}

#[track_caller]
fn page(store: &MemoryStore, since: &Cursor, limit: usize) -> (Vec<Change>, Cursor, bool) {
    match block_on(store.changes(&here(), since, limit)).unwrap() {
        Feed::Page {
            entries,
            to,
            has_more,
        } => (entries, to, has_more),
        Feed::Gone { reason } => panic!("gone: {reason:?}"),
    }
}

/// The feed as `revision:key` or `revision:-key` for tombstones.
fn feed(entries: &[Change]) -> Vec<String> {
    entries
        .iter()
        .map(|it| {
            let sign = if it.value.is_some() { "" } else { "-" };
            format!("{}:{sign}{}", it.revision, it.key)
        })
        .collect()
}

#[test]
fn the_feed_has_the_last_write_of_each_record() {
    let store = store();
    done(&store, &commit(&["a/1", "a/2", ".q/1"], &[]));
    done(&store, &commit(&["b/1"], &["a/2"]));
    done(&store, &commit(&["a/1", "a/3"], &["a/9", ".q/1"]));
    done(&store, &commit(&[], &["a/2"]));
    let (entries, to, has_more) = page(&store, &Cursor::start(), 100);
    assert_eq!(feed(&entries), ["2:-a/2", "2:b/1", "3:a/1", "3:a/3"]);
    assert_eq!(
        (to, has_more),
        (block_on(store.head(&here())).unwrap().cursor, false)
    );
    done(&store, &commit(&["a/2"], &[]));
    let (entries, _, _) = page(&store, &Cursor::start(), 100);
    assert_eq!(feed(&entries), ["2:b/1", "3:a/1", "3:a/3", "5:a/2"]);
}

#[test]
fn a_page_cuts_no_commit_in_two() {
    let store = store();
    done(&store, &commit(&["a/1", "a/2", "a/3"], &[]));
    done(&store, &commit(&[".q/1"], &[]));
    done(&store, &commit(&["a/4"], &[]));
    let (first, to, has_more) = page(&store, &Cursor::start(), 1);
    assert_eq!(
        (feed(&first).len(), to.revision, has_more),
        (3, Revision(1), true)
    );
    let (second, to, has_more) = page(&store, &to, 1);
    assert_eq!(
        (feed(&second), to.revision),
        (vec!["3:a/4".to_owned()], Revision(3))
    );
    assert!(!has_more);
    // What is private alone has no place in the feed.
    done(&store, &commit(&[".q/2"], &[]));
    let (nothing, to, _) = page(&store, &to, 1);
    assert_eq!((nothing, to.revision), (vec![], Revision(3)));
}

#[test]
fn a_cursor_of_another_history_is_gone() {
    let store = store();
    let first = commit(&["a/1"], &[]);
    done(&store, &first);
    let start = Cursor::start();
    let expected = first.digest_after(&start.digest, Revision(1));
    assert_eq!(
        block_on(store.head(&here())).unwrap().cursor.digest,
        expected
    );
    for (revision, digest) in [
        (1, ContentHash::of(b"x")),
        (2, expected),
        (0, ContentHash::of(b"x")),
    ] {
        let cursor = Cursor {
            revision: Revision(revision),
            digest,
        };
        assert_eq!(
            block_on(store.changes(&here(), &cursor, 1)).unwrap(),
            Feed::Gone {
                reason: GoneReason::Diverged
            }
        );
    }
}

#[test]
fn a_commit_that_is_refused_writes_nothing() {
    let store = store();
    done(&store, &commit(&["a/1"], &[]));
    let expecting = |expect: Expect| Commit {
        expects: vec![expect],
        ..commit(&["a/2"], &["a/1"])
    };
    for (bad, kind) in [
        (expecting(Expect::Absent(key("a/1"))), ErrorKind::Conflict),
        (
            expecting(Expect::At(key("a/1"), Revision(2))),
            ErrorKind::Conflict,
        ),
        (
            expecting(Expect::At(key("a/7"), Revision(1))),
            ErrorKind::Conflict,
        ),
        (commit(&["a/2", "a/2"], &[]), ErrorKind::Invalid),
        (commit(&["a/1"], &["a/1"]), ErrorKind::Invalid),
        (commit(&["a/2"], &["a/1", "a/1"]), ErrorKind::Invalid),
        (commit(&["/2"], &[]), ErrorKind::Invalid),
        (commit(&["./2"], &[]), ErrorKind::Invalid),
        (
            Commit {
                epoch: Epoch(1),
                ..commit(&["a/2"], &[])
            },
            ErrorKind::Fenced,
        ),
    ] {
        refused(block_on(store.commit(&here(), &bad)), kind);
    }
    let only_checks = Commit {
        expects: vec![Expect::At(key("a/1"), Revision(1))],
        ..Commit::default()
    };
    assert_eq!(done(&store, &only_checks), 1);
    assert_eq!(
        done(&store, &expecting(Expect::At(key("a/1"), Revision(1)))),
        2
    );
}

#[test]
fn listing_goes_by_bytes_under_a_prefix() {
    let store = store();
    let ids = ["a/x", "a/x1", "a/x/", "a/xé", "a/y", "a/X", "b/x"];
    done(&store, &commit(&ids, &[]));
    done(&store, &commit(&[], &["a/x1"]));
    let list = |after: Option<&str>, limit| -> Vec<String> {
        let listing = Listing {
            collection: Collection::new("a"),
            prefix: "x".to_owned(),
            after: after.map(str::to_owned),
            limit,
        };
        let found = block_on(store.list(&here(), &listing)).unwrap();
        found.into_iter().map(|it| it.key.id).collect()
    };
    assert_eq!(list(None, 9), ["x", "x/", "xé"]);
    assert_eq!(list(None, 2), ["x", "x/"]);
    assert_eq!(list(Some("x/"), 9), ["xé"]);
    assert_eq!(list(Some("A"), 1), ["x"]);
    assert_eq!(list(Some("y"), 9), [""; 0]);
}

#[test]
fn partitions_are_those_that_hold_records() {
    let store = store();
    for (name, write) in [
        ("b", commit(&["a/1"], &[])),
        ("a", commit(&[".q/1"], &[])),
        ("c", commit(&["a/1"], &[])),
    ] {
        block_on(store.commit(&Partition::of(&channel(name)), &write)).unwrap();
    }
    done(&store, &commit(&[], &["a/1"]));
    block_on(store.commit(&Partition::Installation, &commit(&["a/1"], &[]))).unwrap();
    let list = |kind, after: Option<&str>, limit| -> Vec<String> {
        let found = block_on(store.partitions(kind, after, limit)).unwrap();
        found.iter().map(|it| it.id().to_owned()).collect()
    };
    assert_eq!(list(PartitionKind::Channel, None, 9), ["a", "b"]);
    assert_eq!(list(PartitionKind::Channel, Some("a"), 9), ["b"]);
    assert_eq!(list(PartitionKind::Channel, None, 1), ["a"]);
    assert_eq!(list(PartitionKind::Principal, None, 9), [""; 0]);
    assert_eq!(list(PartitionKind::Installation, None, 9), [""]);
    assert_eq!(list(PartitionKind::Installation, Some(""), 9), [""; 0]);
}

#[test]
fn a_purge_begins_the_numbers_again_in_its_epoch() {
    let store = store();
    done(&store, &commit(&["a/1", "a/2"], &[]));
    done(&store, &commit(&["a/3"], &["a/1"]));
    let old = block_on(store.head(&here())).unwrap().cursor;
    block_on(store.purge(&here(), Epoch(1))).unwrap();
    let residue = block_on(RecordStore::residue(&store, &here())).unwrap();
    assert_eq!((residue.items, residue.marks), (0, 0));
    refused(
        block_on(store.commit(&here(), &commit(&["a/1"], &[]))),
        ErrorKind::Fenced,
    );
    for _ in 0..2 {
        let write = Commit {
            epoch: Epoch(1),
            ..commit(&["b/1"], &[])
        };
        done(&store, &write);
    }
    assert!(matches!(
        block_on(store.changes(&here(), &old, 9)).unwrap(),
        Feed::Gone { .. }
    ));
}

/// Takes in a page of the feed; answers whether there is more.
fn follow(store: &MemoryStore, at: &mut Cursor, followed: &mut BTreeMap<Key, Vec<u8>>) -> bool {
    let (entries, to, has_more) = page(store, at, 2);
    *at = to;
    for change in entries {
        match change.value {
            Some(value) => followed.insert(change.key, value),
            None => followed.remove(&change.key),
        };
    }
    has_more
}

#[test]
fn a_follower_holds_what_the_store_holds() {
    let store = store();
    let mut followed = BTreeMap::new();
    let mut at = Cursor::start();
    for round in 0_u8..60 {
        let id = |salt: u8| key(&format!("a/{}", round.wrapping_mul(salt) % 7));
        let put = (id(5), vec![round]);
        let deletes = [id(3)].into_iter().filter(|key| *key != put.0).collect();
        let write = Commit {
            puts: vec![put],
            deletes,
            ..Commit::default()
        };
        done(&store, &write);
        if round % 4 == 0 {
            follow(&store, &mut at, &mut followed);
        }
    }
    while follow(&store, &mut at, &mut followed) {}
    let listing = Listing {
        collection: Collection::new("a"),
        prefix: String::new(),
        after: None,
        limit: 100,
    };
    let held: BTreeMap<Key, Vec<u8>> = block_on(store.list(&here(), &listing))
        .unwrap()
        .into_iter()
        .map(|record| (record.key, record.value))
        .collect();
    assert_eq!(followed, held);
}
