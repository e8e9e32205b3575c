//! A disk that is full: a typed error, then recovery, and nothing lost.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use atlas_core::ErrorKind;
use atlas_core::model::ChannelId;
use atlas_store_sqlite::SqliteSettings;

use crate::compare::Findings;
use crate::history::{History, channels};
use crate::ops::{Op, perform};
use crate::pace::Pace;
use crate::state::inspect;
use crate::truth::Truth;
use crate::wire::{Reply, Request};
use crate::worker::{Manner, Worker};
use crate::world::{World, runtime};

/// Room at first, and more after each time that it was full, in bytes.
const ROOM: u64 = 96 * 1024;
/// The size of a file that an index cannot be built within.
const NO_ROOM: u64 = 512;

/// What happened.
#[derive(Debug, Default)]
pub struct DiskTally {
    /// How often the room was full.
    pub full: usize,
    /// Operations that were acknowledged.
    pub acknowledged: usize,
    /// What is wrong.
    pub findings: Findings,
}

impl DiskTally {
    /// Whether the room was full and nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.full > 0 && self.findings.is_empty()
    }

    fn failed(&mut self, op: &str, kind: Option<&str>, message: &str) {
        self.full += 1;
        if kind != Some(ErrorKind::Unavailable.as_str()) {
            let line = format!("{op} in a full room is {kind:?}: {message}");
            self.findings.violated.push(line);
        }
    }
}

/// A database that may not grow beyond a number of bytes.
///
/// # Errors
///
/// If the run cannot go on.
pub async fn database(dir: &Path, (n_ops, seed): (usize, u64)) -> Result<DiskTally> {
    let channels = channels(2);
    let log = History::new(seed, &channels, "m")?.log(n_ops)?;
    let mut truth = Truth::new(&channels).await?;
    let mut tally = DiskTally::default();
    let mut room = ROOM;
    let mut world = open_in(dir, &mut room, &mut tally).await?;
    for op in &log {
        truth.begin(op).await?;
        while let Err(error) = perform(&world, op, &|_| {}).await {
            let Reply::Failed { kind, message } = Reply::failed(&error) else {
                bail!("a failure that is none: {error:#}");
            };
            tally.failed(&op.name, kind.as_deref(), &message);
            // What was there can still be read.
            world.channel(&op.channel).facts().await?;
            world.close().await;
            room += ROOM;
            world = open_in(dir, &mut room, &mut tally).await?;
            let found = truth.compare(&inspect(&world, &channels).await?);
            tally.findings.extend("with more room", found);
        }
        truth.acknowledge();
        tally.acknowledged += 1;
    }
    let found = truth.compare(&inspect(&world, &channels).await?);
    tally.findings.extend("at the end", found);
    world.close().await;
    Ok(tally)
}

/// Opens a folder within some room, or within more if that is not enough to begin with.
async fn open_in(dir: &Path, room: &mut u64, tally: &mut DiskTally) -> Result<World> {
    loop {
        let settings = SqliteSettings {
            max_bytes: Some(*room),
            ..SqliteSettings::default()
        };
        match World::open(dir, settings).await {
            Ok(world) => return Ok(world),
            Err(error) => {
                tally.failed("opening", Some(error.kind().as_str()), &error.to_string());
                if error.kind() != ErrorKind::Unavailable {
                    return Err(error.into());
                }
                *room += ROOM;
            }
        }
    }
}

/// A child none of whose files may grow beyond a number of bytes.
///
/// # Errors
///
/// If the run cannot go on.
pub fn files(program: &Path, dir: &Path, (n_ops, seed): (usize, u64)) -> Result<DiskTally> {
    let runtime = runtime()?;
    let channels = channels(2);
    let log = History::new(seed, &channels, "m")?.log(n_ops)?;
    let mut run = Files {
        program: program.to_path_buf(),
        dir: dir.to_path_buf(),
        channels: channels.clone(),
        pace: Pace::default(),
        truth: runtime.block_on(Truth::new(&channels))?,
        tally: DiskTally::default(),
        room: ROOM,
    };
    let mut worker = run.open_in_room()?;
    for op in &log {
        runtime.block_on(run.truth.begin(op))?;
        while !run.send(&mut worker, op)? {
            drop(worker);
            run.look("without a limit")?;
            run.room += ROOM;
            worker = run.open_in_room()?;
        }
        run.truth.acknowledge();
        run.tally.acknowledged += 1;
    }
    worker.finish()?;
    run.look("at the end")?;
    run.index_alone()?;
    Ok(run.tally)
}

struct Files {
    program: PathBuf,
    dir: PathBuf,
    channels: Vec<ChannelId>,
    pace: Pace,
    truth: Truth,
    tally: DiskTally,
    room: u64,
}

impl Files {
    /// Opens the folder in a child with a limit that lets it open.
    fn open_in_room(&mut self) -> Result<Worker> {
        loop {
            let mut worker = Worker::start(&self.program, &self.dir, within(self.room))?;
            match worker.open(&mut self.pace)? {
                Reply::Opened => return Ok(worker),
                Reply::Failed { kind, message } => {
                    self.tally.failed("opening", kind.as_deref(), &message);
                    self.room += ROOM;
                }
                other @ (Reply::Reached(_) | Reply::Done { .. } | Reply::Inspected(_)) => {
                    bail!("opening answers {other:?}")
                }
            }
        }
    }

    /// Whether the operation was acknowledged.
    fn send(&mut self, worker: &mut Worker, op: &Op) -> Result<bool> {
        let request = Request::Perform(op.clone());
        match worker.ask((&op.name, &request), &mut self.pace)? {
            Reply::Done { .. } => Ok(true),
            Reply::Failed { kind, message } => {
                self.tally.failed(&op.name, kind.as_deref(), &message);
                Ok(false)
            }
            other @ (Reply::Opened | Reply::Reached(_) | Reply::Inspected(_)) => {
                bail!("{} answers {other:?}", op.name)
            }
        }
    }

    /// Compares the folder, opened without a limit.
    fn look(&mut self, place: &str) -> Result<()> {
        let mut worker = Worker::start(&self.program, &self.dir, Manner::default())?;
        worker
            .open(&mut self.pace)?
            .opened()
            .context(place.to_owned())?;
        let request = Request::Inspect(self.channels.clone());
        let reply = worker.ask(("inspect", &request), &mut self.pace)?;
        let found = self.truth.compare(&reply.inspection()?);
        self.tally.findings.extend(place, found);
        worker.finish()
    }

    /// The truth is whole and only the index, which must be built again, has no room.
    fn index_alone(&mut self) -> Result<()> {
        fs::remove_dir_all(self.dir.join("index")).context("there is no index to remove")?;
        let mut worker = Worker::start(&self.program, &self.dir, within(NO_ROOM))?;
        let mut reply = worker.open(&mut self.pace)?;
        if matches!(reply, Reply::Opened) {
            let request = Request::Inspect(self.channels.clone());
            reply = worker.ask(("inspect", &request), &mut self.pace)?;
        }
        let Reply::Failed { kind, message } = reply else {
            bail!("an index was built within {NO_ROOM} bytes: {reply:?}");
        };
        self.tally.failed("the index", kind.as_deref(), &message);
        drop(worker);
        self.look("with room for the index")
    }
}

fn within(bytes: u64) -> Manner {
    Manner {
        file_limit: Some(bytes),
        ..Manner::default()
    }
}
