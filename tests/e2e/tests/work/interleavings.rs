//! Whatever happens in whatever order, each message ends in one state or waits with a reason, and
//! what is known in the end is what a serial run knows.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::pin::Pin;

use atlas_core::ingest::DeadFilter;
use atlas_core::maintain::{Explanation, Settled};
use atlas_core::model::{AtomicFact, Message, MessageOutcome, OutcomeStage, SourceId};
use atlas_core::{Channel, ErrorKind, Result};
use atlas_testkit::double::Fault;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::model::Manner;
use crate::rig::{Rig, drive, message, poll_times};

/// Runs of the property.
const CASES: u32 = 96;

#[derive(Clone, Debug)]
enum Op {
    Append(usize),
    Edit(usize, usize),
    Delete(usize),
    /// Settles to the end.
    Settle,
    /// Settles until the process dies, after so many steps.
    Crash(usize),
    /// Settles for so many steps, and sleeps.
    Suspend(usize),
    /// Whoever sleeps goes on to the end.
    Resume,
    Wait(u64),
    Fault {
        call: u64,
        is_lasting: bool,
        takes_effect: bool,
    },
    Plan(Vec<Manner>),
    Hold(bool),
    Retry,
}

fn arb_manner() -> impl Strategy<Value = Manner> {
    prop_oneof![
        3 => Just(Manner::Good),
        1 => Just(Manner::Malformed),
        2 => (0..100_usize).prop_map(Manner::Truncated),
        1 => (0..100_usize).prop_map(Manner::Broken),
        1 => Just(Manner::Refusing),
        1 => Just(Manner::Unavailable),
        1 => select(vec![20, 50, 130]).prop_map(Manner::Slow),
    ]
}

fn arb_op() -> impl Strategy<Value = Op> {
    let fault = (1..40_u64, any::<bool>(), any::<bool>());
    prop_oneof![
        4 => (1..5_usize).prop_map(Op::Append),
        2 => (0..20_usize, 0..9_usize).prop_map(|(which, wording)| Op::Edit(which, wording)),
        1 => (0..20_usize).prop_map(Op::Delete),
        4 => Just(Op::Settle),
        3 => (1..6_usize).prop_map(Op::Crash),
        3 => (1..4_usize).prop_map(Op::Suspend),
        3 => Just(Op::Resume),
        3 => select(vec![1, 6, 31, 125, 400]).prop_map(Op::Wait),
        2 => fault.prop_map(|(call, is_lasting, takes_effect)| Op::Fault {
            call,
            is_lasting,
            takes_effect,
        }),
        4 => vec(arb_manner(), 1..8).prop_map(Op::Plan),
        1 => any::<bool>().prop_map(Op::Hold),
        1 => Just(Op::Retry),
    ]
}

/// What the runs came to.
#[derive(Clone, Debug, Default)]
struct Exercised {
    crashes: usize,
    expiries: usize,
    splits: usize,
    refusals: usize,
    faults: usize,
    dead: usize,
    recalled: usize,
    messages: usize,
}

type Sleeping = Pin<Box<dyn Future<Output = Result<Settled>>>>;

struct Run {
    rig: Rig,
    said: BTreeMap<usize, Message>,
    n_edits: i64,
    sleeping: Option<Sleeping>,
    exercised: Exercised,
}

fn settling(channel: Channel) -> Sleeping {
    Box::pin(async move { channel.settle().await })
}

impl Run {
    fn note(&mut self, ended: Result<Settled>) {
        match ended {
            Ok(settled) => {
                self.exercised.expiries += settled.extract.lost;
                self.exercised.splits += settled.extract.splits;
                self.exercised.recalled += settled.extract.recalled;
            }
            Err(error) => assert!(
                matches!(error.kind(), ErrorKind::Unavailable | ErrorKind::Conflict),
                "{error:?}"
            ),
        }
        self.exercised.faults += usize::from(self.rig.faults.n_failed() > 0);
        self.rig.faults.clear();
    }

