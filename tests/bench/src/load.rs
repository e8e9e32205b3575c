//! Writing in bulk, in turns with the floor.

use std::time::Duration;

use anyhow::{Result, ensure};
use atlas_core::Components;
use atlas_core::model::{AtomicFact, ContentHash, Message, Stored};
use atlas_core::ports::{
    ChannelScope, Commit, Embedder, EmbedderExt, Epoch, Expect, Key, Partition, Purpose,
};
use atlas_core::project::catch_up;
use atlas_core::vectors::StoredVector;

use crate::corpus::{Corpus, FACTS_A_MESSAGE, Said};
use crate::figures::Load;
use crate::floor::{RawRecords, RawWords};
use crate::plan::Plan;
use crate::stopwatch::Stopwatch;

/// Texts that the floor takes before it writes them.
const RAW_TEXTS: usize = 10_000;

/// What one commit writes.
pub(crate) struct Batch {
    pub(crate) messages: Vec<Message>,
    pub(crate) texts: Vec<String>,
    pub(crate) commit: Commit,
}

/// Makes the commit that admits facts: each with its stored vector, and expected to be absent.
///
/// # Errors
///
/// If a record does not encode.
pub(crate) async fn batch(embedder: &dyn Embedder, said: Vec<Said>) -> Result<Batch> {
    let mut messages = Vec::with_capacity(said.len());
    let mut facts: Vec<AtomicFact> = Vec::new();
    for said in said {
        messages.push(said.message);
        facts.extend(said.facts);
    }
    let texts: Vec<&str> = facts.iter().map(AtomicFact::text).collect();
    let vectors = embedder.embed_all(&texts, Purpose::Document).await?;
    let space = embedder.space();
    let mut commit = Commit {
        epoch: Epoch::default(),
        ..Commit::default()
    };
    for (fact, vector) in facts.iter().zip(vectors) {
        let vector = StoredVector {
            space: space.clone(),
            text: ContentHash::of(fact.text().as_bytes()),
            vector,
        };
        commit.expects.push(Expect::Absent(fact.key()));
        commit.puts.push((fact.key(), fact.encode()?));
        commit.puts.push((vector.key(), vector.encode()?));
    }
    Ok(Batch {
        messages,
        texts: facts.into_iter().map(|it| it.claim.text).collect(),
        commit,
    })
}

/// Writes every fact of the plan to the store and to the floor, a batch here and a batch there.
///
/// Making facts, appending messages and embedding are not timed.
///
/// # Errors
///
/// What the store or the floor fails with.
pub(crate) async fn load(parts: &Components, plan: &Plan, corpus: &Corpus) -> Result<Load> {
    let mut floor = Floor::create(plan).await?;
    let step = plan.batch.div_ceil(FACTS_A_MESSAGE).max(1) * FACTS_A_MESSAGE;
    let mut commit = Duration::ZERO;
    let mut index = Duration::ZERO;
    for number in 0..plan.shape.channels {
        let channel = ChannelScope::new(Corpus::channel(number));
        let partition = Partition::of(&channel);
        for from in (0..plan.shape.facts).step_by(step) {
            let to = (from + step).min(plan.shape.facts);
            let batch = batch(parts.embedder.as_ref(), corpus.said(number, from, to)?).await?;
            parts
                .messages
                .append(&channel, Epoch::default(), &batch.messages)
                .await?;
            let watch = Stopwatch::start();
            parts.records.commit(&partition, &batch.commit).await?;
            commit += watch.elapsed();
            floor
                .write(partition.id(), batch.commit.puts, batch.texts)
                .await?;
        }
        let watch = Stopwatch::start();
        let done = catch_up(parts, &channel).await?;
        index += watch.elapsed();
        ensure!(
            done.documents >= plan.shape.facts,
            "the index took in {} of {} facts",
            done.documents,
            plan.shape.facts
        );
    }
    let (raw_records, raw_words) = floor.close().await?;
    Ok(Load {
        facts: plan.shape.total(),
        commit: commit.as_secs_f64(),
        index: index.as_secs_f64(),
        raw_records: raw_records.as_secs_f64(),
        raw_words: raw_words.as_secs_f64(),
    })
}

/// Raw `SQLite` and raw tantivy, and the time that each took.
struct Floor {
    records: RawRecords,
    words: RawWords,
    waiting: Vec<String>,
    revision: i64,
    records_time: Duration,
    words_time: Duration,
}

impl Floor {
    async fn create(plan: &Plan) -> Result<Self> {
        Ok(Self {
            records: RawRecords::create(&plan.raw_file(), plan.durability).await?,
            words: RawWords::create(&plan.dir.join("raw-words"))?,
            waiting: Vec::new(),
            revision: 0,
            records_time: Duration::ZERO,
            words_time: Duration::ZERO,
        })
    }

    async fn write(
        &mut self,
        channel: &str,
        records: Vec<(Key, Vec<u8>)>,
        texts: Vec<String>,
    ) -> Result<()> {
        self.revision += 1;
        let watch = Stopwatch::start();
        self.records.write(channel, self.revision, &records).await?;
        self.records_time += watch.elapsed();
        self.waiting.extend(texts);
        if self.waiting.len() >= RAW_TEXTS {
            self.write_words()?;
        }
        Ok(())
    }

    fn write_words(&mut self) -> Result<()> {
        let watch = Stopwatch::start();
        self.words.write(&self.waiting)?;
        self.words_time += watch.elapsed();
        self.waiting.clear();
        Ok(())
    }

    async fn close(mut self) -> Result<(Duration, Duration)> {
        if !self.waiting.is_empty() {
            self.write_words()?;
        }
        self.records.close().await?;
        Ok((self.records_time, self.words_time))
    }
}
