//! Several processes in one folder: some write, to the same channel and to others, while another
//! reads.

use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context, Result, bail};
use atlas_core::ErrorKind;
use atlas_core::model::ChannelId;
use fastrand::Rng;
use serde_json::Value;

use crate::compare::{Findings, must_equal, must_know};
use crate::history::{History, channels, rows};
use crate::ops::Op;
use crate::pace::Pace;
use crate::state::Inspection;
use crate::talk::Talk;
use crate::truth::Truth;
use crate::wire::{Reply, Request};
use crate::worker::{Manner, Worker};
use crate::world::runtime;

/// Processes that write.
const WRITERS: usize = 3;
/// How often an operation is sent again because another process was in its way.
const TRIES: usize = 40;

/// When channels are settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settling {
    /// Between the ingests, by every process: what is known is as in a run of one process.
    Often,
    /// After all of them, by every process at once: what is written is, too.
    AtTheEnd,
}

/// What happened.
#[derive(Debug, Default)]
pub struct TogetherTally {
    /// Operations that were acknowledged to writers.
    pub acknowledged: usize,
    /// Times that one was in the way of another and had to try again.
    pub in_the_way: usize,
    /// Reads that were answered meanwhile.
    pub reads: usize,
    /// What is wrong.
    pub findings: Findings,
}

/// Lets processes write and read at the same time, and compares what is there at the end with a
/// run of one process.
///
/// # Errors
///
/// If a process fails otherwise than by being in the way of another.
pub fn run(
    program: &Path,
    dir: &Path,
    (n_ops, seed): (usize, u64),
    settling: Settling,
) -> Result<TogetherTally> {
    let all = channels(WRITERS + 1);
    let logs = logs(&all, (n_ops, seed), settling)?;
    let mut tally = TogetherTally::default();
    let is_over = AtomicBool::new(false);
    let all_have_talked = Barrier::new(WRITERS);
    let all_have_talked = &all_have_talked;
    thread::scope(|scope| -> Result<()> {
        let reader = scope.spawn(|| read(program, dir, (&all, seed), &is_over));
        let writers: Vec<_> = logs
            .iter()
            .map(|log| {
                scope
                    .spawn(move || write(program, dir, (log.as_slice(), settling), all_have_talked))
            })
            .collect();
        for writer in writers {
            let written = writer.join().map_err(|_panic| panicked());
            // The reader ends whatever became of the writers.
            let (acknowledged, in_the_way) = written.and_then(|it| it).inspect_err(|_| {
                is_over.store(true, Ordering::SeqCst);
            })?;
            tally.acknowledged += acknowledged;
            tally.in_the_way += in_the_way;
        }
        is_over.store(true, Ordering::SeqCst);
        tally.reads = reader.join().map_err(|_panic| panicked())??;
        Ok(())
    })?;
    let ends: Vec<Op> = all
        .iter()
        .map(|it| settle(it, u64::MAX))
        .collect::<Result<_>>()?;
    let mut worker = Client::start(program, dir)?;
    for op in &ends {
        worker.send(op)?;
    }
    let inspection = worker.inspect(&all)?;
    worker.worker.finish()?;
    tally.findings = compare(&all, &logs, &ends, (&inspection, settling))?;
    Ok(tally)
}

fn panicked() -> anyhow::Error {
    anyhow::anyhow!("a thread panicked")
}

/// What each process does: it talks in the first channel, which all share, and in one of its own.
fn logs(
    all: &[ChannelId],
    (n_ops, seed): (usize, u64),
    settling: Settling,
) -> Result<Vec<Vec<Op>>> {
    let shared = all.first().context("no channel")?;
    let drawn = match settling {
        Settling::Often => rows(&["ingest", "settle", "search", "ask"])?,
        Settling::AtTheEnd => rows(&["ingest", "search"])?,
    };
    let mut logs = Vec::new();
    for (place, own) in all.iter().skip(1).enumerate() {
        let seed = seed.wrapping_add(u64::try_from(place)?);
        let its = [shared.clone(), own.clone()];
        let mut history = History::new(seed, &its, &format!("w{place}-"))?;
        let mut log: Vec<Op> = (0..n_ops)
            .map(|_| history.draw(&drawn))
            .collect::<Result<_>>()?;
        if settling == Settling::AtTheEnd {
            log.push(settle(shared, 0)?);
            log.push(settle(own, 0)?);
        }
        logs.push(log);
    }
    Ok(logs)
}

/// A settle at a time after everything.
fn settle(channel: &ChannelId, n: u64) -> Result<Op> {
    Ok(Op {
        n,
        name: "settle".to_owned(),
        channel: channel.clone(),
        at: "2027-01-01T00:00:00Z".parse()?,
        args: Value::Null,
    })
}

