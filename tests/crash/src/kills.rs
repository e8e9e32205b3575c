//! A history in a folder whose process is killed again and again.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use atlas_core::model::ChannelId;
use serde_json::Value;

use crate::aim::{Aim, Aimer, Range};
use crate::compare::{Findings, must_equal};
use crate::history::{History, channels};
use crate::ops::{Op, kind};
use crate::pace::Pace;
use crate::state::Inspection;
use crate::truth::{Shown, Truth};
use crate::wire::{Reply, Request};
use crate::worker::{Exchange, Manner, Shot, Worker};
use crate::world::runtime;

/// Channels of the history.
const CHANNELS: usize = 3;

/// Operations beside one for each kill and a fifth more.
const MORE_OPS: usize = 12;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Plan {
    /// This program, which is started as the child.
    pub program: PathBuf,
    /// The folder.
    pub dir: PathBuf,
    /// How many kills.
    pub kills: usize,
    /// What decides the history and where the kills fall.
    pub seed: u64,
    /// Where the kills may fall.
    pub range: Range,
    /// Whether the child acknowledges too early, which must be found.
    pub is_hasty: bool,
}

/// What happened.
#[derive(Debug, Default)]
pub struct Tally {
    /// Processes that were killed.
    pub kills: usize,
    /// Kills after which the folder was opened and read again.
    pub reopened: usize,
    /// Operations that were acknowledged.
    pub acknowledged: usize,
    /// Operations that were sent again.
    pub sent_again: usize,
    /// Kills by what they fell into.
    pub by_mark: BTreeMap<String, usize>,
    /// What is wrong.
    pub findings: Findings,
}

impl Tally {
    /// Kills that fell into something that had begun and was not acknowledged.
    pub fn n_within(&self) -> usize {
        self.by_mark
            .iter()
            .filter(|(mark, _)| !mark.starts_with(AFTER))
            .map(|(_, n)| n)
            .sum()
    }
}

/// Begins the marks of kills that fell between operations.
const AFTER: &str = "after ";

/// Looks on from outside.
pub trait Witness {
    /// An operation was acknowledged; the child waits.
    ///
    /// # Errors
    ///
    /// If it cannot look.
    fn acknowledged(&mut self, dir: &Path) -> Result<()>;

    /// The child was killed.
    ///
    /// # Errors
    ///
    /// If it cannot look. What it finds wrong is no error.
    fn killed(&mut self, dir: &Path, truth: &Truth, open: Option<&Op>) -> Result<Findings>;
}

/// Nobody looks on.
impl Witness for () {
    fn acknowledged(&mut self, _dir: &Path) -> Result<()> {
        Ok(())
    }

    fn killed(&mut self, _dir: &Path, _truth: &Truth, _open: Option<&Op>) -> Result<Findings> {
        Ok(Findings::default())
    }
}

/// Runs a history with kills, compares the folder after each of them, and at the end with a run
/// that was never broken.
///
/// # Errors
///
/// If the run cannot go on: a child fails, hangs or ends by itself. What is found wrong is in the
/// tally.
pub fn run(plan: &Plan, witness: &mut dyn Witness) -> Result<Tally> {
    let channels = channels(CHANNELS);
    let n_ops = plan.kills + plan.kills / 5 + MORE_OPS;
    let log = History::new(plan.seed, &channels, "m")?.log(n_ops)?;
    let mut run = Run {
        plan,
        witness,
        truth: runtime()?.block_on(Truth::new(&channels))?,
        channels,
        log: log.iter().cloned().collect(),
        open: None,
        aimer: Aimer::new(plan.seed, plan.range),
        pace: Pace::default(),
        tally: Tally::default(),
        n_unseen: 0,
    };
    while !run.log.is_empty() || run.tally.kills < plan.kills {
        run.life()?;
    }
    let broken = run.last_look()?;
    let Run {
        mut tally,
        channels,
        ..
    } = run;
    let unbroken = unbroken(plan, &channels, &log)?;
    for (channel, expected) in &unbroken.channels {
        let seen = broken.channels.get(channel).context("a lost channel")?;
        let place = format!("{channel} beside an unbroken folder");
        tally.findings.extend(&place, must_equal(expected, seen));
    }
    Ok(tally)
}

