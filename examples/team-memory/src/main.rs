//! A Slack export to a cited wiki and cited answers, on one machine, with no key and no server.
//!
//! ```sh
//! cargo run --release -p team-memory
//! cargo run --release -p team-memory -- export.zip --out my-wiki --ask "When is the launch?"
//! cargo run --release -p team-memory -- export.zip --store my-memory
//! cargo run --release -p team-memory -- --llm http://127.0.0.1:8080/v1 --model qwen
//! ```
//!
//! The first command runs on the sample export beside this crate. The files, in the order in
//! which a run passes them: `models` (rules or models), `load` (export to channels), `progress`
//! (the bar), `print` (the account), `ask` (questions to answers), `history` (how decisions were
//! replaced), `wiki` (pages to files), `bill` (what models cost), `usage` (time and memory).

mod ask;
mod bill;
mod failure;
mod history;
mod load;
mod models;
mod print;
mod progress;
mod usage;
mod wiki;

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use failure::Failure;
use models::ModelArgs;
use wiki::WikiFolder;

/// The export that ships with this example.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/sample");

/// What is asked of the sample where nothing else is asked. The last one asks until when the old
/// interface stays, in the language in which that was said: rules do not translate.
const SAMPLE_QUESTIONS: [&str; 3] = [
    "Which engine does parts search run on, and why did we change our minds?",
    "When is the launch, and what moved it?",
    "旧接口保留到什么时候？",
];

/// Reads a Slack export, writes its wiki and answers questions, every sentence with its source.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 all is done, 1 something failed or waits still, \
    2 the export, the output folder or the arguments cannot be used."
)]
struct Args {
    /// The export: a folder or a zip. Without it, the sample that ships with this program.
    path: Option<PathBuf>,
    /// Where the wiki is written: a fresh folder, or one that an earlier run wrote.
    #[arg(long, value_name = "DIR", default_value = "team-memory-wiki")]
    out: PathBuf,
    /// A question to answer; may be given several times.
    #[arg(long, value_name = "QUESTION")]
    ask: Vec<String>,
    /// Where the memory is kept between runs: a run on an export that was read before does no
    /// work again. Without it, memory ends with the run.
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// Only the channel of this name or id; may be given several times.
    #[arg(long, value_name = "NAME")]
    channel: Vec<String>,
    #[command(flatten)]
    models: ModelArgs,
}

impl Args {
    fn questions(&self) -> Vec<String> {
        if self.ask.is_empty() && self.path.is_none() {
            SAMPLE_QUESTIONS.map(str::to_owned).to_vec()
        } else {
            self.ask.clone()
        }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Failure::Runtime)
        .and_then(|runtime| runtime.block_on(run(&args)));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has seen enough, as `head` does.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            warn(&format!("error: {failure}"));
            failure.exit_code()
        }
    }
}

/// The whole run. What is only incomplete is told at its end, after everything that could be done.
async fn run(args: &Args) -> Result<(), Failure> {
    let meter = usage::Meter::start();
    let path = args.path.clone().unwrap_or_else(|| PathBuf::from(SAMPLE));
    let export = load::open(&path)?;
    let chosen = load::choose(&export, &args.channel)?;
    let folder = WikiFolder::claim(&args.out)?;

    let atlas = args.models.atlas(args.store.as_deref()).await?;
    let loaded = load::load(&atlas, &export, &chosen).await?;
    say(&print::imported(&path, &loaded))?;
    if let Some(dir) = &args.store {
        say(&print::kept(dir, &loaded))?;
    }
    for told in &loaded.channels {
        for warning in print::warnings(told) {
            warn(&warning);
        }
    }

    let across = ask::open(&atlas, &loaded).await?;
    for question in args.questions() {
        let answer = across.ask(&question).await?;
        say(&ask::told(&answer, &loaded))?;
    }
    say(&history::told(&history::find(&atlas, &loaded).await?))?;

    let written = folder.write(&wiki::files(&atlas, &loaded).await?)?;
    say(&print::written(&args.out, written))?;
    if args.models.is_billed() {
        say(&bill::accepted(&atlas, &loaded).await?)?;
        say(&bill::told(&atlas.ledger().bill))?;
    }
    say(&meter.told())?;

    let n_incomplete = loaded
        .channels
        .iter()
        .filter(|it| !it.settled.is_complete());
    match n_incomplete.count() {
        0 => Ok(()),
        channels => Err(Failure::Incomplete { channels }),
    }
}

fn say(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(Failure::Output)
}

fn warn(text: &str) {
    // Where even that cannot be written, nobody is left to tell.
    let _unwritten = writeln!(io::stderr().lock(), "{text}");
}