/// Performs a log. Where channels are settled at the end, that is after everybody's last ingest: what
/// is written depends on which messages were there when it was first settled.
fn write(
    program: &Path,
    dir: &Path,
    (log, settling): (&[Op], Settling),
    all_have_talked: &Barrier,
) -> Result<(usize, usize)> {
    let n_talk = match settling {
        Settling::Often => log.len(),
        Settling::AtTheEnd => log.iter().take_while(|op| op.name != "settle").count(),
    };
    let (talk, ends) = log.split_at(n_talk);
    let talked = Client::start(program, dir).and_then(|mut client| {
        for op in talk {
            client.send(op)?;
        }
        Ok(client)
    });
    // Whoever failed is waited for too.
    all_have_talked.wait();
    let mut client = talked?;
    for op in ends {
        client.send(op)?;
    }
    let in_the_way = client.in_the_way;
    client.worker.finish()?;
    Ok((log.len(), in_the_way))
}

/// Searches until the writers are done; answers how often it was answered.
fn read(
    program: &Path,
    dir: &Path,
    (all, seed): (&[ChannelId], u64),
    is_over: &AtomicBool,
) -> Result<usize> {
    let mut rng = Rng::with_seed(seed ^ 0x7265_6164);
    let mut client = Client::start(program, dir)?;
    let mut reads = 0;
    while !is_over.load(Ordering::SeqCst) {
        let channel = rng.choice(all).context("no channel")?;
        let op = Op {
            n: u64::try_from(reads)?,
            name: "search".to_owned(),
            channel: channel.clone(),
            at: "2026-12-01T00:00:00Z".parse()?,
            args: Value::from(Talk::new(channel.clone(), "r").question(&mut rng)),
        };
        client.send(&op)?;
        reads += 1;
    }
    client.worker.finish()?;
    Ok(reads)
}

/// A child whose operations may have to try again.
struct Client {
    worker: Worker,
    pace: Pace,
    in_the_way: usize,
}

impl Client {
    fn start(program: &Path, dir: &Path) -> Result<Self> {
        let mut worker = Worker::start(program, dir, Manner::default())?;
        let mut pace = Pace::default();
        worker.open(&mut pace)?.opened()?;
        Ok(Self {
            worker,
            pace,
            in_the_way: 0,
        })
    }

    fn send(&mut self, op: &Op) -> Result<()> {
        let passing = [ErrorKind::Conflict, ErrorKind::Unavailable].map(ErrorKind::as_str);
        for _ in 0..TRIES {
            let request = Request::Perform(op.clone());
            let reply = self.worker.ask((&op.name, &request), &mut self.pace)?;
            if matches!(reply, Reply::Done { .. }) {
                return Ok(());
            }
            match &reply {
                Reply::Failed {
                    kind: Some(kind), ..
                } if passing.contains(&kind.as_str()) => self.in_the_way += 1,
                Reply::Opened
                | Reply::Reached(_)
                | Reply::Done { .. }
                | Reply::Inspected(_)
                | Reply::Failed { .. } => {
                    bail!("{} {} of {}: {reply:?}", op.name, op.n, op.channel)
                }
            }
        }
        bail!("{} {} of {} never comes through", op.name, op.n, op.channel)
    }

    fn inspect(&mut self, all: &[ChannelId]) -> Result<Inspection> {
        let request = Request::Inspect(all.to_vec());
        let request = ("inspect", &request);
        self.worker.ask(request, &mut self.pace)?.inspection()
    }
}

/// Compares with one process that performs one log after the other.
fn compare(
    all: &[ChannelId],
    logs: &[Vec<Op>],
    ends: &[Op],
    (seen, settling): (&Inspection, Settling),
) -> Result<Findings> {
    let runtime = runtime()?;
    let mut truth = runtime.block_on(Truth::new(all))?;
    for op in logs.iter().flatten().chain(ends) {
        let is_settle = op.name == "settle" && op.n != u64::MAX;
        if settling == Settling::AtTheEnd && is_settle {
            continue;
        }
        runtime.block_on(truth.begin(op))?;
        truth.acknowledge();
    }
    let mut findings = Findings::default();
    let problems = seen.problems.iter().map(|it| format!("verify: {it}"));
    findings.violated.extend(problems);
    for (channel, expected) in truth.states() {
        let seen = seen.channels.get(channel).context("a lost channel")?;
        let found = match settling {
            Settling::Often => must_know(expected, seen),
            Settling::AtTheEnd => must_equal(expected, seen),
        };
        findings.extend(channel.as_str(), found);
    }
    Ok(findings)
}