    fn say(&mut self, place: usize, message: Message) {
        // What is not acknowledged is said again.
        self.rig.faults.clear();
        drive(
            self.rig
                .channel("writer")
                .ingest(std::slice::from_ref(&message)),
        )
        .unwrap();
        self.said.insert(place, message);
    }

    fn again(&mut self, which: usize, change: impl FnOnce(&mut Message)) {
        let n = self.said.len();
        if n == 0 || self.said[&(which % n)].is_deleted {
            return;
        }
        self.n_edits += 1;
        let mut message = self.said[&(which % n)].clone();
        message.edited_at = Some(message.sent_at.saturating_add_micros(self.n_edits));
        change(&mut message);
        self.say(which % n, message);
    }

    fn perform(&mut self, op: &Op) {
        match op {
            Op::Append(n) => {
                for _ in 0..*n {
                    let place = self.said.len();
                    self.say(place, message(place, 0));
                }
            }
            Op::Edit(which, wording) => {
                let n = self.said.len().max(1);
                let text = message(which % n, *wording).text;
                self.again(*which, |it| it.text = text);
            }
            Op::Delete(which) => self.again(*which, |it| {
                it.text.clear();
                it.is_deleted = true;
            }),
            Op::Settle => {
                let ended = drive(settling(self.rig.channel("settling")));
                self.note(ended);
            }
            Op::Crash(polls) => {
                let mut crashing = settling(self.rig.channel("crashing"));
                match poll_times(&mut crashing, *polls) {
                    Some(ended) => self.note(ended),
                    None => self.exercised.crashes += 1,
                }
            }
            Op::Suspend(polls) => {
                let mut sleeping = settling(self.rig.channel("sleeping"));
                match poll_times(&mut sleeping, *polls) {
                    Some(ended) => self.note(ended),
                    None => self.sleeping = Some(sleeping),
                }
            }
            Op::Resume => {
                if let Some(sleeping) = self.sleeping.take() {
                    let ended = drive(sleeping);
                    self.note(ended);
                }
            }
            Op::Wait(seconds) => self.rig.wait(*seconds),
            Op::Fault {
                call,
                is_lasting,
                takes_effect,
            } => {
                let mut fault = Fault::at(*call, ErrorKind::Unavailable);
                if *is_lasting {
                    fault = fault.for_ever();
                }
                if *takes_effect {
                    fault = fault.after_effect();
                }
                self.rig.faults.set(fault);
            }
            Op::Plan(manners) => self.rig.model.plan(manners.iter().copied()),
            Op::Hold(is_held) => {
                self.rig.faults.clear();
                let (channel, source) = (self.rig.channel("person"), SourceId::new("chat"));
                if *is_held {
                    drive(channel.hold(&source)).unwrap();
                } else {
                    drive(channel.release(&source)).unwrap();
                }
            }
            Op::Retry => {
                self.rig.faults.clear();
                drive(
                    self.rig
                        .channel("person")
                        .retry_failed(&DeadFilter::default()),
                )
                .unwrap();
            }
        }
    }

    /// Each message is in one final state, or waits with a reason.
    fn look(&mut self) {
        let channel = self.rig.looking();
        let outcomes = drive(channel.outcomes()).unwrap();
        let outcomes: BTreeMap<_, _> = outcomes.iter().map(|it| (&it.message, it)).collect();
        for message in self.said.values() {
            let outcome = outcomes[&message.id];
            match drive(channel.explain(&message.id)).unwrap() {
                Explanation::Unknown => panic!("{message:?} is unknown"),
                Explanation::Waiting(wait) => {
                    assert!(wait.since.is_some() && wait.next_try.is_some(), "{wait:?}");
                    assert!(matches!(outcome.stage, OutcomeStage::Queued { .. }));
                }
                Explanation::Dead { .. } => {
                    assert!(outcome.claims.is_empty(), "{outcome:?}");
                    self.exercised.dead += 1;
                }
                Explanation::Skipped { .. } => assert_eq!(outcome.version, message.version()),
                Explanation::Nothing { .. } => {
                    assert_eq!(outcome.version, message.version());
                    assert!(outcome.extraction.is_some());
                }
                Explanation::Facts { facts, .. } => {
                    assert_eq!(outcome.version, message.version());
                    assert!(!facts.is_empty());
                    let rests =
                        |it: &AtomicFact| it.evidence.iter().any(|said| said.message == message.id);
                    assert!(facts.iter().all(rests), "{facts:?}");
                }
            }
        }
    }

