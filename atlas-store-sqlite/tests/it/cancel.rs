//! A call that is dropped while it waits is done or not done, and the store goes on.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use atlas_core::Result;
use atlas_core::ports::{Epoch, Expect, MessageStore, Partition, RecordStore, Revision};
use atlas_store_sqlite::SqliteStore;

use super::setup::{channel, log, message, open, put, record, run};

/// Wakes a call so many times and drops it; what it answered, if it ended before.
async fn woken<T>(call: impl Future<Output = T>, times: usize) -> Option<T> {
    let mut call = pin!(call);
    let mut n = 0;
    poll_fn(|context| {
        if n >= times {
            return Poll::Ready(None);
        }
        n += 1;
        call.as_mut().poll(context).map(Some)
    })
    .await
}

/// How often a call is dropped at every wake in turn, from none on, until it ends before that.
const ROUNDS: usize = 10;

/// Which wake comes next, and how often all of them were tried.
#[derive(Default)]
struct Wakes {
    next: usize,
    n_dropped: usize,
    n_ended: usize,
}

impl Wakes {
    fn note(&mut self, has_ended: bool) {
        if has_ended {
            self.n_ended += 1;
            self.next = 0;
        } else {
            self.n_dropped += 1;
            self.next += 1;
        }
    }
}

/// Waits until a call that was dropped is done or not done: the next writer comes after it.
async fn rest(store: &SqliteStore) {
    let other = channel("other");
    MessageStore::fence(store, &other, Epoch(0)).await.unwrap();
}

/// Overwrites a hundred records whose head was last written by the commit.
async fn write(store: &SqliteStore, value: usize, revision: Revision) -> Result<Revision> {
    let mut commit = put("head", &value.to_string());
    for id in 0..100 {
        let thing = put(&id.to_string(), &value.to_string());
        commit.puts.extend(thing.puts);
    }
    let head = commit.puts[0].0.clone();
    commit.expects = vec![if revision == Revision(0) {
        Expect::Absent(head)
    } else {
        Expect::At(head, revision)
    }];
    store.commit(&Partition::of(&channel("c")), &commit).await
}

#[test]
fn a_dropped_commit_is_whole_or_nothing() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await.unwrap();
        let partition = Partition::of(&channel("c"));
        let (mut wakes, mut n, mut n_done) = (Wakes::default(), 0, 0);
        while wakes.n_ended < ROUNDS {
            n += 1;
            let before = store.head(&partition).await.unwrap().revision;
            let answer = woken(write(&store, n, before), wakes.next).await;
            wakes.note(answer.is_some());
            rest(&store).await;
            let after = store.head(&partition).await.unwrap().revision;
            if let Some(answer) = answer {
                assert_eq!(answer.unwrap(), after);
            }
            if after == before {
                continue;
            }
            n_done += 1;
            for id in (0..100).map(|id| id.to_string()).chain(["head".to_owned()]) {
                let key = put(&id, "").puts.remove(0).0;
                let found = record(&store, &partition, key).await;
                assert_eq!(
                    (found.revision, found.value),
                    (after, n.to_string().into_bytes())
                );
            }
        }
        println!("{} calls dropped, {n_done} commits done", wakes.n_dropped);
        assert!(wakes.n_dropped >= 2 * ROUNDS && n_done >= ROUNDS);
    });
}

#[test]
fn a_dropped_append_is_whole_or_nothing() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await.unwrap();
        let c = channel("c");
        let (mut wakes, mut n, mut n_done) = (Wakes::default(), 0, 0);
        while wakes.n_ended < ROUNDS {
            n += 1;
            let batch: Vec<_> = (0..30)
                .map(|id| message(&c, &format!("{n}-{id}"), "word"))
                .collect();
            let before = log(&store, &c).await.len();
            let answer = woken(store.append(&c, Epoch(0), &batch), wakes.next).await;
            wakes.note(answer.is_some());
            rest(&store).await;
            let after = log(&store, &c).await.len();
            assert!(
                [before, before + batch.len()].contains(&after),
                "{before} {after}"
            );
            n_done += usize::from(after > before);
            assert!(answer.is_none_or(|answer| answer.is_ok() && after > before));
        }
        println!("{} calls dropped, {n_done} appends done", wakes.n_dropped);
        assert!(wakes.n_dropped >= 2 * ROUNDS && n_done >= ROUNDS);
    });
}
