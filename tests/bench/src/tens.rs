//! Ten facts at a time, committed and found.

use std::time::Duration;

use anyhow::{Result, ensure};
use atlas_core::Components;
use atlas_core::ports::{ChannelScope, Epoch, Filter, Partition, Scope};
use atlas_core::project::catch_up;

use crate::corpus::Corpus;
use crate::load::batch;
use crate::plan::Plan;
use crate::searches::lexical;
use crate::spread::Spread;
use crate::stopwatch::Stopwatch;

/// Facts of a batch.
const TEN: usize = 10;
/// Batches that are timed at most; as often as a search otherwise.
const ROUNDS: usize = 50;

/// Commits ten facts and brings the index up to them, again and again, in the searched channel.
/// That they are found is checked after the time is taken.
///
/// # Errors
///
/// What the store fails with; if facts are not found.
pub(crate) async fn tens(parts: &Components, plan: &Plan, corpus: &Corpus) -> Result<Spread> {
    let number = plan.shape.searched();
    let channel = ChannelScope::new(Corpus::channel(number));
    let partition = Partition::of(&channel);
    let mut taken: Vec<Duration> = Vec::new();
    // A message says five facts, so the next one begins at a multiple of ten.
    let begin = plan.shape.facts.next_multiple_of(TEN);
    for round in 0..ROUNDS.min(plan.searches) {
        let from = begin + round * TEN;
        let said = corpus.said(number, from, from + TEN)?;
        let batch = batch(parts.embedder.as_ref(), said).await?;
        parts
            .messages
            .append(&channel, Epoch::default(), &batch.messages)
            .await?;
        let watch = Stopwatch::start();
        parts.records.commit(&partition, &batch.commit).await?;
        catch_up(parts, &channel).await?;
        taken.push(watch.elapsed());
        // The number of the last fact stands in its text alone.
        let ticket = (from + TEN - 1).to_string();
        let scope = Scope::from(&channel);
        let found = lexical(parts, &scope, &ticket, &Filter::default(), 1).await?;
        ensure!(found.len() == 1, "a fact that was written is not found");
    }
    Ok(Spread::of(&taken))
}
