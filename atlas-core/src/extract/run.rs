//! Works the queue off: claims what is due, reads it, and publishes what was read.

use std::collections::BTreeMap;

use super::kept::sweep;
use super::lease::{Leases, next_end};
use super::publish::{Claimed, EMBEDDING, publish};
use super::read::read;
use super::settings::ExtractSettings;
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::LEASE_SECONDS;
use crate::model::{DeadReason, Message};
use crate::ports::{ChannelScope, MessageStoreExt};

/// Conversations that are claimed and committed together.
const CHUNK: usize = 64;
/// How often another writer may come first.
pub(super) const TRIES: usize = 5;

/// What extraction did.
#[derive(Debug, Default)]
pub struct ExtractReport {
    /// Conversations that were read.
    pub conversations: usize,
    /// Messages of them that were read, those that are skipped included.
    pub messages: usize,
    /// Statements that were admitted.
    pub admitted: usize,
    /// Proposals that were refused.
    pub refused: usize,
    /// Conversations that failed and wait for their next try, or are dead.
    pub failed: usize,
    /// Conversations that somebody else claimed when the lease had ended; nothing of them was
    /// published.
    pub lost: usize,
    /// Replies that broke off; what they did not cover was asked for again in parts.
    pub splits: usize,
    /// Parts of conversations for which a kept reply was found, so that nobody was asked.
    pub recalled: usize,
    /// Texts that the embedder would not embed.
    pub without_vector: usize,
    /// Calls of the provider.
    pub n_calls: usize,
    /// Why the queue stands still, if the model does not answer.
    pub outage: Option<Error>,
    /// Whether it stopped at the limit that it was given, and more is due.
    pub has_more: bool,
}

impl ExtractReport {
    /// Adds the counts of another one.
    pub(super) fn add(&mut self, other: &Self) {
        self.conversations += other.conversations;
        self.messages += other.messages;
        self.admitted += other.admitted;
        self.refused += other.refused;
        self.failed += other.failed;
        self.lost += other.lost;
        self.splits += other.splits;
        self.recalled += other.recalled;
        self.without_vector += other.without_vector;
        self.n_calls += other.n_calls;
    }
}

/// How much of the queue is worked off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// All that is due. Whoever works on a part of it is waited for until their lease ends or is
    /// renewed; what they leave behind is taken over.
    All,
    /// One chunk.
    One,
}

/// Reads the conversations that are due.
///
/// # Errors
///
/// What the stores and the embedder fail with. What was committed stays, what was claimed is given
/// back as far as the store takes it, and the rest is due still.
///
/// # Cancel safety
///
/// Safe: a chunk is one commit. What was claimed is due again when its lease ends, and nobody is
/// asked twice for a reply that had come.
pub async fn run(
    parts: &Components,
    channel: &ChannelScope,
    settings: &ExtractSettings,
    turn: Turn,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<ExtractReport> {
    let mut at = parts.clock.now();
    let patience = at.saturating_add_micros(LEASE_SECONDS * 1_000_000);
    let mut report = ExtractReport::default();
    let mut is_ending = false;
    while !is_ending {
        let leases = Leases::claim(parts, channel, (&settings.holder, at), CHUNK).await?;
        if leases.items.is_empty() {
            match next_end(parts, channel, at).await? {
                Some(end) if turn == Turn::All && end <= patience => {
                    parts.clock.sleep_until(end).await;
                    at = at.max(end);
                    continue;
                }
                _ => break,
            }
        }
        is_ending = turn == Turn::One;
        report.has_more = is_ending && leases.items.len() == CHUNK;
        is_ending |= work(leases, settings, &mut report, progress).await?;
    }
    if !parts.llm.capabilities().model_free {
        sweep(parts, channel).await?;
    }
    Ok(report)
}

/// Reads and publishes what was claimed; whether the queue stands still.
async fn work(
    mut leases: Leases<'_>,
    settings: &ExtractSettings,
    report: &mut ExtractReport,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<bool> {
    let worked = read_and_publish(&mut leases, settings, report).await;
    match worked {
        Ok(done) => {
            progress(done);
            Ok(report.outage.is_some())
        }
        // The embedder cannot be reached: the queue stands still, as for a model.
        Err(error) if error.kind() == ErrorKind::Unavailable && error.op() == EMBEDDING => {
            leases.give_back().await?;
            report.outage = Some(error);
            Ok(true)
        }
        Err(error) => {
            // If this fails too, the leases end by themselves; the first error is the one to tell.
            let _given_back = leases.give_back().await;
            Err(error)
        }
    }
}

async fn read_and_publish(
    leases: &mut Leases<'_>,
    settings: &ExtractSettings,
    report: &mut ExtractReport,
) -> Result<usize> {
    let (parts, channel) = (leases.parts, leases.channel);
    let mut claimed: Vec<Claimed> = Vec::new();
    let mut left_out = BTreeMap::new();
    for item in leases.items.clone() {
        let mut thread = parts
            .messages
            .whole_thread(channel, &item.conversation)
            .await?;
        // A root that is itself a reply is read with its own thread, not with this one.
        thread.retain(|it| it.message.conversation() == item.conversation);
        if item.is_abandoned() {
            let said = "it was begun as often as it may be and never ended".to_owned();
            left_out.insert(claimed.len(), (DeadReason::Abandoned, said));
        }
        claimed.push((item, thread));
    }
    let conversations: Vec<Vec<&Message>> = claimed
        .iter()
        .map(|(_, messages)| messages.iter().map(|it| &it.message).collect())
        .collect();
    let readings = read(leases, &conversations, left_out, settings).await?;
    report.n_calls += readings.effort.calls;
    report.refused += readings.effort.stray;
    report.splits += readings.effort.splits;
    report.recalled += readings.effort.recalled;
    let mut tries = 0;
    let done = loop {
        let read = (settings, &readings);
        match publish(parts, channel, &claimed, read, report).await {
            // Whoever wrote may have taken a claim over: look again.
            Err(error) if error.kind() == ErrorKind::Conflict && tries < TRIES => tries += 1,
            done => break done?,
        }
    };
    report.outage = readings.outage;
    Ok(done)
}
