//! Measures speed and size of the stores, beside floors that are measured in the same run.
//!
//! ```sh
//! cargo run --release -p atlas-bench -- scale --facts 10000,100000 --store sqlite,memory
//! cargo run --release -p atlas-bench -- ingest --messages 1000,10000 --store memory,sqlite
//! ```
//!
//! | module | what it is |
//! |---|---|
//! | `args`, `plan` | the command line, and what one process measures |
//! | `corpus` | seeded facts, messages and questions, made one by one |
//! | `embedding` | their vectors |
//! | `stores` | the stores that can be measured |
//! | `floor` | what they are measured against |
//! | `load`, `searches`, `tens`, `reopened` | the measurements |
//! | `cell`, `scale` | all of them for one store and shape, and for all |
//! | `stopwatch`, `spread`, `space` | time, its distribution, and bytes |
//! | `ingest` | messages through the whole path |
//! | `queries` | whether every text can be searched for |
//! | `locomo` | whether a search finds what answers a question |
//! | `aims`, `table` | what is printed |

mod aims;
mod args;
mod cell;
mod corpus;
mod embedding;
mod figures;
mod floor;
mod ingest;
mod load;
mod locomo;
mod nearest;
mod plan;
mod queries;
mod reopened;
mod scale;
mod searches;
mod space;
mod spread;
mod stopwatch;
mod stores;
mod table;
mod tens;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use serde::Serialize;

use crate::args::{Args, Command};

fn main() -> ExitCode {
    match run(Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}

fn run(args: Args) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    match args.command {
        Command::Scale(args) => scale::run(&args),
        Command::Ingest(args) => ingest::run(&args),
        Command::Queries(args) => runtime.block_on(queries::run(&args)),
        Command::Locomo(args) => locomo::run(&args),
        Command::LocomoTimes(args) => locomo::run_times(&args),
        Command::Cell { plan } => say_json(&runtime.block_on(cell::measure(&plan.parse()?))?),
        Command::Reopened { plan } => {
            say_json(&runtime.block_on(reopened::measure(&plan.parse()?))?)
        }
    }
}

/// Prints a result.
fn say(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

fn say_json(value: &impl Serialize) -> Result<()> {
    say(&serde_json::to_string(value)?)
}

/// Prints how far it is.
fn tell(text: &str) {
    // Where even that cannot be written, nobody is left to tell.
    let _unwritten = writeln!(io::stderr().lock(), "{text}");
}
