//! One message's way, step by step.

use atlas_core::extract::ExtractReport;
use atlas_core::ingest::{BACK_OFF_SECONDS, DeadFilter, LEASE_SECONDS, MAX_ATTEMPTS};
use atlas_core::llm::Role;
use atlas_core::maintain::{Explanation, Settled, Wait};
use atlas_core::model::{DeadReason, Message, MessageOutcome, OutcomeStage, SourceId};
use atlas_core::{Channel, ErrorKind};
use atlas_testkit::double::Fault;

use crate::model::Manner;
use crate::rig::{Rig, drive, id, message, poll_times};

fn messages(n: usize) -> Vec<Message> {
    (0..n).map(|place| message(place, 0)).collect()
}

fn remember(channel: &Channel, messages: &[Message]) -> Settled {
    drive(channel.remember(messages)).unwrap().1
}

fn settle(channel: &Channel) -> Settled {
    drive(channel.settle()).unwrap()
}

fn outcomes(channel: &Channel) -> Vec<MessageOutcome> {
    let mut outcomes = drive(channel.outcomes()).unwrap();
    // When something was learned differs; what was learned must not.
    for outcome in &mut outcomes {
        outcome.extraction = None;
    }
    outcomes
}

#[track_caller]
fn waits(channel: &Channel, native: &str) -> Wait {
    let explained = drive(channel.explain(&id(native))).unwrap();
    let Explanation::Waiting(wait) = explained else {
        panic!("{explained:?}");
    };
    wait
}

/// What an unbroken run makes of the messages, and how many requests of each extractor that takes.
fn unbroken(messages: &[Message]) -> (Vec<MessageOutcome>, [usize; 2]) {
    let rig = Rig::new();
    let channel = rig.channel("a");
    assert!(remember(&channel, messages).is_complete());
    let calls = [Role::FactExtractor, Role::EntityExtractor].map(|it| rig.model.n_calls(it));
    (outcomes(&channel), calls)
}

#[test]
fn a_failed_attempt_is_counted_and_waits_until_it_is_dead_and_retried() {
    let rig = Rig::new();
    let channel = rig.channel("a");
    rig.model.always(Role::FactExtractor, Manner::Malformed);
    let settled = remember(&channel, &messages(1));
    assert!(!settled.is_complete() && settled.extract.failed == 1);
    for (n, seconds) in (1..).zip(BACK_OFF_SECONDS) {
        let wait = waits(&channel, "0");
        assert_eq!(wait.attempts, n);
        assert!(wait.last_error.is_some() && wait.lease.is_none());
        let next = wait.next_try.unwrap();
        assert_eq!(
            next,
            rig.parts
                .clock
                .now()
                .saturating_add_micros(seconds * 1_000_000)
        );
        rig.wait(u64::try_from(seconds).unwrap() - 1);
        assert_eq!(settle(&channel).extract.failed, 0, "too early");
        rig.wait(1);
        assert_eq!(settle(&channel).extract.failed, 1);
    }
    let explained = drive(channel.explain(&id("0"))).unwrap();
    let Explanation::Dead { reason, attempts } = explained else {
        panic!("{explained:?}");
    };
    assert!(matches!(reason, DeadReason::Unreadable(_)) && attempts == MAX_ATTEMPTS);
    rig.wait(100_000);
    assert_eq!(settle(&channel).extract.n_calls, 0);
    // The entities were read once, and what was read is kept.
    assert_eq!(rig.model.n_calls(Role::EntityExtractor), 1);
    rig.model.behave();
    let limits = DeadFilter {
        only_limits: true,
        ..DeadFilter::default()
    };
    assert_eq!(drive(channel.retry_failed(&limits)).unwrap(), 0);
    assert_eq!(
        drive(channel.retry_failed(&DeadFilter::default())).unwrap(),
        1
    );
    assert!(settle(&channel).is_complete());
    assert_eq!(outcomes(&channel), unbroken(&messages(1)).0);
}

#[test]
fn an_outage_costs_no_attempt_and_no_reply_is_paid_twice() {
    let rig = Rig::new();
    let channel = rig.channel("a");
    rig.model.always(Role::EntityExtractor, Manner::Unavailable);
    drive(channel.ingest(&messages(1))).unwrap();
    for _ in 0..10 {
        let settled = settle(&channel);
        assert!(settled.extract.outage.is_some() && settled.extract.failed == 0);
        let wait = waits(&channel, "0");
        assert_eq!((wait.attempts, wait.lease), (0, None));
        rig.wait(1_000);
    }
    assert!(outcomes(&channel).iter().all(|it| it.claims.is_empty()));
    rig.model.behave();
    assert!(settle(&channel).is_complete());
    assert_eq!(rig.model.n_calls(Role::FactExtractor), 1);
    assert_eq!(outcomes(&channel), unbroken(&messages(1)).0);
}