/// The same log in a fresh folder, in one process that ends by itself.
fn unbroken(plan: &Plan, channels: &[ChannelId], log: &[Op]) -> Result<Inspection> {
    let dir = plan.dir.with_extension("unbroken");
    let mut pace = Pace::default();
    let mut worker = Worker::start(&plan.program, &dir, Manner::default())?;
    worker.open(&mut pace)?.opened()?;
    for op in log {
        let request = Request::Perform(op.clone());
        let reply = worker.ask((&op.name, &request), &mut pace)?;
        ensure!(matches!(reply, Reply::Done { .. }), "{op:?}: {reply:?}");
    }
    let request = Request::Inspect(channels.to_vec());
    let inspection = worker.ask(("inspect", &request), &mut pace)?.inspection()?;
    worker.finish()?;
    Ok(inspection)
}

/// An operation that was sent and not acknowledged.
struct Open {
    expected: Value,
    n_sent: usize,
}

struct Run<'a> {
    plan: &'a Plan,
    witness: &'a mut dyn Witness,
    truth: Truth,
    channels: Vec<ChannelId>,
    log: VecDeque<Op>,
    open: Option<Open>,
    aimer: Aimer,
    pace: Pace,
    tally: Tally,
    /// Kills after which nobody could look yet.
    n_unseen: usize,
}

