//! Opening a folder in a process that has not seen it.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use atlas_core::Components;
use atlas_core::ports::{ChannelScope, Filter};
use atlas_core::project::catch_up;
use serde::de::DeserializeOwned;

use crate::corpus::Corpus;
use crate::figures::Reopened;
use crate::plan::Plan;
use crate::searches::{embed, hybrid};
use crate::space::resident;
use crate::spread::Spread;
use crate::stopwatch::Stopwatch;

/// Other channels that are asked after the first.
const OTHERS: usize = 50;
/// Questions to the searched channel before memory is counted.
const QUESTIONS: usize = 20;

/// Opens the folder, asks the searched channel, then others for the first time.
///
/// # Errors
///
/// What the store fails with; if nothing is found.
pub(crate) async fn measure(plan: &Plan) -> Result<Reopened> {
    let corpus = Corpus::new(plan.seed);
    let question = corpus.question(0);
    let before = resident();
    let watch = Stopwatch::start();
    let opened = plan.store.open(&plan.store_dir(), plan.durability).await?;
    let parts = &opened.parts;
    let vector = embed(parts, &question).await?;
    let asked = (question.as_str(), vector.as_slice());
    let searched = plan.shape.searched();
    let channel = ChannelScope::new(Corpus::channel(searched));
    let found = answer(parts, &channel, asked).await?;
    let first_answer = watch.elapsed().as_secs_f64() * 1_000.0;
    ensure!(found > 0, "the reopened store finds nothing");

    let others = (0..plan.shape.channels).filter(|number| *number != searched);
    let mut taken = Vec::new();
    for number in others.take(OTHERS) {
        let channel = ChannelScope::new(Corpus::channel(number));
        let watch = Stopwatch::start();
        answer(parts, &channel, asked).await?;
        taken.push(watch.elapsed());
    }
    for number in 0..QUESTIONS {
        let question = corpus.question(number);
        let vector = embed(parts, &question).await?;
        answer(parts, &channel, (&question, &vector)).await?;
    }
    let resident = before
        .zip(resident())
        .map(|(before, after)| after.saturating_sub(before));
    opened.close().await;
    Ok(Reopened {
        first_answer,
        next_channels: Spread::of(&taken),
        resident,
    })
}

/// Brings the index up to the truth, as every read does that wants the latest, and asks.
async fn answer(
    parts: &Components,
    channel: &ChannelScope,
    asked: (&str, &[f32]),
) -> Result<usize> {
    catch_up(parts, channel).await?;
    hybrid(parts, channel, asked, &Filter::default()).await
}

/// Runs a hidden command of this program in a process of its own and reads what it prints.
///
/// # Errors
///
/// If it cannot be started, or fails, or prints something else.
pub(crate) fn in_own_process<T: DeserializeOwned>(command: &str, plan: &Plan) -> Result<T> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    let output = Command::new(program)
        .args([command, &serde_json::to_string(plan)?])
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {command}"))?;
    ensure!(
        output.status.success(),
        "{command} of {} at {} failed: {}",
        plan.store,
        plan.shape,
        output.status
    );
    serde_json::from_slice(&output.stdout)
        .with_context(|| format!("cannot read what {command} prints"))
}
