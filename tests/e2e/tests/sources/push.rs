//! Pushing: who sent it, and that it counts once whatever fails.

use std::sync::Arc;
use std::time::Duration;

use atlas_core::ErrorKind;
use atlas_core::model::{ChannelId, Message, SourceId, Timestamp};
use atlas_core::ports::{ChannelScope, Embedder, MessageStore, RecordStore};
use atlas_core::source::push::{
    KEPT_FOR, PushLimits, PushRefusal, PushSource, Pushed, SigningSecret, drop_old_keys, receive,
    sign,
};
use atlas_core::{Components, Result};
use atlas_offline::OfflineEmbedder;
use atlas_store_memory::MemoryStore;
use atlas_testkit::double::{Fault, Faults, Faulty, FixedClock, ScriptedLlm};

use super::wait;

struct Bed {
    parts: Components,
    clock: FixedClock,
    faults: Faults,
    store: Arc<MemoryStore>,
    source: PushSource,
}

impl Bed {
    fn new() -> Self {
        let embedder = OfflineEmbedder::new();
        let store = Arc::new(MemoryStore::new(embedder.space()));
        let clock = FixedClock::at("2026-03-01T00:00:00Z".parse::<Timestamp>().unwrap());
        let faults = Faults::default();
        let mut parts = Components::new(
            Arc::clone(&store),
            ScriptedLlm::new([]),
            embedder,
            clock.clone(),
        );
        let messages = Arc::clone(&store) as Arc<dyn MessageStore>;
        let records = Arc::clone(&store) as Arc<dyn RecordStore>;
        parts.messages = Arc::new(Faulty::new(messages, &faults));
        parts.records = Arc::new(Faulty::new(records, &faults));
        let source = PushSource {
            id: SourceId::new("s"),
            secrets: vec![SigningSecret {
                secret: "k".into(),
                until: None,
            }],
            channels: vec!["team-*".to_owned()],
        };
        Self {
            parts,
            clock,
            faults,
            store,
            source,
        }
    }

    fn push(&self, key: Option<&str>, body: &str) -> Result<Pushed> {
        use atlas_core::ports::Clock as _;
        let header = sign(&"k".into(), self.clock.now(), body.as_bytes());
        wait(receive(
            &self.parts,
            Some(&self.source),
            (&header, key),
            body.as_bytes(),
            (&PushLimits::default(), false),
        ))
    }

    fn log(&self) -> Vec<Message> {
        let scope = ChannelScope::new(ChannelId::new("team-a"));
        let stored = wait(self.store.read(&scope, None, 100)).unwrap();
        stored.into_iter().map(|it| it.message).collect()
    }
}

const SAID: &str = r#"{"channel_id": "team-a", "events": [
    {"message_id": "1", "timestamp": "2026-02-28T10:00:00Z", "author": "u", "content": "hello"},
    {"message_id": "2", "timestamp": "never", "author": "u", "content": "lost"},
    {"message_id": "3", "timestamp": "2026-02-28T10:01:00Z", "author": "u", "content": "world"}]}"#;

const LATER: &str = r#"{"channel_id": "team-a", "events": [
    {"kind": "edit", "message_id": "1", "timestamp": "2026-02-28T10:00:00Z", "author": "u",
     "content": "hello there", "edited_at": "2026-02-28T11:00:00Z"},
    {"kind": "delete", "message_id": "3", "timestamp": "2026-02-28T10:01:00Z"},
    {"kind": "delete", "message_id": "9", "timestamp": "2026-02-28T10:01:00Z"}]}"#;

#[track_caller]
fn taken(pushed: Pushed) -> (usize, usize, usize) {
    let Pushed::Taken(answer) = pushed else {
        panic!("{pushed:?}");
    };
    (answer.accepted, answer.changed, answer.unchanged)
}