impl Run<'_> {
    /// One process, from its start to its kill, or to the end of the log if no kill is left.
    fn life(&mut self) -> Result<()> {
        let n_left = self.plan.kills - self.tally.kills;
        let aim = (n_left > 0).then(|| self.aimer.next(n_left, self.log.len()));
        let manner = Manner {
            is_hasty: self.plan.is_hasty,
            ..Manner::default()
        };
        let mut worker = Worker::start(&self.plan.program, &self.plan.dir, manner)?;
        let shot = match aim {
            Some(Aim::Open(fraction)) => Some(at("open", fraction)),
            _ => None,
        };
        match worker.opened(shot.as_ref(), &mut self.pace)? {
            Exchange::Killed { mark, .. } => return self.killed(mark),
            Exchange::Answered(reply) => reply.opened()?,
        }
        let shot = match aim {
            Some(Aim::Inspect(fraction)) => Some(at("inspect", fraction)),
            _ => None,
        };
        let Some(inspection) = self.look(&mut worker, shot.as_ref())? else {
            return Ok(());
        };
        self.resolve(&inspection)?;
        match aim {
            // It was faster than expected: then it ends before it is sent anything.
            Some(Aim::Open(_) | Aim::Inspect(_)) => {
                worker.kill()?;
                self.killed(format!("{AFTER}opening"))
            }
            Some(Aim::Within { after }) => self.perform(&mut worker, after, true),
            Some(Aim::Acknowledged { after }) => self.perform(&mut worker, after, false),
            None => {
                while !self.log.is_empty() {
                    self.send(&mut worker, None)?;
                }
                worker.finish()
            }
        }
    }

    /// Performs operations until the aimed one, and kills within it or at its acknowledgement.
    fn perform(&mut self, worker: &mut Worker, after: usize, within: bool) -> Result<()> {
        for _ in 0..after.min(self.log.len().saturating_sub(1)) {
            self.send(worker, None)?;
        }
        let mut n_missed = 0;
        while let Some(op) = self.log.front() {
            let shot = if within {
                Some(self.aimer.within(kind(&op.name)?, n_missed))
            } else {
                None
            };
            let name = op.name.clone();
            if let Some(mark) = self.send(worker, shot.as_ref())? {
                return self.killed(mark);
            }
            if !within {
                worker.kill()?;
                return self.killed(format!("{AFTER}{name}"));
            }
            n_missed += 1;
        }
        worker.kill()?;
        self.killed(format!("{AFTER}everything"))
    }

    /// Sends the next operation; answers the mark if the child was killed in it.
    fn send(&mut self, worker: &mut Worker, shot: Option<&Shot>) -> Result<Option<String>> {
        let op = self.log.front().context("nothing to send")?.clone();
        if self.open.is_none() {
            let expected = runtime()?.block_on(self.truth.begin(&op))?;
            self.open = Some(Open {
                expected,
                n_sent: 0,
            });
        }
        if let Some(open) = &mut self.open {
            open.n_sent += 1;
            self.tally.sent_again += usize::from(open.n_sent > 1);
        }
        let name = op.name.clone();
        let request = Request::Perform(op);
        match worker.exchange((&name, &request), shot, &mut self.pace)? {
            Exchange::Answered(reply) => {
                self.acknowledged(reply)?;
                Ok(None)
            }
            Exchange::Killed {
                answered: Some(reply),
                ..
            } => {
                self.acknowledged(reply)?;
                Ok(Some(format!("{AFTER}{name}")))
            }
            Exchange::Killed { mark, .. } => Ok(Some(mark)),
        }
    }

    fn acknowledged(&mut self, reply: Reply) -> Result<()> {
        let op = self.log.pop_front().context("nothing was sent")?;
        let open = self.open.take().context("nothing was sent")?;
        let Reply::Done { n, seen } = reply else {
            bail!("{} {} of {}: {reply:?}", op.name, op.n, op.channel);
        };
        ensure!(n == op.n, "acknowledged {n} instead of {}", op.n);
        if seen != open.expected {
            let other = format!("{} {n} saw {seen}, not {}", op.name, open.expected);
            self.tally.findings.violated.push(other);
        }
        self.truth.acknowledge();
        self.tally.acknowledged += 1;
        self.witness.acknowledged(&self.plan.dir)
    }

    fn killed(&mut self, mark: String) -> Result<()> {
        self.tally.kills += 1;
        self.n_unseen += 1;
        *self.tally.by_mark.entry(mark).or_default() += 1;
        let open = self.open.as_ref().and(self.log.front());
        let found = self.witness.killed(&self.plan.dir, &self.truth, open)?;
        let place = format!("beside kill {}", self.tally.kills);
        self.tally.findings.extend(&place, found);
        Ok(())
    }

    /// Reads everything back and compares it; none if the child was killed meanwhile.
    fn look(&mut self, worker: &mut Worker, shot: Option<&Shot>) -> Result<Option<Inspection>> {
        let request = Request::Inspect(self.channels.clone());
        let inspection = match worker.exchange(("inspect", &request), shot, &mut self.pace)? {
            Exchange::Answered(reply) => reply.inspection()?,
            Exchange::Killed { mark, .. } => {
                self.killed(mark)?;
                return Ok(None);
            }
        };
        self.tally.reopened += std::mem::take(&mut self.n_unseen);
        let place = format!("after kill {}", self.tally.kills);
        let found = self.truth.compare(&inspection);
        self.tally.findings.extend(&place, found);
        Ok(Some(inspection))
    }

    /// Decides whether an operation that may not be repeated happened.
    fn resolve(&mut self, inspection: &Inspection) -> Result<()> {
        let (Some(op), Some(_)) = (self.log.front(), &self.open) else {
            return Ok(());
        };
        if kind(&op.name)?.is_repeatable() {
            return Ok(());
        }
        match self.truth.shows_open(inspection) {
            Shown::Nothing => {}
            Shown::Whole => {
                self.log.pop_front();
                self.open = None;
                self.truth.acknowledge();
            }
            Shown::Half => {
                let half = format!("{} {} is there by half", op.name, op.n);
                self.tally.findings.violated.push(half);
            }
        }
        Ok(())
    }

    /// What the folder holds at the end, in a process of its own.
    fn last_look(&mut self) -> Result<Inspection> {
        let manner = Manner::default();
        let mut worker = Worker::start(&self.plan.program, &self.plan.dir, manner)?;
        worker.open(&mut self.pace)?.opened()?;
        let inspection = self.look(&mut worker, None)?;
        worker.finish()?;
        inspection.context("a kill that nobody aimed")
    }
}

fn at(mark: &str, fraction: f64) -> Shot {
    Shot {
        mark: mark.to_owned(),
        fraction,
    }
}
