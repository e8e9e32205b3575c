//! A model, an embedder and a store that fail when they are told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use atlas_core::Components;
use atlas_core::llm::{
    ChannelSummarizerOutput, LabelledFact, LabelledSentence, Role, TaskInput,
    TopicSummarizerOutput, WikiWriterOutput, WrittenSection,
};
use atlas_core::model::Fingerprint;
use atlas_core::ports::{
    Authorizer, Commit, Completion, CompletionRequest, CompletionStream, Cursor, Embedder,
    EmbeddingSpace, Epoch, Feed, FinishReason, Head, Key, Listing, LlmProvider, ModelChoice,
    Partition, PartitionKind, Purpose, Record, RecordStore, Residue, Revision, SystemClock, Usage,
};
use atlas_core::{Error, ErrorKind, Result, async_trait, text};
use atlas_store_memory::MemoryStore;

/// The parts, with the records of `faulty`.
pub(crate) fn components(llm: OwnWords, faulty: FaultyRecords) -> Components {
    let store = Arc::new(faulty.inner.clone());
    Components {
        messages: Arc::clone(&store) as _,
        records: Arc::new(faulty),
        facts: Arc::clone(&store) as _,
        graph: store,
        llm: Arc::new(llm),
        providers: std::collections::BTreeMap::new(),
        embedder: Arc::new(WordBag),
        clock: Arc::new(SystemClock),
        authorizer: Authorizer::default(),
    }
}

/// How a model fails.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Broken {
    /// It does not answer.
    Down,
    /// It answers with what is no reply.
    Unreadable,
}

/// A model that tells facts in their own words, and counts its calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnWords {
    n_calls: Arc<AtomicUsize>,
    fails: Arc<Mutex<(Option<usize>, Option<Broken>)>>,
}

impl OwnWords {
    pub(crate) fn n_calls(&self) -> usize {
        self.n_calls.load(Ordering::SeqCst)
    }

    pub(crate) fn fail_at(&self, call: usize, how: Broken) {
        *self.fails.lock().unwrap_or_else(PoisonError::into_inner) = (Some(call), Some(how));
    }

    pub(crate) fn fail_always(&self, how: Option<Broken>) {
        *self.fails.lock().unwrap_or_else(PoisonError::into_inner) = (None, how);
    }
}

fn says(fact: &LabelledFact) -> LabelledSentence {
    LabelledSentence {
        text: fact.text.clone(),
        cites: vec![fact.label.clone()],
    }
}

fn reply(input: &TaskInput) -> Result<String> {
    let json = match input {
        TaskInput::TopicSummarizer(task) => serde_json::to_string(&TopicSummarizerOutput {
            title: task.facts[0].tags[0].to_uppercase(),
            summary: task.facts.iter().take(2).map(says).collect(),
            ..TopicSummarizerOutput::default()
        }),
        TaskInput::ChannelSummarizer(task) => serde_json::to_string(&ChannelSummarizerOutput {
            summary: task.facts.iter().take(3).map(says).collect(),
            themes: Vec::new(),
        }),
        TaskInput::WikiWriter(task) => {
            let sections = task.sections.iter().map(|section| WrittenSection {
                id: section.id.clone(),
                sentences: (task.facts.iter())
                    .filter(|fact| section.facts.contains(&fact.label))
                    .map(says)
                    .collect(),
            });
            serde_json::to_string(&WikiWriterOutput {
                sections: sections.collect(),
            })
        }
        TaskInput::FactExtractor(_)
        | TaskInput::EntityExtractor(_)
        | TaskInput::ContradictionDetector(_)
        | TaskInput::Answerer(_) => {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "OwnWords",
                "not asked here",
            ));
        }
    };
    Ok(json.unwrap())
}

#[async_trait]
impl LlmProvider for OwnWords {
    fn fingerprint(&self, _role: Role, _choice: &ModelChoice) -> Fingerprint {
        Fingerprint::new("own words")
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        let call = self.n_calls.fetch_add(1, Ordering::SeqCst);
        let (at, how) = *self.fails.lock().unwrap_or_else(PoisonError::into_inner);
        let how = how.filter(|_| at.is_none_or(|at| at == call));
        let text = match how {
            None => reply(&request.input)?,
            Some(Broken::Unreadable) => "no reply".to_owned(),
            Some(Broken::Down) => {
                return Err(Error::new(ErrorKind::Unavailable, "OwnWords", "is down"));
            }
        };
        Ok(Completion {
            text,
            finish: FinishReason::Stop,
            usage: Some(Usage::default()),
        })
    }