#[test]
fn a_reply_that_breaks_off_is_asked_for_in_parts() {
    let all = messages(6);
    let (expected, _) = unbroken(&all);
    let mut n_splits = 0;
    for hundredths in (0..100).step_by(7) {
        for manner in [Manner::Truncated(hundredths), Manner::Broken(hundredths)] {
            let rig = Rig::new();
            let channel = rig.channel("a");
            rig.model.plan([manner]);
            let ExtractReport { splits, failed, .. } = remember(&channel, &all).extract;
            n_splits += splits;
            for _ in 0..failed {
                rig.wait(10);
                settle(&channel);
            }
            assert_eq!(outcomes(&channel), expected, "{manner:?}");
            assert_eq!(rig.model.n_repeated(), 0, "{manner:?}");
            assert_eq!(drive(channel.check()).unwrap(), [], "{manner:?}");
        }
    }
    println!("{n_splits} replies broke off");
    assert!(n_splits >= 20, "{n_splits}");
}

#[test]
fn a_message_whose_reply_always_breaks_off_dies_alone() {
    let rig = Rig::new();
    let channel = rig.channel("a");
    // The whole batch, then its halves: the first one down to its first message.
    let good = Manner::Good;
    let cut = Manner::Truncated(0);
    // The requests of both extractors are made in turns, while both have any.
    rig.model.plan([cut, good, cut, cut, good]);
    remember(&channel, &messages(3));
    let explained = drive(channel.explain(&id("0"))).unwrap();
    let dead = Explanation::Dead {
        reason: DeadReason::Truncated,
        attempts: 1,
    };
    assert_eq!(explained, dead);
    for native in ["1", "2"] {
        let explained = drive(channel.explain(&id(native))).unwrap();
        assert!(
            matches!(explained, Explanation::Facts { .. }),
            "{explained:?}"
        );
    }
    assert_eq!(
        drive(channel.retry_failed(&DeadFilter::default())).unwrap(),
        1
    );
    settle(&channel);
    assert_eq!(outcomes(&channel), unbroken(&messages(3)).0);
}

#[test]
fn only_the_extractor_that_failed_is_asked_again() {
    for failing in [Role::FactExtractor, Role::EntityExtractor] {
        let rig = Rig::new();
        let channel = rig.channel("a");
        rig.model.always(failing, Manner::Malformed);
        remember(&channel, &messages(1));
        let stands = outcomes(&channel)
            .iter()
            .all(|it| matches!(it.stage, OutcomeStage::Queued { .. }) && it.claims.is_empty());
        assert!(stands && drive(channel.facts()).unwrap().is_empty());
        rig.model.behave();
        rig.wait(5);
        assert!(settle(&channel).is_complete());
        for role in [Role::FactExtractor, Role::EntityExtractor] {
            let expected = if role == failing { 2 } else { 1 };
            assert_eq!(rig.model.n_calls(role), expected, "{role:?}");
        }
        assert_eq!(outcomes(&channel), unbroken(&messages(1)).0);
    }
}

#[test]
fn whoever_comes_after_the_end_of_the_lease_publishes_nothing() {
    let rig = Rig::new();
    let (slow, quick) = (rig.channel("slow"), rig.channel("quick"));
    drive(slow.ingest(&messages(3))).unwrap();
    let mut late = Box::pin(slow.settle());
    // It has claimed and asks.
    assert!(poll_times(&mut late, 1).is_none());
    let lease = waits(&quick, "0").lease.unwrap();
    assert_eq!(lease.holder, "slow");
    rig.wait(u64::try_from(LEASE_SECONDS).unwrap());
    assert!(settle(&quick).is_complete());
    let expected = outcomes(&quick);
    let late = poll_times(&mut late, 1_000).unwrap().unwrap();
    assert_eq!((late.extract.lost, late.extract.conversations), (1, 0));
    assert_eq!(outcomes(&quick), expected);
    assert_eq!(expected, unbroken(&messages(3)).0);
}

#[test]
fn a_lease_is_renewed_between_batches_and_what_a_crash_leaves_is_taken_over() {
    let rig = Rig::new();
    let channel = rig.channel("a");
    let all = messages(30);
    drive(channel.ingest(&all)).unwrap();
    let seconds = u64::try_from(LEASE_SECONDS).unwrap() / 2 + 1;
    rig.model.plan([Manner::Slow(seconds); 6]);
    let mut working = Box::pin(channel.settle());
    let first = waits_in_work(&rig, &mut working, 1);
    let later = waits_in_work(&rig, &mut working, 4);
    assert!(later.next_try > first.next_try && later.attempts == 1);
    drop(working);
    // Settling waits until the lease ends.
    let settled = settle(&rig.channel("b"));
    assert!(settled.is_complete() && settled.extract.recalled > 0);
    assert_eq!(outcomes(&channel), unbroken(&all).0);
    assert_eq!(rig.model.n_repeated(), 0);
}

