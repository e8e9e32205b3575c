//! A folder that keeps everything: opened again, it has nothing to do; without its index, it builds
//! one and asks no model.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use atlas_core::ports::{Authorizer, Embedder};
use atlas_core::{Atlas, Channel, Components, Settings};
use atlas_offline::{OfflineEmbedder, OfflineLlm};
use atlas_store_sqlite::{Durability, SqliteSettings, SqliteStore};
use atlas_testkit::double::{Faults, Faulty, FixedClock};

use crate::sample::{sample, wait_in_time};

/// The product channel of the sample in a folder, with an account of every call.
struct Kept {
    channel: Channel,
    store: SqliteStore,
    calls: Faults,
}

async fn open(dir: &Path) -> Kept {
    let embedder = OfflineEmbedder::default();
    let settings = SqliteSettings {
        durability: Durability::Normal,
        ..SqliteSettings::default()
    };
    let store = SqliteStore::open_with(dir, embedder.space(), settings)
        .await
        .unwrap();
    let calls = Faults::default();
    let parts = Components {
        messages: Arc::new(Faulty::new(store.clone(), &calls)),
        records: Arc::new(Faulty::new(store.clone(), &calls)),
        facts: Arc::new(Faulty::new(store.clone(), &calls)),
        graph: Arc::new(Faulty::new(store.clone(), &calls)),
        llm: Arc::new(Faulty::new(OfflineLlm::default(), &calls)),
        providers: std::collections::BTreeMap::new(),
        embedder: Arc::new(Faulty::new(embedder, &calls)),
        clock: Arc::new(FixedClock::at("2026-06-01T00:00:00Z".parse().unwrap())),
        authorizer: Authorizer::default(),
    };
    let atlas = Atlas::new(parts, Settings::default()).unwrap();
    Kept {
        channel: atlas.channel(sample().id("product")),
        store,
        calls,
    }
}

/// Fills a folder, and closes it.
async fn fill(dir: &Path) {
    let kept = open(dir).await;
    let (receipt, settled) = kept
        .channel
        .remember(sample().messages("product"))
        .await
        .unwrap();
    assert!(receipt.accepted > 100 && settled.is_complete());
    kept.store.close().await;
}

/// What a search finds, best first.
async fn found(channel: &Channel) -> Vec<String> {
    let hits = channel.search("When is the launch?").await.unwrap().hits;
    assert!(hits.len() >= 3);
    hits.iter()
        .map(|hit| format!("{:?} {} {:?}", hit.messages(), hit.score, hit.legs))
        .collect()
}

fn n_of(calls: &Faults, name: &str) -> usize {
    calls.calls().iter().filter(|it| it.contains(name)).count()
}

#[test]
fn a_folder_comes_to_what_memory_comes_to() {
    wait_in_time(async {
        let dir = tempfile::tempdir().unwrap();
        fill(dir.path()).await;
        let kept = open(dir.path()).await;
        let in_memory = sample().channel("product");
        let (ours, theirs) = (
            kept.channel.snapshot().await.unwrap(),
            in_memory.snapshot().await.unwrap(),
        );
        assert_eq!(ours.messages, theirs.messages);
        assert_eq!(ours.knowledge, theirs.knowledge);
        assert_eq!(ours.written, theirs.written);
        assert_eq!(found(&kept.channel).await, found(&in_memory).await);
        assert_eq!(kept.channel.check().await.unwrap(), []);
        assert!(kept.store.verify().await.unwrap().is_sound());
    });
}

#[test]
fn the_second_run_on_the_same_messages_writes_nothing_and_asks_nobody() {
    wait_in_time(async {
        let dir = tempfile::tempdir().unwrap();
        fill(dir.path()).await;
        let kept = open(dir.path()).await;
        let said = sample().messages("product");
        let (receipt, settled) = kept.channel.remember(said).await.unwrap();
        assert_eq!(
            (receipt.accepted, receipt.changed, receipt.unchanged),
            (0, 0, said.len())
        );
        assert!(settled.is_complete());
        assert!(n_of(&kept.calls, "append") > 0, "{:?}", kept.calls.calls());
        for name in ["commit", "apply", "complete", "stream", "embed"] {
            assert_eq!(
                n_of(&kept.calls, name),
                0,
                "{name}: {:?}",
                kept.calls.calls()
            );
        }
    });
}

#[test]
fn an_index_that_is_gone_or_damaged_is_built_again_without_an_embedder() {
    wait_in_time(async {
        let dir = tempfile::tempdir().unwrap();
        fill(dir.path()).await;
        let kept = open(dir.path()).await;
        let expected = found(&kept.channel).await;
        kept.store.close().await;
        drop(kept);
        let index = dir.path().join("index");
        for damage in ["all is gone", "every file is cut"] {
            if damage == "all is gone" {
                fs::remove_dir_all(&index).unwrap();
            } else {
                cut_all(&index);
            }
            let kept = open(dir.path()).await;
            assert_eq!(found(&kept.channel).await, expected, "{damage}");
            assert!(n_of(&kept.calls, "apply") > 0, "{damage}");
            // The question is embedded, and nothing else.
            assert_eq!(
                n_of(&kept.calls, "embed"),
                1,
                "{damage}: {:?}",
                kept.calls.calls()
            );
            assert!(kept.store.verify().await.unwrap().is_sound(), "{damage}");
            kept.store.close().await;
        }
    });
}

/// Cuts every file to half.
fn cut_all(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            cut_all(&path);
        } else {
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_len(file.metadata().unwrap().len() / 2).unwrap();
        }
    }
}

#[test]
fn a_backup_opens_as_a_store_and_builds_its_index() {
    wait_in_time(async {
        let dir = tempfile::tempdir().unwrap();
        let live = dir.path().join("live");
        fill(&live).await;
        let kept = open(&live).await;
        let copy = dir.path().join("copy");
        kept.store.backup(&copy).await.unwrap();
        assert!(!copy.join("index").exists());
        let restored = open(&copy).await;
        assert_eq!(found(&restored.channel).await, found(&kept.channel).await);
        assert_eq!(n_of(&restored.calls, "embed"), 1);
        assert!(restored.store.verify().await.unwrap().is_sound());
    });
}
