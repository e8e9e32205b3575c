//! No word stays in any file.

use atlas_core::ports::{
    Collection, Commit, Epoch, Key, Listing, MessageStore, Partition, RecordStore, Residue,
};

use super::setup::{channel, fill, holds, message, open, put, run};

const CANARY: &str = "canary-0f3a9c";

#[test]
fn a_forgotten_message_leaves_no_byte() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await.unwrap();
        let c = channel("c");
        // Versions that were replaced, long enough to need pages of their own.
        for n in 0..5 {
            let mut said = message(&c, "1", &format!("{CANARY} {n} {}", "x".repeat(9_000)));
            said.edited_at = Some(said.sent_at.saturating_add_micros(n));
            store.append(&c, Epoch(0), &[said]).await.unwrap();
        }
        assert!(!holds(dir.path(), CANARY).is_empty());
        let id = message(&c, "1", "").id;
        assert_eq!(store.forget(&c, Epoch(0), &[id]).await.unwrap(), 1);
        assert_eq!(holds(dir.path(), CANARY), Vec::<String>::new());
    });
}

/// The whole path: what was forgotten leaves the index too, once it has followed.
#[test]
fn a_forgotten_message_leaves_no_byte_in_the_index() {
    use atlas_core::model::ChannelId;
    use atlas_core::ports::{Embedder, FactIndex, SystemClock};
    use atlas_core::{Atlas, Components, Settings};
    use atlas_offline::{OfflineEmbedder, OfflineLlm};
    use atlas_store_sqlite::SqliteStore;

    run(async {
        let dir = tempfile::tempdir().unwrap();
        let embedder = OfflineEmbedder::default();
        let store = SqliteStore::open_with(dir.path(), embedder.space(), super::setup::settings())
            .await
            .unwrap();
        let parts = Components::new(store.clone(), OfflineLlm::default(), embedder, SystemClock);
        let atlas = Atlas::new(parts, Settings::default()).unwrap();
        let c = channel("c");
        let handle = atlas.channel(ChannelId::new("c"));
        // One word in lower case: the index holds words as terms.
        let told = "We decided to use quixotine for the billing service.";
        let said = [
            message(&c, "1", told),
            message(
                &c,
                "2",
                "We decided to use Postgres for the search service.",
            ),
        ];
        handle.remember(&said).await.unwrap();
        assert!(!handle.search("quixotine").await.unwrap().hits.is_empty());
        let in_index = || holds(&dir.path().join("index"), "quixotine");
        assert!(!in_index().is_empty());

        store
            .forget(&c, Epoch(0), &[said[0].id.clone()])
            .await
            .unwrap();
        assert!(FactIndex::residue(&store, &c).await.unwrap().items > 0);
        handle.settle().await.unwrap();
        assert_eq!(in_index(), Vec::<String>::new());
        assert!(handle.search("quixotine").await.unwrap().hits.is_empty());
        assert!(!handle.search("Postgres").await.unwrap().hits.is_empty());
        assert!(store.verify().await.unwrap().is_sound());
    });
}

#[test]
fn a_purged_channel_leaves_no_byte_and_its_neighbour_everything() {
    run(async {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await.unwrap();
        let (gone, kept) = (channel("gone"), channel("kept"));
        fill(&store, &kept, "neighbour").await;
        let partition = Partition::of(&gone);
        // More than one slice, overwritten and deleted ones among them.
        for page in 0..6 {
            let mut commit = Commit::default();
            for n in 0..1_000 {
                let id = format!("{}", page * 500 + n);
                commit
                    .puts
                    .extend(put(&id, &format!("{CANARY} {page}")).puts);
            }
            store.commit(&partition, &commit).await.unwrap();
        }
        let delete = Commit {
            deletes: (0..300)
                .map(|n| Key::new(Collection::new("thing"), format!("{n}")))
                .collect(),
            ..Commit::default()
        };
        store.commit(&partition, &delete).await.unwrap();
        let said: Vec<_> = (0..3_000)
            .map(|n| message(&gone, &format!("{n}"), CANARY))
            .collect();
        store.append(&gone, Epoch(0), &said).await.unwrap();

        RecordStore::purge(&store, &partition, Epoch(1))
            .await
            .unwrap();
        MessageStore::purge(&store, &gone, Epoch(1)).await.unwrap();
        assert_eq!(holds(dir.path(), CANARY), Vec::<String>::new());
        let nothing = Residue::default();
        assert_eq!(
            RecordStore::residue(&store, &partition).await.unwrap(),
            nothing
        );
        assert_eq!(MessageStore::residue(&store, &gone).await.unwrap(), nothing);
        let listing = Listing {
            collection: Collection::new("thing"),
            prefix: String::new(),
            after: None,
            limit: 9,
        };
        let left = store.list(&Partition::of(&kept), &listing).await.unwrap();
        assert_eq!(left.len(), 1);
        assert_eq!(MessageStore::residue(&store, &kept).await.unwrap().items, 1);
    });
}

#[test]
fn a_purge_that_a_reader_holds_up_says_so_and_is_finished_later() {
    use atlas_core::ErrorKind;
    use atlas_store_sqlite::{SqliteSettings, SqliteStore};
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions, Connection};
    use std::time::Duration;

    run(async {
        let dir = tempfile::tempdir().unwrap();
        let hasty = SqliteSettings {
            busy_timeout: Duration::from_millis(20),
            ..super::setup::settings()
        };
        let store = SqliteStore::open_with(dir.path(), super::setup::space(), hasty)
            .await
            .unwrap();
        let c = channel("c");
        fill(&store, &c, CANARY).await;
        let mut reader = SqliteConnectOptions::new()
            .filename(dir.path().join("atlas.db"))
            .connect()
            .await
            .unwrap();
        let mut reading = reader.begin().await.unwrap();
        let _held = sqlx::query("SELECT count(*) FROM record")
            .fetch_one(&mut *reading)
            .await
            .unwrap();

        let error = MessageStore::purge(&store, &c, Epoch(1)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unavailable);
        // No reader finds it, and its bytes are counted still.
        assert!(store.read(&c, None, 9).await.unwrap().is_empty());
        assert!(MessageStore::residue(&store, &c).await.unwrap().items > 0);

        reading.rollback().await.unwrap();
        MessageStore::purge(&store, &c, Epoch(1)).await.unwrap();
        assert_eq!(
            MessageStore::residue(&store, &c).await.unwrap(),
            Residue::default()
        );
        RecordStore::purge(&store, &Partition::of(&c), Epoch(1))
            .await
            .unwrap();
        assert_eq!(holds(dir.path(), CANARY), Vec::<String>::new());
    });
}