fn waits_in_work<F: Future>(rig: &Rig, working: &mut std::pin::Pin<Box<F>>, polls: usize) -> Wait {
    assert!(poll_times(working, polls).is_none());
    waits(&rig.channel("looking"), "29")
}

#[test]
fn what_never_ends_is_given_up() {
    let rig = Rig::new();
    let channel = rig.channel("a");
    drive(channel.ingest(&messages(1))).unwrap();
    for _ in 0..MAX_ATTEMPTS {
        assert!(poll_times(&mut Box::pin(channel.settle()), 1).is_none());
        rig.wait(u64::try_from(LEASE_SECONDS).unwrap());
        // What the crash had kept would end it.
        rig.model.behave();
    }
    settle(&channel);
    let dead = drive(channel.explain(&id("0"))).unwrap();
    assert!(
        matches!(
            dead,
            Explanation::Dead {
                reason: DeadReason::Abandoned,
                ..
            }
        ),
        "{dead:?}"
    );
}

#[test]
fn a_held_source_is_queued_and_not_read() {
    let rig = Rig::new();
    let channel = rig.channel("a");
    let source = SourceId::new("chat");
    drive(channel.hold(&source)).unwrap();
    drive(channel.hold(&source)).unwrap();
    let settled = remember(&channel, &messages(4));
    assert_eq!((settled.waiting, settled.extract.n_calls), (2, 0));
    let wait = waits(&channel, "0");
    assert!(wait.is_held && wait.attempts == 0 && wait.since.is_some());
    drive(channel.release(&source)).unwrap();
    assert!(settle(&channel).is_complete());
    assert_eq!(outcomes(&channel), unbroken(&messages(4)).0);
}

#[test]
fn no_message_is_explained_that_there_is_not_and_each_that_there_is() {
    let rig = Rig::new();
    let channel = rig.channel("a");
    let mut silent = message(0, 0);
    "…".clone_into(&mut silent.text);
    let mut idle = message(1, 0);
    "well then".clone_into(&mut idle.text);
    remember(&channel, &[silent, idle, message(2, 0)]);
    let explain = |native: &str| drive(channel.explain(&id(native))).unwrap();
    assert_eq!(explain("9"), Explanation::Unknown);
    assert!(matches!(explain("0"), Explanation::Skipped { .. }));
    assert!(matches!(explain("1"), Explanation::Nothing { .. }));
    assert!(matches!(explain("2"), Explanation::Facts { facts, .. } if facts.len() == 1));
}

#[test]
fn no_crash_between_two_steps_asks_for_a_reply_again() {
    let all = messages(9);
    let (expected, calls) = unbroken(&all);
    let n_calls = {
        let rig = Rig::new();
        drive(rig.channel("a").ingest(&all)).unwrap();
        rig.faults.clear();
        settle(&rig.channel("a"));
        rig.faults.n_calls()
    };
    let (mut n_crashes, mut n_again) = (0, 0);
    for call in 1..=n_calls {
        for after in [false, true] {
            let rig = Rig::new();
            let channel = rig.channel("a");
            drive(channel.ingest(&all)).unwrap();
            let fault = Fault::at(call, ErrorKind::Unavailable).for_ever();
            rig.faults
                .set(if after { fault.after_effect() } else { fault });
            n_crashes += usize::from(drive(channel.settle()).is_err());
            rig.faults.clear();
            rig.wait(u64::try_from(LEASE_SECONDS).unwrap());
            assert!(settle(&channel).is_complete(), "{call}");
            assert_eq!(outcomes(&channel), expected, "{call}");
            // A reply is lost only where the store did not take it: one of each extractor at most.
            let repeated = rig.model.n_repeated();
            assert!(repeated <= 2, "{call}: {repeated}");
            n_again += usize::from(repeated > 0);
        }
    }
    println!("{n_crashes} crashes, {calls:?} requests, {n_again} times one was repeated");
    assert!(n_crashes >= 40, "{n_crashes}");
    assert!(n_again <= 16, "{n_again}");
}

#[test]
fn another_model_is_asked_again() {
    let rig = Rig::new();
    let mut changed = Rig::new();
    for is_same in [true, false] {
        rig.model.behave();
        let channel = rig.channel("a");
        let n_before = rig.model.n_calls(Role::FactExtractor);
        let edited = message(0, usize::from(is_same));
        rig.model.always(Role::EntityExtractor, Manner::Unavailable);
        remember(&channel, &[edited]);
        assert_eq!(rig.model.n_calls(Role::FactExtractor), n_before + 1);
        rig.model.behave();
        changed.parts = rig.parts.clone();
        if !is_same {
            changed.parts.llm = std::sync::Arc::new(rig.model.of_version(2));
        }
        assert!(settle(&changed.channel("b")).is_complete());
        let expected = n_before + if is_same { 1 } else { 2 };
        assert_eq!(rig.model.n_calls(Role::FactExtractor), expected);
    }
}
