//! What was read to outcomes and facts, in one commit.

use std::collections::{BTreeMap, BTreeSet};

use super::assemble::{assemble, facts_of};
use super::lease::is_ours;
use super::read::{Reading, Readings, extractor};
use super::run::ExtractReport;
use super::settings::ExtractSettings;
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::{WorkItem, forget_work, schedule, skip_reason};
use crate::model::{
    AtomicFact, ChannelId, DeadReason, Extraction, FactId, Fingerprint, MessageOutcome,
    OutcomeStage, Stored,
};
use crate::ports::{ChannelScope, CommitBuilder, Partition, StoredMessage};
use crate::{stage, vectors};

/// Where an outage of the embedder is told from one of a store.
pub(super) const EMBEDDING: &str = "extract::embed";

/// A conversation as it was claimed, with its messages as they were read.
pub(super) type Claimed = (WorkItem, Vec<StoredMessage>);

/// Commits what was read, of those conversations whose claim still holds; answers how many are
/// through.
///
/// # Errors
///
/// What the stores and the embedder fail with; [`ErrorKind::Conflict`] if somebody wrote meanwhile:
/// then nothing is written, and what was read may be published again.
pub(super) async fn publish(
    parts: &Components,
    channel: &ChannelScope,
    conversations: &[Claimed],
    (settings, readings): (&ExtractSettings, &Readings),
    report: &mut ExtractReport,
) -> Result<usize> {
    let partition = Partition::of(channel);
    let records = parts.records.as_ref();
    let epoch = stage::epoch(records, channel).await?;
    let mut commit = CommitBuilder::new(epoch);
    let mut told = ExtractReport::default();
    let mut touched = Touched::default();
    let ids: Vec<String> = conversations.iter().map(|(it, _)| it.record_id()).collect();
    let known = commit
        .load_many::<WorkItem>(records, &partition, &ids)
        .await?;
    let mut done = 0;
    for (place, ((claimed, messages), known)) in conversations.iter().zip(known).enumerate() {
        let Some(item) = known.map(|it| it.value).filter(|it| is_ours(claimed, it)) else {
            told.lost += 1;
            continue;
        };
        // It grew since it was claimed, or the model was not reached: it is due as it was.
        if item.sequence != claimed.sequence || readings.not_reached.contains(&place) {
            schedule(&mut commit, Some(&item), &item.given_back())?;
            continue;
        }
        let dead = match failure(place, messages, readings, settings) {
            None => None,
            Some((reason, error)) => {
                told.failed += 1;
                let failed = item.after_failure(reason, &error, parts.clock.now());
                schedule(&mut commit, Some(&item), &failed)?;
                let Some(dead) = failed.dead else { continue };
                Some(dead)
            }
        };
        let ids: Vec<String> = messages
            .iter()
            .map(|it| it.message.id.record_id())
            .collect();
        let old = commit
            .load_many::<MessageOutcome>(records, &partition, &ids)
            .await?;
        let mut of_one = None;
        for (stored, old) in messages.iter().zip(old) {
            let old = old.map(|it| it.value);
            let id = stored.message.id.record_id();
            let of_message = dead.as_ref().or_else(|| readings.dead.get(&id));
            let outcome = if let Some(reason) = of_message {
                of_one = Some(reason.clone());
                given_up(stored, old.as_ref(), reason, parts, settings)
            } else {
                let reading = readings.by_message.get(&id);
                read(stored, old.as_ref(), reading, parts, settings)
            };
            told.messages += 1;
            told.admitted += outcome.claims.len();
            told.refused += outcome.refusals.len();
            commit.put(&outcome)?;
            touched.add(&partition, old.as_ref(), outcome);
        }
        match (&dead, of_one) {
            (Some(_), _) => {}
            (None, Some(reason)) => schedule(&mut commit, Some(&item), &item.given_up(reason))?,
            (None, None) => forget_work(&mut commit, &item),
        }
        let its_own = readings.kept.iter().filter(|(of, _)| *of == place);
        its_own.for_each(|(_, key)| commit.delete(key.clone()));
        done += usize::from(dead.is_none());
    }
    told.conversations = done;
    let mut texts = touched.settle_facts(parts, &partition, &mut commit).await?;
    texts.extend(touched.texts(conversations));
    told.without_vector = embed(parts, channel, &texts).await?;
    stage::commit(records, &partition, commit).await?;
    report.add(&told);
    Ok(done)
}

/// Why the attempt at a conversation failed, if it did: a message that no reply covered is one that
/// was not read, never one that says nothing.
fn failure(
    place: usize,
    messages: &[StoredMessage],
    readings: &Readings,
    settings: &ExtractSettings,
) -> Option<(DeadReason, String)> {
    if let Some(failed) = readings.failed.get(&place) {
        return Some(failed.clone());
    }
    let is_uncovered = |stored: &&StoredMessage| {
        let id = stored.message.id.record_id();
        skip_reason(&stored.message, settings.reads_bots).is_none()
            && !readings.by_message.contains_key(&id)
            && !readings.dead.contains_key(&id)
    };
    let uncovered = messages.iter().find(is_uncovered)?;
    let said = format!("no reply covers {}", uncovered.message.id);
    Some((DeadReason::Unreadable(said.clone()), said))
}

