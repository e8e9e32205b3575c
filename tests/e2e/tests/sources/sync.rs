//! Syncing: whatever the source does, after enough syncs the log is what the source has.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use atlas_core::model::{
    Author, AuthorId, ChannelId, Message, MessageId, NativeId, SourceId, Timestamp,
};
use atlas_core::ports::{
    ChannelScope, Embedder, HistoryCursor, MessageSource, MessageStore, RecordStore,
    SourceCapabilities,
};
use atlas_core::source::{RunState, SyncMode, SyncOutcome, SyncSettings, SyncState};
use atlas_core::{Atlas, Channel, Components, ErrorKind, Result, Settings};
use atlas_offline::OfflineEmbedder;
use atlas_store_memory::MemoryStore;
use atlas_testkit::double::{
    Fault, Faults, Faulty, FixedClock, Hitch, ScriptedLlm, ScriptedSource,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::wait;

const DAY: u64 = 86_400;

struct Bed {
    channel: Channel,
    source: ScriptedSource,
    clock: FixedClock,
    faults: Faults,
    store: Arc<MemoryStore>,
    settings: SyncSettings,
}

fn start() -> Timestamp {
    "2026-03-01T00:00:00Z".parse().unwrap()
}

impl Bed {
    fn new(capabilities: SourceCapabilities) -> Self {
        let embedder = OfflineEmbedder::new();
        let store = Arc::new(MemoryStore::new(embedder.space()));
        let clock = FixedClock::at(start().saturating_add(Duration::from_secs(DAY)));
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
        let atlas = Atlas::new(parts, Settings::default()).unwrap();
        let source = ScriptedSource::new(SourceId::new("s"), ChannelId::new("c"), capabilities);
        Self {
            channel: atlas.channel(ChannelId::new("c")),
            source,
            clock,
            faults,
            store,
            settings: SyncSettings {
                overlap: Duration::from_secs(3_650 * DAY),
                thread_window: Duration::from_secs(3_650 * DAY),
                ..SyncSettings::default()
            },
        }
    }

    fn sync_in(&self, mode: SyncMode) -> Result<SyncOutcome> {
        wait(self.channel.sync(&self.source, mode, &self.settings))
    }

    fn sync(&self) -> Result<SyncOutcome> {
        self.sync_in(SyncMode::Incremental)
    }

    /// Syncs after every wait is over.
    fn sync_later(&self) -> Result<SyncState> {
        self.clock.advance(Duration::from_hours(1));
        self.sync().map(ran)
    }

    fn log(&self) -> Vec<Message> {
        let scope = ChannelScope::new(ChannelId::new("c"));
        let stored = wait(self.store.read(&scope, None, 10_000)).unwrap();
        stored.into_iter().map(|it| it.message).collect()
    }
}

#[track_caller]
fn ran(outcome: SyncOutcome) -> SyncState {
    match outcome {
        SyncOutcome::Ran(state) => *state,
        SyncOutcome::CoolingDown { until } => panic!("it cools down until {until}"),
    }
}

fn message(native: usize, minute: i64, root: Option<usize>) -> Message {
    let id = MessageId::new(
        SourceId::new("s"),
        ChannelId::new("c"),
        NativeId::new(format!("{native:04}")),
    );
    let author = Author {
        id: AuthorId::new("u"),
        name: "U".to_owned(),
    };
    let at = start().saturating_add_micros(minute * 60_000_000);
    let mut message = Message::new(id, author, at, format!("statement {native}"));
    message.thread_root = root.map(|it| NativeId::new(format!("{it:04}")));
    message
}

fn edited(mut message: Message, minute: i64) -> Message {
    message.text.push_str(", edited");
    message.edited_at = Some(start().saturating_add_micros(minute * 60_000_000));
    message
}

fn forwards() -> SourceCapabilities {
    SourceCapabilities::default()
        .with_ascending(true)
        .with_threads(true)
        .with_edits(true)
        .with_max_page(3)
}

#[test]
fn an_unchanged_channel_is_read_again_and_nothing_is_written_twice() {
    for can in [forwards(), forwards().with_ascending(false)] {
        let bed = Bed::new(can);
        for native in 0..10 {
            bed.source.put(message(native, 5, None));
        }
        bed.source.put(message(10, 7, Some(3)));
        let first = bed.sync_later().unwrap();
        assert_eq!(first.run.state, RunState::Done);
        assert_eq!(first.run.report.accepted, 11);
        let second = bed.sync_later().unwrap();
        assert_eq!(second.run.state, RunState::Done);
        let report = &second.run.report;
        assert_eq!(
            (report.accepted, report.changed, report.unchanged),
            (0, 0, 11)
        );
        assert_eq!(bed.log().len(), 11);
    }
}

#[test]
fn a_sync_keeps_others_out_until_its_lease_is_over() {
    let bed = Bed::new(forwards());
    for native in 0..10 {
        bed.source.put(message(native, 5, None));
    }
    // The process dies at its ninth call of a store: what it held is still held.
    bed.faults
        .set(Fault::at(9, ErrorKind::Unavailable).for_ever());
    assert_eq!(bed.sync().unwrap_err().kind(), ErrorKind::Unavailable);
    bed.faults.clear();
    let conflict = bed.sync().unwrap_err();
    assert_eq!(conflict.kind(), ErrorKind::Conflict);
    bed.clock.advance(
        bed.settings
            .lease
            .checked_sub(Duration::from_micros(1))
            .unwrap(),
    );
    assert_eq!(bed.sync().unwrap_err().kind(), ErrorKind::Conflict);
    let before = wait(bed.channel.sync_status(&bed.source.id()))
        .unwrap()
        .unwrap();
    assert!(!before.is_expired);
    bed.clock.advance(Duration::from_micros(1));
    let expired = wait(bed.channel.sync_status(&bed.source.id()))
        .unwrap()
        .unwrap();
    assert!(expired.is_expired);
    assert_eq!(expired.state, before.state, "reading changes nothing");
    let SyncOutcome::Ran(state) = bed.sync().unwrap() else {
        panic!("it did not run");
    };
    assert_eq!((state.abandoned, &state.run.state), (1, &RunState::Done));
    assert_eq!(bed.log(), bed.source.messages());
    // Then it cools down.
    bed.clock.advance(
        bed.settings
            .cool_down
            .checked_sub(Duration::from_micros(1))
            .unwrap(),
    );
    let calls = bed.source.n_calls();
    assert!(matches!(
        bed.sync().unwrap(),
        SyncOutcome::CoolingDown { .. }
    ));
    assert_eq!(bed.source.n_calls(), calls);
    bed.clock.advance(Duration::from_micros(1));
    assert!(matches!(bed.sync().unwrap(), SyncOutcome::Ran(_)));
}

#[test]
fn a_thread_that_fails_costs_no_other_and_is_read_next_time() {
    let bed = Bed::new(forwards());
    for native in 0..3 {
        bed.source.put(message(native, 5, None));
        bed.source.put(message(10 + native, 9, Some(native)));
    }
    bed.source.break_thread(NativeId::new("0001"));
    let first = bed.sync_later().unwrap();
    assert_eq!(first.run.state, RunState::Partial);
    assert_eq!(
        (first.run.report.threads, first.run.report.failed_threads),
        (2, 1)
    );
    let status = wait(bed.channel.sync_status(&bed.source.id()))
        .unwrap()
        .unwrap();
    assert_eq!(status.unread.len(), 1);
    assert!(status.unread[0].last_error.is_some());
    bed.source.mend_threads();
    let second = bed.sync_later().unwrap();
    assert_eq!(second.run.state, RunState::Done);
    assert_eq!(bed.log(), bed.source.messages());
}

#[test]
fn a_late_reply_and_an_edit_are_found_within_their_windows_and_by_a_full_sync_beyond() {
    let mut bed = Bed::new(forwards());
    bed.settings.overlap = Duration::from_mins(1);
    bed.settings.thread_window = Duration::from_secs(10 * DAY);
    bed.source.put(message(1, 0, None));
    bed.source.put(message(2, 1, Some(1)));
    bed.source.put(message(3, 600, None));
    bed.sync_later().unwrap();
    // The root is long before the overlap; the thread is followed.
    bed.source.put(message(4, 700, Some(1)));
    bed.source.put(edited(message(2, 1, Some(1)), 700));
    let report = bed.sync_later().unwrap().run.report;
    assert_eq!((report.accepted, report.changed), (1, 1));
    // Beyond every window only a full sync sees it.
    bed.source.put(edited(message(1, 0, None), 800));
    assert_eq!(bed.sync_later().unwrap().run.report.changed, 0);
    bed.clock.advance(Duration::from_secs(DAY));
    bed.sync_in(SyncMode::Full).unwrap();
    assert_eq!(bed.log(), bed.source.messages());
}

#[test]
fn a_lasting_gap_is_told_and_read_no_more_and_another_is_read_again() {
    for is_lasting in [true, false] {
        let bed = Bed::new(forwards());
        for native in 0..3 {
            bed.source.put(message(native, 5, None));
        }
        bed.source.plan([Hitch::Gap { is_lasting }]);
        let first = bed.sync_later().unwrap();
        assert_eq!(first.lost.len(), usize::from(is_lasting));
        assert_eq!(first.open.len(), usize::from(!is_lasting));
        let state = if is_lasting {
            RunState::Done
        } else {
            RunState::Partial
        };
        assert_eq!(first.run.state, state);
        let second = bed.sync_later().unwrap();
        assert!(second.open.is_empty());
        assert_eq!(bed.log(), bed.source.messages());
    }
}

#[test]
fn settings_that_never_end_are_refused() {
    let bed = Bed::new(forwards());
    let rows = [
        SyncSettings {
            page: 1,
            ..bed.settings.clone()
        },
        SyncSettings {
            max_messages: Some(1),
            ..bed.settings.clone()
        },
        SyncSettings {
            lease: Duration::ZERO,
            ..bed.settings.clone()
        },
    ];
    for settings in rows {
        let refused = wait(bed.channel.sync(&bed.source, SyncMode::Full, &settings)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Invalid);
    }
    assert_eq!(bed.source.n_calls(), 0);
    assert!(
        wait(bed.channel.sync_status(&bed.source.id()))
            .unwrap()
            .is_none()
    );
}

/// What happens between two syncs.
#[derive(Clone, Debug)]
enum Step {
    Say { minute: i64, thread: Option<usize> },
    Edit(usize),
    Plan(Vec<Hitch>),
    Break(usize),
    Crash(u64),
    Sync,
}

fn hitch() -> impl Strategy<Value = Hitch> {
    prop_oneof![
        2 => Just(Hitch::None),
        2 => (2..4_usize).prop_map(Hitch::Cut),
        1 => Just(Hitch::Repeat),
        2 => Just(Hitch::Gap { is_lasting: false }),
        1 => Just(Hitch::Fail(ErrorKind::Unavailable)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        // Few minutes, so that many messages have equal times.
        8 => (0..6_i64, prop::option::of(0..8_usize))
            .prop_map(|(minute, thread)| Step::Say { minute, thread }),
        2 => (0..20_usize).prop_map(Step::Edit),
        2 => prop::collection::vec(hitch(), 1..5).prop_map(Step::Plan),
        1 => (0..8_usize).prop_map(Step::Break),
        2 => (1..40_u64).prop_map(Step::Crash),
        3 => Just(Step::Sync),
    ]
}

#[derive(Default, Debug)]
struct Counts {
    syncs: Cell<usize>,
    crashes: Cell<usize>,
    partial: Cell<usize>,
    gaps: Cell<usize>,
    failed_threads: Cell<usize>,
    ties: Cell<usize>,
    edits: Cell<usize>,
    backwards: Cell<usize>,
}

fn add(cell: &Cell<usize>, by: usize) {
    cell.set(cell.get() + by);
}

fn play(steps: &[Step], bed: &Bed, counts: &Counts) {
    let mut said = 0;
    for step in steps {
        match step {
            Step::Say { minute, thread } => {
                // Only what is no reply itself is a root, and a reply is not before it.
                let roots: Vec<Message> = bed.source.messages();
                let root =
                    thread.and_then(|it| roots.get(it).filter(|it| it.thread_root.is_none()));
                let mut new = message(said, *minute, None);
                if let Some(root) = root {
                    new.thread_root = Some(root.id.native.clone());
                    new.sent_at = new.sent_at.max(root.sent_at);
                }
                said += 1;
                bed.source.put(new);
            }
            Step::Edit(which) => {
                if let Some(old) = bed.source.messages().get(*which) {
                    let minute = 100 + i64::try_from(said).unwrap();
                    bed.source.put(edited(old.clone(), minute));
                    add(&counts.edits, 1);
                }
            }
            Step::Plan(hitches) => bed.source.plan(hitches.iter().copied()),
            Step::Break(which) => {
                if let Some(root) = bed.source.messages().get(*which) {
                    bed.source.break_thread(root.id.native.clone());
                }
            }
            Step::Crash(call) => {
                bed.faults
                    .set(Fault::at(*call, ErrorKind::Unavailable).for_ever());
                bed.clock.advance(Duration::from_hours(1));
                drop(bed.sync());
                add(&counts.crashes, usize::from(bed.faults.n_failed() > 0));
                bed.faults.clear();
            }
            Step::Sync => {
                add(&counts.syncs, 1);
                match bed.sync_later() {
                    Ok(state) => {
                        add(
                            &counts.partial,
                            usize::from(state.run.state == RunState::Partial),
                        );
                        add(&counts.failed_threads, state.run.report.failed_threads);
                    }
                    Err(error) => assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}"),
                }
            }
        }
    }
}

#[test]
fn after_enough_syncs_the_log_is_what_the_source_has() {
    let counts = Counts::default();
    let mut runner = TestRunner::new_with_rng(
        Config::with_cases(200),
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    );
    let given = (
        prop::collection::vec(step(), 5..50),
        any::<(bool, bool)>(),
        (2..6_usize, prop::option::of(2..7_usize)),
    );
    runner
        .run(
            &given,
            |(steps, (ascending, threads), (page, max_messages))| {
                let can = forwards()
                    .with_ascending(ascending)
                    .with_threads(threads)
                    .with_max_page(page);
                let mut bed = Bed::new(can);
                bed.settings.max_messages = max_messages;
                play(&steps, &bed, &counts);
                add(&counts.backwards, usize::from(!ascending));
                bed.source.unplan();
                bed.source.mend_threads();
                add(&counts.gaps, bed.source.n_gaps());
                // Without hitches it ends: every run reads at least one message or thread more. What
                // was edited in a thread is met when it is its turn.
                let mut n_runs = 0;
                let mut done = 0;
                let roots = bed.source.messages();
                let roots: BTreeSet<_> = roots.iter().map(|it| &it.thread_root).collect();
                while done < 2 + roots.len() {
                    n_runs += 1;
                    prop_assert!(n_runs < 400, "it does not end");
                    if bed.sync_later().unwrap().run.state == RunState::Done {
                        done += 1;
                    }
                }
                let expected = bed.source.messages();
                let places: Vec<HistoryCursor> = expected.iter().map(HistoryCursor::of).collect();
                let ties = places
                    .windows(2)
                    .filter(|it| it[0].sent_at == it[1].sent_at);
                add(&counts.ties, ties.count());
                prop_assert_eq!(bed.log(), expected);
                Ok(())
            },
        )
        .unwrap();
    println!("{counts:?}");
    let least = [
        (&counts.syncs, 400),
        (&counts.crashes, 100),
        (&counts.partial, 50),
        (&counts.gaps, 50),
        (&counts.failed_threads, 10),
        (&counts.ties, 1_000),
        (&counts.edits, 100),
        (&counts.backwards, 50),
    ];
    for (number, (count, least)) in least.iter().enumerate() {
        assert!(
            count.get() >= *least,
            "count {number} of {counts:?} is below {least}"
        );
    }
}
