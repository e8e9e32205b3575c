//! Several handles on one folder, as several processes have them.

use std::fs::File;
use std::time::Duration;

use atlas_core::ports::{Cursor, Epoch, FactIndex};
use atlas_core::{ErrorKind, Retry};
use atlas_index::{FolderFactIndex, FolderSettings};
use futures::executor::block_on;

use super::kind::open;
use super::setup::{
    apply, by_vector, by_words, channel, cursor, document, entries, ids, refused, space, try_apply,
};

#[test]
fn each_sees_what_the_other_commits() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (open(dir.path()), open(dir.path()));
    let with_vector = |id: &str, text: &str| {
        let mut it = document(id, text);
        it.vector = Some(vec![1.0, 0.0, 0.0]);
        entries(vec![it])
    };
    assert_eq!(ids(&two, &["c"], &by_words("alpha")), [""; 0]);
    for round in 0..6 {
        let (writer, reader) = if round % 2 == 0 {
            (&one, &two)
        } else {
            (&two, &one)
        };
        apply(writer, "c", &with_vector(&round.to_string(), "alpha"));
        let n_seen = usize::try_from(round + 1).unwrap();
        assert_eq!(
            block_on(reader.applied(&channel("c"))).unwrap(),
            cursor(round + 1)
        );
        assert_eq!(ids(reader, &["c"], &by_words("alpha")).len(), n_seen);
        assert_eq!(
            ids(reader, &["c"], &by_vector([1.0, 0.0, 0.0])).len(),
            n_seen
        );
    }
    // A batch on what was applied before the other's.
    refused(try_apply(&one, "c", (0, 3, 9), &[]), ErrorKind::Conflict);
    // A build of the other's.
    try_apply(&two, "c", (0, 0, 1), &with_vector("anew", "beta")).unwrap();
    assert_eq!(ids(&one, &["c"], &by_words("alpha beta")), ["c/anew"]);
    block_on(two.fence(&channel("c"), Epoch(2))).unwrap();
    refused(try_apply(&one, "c", (1, 1, 2), &[]), ErrorKind::Fenced);
    block_on(two.purge(&channel("c"), Epoch(2))).unwrap();
    assert_eq!(
        block_on(one.applied(&channel("c"))).unwrap(),
        Cursor::start()
    );
    assert_eq!(ids(&one, &["c"], &by_words("beta")), [""; 0]);
}

#[test]
fn a_writer_is_waited_for_within_bounds() {
    let dir = tempfile::tempdir().unwrap();
    let index = open(dir.path());
    apply(&index, "c", &entries(vec![document("1", "alpha")]));
    let folders = std::fs::read_dir(dir.path().join("channels")).unwrap();
    let lock = folders.last().unwrap().unwrap().path().join("lock");
    let lock = File::options().write(true).open(lock).unwrap();
    lock.lock().unwrap();
    let settings = FolderSettings::default().with_writer_wait(Duration::from_millis(20));
    let hasty = FolderFactIndex::open(dir.path(), space(), settings).unwrap();
    let error = try_apply(&hasty, "c", (0, 1, 2), &[]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(matches!(error.retry(), Retry::After(_)));
    // Readers wait for nobody.
    assert_eq!(ids(&hasty, &["c"], &by_words("alpha")), ["c/1"]);
    std::thread::scope(|threads| {
        let waiting = threads.spawn(|| apply(&index, "c", &[]));
        std::thread::yield_now();
        lock.unlock().unwrap();
        waiting.join().unwrap();
    });
    assert_eq!(block_on(index.applied(&channel("c"))).unwrap(), cursor(2));
}

#[test]
fn readers_are_not_disturbed_by_builds() {
    let dir = tempfile::tempdir().unwrap();
    let (writer, reader) = (open(dir.path()), open(dir.path()));
    let state = |round: u64| {
        let documents = (0..10_u8).map(|at| {
            let mut it = document(&at.to_string(), &format!("same round{round}"));
            it.vector = Some(vec![f32::from(at), 1.0, 0.0]);
            it
        });
        entries(documents.collect())
    };
    try_apply(&writer, "c", (0, 0, 1), &state(0)).unwrap();
    std::thread::scope(|threads| {
        let writing = threads.spawn(|| {
            for round in 1..8 {
                try_apply(&writer, "c", (0, 0, round), &state(round)).unwrap();
            }
        });
        let mut n_looks = 0;
        while !writing.is_finished() {
            for it in [by_words("same"), by_vector([1.0, 1.0, 0.0])] {
                assert_eq!(ids(&reader, &["c"], &it).len(), 10);
                n_looks += 1;
            }
        }
        assert!(n_looks > 0);
    });
}

#[test]
fn a_call_that_nobody_waits_for_is_whole_or_not() {
    let dir = tempfile::tempdir().unwrap();
    // One thread writes, so what was begun first is done first.
    let settings = FolderSettings::default().with_n_writer_threads(1);
    let index = FolderFactIndex::open(dir.path(), space(), settings).unwrap();
    for round in 0..5 {
        let from = cursor(round);
        let to = cursor(round + 1);
        let batch = entries(vec![document(&round.to_string(), "alpha")]);
        let scope = channel("c");
        let mut call = index.apply(
            &scope,
            atlas_core::ports::Batch {
                epoch: Epoch(0),
                from: &from,
                to: &to,
                entries: &batch,
            },
        );
        // It is begun, and then dropped.
        let waker = std::task::Waker::noop();
        let mut context = std::task::Context::from_waker(waker);
        let _begun = call.as_mut().poll(&mut context);
        drop(call);
        // The next writer has its turn after it.
        block_on(index.compact(&scope)).unwrap();
        let applied = block_on(index.applied(&scope)).unwrap();
        let n_found = ids(&index, &["c"], &by_words("alpha")).len() as u64;
        assert_eq!(n_found, applied.revision.0);
        if applied == from {
            apply(&index, "c", &batch);
        }
    }
}