/// Keeps the vectors of texts, in a commit of their own: whatever comes of the rest, they are not
/// asked for again. Answers how many the embedder would not embed.
async fn embed(parts: &Components, channel: &ChannelScope, texts: &[String]) -> Result<usize> {
    let partition = Partition::of(channel);
    let records = parts.records.as_ref();
    let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = vectors::ensure(parts, &partition, &mut commit, &texts)
        .await
        .map_err(|error| {
            if error.kind() != ErrorKind::Unavailable {
                return error;
            }
            Error::new(ErrorKind::Unavailable, EMBEDDING, "nothing can be embedded")
                .with_retry(error.retry())
                .caused_by(error)
        })?;
    stage::commit(records, &partition, commit).await?;
    Ok(vectors.iter().filter(|slot| slot.is_none()).count())
}

/// The outcome of a message that is given up. What an earlier version said does not count any
/// longer: its words are gone.
fn given_up(
    stored: &StoredMessage,
    old: Option<&MessageOutcome>,
    reason: &DeadReason,
    parts: &Components,
    settings: &ExtractSettings,
) -> MessageOutcome {
    if let Some(old) = old
        && old.version == stored.version
        && !matches!(old.stage, OutcomeStage::Queued { .. })
    {
        return old.clone();
    }
    let mut outcome = read(stored, old, None, parts, settings);
    if outcome.stage == OutcomeStage::Extracted {
        outcome.extraction = None;
        outcome.stage = OutcomeStage::Dead {
            reason: reason.clone(),
        };
    }
    outcome
}

/// The outcome of a message that was read.
fn read(
    stored: &StoredMessage,
    old: Option<&MessageOutcome>,
    reading: Option<&Reading>,
    parts: &Components,
    settings: &ExtractSettings,
) -> MessageOutcome {
    let extraction = Extraction {
        extractor: extractor(parts, settings),
        recorded_at: parts.clock.now(),
    };
    let message = &stored.message;
    let skip = skip_reason(message, settings.reads_bots);
    let (admission, names) = reading.cloned().unwrap_or_default();
    let mut refusals = admission.refusals;
    refusals.extend(names.refusals);
    let mut outcome = MessageOutcome {
        message: message.id.clone(),
        version: stored.version.clone(),
        conversation: message.conversation(),
        author: message.author.clone(),
        sent_at: message.sent_at,
        media: message.attachments.clone(),
        stage: match skip {
            Some(reason) => OutcomeStage::Skipped { reason },
            None => OutcomeStage::Extracted,
        },
        extraction: skip.is_none().then_some(extraction),
        claims: admission.claims,
        entities: names.entities,
        relations: names.relations,
        refusals,
    };
    // The same claims by the same extractor were learned when they were first learned.
    if let Some(old) = old
        && old.claims == outcome.claims
        && extractor_of(old) == extractor_of(&outcome)
    {
        outcome.extraction.clone_from(&old.extraction);
    }
    outcome
}

fn extractor_of(outcome: &MessageOutcome) -> Option<&Fingerprint> {
    outcome.extraction.as_ref().map(|it| &it.extractor)
}

/// The outcomes that a chunk wrote and the facts that they concern.
#[derive(Default)]
struct Touched {
    outcomes: BTreeMap<String, MessageOutcome>,
    facts: BTreeSet<FactId>,
}

impl Touched {
    fn add(
        &mut self,
        partition: &Partition,
        old: Option<&MessageOutcome>,
        outcome: MessageOutcome,
    ) {
        let channel = ChannelId::new(partition.id());
        for said in old.into_iter().chain([&outcome]) {
            self.facts.extend(facts_of(&channel, said));
        }
        self.outcomes.insert(outcome.message.record_id(), outcome);
    }

    /// Assembles every concerned fact again; a fact that nothing says any longer is deleted.
    /// Answers the texts of the facts.
    async fn settle_facts(
        &mut self,
        parts: &Components,
        partition: &Partition,
        commit: &mut CommitBuilder,
    ) -> Result<Vec<String>> {
        let records = parts.records.as_ref();
        let channel = ChannelId::new(partition.id());
        let ids: Vec<String> = self.facts.iter().map(ToString::to_string).collect();
        let known = commit
            .load_many::<AtomicFact>(records, partition, &ids)
            .await?;
        let elsewhere: BTreeSet<String> = known
            .iter()
            .flatten()
            .flat_map(|it| &it.value.evidence)
            .map(|evidence| evidence.message.record_id())
            .filter(|id| !self.outcomes.contains_key(id))
            .collect();
        let elsewhere: Vec<String> = elsewhere.into_iter().collect();
        let others = commit
            .load_many::<MessageOutcome>(records, partition, &elsewhere)
            .await?;
        let mut by_fact: BTreeMap<FactId, Vec<&MessageOutcome>> = BTreeMap::new();
        let others: Vec<MessageOutcome> = others.into_iter().flatten().map(|it| it.value).collect();
        for outcome in self.outcomes.values().chain(&others) {
            for fact in facts_of(&channel, outcome) {
                by_fact.entry(fact).or_default().push(outcome);
            }
        }
        let mut texts = Vec::new();
        for id in &self.facts {
            let outcomes = by_fact.remove(id).unwrap_or_default();
            match assemble(&channel, id, &outcomes) {
                Some(fact) => {
                    commit.put(&fact)?;
                    texts.push(fact.claim.text);
                }
                None => commit.delete(AtomicFact::key_of(id.as_str())),
            }
        }
        Ok(texts)
    }

    /// The texts of the messages that are read, to be found by meaning.
    fn texts(&self, conversations: &[Claimed]) -> Vec<String> {
        conversations
            .iter()
            .flat_map(|(_, messages)| messages)
            .filter(|it| self.outcomes.contains_key(&it.message.id.record_id()))
            .map(|it| it.message.text.clone())
            .filter(|text| !text.is_empty())
            .collect()
    }
}
