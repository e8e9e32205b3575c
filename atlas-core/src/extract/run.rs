//! Works the queue off: reads what is due, and commits outcomes, facts and vectors together.

use std::collections::{BTreeMap, BTreeSet};

use super::assemble::{assemble, facts_of};
use super::read::{Reading, Readings, extractor, read};
use super::settings::ExtractSettings;
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::{WorkItem, due, forget_work, schedule, skip_reason};
use crate::model::{
    AtomicFact, ChannelId, Extraction, FactId, Fingerprint, Message, MessageOutcome, OutcomeStage,
    Stored,
};
use crate::ports::{ChannelScope, CommitBuilder, MessageStoreExt, Partition, StoredMessage};
use crate::{stage, vectors};

/// Where an outage of the embedder is told from one of a store.
const EMBEDDING: &str = "extract::embed";
/// Conversations that are committed together.
const CHUNK: usize = 64;

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
    /// Texts that the embedder would not embed.
    pub without_vector: usize,
    /// Calls of the provider.
    pub n_calls: usize,
    /// Why the queue stands still, if the model does not answer.
    pub outage: Option<Error>,
}

/// Reads the conversations that are due, until none is.
///
/// # Errors
///
/// What the stores and the embedder fail with. What was committed stays, the rest is due still.
///
/// # Cancel safety
///
/// Safe: a chunk is one commit.
pub async fn run(
    parts: &Components,
    channel: &ChannelScope,
    settings: &ExtractSettings,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<ExtractReport> {
    let partition = Partition::of(channel);
    let now = parts.clock.now();
    let mut report = ExtractReport::default();
    loop {
        let items = due(parts.records.as_ref(), &partition, now, CHUNK).await?;
        if items.is_empty() {
            return Ok(report);
        }
        let n_items = items.len();
        let chunk = Chunk::load(parts, channel, items).await?;
        let conversations: Vec<Vec<&Message>> = chunk
            .conversations
            .iter()
            .map(|(_, messages)| messages.iter().map(|it| &it.message).collect())
            .collect();
        let readings = read(parts, &conversations, settings).await;
        report.n_calls += readings.n_calls;
        report.refused += readings.n_stray;
        let finished = chunk
            .finish(parts, &partition, (settings, &readings), &mut report)
            .await;
        let done = match finished {
            Ok(done) => done,
            // The embedder cannot be reached: the queue stands still, as for a model.
            Err(error) if error.kind() == ErrorKind::Unavailable && error.op() == EMBEDDING => {
                report.outage = Some(error);
                return Ok(report);
            }
            Err(error) => return Err(error),
        };
        progress(done);
        if readings.outage.is_some() {
            report.outage = readings.outage;
            return Ok(report);
        }
        if n_items < CHUNK {
            // What failed in this chunk is due later; anything else due was in it.
            return Ok(report);
        }
    }
}

/// Conversations that are read and committed together.
struct Chunk {
    commit: CommitBuilder,
    conversations: Vec<(WorkItem, Vec<StoredMessage>)>,
}

impl Chunk {
    async fn load(
        parts: &Components,
        channel: &ChannelScope,
        items: Vec<WorkItem>,
    ) -> Result<Self> {
        let records = parts.records.as_ref();
        let partition = Partition::of(channel);
        let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
        let ids: Vec<String> = items.iter().map(Stored::record_id).collect();
        // Read again and expected: a conversation that grows meanwhile is a conflict.
        let items = commit
            .load_many::<WorkItem>(records, &partition, &ids)
            .await?;
        let mut conversations = Vec::new();
        for item in items.into_iter().flatten().map(|it| it.value) {
            let mut thread = parts
                .messages
                .whole_thread(channel, &item.conversation)
                .await?;
            // A root that is itself a reply is read with its own thread, not with this one.
            thread.retain(|it| it.message.conversation() == item.conversation);
            conversations.push((item, thread));
        }
        Ok(Self {
            commit,
            conversations,
        })
    }

    /// Commits what was read; answers how many conversations are through.
    async fn finish(
        self,
        parts: &Components,
        partition: &Partition,
        (settings, readings): (&ExtractSettings, &Readings),
        report: &mut ExtractReport,
    ) -> Result<usize> {
        let Self {
            mut commit,
            conversations,
        } = self;
        let records = parts.records.as_ref();
        let now = parts.clock.now();
        let extractor = extractor(parts, settings);
        let mut done = 0;
        let mut touched = Touched::default();
        for (place, (item, messages)) in conversations.iter().enumerate() {
            if readings.not_reached.contains(&place) {
                continue;
            }
            let ids: Vec<String> = messages
                .iter()
                .map(|it| it.message.id.record_id())
                .collect();
            let known = commit
                .load_many::<MessageOutcome>(records, partition, &ids)
                .await?;
            if let Some(error) = readings.failed.get(&place) {
                report.failed += 1;
                let failed = item.after_failure(error, now);
                schedule(&mut commit, Some(item), &failed)?;
                if failed.due.is_none() {
                    for mut outcome in known.into_iter().flatten().map(|it| it.value) {
                        if !matches!(outcome.stage, OutcomeStage::Queued { .. }) {
                            continue;
                        }
                        outcome.stage = OutcomeStage::Dead {
                            reason: error.clone(),
                        };
                        commit.put(&outcome)?;
                    }
                }
                continue;
            }
            for (stored, old) in messages.iter().zip(known) {
                let reading = readings.by_message.get(&stored.message.id.record_id());
                let extraction = Extraction {
                    extractor: extractor.clone(),
                    recorded_at: now,
                };
                let old = old.map(|it| it.value);
                let outcome = outcome(stored, old.as_ref(), reading, extraction, settings);
                report.messages += 1;
                report.admitted += outcome.claims.len();
                report.refused += outcome.refusals.len();
                commit.put(&outcome)?;
                touched.add(partition, old.as_ref(), outcome);
            }
            forget_work(&mut commit, item);
            done += 1;
        }
        report.conversations += done;
        let mut texts = touched.settle_facts(parts, partition, &mut commit).await?;
        texts.extend(touched.texts(&conversations));
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = vectors::ensure(parts, partition, &mut commit, &texts)
            .await
            .map_err(|error| {
                if error.kind() != ErrorKind::Unavailable {
                    return error;
                }
                Error::new(ErrorKind::Unavailable, EMBEDDING, "nothing can be embedded")
                    .with_retry(error.retry())
                    .caused_by(error)
            })?;
        report.without_vector += vectors.iter().filter(|slot| slot.is_none()).count();
        stage::commit(records, partition, commit).await?;
        Ok(done)
    }
}

/// The outcome of a message that was read.
fn outcome(
    stored: &StoredMessage,
    old: Option<&MessageOutcome>,
    reading: Option<&Reading>,
    extraction: Extraction,
    settings: &ExtractSettings,
) -> MessageOutcome {
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
    fn texts(&self, conversations: &[(WorkItem, Vec<StoredMessage>)]) -> Vec<String> {
        conversations
            .iter()
            .flat_map(|(_, messages)| messages)
            .filter(|it| self.outcomes.contains_key(&it.message.id.record_id()))
            .map(|it| it.message.text.clone())
            .filter(|text| !text.is_empty())
            .collect()
    }
}