    async fn stream<'a>(&'a self, _request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        Err(Error::new(
            ErrorKind::Unsupported,
            "OwnWords",
            "does not stream",
        ))
    }
}

/// Vectors that count words by a hash of each; the first long word, the subject, counts thrice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordBag;

const DIMENSIONS: usize = 1_024;

impl WordBag {
    pub(crate) fn space() -> EmbeddingSpace {
        EmbeddingSpace {
            model: "word bag".to_owned(),
            revision: "1".to_owned(),
            dimensions: DIMENSIONS,
            is_normalised: false,
        }
    }
}

#[async_trait]
impl Embedder for WordBag {
    fn space(&self) -> EmbeddingSpace {
        Self::space()
    }

    fn max_batch(&self) -> usize {
        16
    }

    async fn embed(&self, texts: &[&str], _purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let vectors = texts.iter().map(|it| {
            let mut vector = vec![0.0; DIMENSIONS];
            let mut weight = 3.0;
            for word in text::words(it).iter().filter(|it| it.len() > 3) {
                let hash = word.bytes().fold(7_usize, |hash, byte| {
                    hash.wrapping_mul(31).wrapping_add(usize::from(byte))
                });
                vector[hash % DIMENSIONS] += weight;
                weight = 1.0;
            }
            vector
        });
        Ok(vectors.collect())
    }
}

/// Records that fail at one call.
#[derive(Clone, Debug)]
pub(crate) struct FaultyRecords {
    inner: MemoryStore,
    n_calls: Arc<AtomicUsize>,
    fails_at: Arc<AtomicUsize>,
}

impl FaultyRecords {
    pub(crate) fn sound(space: EmbeddingSpace) -> Self {
        Self {
            inner: MemoryStore::new(space),
            n_calls: Arc::default(),
            fails_at: Arc::new(AtomicUsize::new(usize::MAX)),
        }
    }

    pub(crate) fn n_calls(&self) -> usize {
        self.n_calls.load(Ordering::SeqCst)
    }

    pub(crate) fn fail_at(&self, call: usize) {
        self.fails_at.store(call, Ordering::SeqCst);
    }

    fn call(&self) -> Result<&MemoryStore> {
        if self.n_calls.fetch_add(1, Ordering::SeqCst) == self.fails_at.load(Ordering::SeqCst) {
            return Err(Error::new(
                ErrorKind::Unavailable,
                "FaultyRecords",
                "fails as told",
            ));
        }
        Ok(&self.inner)
    }
}

#[async_trait]
impl RecordStore for FaultyRecords {
    async fn get(&self, partition: &Partition, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        RecordStore::get(self.call()?, partition, keys).await
    }

    async fn list(&self, partition: &Partition, listing: &Listing) -> Result<Vec<Record>> {
        self.call()?.list(partition, listing).await
    }

    async fn commit(&self, partition: &Partition, commit: &Commit) -> Result<Revision> {
        self.call()?.commit(partition, commit).await
    }

    async fn changes(&self, partition: &Partition, since: &Cursor, limit: usize) -> Result<Feed> {
        RecordStore::changes(self.call()?, partition, since, limit).await
    }

    async fn head(&self, partition: &Partition) -> Result<Head> {
        self.call()?.head(partition).await
    }

    async fn partitions(
        &self,
        kind: PartitionKind,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Partition>> {
        self.call()?.partitions(kind, after, limit).await
    }

    async fn fence(&self, partition: &Partition, epoch: Epoch) -> Result<()> {
        RecordStore::fence(self.call()?, partition, epoch).await
    }

    async fn purge(&self, partition: &Partition, epoch: Epoch) -> Result<()> {
        RecordStore::purge(self.call()?, partition, epoch).await
    }

    async fn residue(&self, partition: &Partition) -> Result<Residue> {
        RecordStore::residue(self.call()?, partition).await
    }
}
