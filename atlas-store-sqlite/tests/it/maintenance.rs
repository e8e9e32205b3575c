//! Verify, vacuum and backup.

use std::fs;

use atlas_core::ErrorKind;
use atlas_core::ports::{Collection, Commit, Epoch, Key, MessageStore, Partition, RecordStore};
use atlas_store_sqlite::Finding;

use super::setup::{channel, fill, log, message, open, put, run};

#[test]
fn a_backup_is_one_moment_and_opens_as_a_store() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let store = open(&dir.path().join("live")).await.unwrap();
        let c = channel("c");
        fill(&store, &c, "before").await;
        let copy = dir.path().join("copy");
        store.backup(&copy).await.unwrap();
        store
            .append(&c, Epoch(0), &[message(&c, "2", "after")])
            .await
            .unwrap();

        let again = store.backup(&copy).await.unwrap_err();
        assert_eq!(again.kind(), ErrorKind::Invalid);

        let copied = open(&copy).await.unwrap();
        assert!(copied.verify().await.unwrap().is_sound());
        let seen = log(&copied, &c).await;
        assert_eq!(seen.len(), 1);
        let head =
            |store| async move { RecordStore::head(store, &Partition::of(&channel("c"))).await };
        assert_eq!(head(&copied).await.unwrap(), head(&store).await.unwrap());
    });
}

#[test]
fn a_vacuum_gives_room_back() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await.unwrap();
        let partition = Partition::of(&channel("c"));
        let mut commit = Commit::default();
        for n in 0..2_000 {
            commit
                .puts
                .extend(put(&format!("{n}"), &"x".repeat(500)).puts);
        }
        store.commit(&partition, &commit).await.unwrap();
        let delete = Commit {
            deletes: (0..2_000)
                .map(|n| Key::new(Collection::new("thing"), format!("{n}")))
                .collect(),
            ..Commit::default()
        };
        store.commit(&partition, &delete).await.unwrap();
        let size = || fs::metadata(dir.path().join("atlas.db")).unwrap().len();
        store.vacuum().await.unwrap();
        assert!(size() < 600_000, "{}", size());
        assert!(store.verify().await.unwrap().is_sound());
    });
}

#[test]
fn a_damaged_database_is_found() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await.unwrap();
        let partition = Partition::of(&channel("c"));
        let mut commit = Commit::default();
        for n in 0..500 {
            commit
                .puts
                .extend(put(&format!("{n:04}"), &"x".repeat(300)).puts);
        }
        store.commit(&partition, &commit).await.unwrap();
        assert!(store.verify().await.unwrap().is_sound());
        store.vacuum().await.unwrap();
        store.close().await;

        // A page in the middle of the records loses its header.
        let file = dir.path().join("atlas.db");
        let mut bytes = fs::read(&file).unwrap();
        let at = bytes
            .windows(300)
            .position(|it| it == "x".repeat(300).as_bytes())
            .unwrap();
        let page = at / 4096 * 4096;
        bytes[page..page + 64].fill(0xAA);
        fs::write(&file, bytes).unwrap();

        let store = open(dir.path()).await.unwrap();
        let found = store.verify().await;
        let is_found = match &found {
            Ok(verified) => verified
                .findings
                .iter()
                .any(|it| matches!(it, Finding::Database { .. })),
            Err(error) => error.kind() == ErrorKind::Corrupt,
        };
        assert!(is_found, "{found:?}");
    });
}

/// Batches that no records gave, and records that no batch took along.
#[test]
fn an_index_that_does_not_follow_the_truth_is_found() {
    use atlas_core::model::{AtomicFact, Stored};
    use atlas_core::ports::{Batch, Cursor, Document, FactIndex, IndexEntry};
    use atlas_testkit::strategy::arb_fact;
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;

    run(async {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await.unwrap();
        let c = channel("c");
        let partition = Partition::of(&c);
        let mut runner = TestRunner::deterministic();
        let fact = arb_fact().new_tree(&mut runner).unwrap().current();
        let commit = Commit {
            puts: vec![(fact.key(), fact.encode().unwrap())],
            ..Commit::default()
        };
        store.commit(&partition, &commit).await.unwrap();
        let head = store.head(&partition).await.unwrap();
        let apply = async |origin: Key, documents: Vec<Document>| {
            let entries = [IndexEntry { origin, documents }];
            let (start, to) = (Cursor::start(), &head.cursor);
            let batch = Batch {
                epoch: head.epoch,
                from: &start,
                to,
                entries: &entries,
            };
            store.apply(&c, batch).await.unwrap();
        };
        let document = atlas_core::project::documents::fact_document(&fact, None, None, None);

        apply(fact.key(), vec![document.clone()]).await;
        assert!(store.verify().await.unwrap().is_sound());
        apply(fact.key(), Vec::new()).await;
        let lacks = store.verify().await.unwrap().findings;
        assert_eq!(lacks.len(), 1, "{lacks:?}");
        apply(AtomicFact::key_of("never"), vec![document]).await;
        let found = store.verify().await.unwrap().findings;
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().all(|it| matches!(it, Finding::Index { .. })));
    });
}
