//! Kills a process at random moments and shows that nothing is lost.
//!
//! ```sh
//! cargo run --release -p atlas-crash -- --kills 300 --seed 7
//! cargo run --release -p atlas-crash -- power-cut --cuts 100 --seed 7
//! cargo run --release -p atlas-crash -- full-disk --seed 7
//! cargo run --release -p atlas-crash -- together --seed 7
//! ```

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use atlas_crash::aim::Range;
use atlas_crash::compare::Findings;
use atlas_crash::disk::DiskTally;
use atlas_crash::kills::{self, Plan};
use atlas_crash::power_cut::{COPIES, PowerCut};
use atlas_crash::together::{self, Settling};
use atlas_crash::worker::Manner;
use atlas_crash::{child, disk, report, world};
use clap::{Parser, Subcommand};
use tempfile::TempDir;

/// Kills a process at random moments and shows that nothing is lost.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Exit codes: 0 all is well, 1 something is wrong with the folder, 2 the run could not go on."
)]
struct Args {
    /// How many kills.
    #[arg(long, default_value_t = 300)]
    kills: usize,
    /// What decides the history and where the kills fall.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Acknowledges before anything is done, so that the run must fail.
    #[arg(long, hide = true)]
    hasty: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Cuts files of copied folders as a power cut would, and opens them.
    PowerCut {
        /// How many copies are cut, at least.
        #[arg(long, default_value_t = 100)]
        cuts: usize,
        /// What decides the history and the cuts.
        #[arg(long, default_value_t = 7)]
        seed: u64,
        /// Cuts what was synced, too, so that the run must fail.
        #[arg(long, hide = true)]
        synced_too: bool,
    },
    /// Fills a database and files up to a limit, and goes on with more room.
    FullDisk {
        /// How many operations.
        #[arg(long, default_value_t = 60)]
        ops: usize,
        /// What decides the history.
        #[arg(long, default_value_t = 7)]
        seed: u64,
    },
    /// Lets several processes write and read one folder.
    Together {
        /// How many operations each process that writes performs.
        #[arg(long, default_value_t = 60)]
        ops: usize,
        /// What decides the histories.
        #[arg(long, default_value_t = 7)]
        seed: u64,
    },
    /// The process that is killed; the parent starts it.
    #[command(hide = true)]
    Child {
        /// The folder.
        #[arg(long)]
        dir: PathBuf,
        /// The greatest size of a file, in bytes.
        #[arg(long)]
        file_limit: Option<u64>,
        /// Acknowledges before it performs.
        #[arg(long)]
        hasty: bool,
    },
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.command {
        None => with_kills(args.kills, args.seed, args.hasty),
        Some(Command::PowerCut {
            cuts,
            seed,
            synced_too,
        }) => power_cut(cuts, seed, synced_too),
        Some(Command::FullDisk { ops, seed }) => full_disk(ops, seed),
        Some(Command::Together { ops, seed }) => several(ops, seed),
        Some(Command::Child {
            dir,
            file_limit,
            hasty,
        }) => {
            let manner = Manner {
                file_limit,
                is_hasty: hasty,
            };
            child::serve(&dir, manner).map(|()| ExitCode::SUCCESS)
        }
    };
    done.unwrap_or_else(|error| {
        // Where even that cannot be written, nobody is left to tell.
        let _unwritten = writeln!(io::stderr().lock(), "error: {error:#}");
        ExitCode::from(2)
    })
}

fn with_kills(kills: usize, seed: u64, hasty: bool) -> Result<ExitCode> {
    let place = TempDir::with_prefix("atlas-crash-")?;
    let plan = Plan {
        is_hasty: hasty,
        ..plan(&place, (kills, seed), Range::Everywhere)?
    };
    let tally = kills::run(&plan, &mut ())?;
    end(
        &report::lines(&tally),
        &report::faults(&tally, kills),
        place,
    )
}

fn power_cut(cuts: usize, seed: u64, synced_too: bool) -> Result<ExitCode> {
    let place = TempDir::with_prefix("atlas-crash-")?;
    let plan = plan(&place, (cuts.div_ceil(COPIES), seed), Range::Operations)?;
    let mut witness = PowerCut::new(place.path(), seed, synced_too);
    let tally = kills::run(&plan, &mut witness)?;
    let cut = witness.tally;
    let found = &tally.findings;
    let line = format!(
        "cuts {} logs {} ({} bytes) index files {} indexed again {} answered {} lost {} duplicated {} violated {}",
        cut.copies,
        cut.logs,
        cut.log_bytes,
        cut.index_files,
        cut.documents,
        cut.answered,
        found.lost.len(),
        found.duplicated.len(),
        found.violated.len(),
    );
    let mut faults = report::faults(&tally, plan.kills);
    if cut.logs == 0 || cut.index_files == 0 || cut.answered == 0 {
        faults.push("nothing was cut, or nothing was asked".to_owned());
    }
    end(&[line], &faults, place)
}

fn full_disk(ops: usize, seed: u64) -> Result<ExitCode> {
    let place = TempDir::with_prefix("atlas-crash-")?;
    let program = program()?;
    let database =
        world::runtime()?.block_on(disk::database(&place.path().join("a"), (ops, seed)))?;
    let files = disk::files(&program, &place.path().join("b"), (ops, seed))?;
    let runs = [("database", database), ("files", files)];
    let mut lines = Vec::new();
    let mut faults = Vec::new();
    for (name, tally) in &runs {
        lines.push(disk_line(name, tally));
        faults.extend(tally.findings.lines());
        if tally.full == 0 {
            faults.push(format!("{name}: the room was never full"));
        }
    }
    end(&lines, &faults, place)
}

fn disk_line(name: &str, tally: &DiskTally) -> String {
    format!(
        "{name} full {} acknowledged {} {}",
        tally.full,
        tally.acknowledged,
        counts(&tally.findings)
    )
}

fn several(ops: usize, seed: u64) -> Result<ExitCode> {
    let place = TempDir::with_prefix("atlas-crash-")?;
    let program = program()?;
    let mut lines = Vec::new();
    let mut faults = Vec::new();
    for settling in [Settling::Often, Settling::AtTheEnd] {
        let dir = place.path().join(format!("{settling:?}"));
        let tally = together::run(&program, &dir, (ops, seed), settling)?;
        lines.push(format!(
            "settling {settling:?} acknowledged {} reads {} in the way {} {}",
            tally.acknowledged,
            tally.reads,
            tally.in_the_way,
            counts(&tally.findings)
        ));
        faults.extend(tally.findings.lines());
        if tally.reads == 0 {
            faults.push("nobody read meanwhile".to_owned());
        }
    }
    end(&lines, &faults, place)
}

fn counts(found: &Findings) -> String {
    format!(
        "lost {} duplicated {} violated {}",
        found.lost.len(),
        found.duplicated.len(),
        found.violated.len()
    )
}

fn plan(place: &TempDir, (kills, seed): (usize, u64), range: Range) -> Result<Plan> {
    Ok(Plan {
        program: program()?,
        dir: place.path().join("folder"),
        kills,
        seed,
        range,
        is_hasty: false,
    })
}

fn program() -> Result<PathBuf> {
    std::env::current_exe().context("this program has no path")
}

/// Tells what happened; where anything is wrong, the folder stays for a look at it.
fn end(lines: &[String], faults: &[String], place: TempDir) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    if faults.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let mut err = io::stderr().lock();
    for fault in faults {
        writeln!(err, "{fault}")?;
    }
    writeln!(err, "the folder is kept: {}", place.keep().display())?;
    Ok(ExitCode::FAILURE)
}
