//! Whatever is done to it, the store answers as the one in memory does.

use std::sync::atomic::{AtomicUsize, Ordering};

use atlas_core::Result;
use atlas_core::model::{Message, MessageId, NativeId, SourceId, Timestamp};
use atlas_core::ports::{
    ChannelScope, Collection, Commit, Cursor, Epoch, Expect, Feed, Key, Listing, MessageStore,
    Partition, PartitionKind, RecordStore, Sequence,
};
use atlas_store_memory::MemoryStore;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::setup::{channel, message, open, run, space};

/// Something that is done to a store.
#[derive(Clone, Debug)]
enum Step {
    Append(u8, Vec<(u8, u8, i64, Option<i64>, bool)>),
    Forget(u8, Vec<u8>),
    PurgeMessages(u8),
    Commit {
        partition: u8,
        epoch: u64,
        puts: Vec<(u8, u8, u8)>,
        deletes: Vec<(u8, u8)>,
        stale: Option<(u8, u8, u64)>,
    },
    Fence(u8, u64),
    PurgeRecords(u8, u64),
    Reopen,
}

fn arb_step() -> impl Strategy<Value = Step> {
    let name = 0..2_u8;
    let said = (
        0..5_u8,
        0..4_u8,
        0..4_i64,
        prop::option::of(0..4_i64),
        prop::bool::weighted(0.1),
    );
    let key = (0..3_u8, 0..4_u8);
    prop_oneof![
        4 => (name.clone(), vec(said, 0..4)).prop_map(|(c, said)| Step::Append(c, said)),
        1 => (name.clone(), vec(0..5_u8, 0..3)).prop_map(|(c, ids)| Step::Forget(c, ids)),
        1 => name.clone().prop_map(Step::PurgeMessages),
        6 => (
            name.clone(),
            0..2_u64,
            vec((0..3_u8, 0..4_u8, 0..9_u8), 0..4),
            vec(key, 0..2),
            prop::option::weighted(0.3, (0..3_u8, 0..4_u8, 0..5_u64)),
        )
            .prop_map(|(partition, epoch, puts, deletes, stale)| Step::Commit {
                partition, epoch, puts, deletes, stale,
            }),
        1 => (name.clone(), 0..3_u64).prop_map(|(c, epoch)| Step::Fence(c, epoch)),
        1 => (name, 0..3_u64).prop_map(|(c, epoch)| Step::PurgeRecords(c, epoch)),
        1 => Just(Step::Reopen),
    ]
}

fn scope(name: u8) -> ChannelScope {
    channel(["c", "d"][usize::from(name)])
}

fn id(c: &ChannelScope, native: u8) -> MessageId {
    let native = NativeId::new(native.to_string());
    MessageId::new(SourceId::new("test"), c.channel().clone(), native)
}

fn key((collection, id): (u8, u8)) -> Key {
    let collection = ["thing", "other", ".private"][usize::from(collection)];
    Key::new(Collection::new(collection), format!("k{id}"))
}

/// Does the step. What it answers is compared, errors by their kind.
async fn step<S: MessageStore + RecordStore>(store: &S, step: &Step) -> String {
    fn told<T: std::fmt::Debug>(answer: Result<T>) -> String {
        match answer {
            Ok(answer) => format!("{answer:?}"),
            Err(error) => format!("{:?}", error.kind()),
        }
    }
    match step {
        Step::Append(c, said) => {
            let c = scope(*c);
            let messages: Vec<Message> = said
                .iter()
                .map(|(native, text, at, edited, is_deleted)| {
                    let second = |at: i64| Timestamp::from_micros(at * 1_000_000).unwrap();
                    let mut said = message(&c, &native.to_string(), &text.to_string());
                    said.sent_at = second(*at);
                    said.edited_at = edited.map(second);
                    said.is_deleted = *is_deleted;
                    said.thread_root = (*text == 1).then(|| NativeId::new("0"));
                    said
                })
                .collect();
            let epoch = MessageStore::epoch(store, &c).await.unwrap();
            told(store.append(&c, epoch, &messages).await)
        }
        Step::Forget(c, ids) => {
            let c = scope(*c);
            let ids: Vec<MessageId> = ids.iter().map(|it| id(&c, *it)).collect();
            let epoch = MessageStore::epoch(store, &c).await.unwrap();
            told(store.forget(&c, epoch, &ids).await)
        }
        Step::PurgeMessages(c) => {
            let epoch = MessageStore::epoch(store, &scope(*c)).await.unwrap();
            told(MessageStore::purge(store, &scope(*c), epoch.next()).await)
        }
        Step::Commit {
            partition,
            epoch,
            puts,
            deletes,
            stale,
        } => {
            let partition = Partition::of(&scope(*partition));
            let commit = Commit {
                epoch: Epoch(*epoch),
                expects: stale
                    .map(|(c, k, revision)| match revision {
                        0 => Expect::Absent(key((c, k))),
                        _ => Expect::At(key((c, k)), atlas_core::ports::Revision(revision)),
                    })
                    .into_iter()
                    .collect(),
                puts: puts
                    .iter()
                    .map(|(c, k, v)| (key((*c, *k)), vec![*v]))
                    .collect(),
                deletes: deletes.iter().map(|it| key(*it)).collect(),
            };
            told(store.commit(&partition, &commit).await)
        }
        Step::Fence(c, epoch) => {
            told(RecordStore::fence(store, &Partition::of(&scope(*c)), Epoch(*epoch)).await)
        }
        Step::PurgeRecords(c, epoch) => {
            told(RecordStore::purge(store, &Partition::of(&scope(*c)), Epoch(*epoch)).await)
        }
        Step::Reopen => String::new(),
    }
}