    /// Lets everything come to its end.
    fn end(&mut self) {
        self.perform(&Op::Resume);
        self.rig.model.behave();
        self.perform(&Op::Hold(false));
        for _ in 0..12 {
            self.rig.wait(1_000);
            self.perform(&Op::Retry);
            let channel = self.rig.looking();
            let settled = drive(channel.settle()).unwrap();
            // What a reply that is kept gave up is asked for again once it is queued again.
            let is_dead = |it: &MessageOutcome| matches!(it.stage, OutcomeStage::Dead { .. });
            let dead = drive(channel.outcomes()).unwrap().iter().any(is_dead);
            if settled.waiting == 0 && settled.extract.outage.is_none() && !dead {
                return;
            }
        }
        panic!("it never ended");
    }
}

/// What is known, but for when it was learned.
fn known(channel: &Channel) -> (Vec<MessageOutcome>, Vec<(String, Vec<String>)>) {
    let mut outcomes = drive(channel.outcomes()).unwrap();
    for outcome in &mut outcomes {
        outcome.extraction = None;
    }
    let facts = drive(channel.facts_seen(&atlas_core::ports::Visibility {
        view: atlas_core::ports::LifecycleView::All,
        ..Default::default()
    }))
    .unwrap();
    let mut facts: Vec<(String, Vec<String>)> = facts
        .iter()
        .filter(|(fact, _)| !fact.evidence.is_empty())
        .map(|(fact, _)| {
            let evidence = fact.evidence.iter().map(|it| it.message.record_id());
            (fact.text().to_owned(), evidence.collect())
        })
        .collect();
    facts.sort();
    (outcomes, facts)
}

fn exercise(ops: &[Op]) -> Exercised {
    let mut run = Run {
        rig: Rig::new(),
        said: BTreeMap::new(),
        n_edits: 0,
        sleeping: None,
        exercised: Exercised::default(),
    };
    for op in ops {
        run.perform(op);
        run.look();
    }
    run.end();
    run.look();
    let channel = run.rig.looking();
    assert_eq!(drive(channel.check()).unwrap(), []);
    let serial = Rig::new();
    let messages: Vec<Message> = run.said.values().cloned().collect();
    let settled = drive(serial.looking().remember(&messages)).unwrap().1;
    assert_eq!(settled.waiting, 0);
    assert_eq!(known(&channel), known(&serial.looking()));
    run.exercised.refusals = run.rig.model.n_refused();
    run.exercised.messages = messages.len();
    run.exercised
}

#[test]
fn every_message_ends_in_one_state_whatever_happens() {
    let total = RefCell::new(Exercised::default());
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    runner
        .run(&vec(arb_op(), 8..40), |ops| {
            let one = exercise(&ops);
            let mut total = total.borrow_mut();
            total.crashes += one.crashes;
            total.expiries += one.expiries;
            total.splits += one.splits;
            total.refusals += one.refusals;
            total.faults += one.faults;
            total.dead += one.dead;
            total.recalled += one.recalled;
            total.messages += one.messages;
            Ok(())
        })
        .unwrap();
    let total = total.into_inner();
    println!("{CASES} runs: {total:?}");
    assert!(total.crashes >= 50, "{total:?}");
    assert!(total.expiries >= 5, "{total:?}");
    assert!(total.splits >= 50, "{total:?}");
    assert!(total.refusals >= 20, "{total:?}");
    assert!(total.faults >= 30, "{total:?}");
    assert!(total.recalled >= 20, "{total:?}");
    assert!(total.messages >= 300, "{total:?}");
}
