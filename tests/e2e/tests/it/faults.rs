//! Every call fails in turn, and nothing is lost, doubled or reported done that was not.

use std::sync::Arc;
use std::time::Duration;

use atlas_core::maintain::Snapshot;
use atlas_core::model::{
    Author, AuthorId, ChannelId, Message, MessageId, NativeId, SourceId, Timestamp,
};
use atlas_core::ports::{Authorizer, Embedder};
use atlas_core::{Atlas, Channel, Components, ErrorKind, Result, Settings};
use atlas_offline::{OfflineEmbedder, OfflineLlm};
use atlas_store_memory::MemoryStore;
use atlas_testkit::double::{Fault, Faults, Faulty, FixedClock};

use crate::sample::wait;

/// Messages that are taken in at a time, so that a run has several ingests.
const BATCH: usize = 5;

/// Runs after a fault until everything must be done.
const MAX_RUNS: usize = 8;

/// Time between runs, beyond every wait before another try.
const PAUSE: Duration = Duration::from_hours(1);

/// Four conversations: a decision with its reasons, its reversal, a task, a question with its
/// answer; two of them in threads.
fn messages() -> Vec<Message> {
    let rows = [
        (
            "1",
            "",
            "ana",
            "02T09:00",
            "We decided to use Elasticsearch for parts search.",
        ),
        ("2", "1", "ben", "02T09:05", "It will cost 410 € a month."),
        (
            "3",
            "1",
            "ana",
            "02T09:09",
            "Ben Okafor owns the cluster until the end of June.",
        ),
        ("4", "", "cem", "03T10:00", "The launch is on 12 May 2026."),
        ("5", "4", "ana", "03T10:01", "thanks!"),
        (
            "6",
            "",
            "ben",
            "05T11:00",
            "I will write the runbook for on-call by 20 March.",
        ),
        (
            "7",
            "6",
            "cem",
            "06T08:30",
            "The runbook is done, see https://wiki.example/runbook.",
        ),
        (
            "8",
            "",
            "cem",
            "09T14:00",
            "Which port does the staging database listen on?",
        ),
        (
            "9",
            "8",
            "ana",
            "09T14:02",
            "The staging database listens on port 5433.",
        ),
        (
            "10",
            "8",
            "cem",
            "09T14:05",
            "Staging runs in Frankfurt since Monday.",
        ),
        (
            "11",
            "4",
            "cem",
            "20T10:00",
            "The launch is on 26 May 2026.",
        ),
        (
            "12",
            "1",
            "ana",
            "24T16:00",
            "We decided to use Postgres for parts search instead of Elasticsearch.",
        ),
    ];
    let id = |native: &str| {
        MessageId::new(
            SourceId::new("chat"),
            ChannelId::new("c"),
            NativeId::new(native),
        )
    };
    rows.iter()
        .map(|(native, root, author, at, text)| {
            let author = Author {
                id: AuthorId::new(*author),
                name: (*author).to_owned(),
            };
            let at = format!("2026-03-{at}:00Z").parse().unwrap();
            let mut message = Message::new(id(native), author, at, *text);
            message.thread_root = (!root.is_empty()).then(|| NativeId::new(*root));
            message
        })
        .collect()
}

/// A channel whose calls fail as planned.
struct Rig {
    channel: Channel,
    faults: Faults,
    clock: FixedClock,
}

/// Whose calls may fail.
#[derive(Clone, Copy, Debug)]
enum Failing {
    Stores,
    Models,
}

fn rig(failing: Failing) -> Rig {
    let start: Timestamp = "2026-04-01T00:00:00Z".parse().unwrap();
    let clock = FixedClock::at(start);
    let faults = Faults::default();
    let never = Faults::default();
    let (of_stores, of_models) = match failing {
        Failing::Stores => (&faults, &never),
        Failing::Models => (&never, &faults),
    };
    let embedder = OfflineEmbedder::default();
    let store = MemoryStore::new(embedder.space());
    let parts = Components {
        messages: Arc::new(Faulty::new(store.clone(), of_stores)),
        records: Arc::new(Faulty::new(store.clone(), of_stores)),
        facts: Arc::new(Faulty::new(store.clone(), of_stores)),
        graph: Arc::new(Faulty::new(store, of_stores)),
        llm: Arc::new(Faulty::new(OfflineLlm::default(), of_models)),
        providers: std::collections::BTreeMap::new(),
        embedder: Arc::new(Faulty::new(embedder, of_models)),
        clock: Arc::new(clock.clone()),
        authorizer: Authorizer::default(),
    };
    let atlas = Atlas::new(parts, Settings::default()).unwrap();
    Rig {
        channel: atlas.channel(ChannelId::new("c")),
        faults,
        clock,
    }
}