#[test]
fn what_is_said_edited_and_deleted_reaches_the_log() {
    let bed = Bed::new();
    assert_eq!(taken(bed.push(None, SAID).unwrap()), (2, 0, 0));
    assert_eq!(taken(bed.push(None, SAID).unwrap()), (0, 0, 2));
    assert_eq!(taken(bed.push(None, LATER).unwrap()), (1, 2, 0));
    let log = bed.log();
    let texts: Vec<(&str, bool)> = log
        .iter()
        .map(|it| (it.text.as_str(), it.is_deleted))
        .collect();
    assert_eq!(texts, [("hello there", false), ("", true), ("", true)]);
    // What was deleted does not come back with a late repeat.
    assert_eq!(taken(bed.push(None, SAID).unwrap()), (0, 0, 2));
    assert_eq!(bed.log(), log);
}

#[test]
fn a_key_counts_once_for_a_day() {
    let bed = Bed::new();
    let first = bed.push(Some("k1"), SAID).unwrap();
    let Pushed::Taken(answer) = first else {
        panic!("{first:?}");
    };
    assert_eq!(
        bed.push(Some("k1"), SAID).unwrap(),
        Pushed::Repeated(answer.clone())
    );
    let reused = bed.push(Some("k1"), LATER).unwrap();
    assert_eq!(reused, Pushed::Refused(PushRefusal::KeyReused));
    assert_eq!(taken(bed.push(Some("k2"), LATER).unwrap()), (1, 2, 0));
    bed.clock
        .advance(KEPT_FOR.checked_sub(Duration::from_micros(1)).unwrap());
    assert_eq!(
        bed.push(Some("k1"), SAID).unwrap(),
        Pushed::Repeated(answer)
    );
    bed.clock.advance(Duration::from_micros(1));
    let scope = ChannelScope::new(ChannelId::new("team-a"));
    assert_eq!(wait(drop_old_keys(&bed.parts, &scope)).unwrap(), 2);
    assert_eq!(taken(bed.push(Some("k1"), SAID).unwrap()), (0, 0, 2));
}

#[test]
fn a_push_that_is_refused_writes_nothing() {
    let bed = Bed::new();
    let other = SAID.replace("team-a", "board");
    assert_eq!(
        bed.push(Some("k"), &other).unwrap(),
        Pushed::Refused(PushRefusal::ChannelNotAllowed)
    );
    assert!(matches!(
        bed.push(Some("k"), "no").unwrap(),
        Pushed::Refused(PushRefusal::Malformed(_))
    ));
    let unsigned = |source: Option<&PushSource>| {
        wait(receive(
            &bed.parts,
            source,
            ("t=1,v1=00", Some("k")),
            SAID.as_bytes(),
            (&PushLimits::default(), false),
        ))
        .unwrap()
    };
    assert_eq!(unsigned(None), unsigned(Some(&bed.source)));
    assert_eq!(bed.faults.n_calls(), 0);
}

#[test]
fn whichever_call_fails_the_same_push_goes_on_and_counts_once() {
    let mut n_failed = 0;
    for takes_effect in [false, true] {
        for call in 1.. {
            let bed = Bed::new();
            let fault = Fault::at(call, ErrorKind::Unavailable);
            bed.faults.set(if takes_effect {
                fault.after_effect()
            } else {
                fault
            });
            let first = bed.push(Some("k"), SAID);
            if bed.faults.n_failed() == 0 {
                break;
            }
            n_failed += 1;
            assert_eq!(
                first.unwrap_err().kind(),
                ErrorKind::Unavailable,
                "call {call}"
            );
            bed.faults.clear();
            let again = bed.push(Some("k"), SAID).unwrap();
            assert!(
                matches!(again, Pushed::Taken(_) | Pushed::Repeated(_)),
                "call {call}: {again:?}"
            );
            assert!(matches!(
                bed.push(Some("k"), SAID).unwrap(),
                Pushed::Repeated(_)
            ));
            let reused = bed.push(Some("k"), LATER).unwrap();
            assert_eq!(reused, Pushed::Refused(PushRefusal::KeyReused));
            assert_eq!(bed.log().len(), 2, "call {call}");
        }
    }
    println!("{n_failed} calls failed");
    assert!(n_failed >= 16, "{n_failed}");
}
