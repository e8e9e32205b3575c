//! A disk that takes no more.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::{fs, io};

use atlas_core::ports::{Epoch, FactIndex, Leg, Residue};
use atlas_core::{ErrorKind, Retry};
use futures::executor::block_on;

use super::super::{FolderFactIndex, FolderSettings};
use super::{apply, channel, cursor, entry, found, space};
use crate::disk::{Disk, Gate};

/// Lets so many writes pass, and none after them, until it is lifted.
#[derive(Debug)]
struct Full {
    left: AtomicI64,
    lifted: i64,
}

impl Full {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            left: AtomicI64::new(i64::MAX),
            lifted: i64::MAX,
        })
    }

    fn after(&self, n_writes: i64) {
        self.left.store(n_writes, Ordering::SeqCst);
    }

    fn lift(&self) {
        self.after(self.lifted);
    }

    fn is_hit(&self) -> bool {
        self.left.load(Ordering::SeqCst) < 0
    }
}

impl Gate for Full {
    fn pass(&self, _path: &Path) -> io::Result<()> {
        if self.left.fetch_sub(1, Ordering::SeqCst) > 0 {
            return Ok(());
        }
        // The count stays below nought, so that it is known to have been hit.
        self.left.store(-1, Ordering::SeqCst);
        Err(io::ErrorKind::StorageFull.into())
    }
}

fn open(dir: &Path, gate: &Arc<Full>) -> FolderFactIndex {
    let gate: Arc<dyn Gate> = Arc::<Full>::clone(gate);
    let settings = FolderSettings::default().with_n_threads(1);
    FolderFactIndex::open_on(dir, space(), settings, Disk::behind(gate)).unwrap()
}

/// Batches: a build, a second, a change with words and vectors that go, and a build anew.
fn batches() -> [((u64, u64), Vec<super::IndexEntry>); 4] {
    let some = |ids: &[&str], text: &str| ids.iter().map(|id| entry(id, text)).collect::<Vec<_>>();
    let mut change = some(&["1", "22"], "gamma alpha");
    let mut gone = entry("333", "");
    gone.documents.clear();
    change.push(gone);
    [
        ((0, 1), some(&["1", "22", "333"], "alpha")),
        ((1, 2), some(&["4444", "55555"], "alpha beta")),
        ((2, 3), change),
        ((0, 4), some(&["anew", "1"], "alpha")),
    ]
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &place);
        } else {
            fs::copy(&path, &place).unwrap();
        }
    }
}

fn answers(index: &FolderFactIndex) -> Vec<Vec<super::IndexHit>> {
    [
        Leg::Lexical {
            text: "alpha gamma".to_owned(),
        },
        Leg::Dense {
            vector: vec![1.0, 2.0],
        },
        Leg::Recent,
    ]
    .map(|leg| found(index, "c", leg).unwrap())
    .to_vec()
}

#[test]
fn every_write_may_fail_and_nothing_is_lost() {
    let known: Vec<_> = {
        let dir = tempfile::tempdir().unwrap();
        let index = open(dir.path(), &Full::new());
        let mut known = vec![answers(&index)];
        for (step, entries) in batches() {
            apply(&index, "c", step, &entries).unwrap();
            known.push(answers(&index));
        }
        known
    };
    let mut n_failures = 0;
    for (at, (step, entries)) in batches().iter().enumerate() {
        let before = tempfile::tempdir().unwrap();
        let index = open(before.path(), &Full::new());
        for (step, entries) in batches().iter().take(at) {
            apply(&index, "c", *step, entries).unwrap();
        }
        drop(index);
        for n_writes in 0.. {
            let dir = tempfile::tempdir().unwrap();
            copy(before.path(), dir.path());
            let gate = Full::new();
            let index = open(dir.path(), &gate);
            gate.after(n_writes);
            let outcome = apply(&index, "c", *step, entries);
            let is_hit = gate.is_hit();
            gate.lift();
            if !is_hit {
                outcome.unwrap();
                break;
            }
            n_failures += 1;
            if let Err(error) = &outcome {
                assert_eq!(
                    error.kind(),
                    ErrorKind::Unavailable,
                    "{n_writes}: {error:?}"
                );
                assert!(
                    matches!(error.retry(), Retry::After(_)),
                    "{n_writes}: {error:?}"
                );
            }
            // Before the batch or after it, to this process and to the next.
            let applied = block_on(index.applied(&channel("c"))).unwrap();
            let is_after = applied == cursor(step.1);
            assert!(is_after || outcome.is_err(), "{n_writes}: it is lost");
            let expected = &known[if is_after { at + 1 } else { at }];
            assert_eq!(&answers(&index), expected, "{at} {n_writes}");
            drop(index);
            let index = open(dir.path(), &gate);
            assert_eq!(block_on(index.applied(&channel("c"))).unwrap(), applied);
            assert_eq!(&answers(&index), expected, "{at} {n_writes}");
            if !is_after {
                apply(&index, "c", *step, entries).unwrap();
            }
            assert_eq!(&answers(&index), &known[at + 1], "{at} {n_writes}");
            let verification = block_on(index.verify(&channel("c"))).unwrap();
            assert!(verification.is_sound(), "{verification:?}");
        }
    }
    assert!(n_failures > 60, "only {n_failures} writes were tried");
}

#[test]
fn a_fence_and_a_purge_may_fail_and_are_done_again() {
    for n_writes in 0.. {
        let dir = tempfile::tempdir().unwrap();
        let gate = Full::new();
        let index = open(dir.path(), &gate);
        apply(&index, "c", (0, 1), &[entry("1", "alpha")]).unwrap();
        gate.after(n_writes);
        let outcome = block_on(index.purge(&channel("c"), Epoch(3)));
        let is_hit = gate.is_hit();
        gate.lift();
        if !is_hit {
            outcome.unwrap();
            assert!(n_writes > 6, "only {n_writes} writes were tried");
            break;
        }
        let error = outcome.unwrap_err();
        assert_eq!(
            error.kind(),
            ErrorKind::Unavailable,
            "{n_writes}: {error:?}"
        );
        block_on(index.purge(&channel("c"), Epoch(3))).unwrap();
        let residue = block_on(index.residue(&channel("c"))).unwrap();
        assert_eq!(residue, Residue::default(), "{n_writes}");
        let late = block_on(index.fence(&channel("c"), Epoch(2))).unwrap_err();
        assert_eq!(late.kind(), ErrorKind::Fenced);
    }
}