impl Rig {
    /// Takes everything in and settles; whether that is reported as complete.
    async fn run(&self, messages: &[Message]) -> Result<bool> {
        for batch in messages.chunks(BATCH) {
            let receipt = self.channel.ingest(batch).await?;
            let given = receipt.accepted + receipt.changed + receipt.unchanged;
            assert_eq!((given, receipt.refused.len()), (batch.len(), 0));
        }
        Ok(self.channel.settle().await?.is_complete())
    }

    async fn snapshot(&self) -> Snapshot {
        self.channel.snapshot().await.unwrap()
    }

    /// Runs until all is done.
    async fn run_to_the_end(&self, messages: &[Message], what: &str) {
        for _ in 0..MAX_RUNS {
            self.clock.advance(PAUSE);
            if self.run(messages).await.unwrap() {
                return;
            }
        }
        panic!("{what}: not done after {MAX_RUNS} runs");
    }
}

/// What a model failed on waits while the rest is settled, so that more than one settle follows the
/// ingest: what is written may then differ, what is known may not.
#[track_caller]
fn check_equal(one: &Snapshot, other: &Snapshot, failing: Failing, what: &str) {
    assert_eq!(one.messages, other.messages, "{what}");
    let mut pairs = vec![(&one.knowledge, &other.knowledge)];
    if matches!(failing, Failing::Stores) {
        pairs.push((&one.written, &other.written));
    }
    for (one, other) in pairs {
        for key in one.keys().chain(other.keys()) {
            assert_eq!(one.get(key), other.get(key), "{what}: {key}");
        }
    }
}

/// Fails each call in turn in each way, and returns how many faults struck.
fn sweep(failing: Failing, kinds: &[ErrorKind]) -> u64 {
    let messages = messages();
    let unbroken = rig(failing);
    let (calls, expected) = wait(async {
        assert!(unbroken.run(&messages).await.unwrap());
        let calls = unbroken.faults.calls();
        (calls, unbroken.snapshot().await)
    });
    assert!(!expected.knowledge.is_empty() && !expected.written.is_empty());
    let mut struck = 0;
    for (place, op) in calls.iter().enumerate() {
        let call = u64::try_from(place + 1).unwrap();
        for kind in kinds {
            let once = Fault::at(call, *kind);
            for fault in [
                once,
                once.for_ever(),
                once.after_effect(),
                once.after_effect().for_ever(),
            ] {
                let what = format!("{op}: {fault:?}");
                let rig = rig(failing);
                wait(async {
                    rig.faults.set(fault);
                    let outcome = rig.run(&messages).await;
                    assert!(
                        rig.faults.n_failed() > 0,
                        "{what}: it never came to that call"
                    );
                    struck += rig.faults.n_failed().min(1);
                    rig.faults.clear();
                    if matches!(outcome, Ok(true)) {
                        // Reported as done: then it is.
                        check_equal(&rig.snapshot().await, &expected, failing, &what);
                    }
                    rig.run_to_the_end(&messages, &what).await;
                    check_equal(&rig.snapshot().await, &expected, failing, &what);
                    assert_eq!(rig.channel.check().await.unwrap(), [], "{what}");
                });
            }
        }
    }
    println!("{failing:?}: {struck} faults over {} calls", calls.len());
    struck
}

#[test]
fn a_run_after_any_store_fault_reaches_what_an_unbroken_run_does() {
    let struck = sweep(Failing::Stores, &[ErrorKind::Unavailable]);
    assert!(struck >= 400, "{struck}");
}

#[test]
fn a_run_after_any_model_fault_reaches_what_an_unbroken_run_does() {
    let struck = sweep(
        Failing::Models,
        &[ErrorKind::Unavailable, ErrorKind::Invalid],
    );
    assert!(struck >= 60, "{struck}");
}