/// Everything that can be read.
async fn everything<S: MessageStore + RecordStore>(store: &S) -> Vec<String> {
    let mut seen = Vec::new();
    let kinds = store
        .partitions(PartitionKind::Channel, None, 9)
        .await
        .unwrap();
    seen.push(format!("{kinds:?}"));
    for c in [scope(0), scope(1)] {
        let ids: Vec<MessageId> = (0..5).map(|it| id(&c, it)).collect();
        seen.push(format!(
            "{:?}",
            MessageStore::epoch(store, &c).await.unwrap()
        ));
        seen.push(format!(
            "{:?}",
            MessageStore::get(store, &c, &ids).await.unwrap()
        ));
        seen.push(format!(
            "{:?}",
            MessageStore::residue(store, &c).await.unwrap()
        ));
        for id in &ids {
            seen.push(format!("{:?}", store.versions(&c, id).await.unwrap()));
            seen.push(format!(
                "{:?}",
                store.thread(&c, id, None, 2).await.unwrap()
            ));
        }
        let page = store.read(&c, None, 2).await.unwrap();
        let after = page
            .last()
            .map(|it| (it.message.sent_at, it.message.id.clone()));
        seen.push(format!("{page:?}"));
        seen.push(format!(
            "{:?}",
            store.read(&c, after.as_ref(), 9).await.unwrap()
        ));
        seen.push(format!(
            "{:?}",
            MessageStore::changes(store, &c, Sequence(2), 2)
                .await
                .unwrap()
        ));

        let partition = Partition::of(&c);
        seen.push(format!(
            "{:?}",
            RecordStore::head(store, &partition).await.unwrap()
        ));
        seen.push(format!(
            "{:?}",
            RecordStore::residue(store, &partition).await.unwrap()
        ));
        for collection in ["thing", "other", ".private"] {
            for prefix in ["", "k", "k1", "kk"] {
                let listing = Listing {
                    collection: Collection::new(collection),
                    prefix: prefix.to_owned(),
                    after: (prefix == "k").then(|| "k0".to_owned()),
                    limit: 2,
                };
                seen.push(format!(
                    "{:?}",
                    store.list(&partition, &listing).await.unwrap()
                ));
            }
        }
        for limit in [1, 2, 99] {
            let mut since = Cursor::start();
            loop {
                let feed = RecordStore::changes(store, &partition, &since, limit)
                    .await
                    .unwrap();
                seen.push(format!("{feed:?}"));
                match feed {
                    Feed::Page {
                        to, has_more: true, ..
                    } => since = to,
                    Feed::Page { .. } | Feed::Gone { .. } => break,
                }
            }
        }
    }
    seen
}

#[test]
fn every_history_is_answered_alike() {
    let reopened = AtomicUsize::new(0);
    let refused = AtomicUsize::new(0);
    let purged = AtomicUsize::new(0);
    let config = Config {
        cases: 48,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&vec(arb_step(), 1..30), |steps| {
            run(async {
                let dir = tempfile::tempdir().unwrap();
                let mut durable = open(dir.path()).await.unwrap();
                let reference = MemoryStore::new(space());
                for it in &steps {
                    let expected = step(&reference, it).await;
                    prop_assert_eq!(step(&durable, it).await, expected.clone(), "{:?}", it);
                    if ["Conflict", "Fenced", "Invalid"].contains(&expected.as_str()) {
                        refused.fetch_add(1, Ordering::Relaxed);
                    }
                    match it {
                        Step::Reopen => {
                            durable.close().await;
                            durable = open(dir.path()).await.unwrap();
                            reopened.fetch_add(1, Ordering::Relaxed);
                        }
                        Step::PurgeMessages(_) | Step::PurgeRecords(..) => {
                            purged.fetch_add(1, Ordering::Relaxed);
                        }
                        Step::Append(..)
                        | Step::Forget(..)
                        | Step::Commit { .. }
                        | Step::Fence(..) => {}
                    }
                    prop_assert_eq!(
                        everything(&durable).await,
                        everything(&reference).await,
                        "{:?}",
                        it
                    );
                }
                durable.close().await;
                Ok(())
            })
        })
        .unwrap();
    let [reopened, refused, purged] = [reopened, refused, purged].map(AtomicUsize::into_inner);
    println!("{reopened} reopened, {refused} refused, {purged} purged");
    assert!(reopened >= 20 && refused >= 40 && purged >= 40);
}
