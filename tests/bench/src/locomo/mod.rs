//! Whether a search finds the turns of a long conversation that answer a question.
//!
//! Each conversation of `LoCoMo` becomes one channel, one message a turn; it is ingested and settled,
//! and its questions are searched for. Floors are given the same texts in the same run.

mod data;
mod floors;
mod measure;
mod report;
mod run;
mod times;
mod tune;

use std::fs;

use anyhow::{Context, Result, bail};
use atlas_core::Settings;
use atlas_core::model::ContentHash;

use crate::args::LocomoArgs;
use crate::say;
use data::Conversation;
use report::{Answered, System};

/// Measures Atlas and the floors, and prints both.
///
/// # Errors
///
/// A file that cannot be read; what Atlas fails with.
pub(crate) fn run(args: &LocomoArgs) -> Result<()> {
    let (conversations, hash) = read(args)?;
    let mut settings = Settings::default();
    tune::apply(&args.settings, &mut settings.retrieve)?;
    let ran = run::all(&conversations, &settings, args.threads)?;
    let mut answered: Vec<Answered> = Vec::new();
    for (conversation, ran) in conversations.iter().zip(&ran) {
        let floors = floors::Floors::new(conversation)?;
        for (at, question) in conversation.questions.iter().enumerate() {
            let mut lists = vec![(
                System::Atlas,
                ran.lists.get(at).cloned().unwrap_or_default(),
            )];
            lists.extend(floors.ranked(&question.text, run::DEPTH)?);
            for (system, list) in lists {
                answered.push(Answered {
                    conversation: conversation.number,
                    category: question.category,
                    system,
                    turn: measure::Scores::of(&list, &question.gold),
                    session: measure::Scores::of(
                        &conversation.sessions_of(&list),
                        &conversation.gold_sessions(question),
                    ),
                });
            }
        }
    }
    let configuration = ContentHash::of(format!("{:?} {hash}", settings.retrieve).as_bytes());
    say(&report::text(&answered, &ran, &configuration.short()))
}

/// Measures questions that name a time, and prints.
///
/// # Errors
///
/// A file that cannot be read; what Atlas fails with.
pub(crate) fn run_times(args: &LocomoArgs) -> Result<()> {
    let (conversations, _) = read(args)?;
    let mut settings = Settings::default();
    tune::apply(&args.settings, &mut settings.retrieve)?;
    say(&times::measured(&conversations, &settings)?)
}

fn read(args: &LocomoArgs) -> Result<(Vec<Conversation>, String)> {
    let bytes =
        fs::read(&args.data).with_context(|| format!("cannot read {}", args.data.display()))?;
    let all = data::read(&bytes)?;
    let wanted: Vec<Conversation> = all
        .into_iter()
        .filter(|it| args.conversations.contains(it.number))
        .collect();
    if wanted.is_empty() {
        bail!("the file holds none of these conversations");
    }
    Ok((wanted, ContentHash::of(&bytes).short()))
}
