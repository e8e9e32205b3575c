//! A full disk: a typed error, then recovery, and nothing lost.

use atlas_core::ports::{Epoch, MessageStore, Partition, RecordStore};
use atlas_core::{ErrorKind, Retry};
use atlas_store_sqlite::{SqliteSettings, SqliteStore};

use super::setup::{channel, log, message, open, put, run, settings, space};

#[test]
fn what_does_not_fit_is_refused_whole_and_fits_once_there_is_room() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let narrow = SqliteSettings {
            max_bytes: Some(1024 * 1024),
            ..settings()
        };
        let store = SqliteStore::open_with(dir.path(), space(), narrow)
            .await
            .unwrap();
        let c = channel("c");
        let partition = Partition::of(&c);
        let text = "x".repeat(10_000);
        let mut n_kept = 0;
        let refusal = loop {
            let id = n_kept.to_string();
            if let Err(error) = store.append(&c, Epoch(0), &[message(&c, &id, &text)]).await {
                break error;
            }
            n_kept += 1;
            assert!(n_kept < 200, "nothing was ever refused");
        };
        assert_eq!(refusal.kind(), ErrorKind::Unavailable);
        assert!(
            matches!(refusal.retry(), Retry::After(_)),
            "{:?}",
            refusal.retry()
        );
        let commit = store
            .commit(&partition, &put("big", &"y".repeat(200_000)))
            .await;
        assert_eq!(commit.unwrap_err().kind(), ErrorKind::Unavailable);
        // What was acknowledged can be read, and the refused is not there.
        let seen = log(&store, &c).await;
        assert_eq!(seen.len(), n_kept);
        assert_eq!(store.head(&partition).await.unwrap().revision.0, 0);
        store.close().await;

        let store = open(dir.path()).await.unwrap();
        assert!(store.verify().await.unwrap().is_sound());
        let more = message(&c, "more", &text);
        store.append(&c, Epoch(0), &[more]).await.unwrap();
        store
            .commit(&partition, &put("big", &"y".repeat(200_000)))
            .await
            .unwrap();
        let seen = log(&store, &c).await;
        assert_eq!(seen.len(), n_kept + 1);
    });
}
