//! Measures retrieval on any export, and checks any written wiki.
//!
//! ```sh
//! cargo run --release -p atlas-eval -- retrieval --export PATH --questions FILE
//! cargo run --release -p atlas-eval -- lint --wiki DIR --export PATH
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use atlas_core::model::{ChannelId, NativeId};
use atlas_core::retrieve::SearchOptions;
use atlas_eval::lint::{WikiFile, lint};
use atlas_eval::load::{self, Export};
use atlas_eval::questions::{self, AnsweringMessage, Question};
use atlas_eval::rank::{DEPTH, place, totals};
use clap::{Parser, Subcommand};

/// Measures and checks of Atlas on any Slack export.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 all is well, 1 the wiki breaks a rule, 2 something cannot be read."
)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// How early a search finds the messages that answer questions.
    Retrieval {
        /// The export: a folder or a zip.
        #[arg(long)]
        export: PathBuf,
        /// The questions with the messages that answer them.
        #[arg(long)]
        questions: PathBuf,
    },
    /// What is wrong with a written wiki; the exit code is 1 if anything is.
    Lint {
        /// The wiki's folder.
        #[arg(long)]
        wiki: PathBuf,
        /// The export that it was made from: a folder or a zip.
        #[arg(long)]
        export: PathBuf,
    },
}

fn main() -> ExitCode {
    run(Args::parse()).unwrap_or_else(|error| {
        // Where even that cannot be written, nobody is left to tell.
        let _unwritten = writeln!(io::stderr().lock(), "error: {error:#}");
        ExitCode::from(2)
    })
}

fn run(args: Args) -> Result<ExitCode> {
    match args.command {
        Command::Retrieval { export, questions } => {
            let runtime = tokio::runtime::Builder::new_current_thread().build()?;
            runtime.block_on(retrieval(&export, &questions))
        }
        Command::Lint { wiki, export } => check(&wiki, &export),
    }
}

fn read(path: &Path) -> Result<Export> {
    Export::read(path).with_context(|| format!("cannot read {}", path.display()))
}

async fn retrieval(path: &Path, file: &Path) -> Result<ExitCode> {
    let asked = questions::read(file)?;
    let export = read(path)?;
    let (atlas, _) = load::settled(load::parts(), &export).await?;
    let across = load::across(&atlas, &export).await?;
    let options = SearchOptions::default().with_limit(DEPTH);
    let mut places = Vec::new();
    for question in &asked.questions {
        let wanted = wanted(question, &export)?;
        let found = across.search(&question.question, &options).await?;
        let hits: Vec<Vec<(ChannelId, NativeId)>> = found
            .hits
            .iter()
            .map(|hit| hit.messages().into_iter())
            .map(|ids| {
                ids.map(|it| (it.channel.clone(), it.native.clone()))
                    .collect()
            })
            .collect();
        let place = place(&hits, &wanted);
        let told = place.map_or_else(|| "-".to_owned(), |it| it.to_string());
        say(&format!("{} {told:>3}  {}", question.id, question.question))?;
        places.push(place);
    }
    let totals = totals(&places);
    say(&format!(
        "found@1 {}  found@5 {}  found@{DEPTH} {}  of {} questions, MRR {:.3}",
        totals.at_1, totals.at_5, totals.at_10, totals.questions, totals.mean_reciprocal
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// The messages that answer a question. One that was skipped on import, such as a change of the
/// topic, cannot be found and is told.
fn wanted(question: &Question, export: &Export) -> io::Result<BTreeSet<(ChannelId, NativeId)>> {
    let mut wanted = BTreeSet::new();
    for answer in &question.answers {
        let native = NativeId::new(&answer.ts);
        let channel = export.channel(&answer.channel);
        let messages = channel.and_then(|it| export.messages.get(it));
        let is_kept = messages.is_some_and(|it| it.iter().any(|it| it.id.native == native));
        match channel {
            Some(channel) if is_kept => {
                wanted.insert((channel.clone(), native));
            }
            Some(_) | None => {
                let (id, AnsweringMessage { channel, ts }) = (&question.id, answer);
                say(&format!("{id}      was not kept on import: {channel} {ts}"))?;
            }
        }
    }
    Ok(wanted)
}

fn check(folder: &Path, path: &Path) -> Result<ExitCode> {
    let export = read(path)?;
    let mut files = Vec::new();
    collect(folder, "", &mut files)?;
    files.sort_by(|a: &WikiFile, b| a.path.cmp(&b.path));
    let verdict = lint(&files, &export.messages);
    for finding in &verdict.findings {
        say(&finding.to_string())?;
    }
    say(&format!(
        "{} pages, {} sentences, {} citations looked up: {} findings",
        verdict.pages,
        verdict.sentences,
        verdict.citations,
        verdict.findings.len()
    ))?;
    let is_clean = verdict.findings.is_empty() && verdict.pages > 0;
    Ok(if is_clean {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The Markdown files below a folder.
fn collect(folder: &Path, prefix: &str, into: &mut Vec<WikiFile>) -> Result<()> {
    let named = || folder.display().to_string();
    for entry in fs::read_dir(folder).with_context(named)? {
        let entry = entry.with_context(named)?;
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), into)?;
        } else if path.extension().is_some_and(|it| it == "md") {
            let markdown = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            into.push(WikiFile {
                path: format!("{prefix}{name}"),
                markdown,
            });
        }
    }
    Ok(())
}

fn say(line: &str) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{line}")
}
