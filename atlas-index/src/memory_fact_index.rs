//! [`FactIndex`] in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use atlas_core::model::{ChannelId, Timestamp};
use atlas_core::ports::{
    Batch, ChannelScope, Cursor, Document, EmbeddingSpace, Epoch, FactIndex, FactIndexCapabilities,
    FactIndexStats, Filter, IndexEntry, IndexHit, Leg, Residue, Scope, SearchRequest,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};

use crate::analysis;
use crate::bm25::{self, Extent};
use crate::channel_index::{ChannelIndex, prepare};
use crate::progress::Progress;
use crate::ranking::{self, Found};
use crate::table::Slot;
use crate::words::Words;

/// A [`FactIndex`] in memory: one index a channel, each behind a lock of its own.
///
/// A search sees each channel as it is before a batch or after it. It computes on the thread that
/// polls it, as does applying: this crate has no runtime to move work to, and a caller that must
/// not wait gives the call to a thread that may.
#[derive(Debug)]
pub struct MemoryFactIndex {
    space: EmbeddingSpace,
    channels: RwLock<BTreeMap<ChannelId, Arc<RwLock<ChannelIndex>>>>,
}

impl MemoryFactIndex {
    /// An empty index whose vectors live in the space.
    pub fn new(space: EmbeddingSpace) -> Self {
        Self {
            space,
            channels: RwLock::default(),
        }
    }

    fn existing(&self, channel: &ChannelId, op: &'static str) -> Result<Option<Shared>> {
        Ok(read(&self.channels, op)?.get(channel).map(Arc::clone))
    }

    fn existing_or_empty(&self, channel: &ChannelScope, op: &'static str) -> Result<Shared> {
        if let Some(index) = self.existing(channel.channel(), op)? {
            return Ok(index);
        }
        let width = self.space.dimensions;
        let mut channels = write(&self.channels, op)?;
        let index = channels
            .entry(channel.channel().clone())
            .or_insert_with(|| {
                Arc::new(RwLock::new(ChannelIndex::new(width, Progress::default())))
            });
        Ok(Arc::clone(index))
    }

    /// Reads from the channel's index; of one that nobody wrote to, the default.
    fn peek<T: Default>(
        &self,
        channel: &ChannelScope,
        op: &'static str,
        look: impl FnOnce(&ChannelIndex) -> T,
    ) -> Result<T> {
        match self.existing(channel.channel(), op)? {
            Some(index) => Ok(look(&*read(&index, op)?)),
            None => Ok(T::default()),
        }
    }

    fn check_vector(&self, vector: &[f32], op: &'static str) -> Result<()> {
        if vector.len() != self.space.dimensions {
            return Err(Error::new(
                ErrorKind::Invalid,
                op,
                "a vector of another width than the space",
            )
            .with("width", vector.len())
            .with("space", &self.space));
        }
        if vector.iter().any(|number| !number.is_finite()) {
            return Err(Error::new(
                ErrorKind::Invalid,
                op,
                "a vector with a number that is not finite",
            ));
        }
        Ok(())
    }

    fn check_entry(&self, entry: &IndexEntry, op: &'static str) -> Result<()> {
        let mut names = BTreeSet::new();
        for Document {
            kind, id, vector, ..
        } in &entry.documents
        {
            if let Some(vector) = vector {
                self.check_vector(vector, op)?;
            }
            let fault = if id.is_empty() {
                "a document without an id"
            } else if names.insert((*kind, id)) {
                continue;
            } else {
                "a document that stands twice in its entry"
            };
            return Err(Error::new(ErrorKind::Invalid, op, fault).with("origin", &entry.origin));
        }
        Ok(())
    }
}

type Shared = Arc<RwLock<ChannelIndex>>;

#[async_trait]
impl FactIndex for MemoryFactIndex {
    fn capabilities(&self) -> FactIndexCapabilities {
        FactIndexCapabilities::default()
            .with_lexical(true)
            .with_dense(true)
    }

    fn space(&self) -> EmbeddingSpace {
        self.space.clone()
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, IndexEntry>) -> Result<()> {
        const OP: &str = "FactIndex::apply";
        for entry in batch.entries {
            self.check_entry(entry, OP)?;
        }
        let index = self.existing_or_empty(channel, OP)?;
        // Cutting words takes the time, and needs no lock; a batch that is refused is not cut.
        read(&index, OP)?.progress.admit(&batch, OP)?;
        let prepared = prepare(batch.entries);
        write(&index, OP)?.apply(&batch, prepared, OP)
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        let applied = self.peek(channel, "FactIndex::applied", |index| {
            Some(index.progress.applied().clone())
        })?;
        Ok(applied.unwrap_or_else(Cursor::start))
    }

    async fn search(&self, scope: &Scope, request: &SearchRequest) -> Result<Vec<IndexHit>> {
        const OP: &str = "FactIndex::search";
        if request.limit == 0 {
            return Err(Error::new(ErrorKind::Invalid, OP, "the limit is nought"));
        }
        if let Leg::Dense { vector } = &request.leg {
            self.check_vector(vector, OP)?;
        }
        let mut shared = Vec::new();
        for channel in scope.channels() {
            if let Some(index) = self.existing(channel, OP)? {
                shared.push((channel, index));
            }
        }
        let mut channels = Vec::new();
        for (channel, index) in &shared {
            channels.push((*channel, read(index, OP)?));
        }
        let channels: Vec<(&ChannelId, &ChannelIndex)> = channels
            .iter()
            .map(|(channel, index)| (*channel, &**index))
            .collect();
        let request = SearchRequest {
            filter: with_lower_tags(&request.filter),
            ..request.clone()
        };
        match &request.leg {
            Leg::Lexical { text } => lexical(&channels, text, &request, OP),
            Leg::Dense { vector } => Ok(dense(&channels, vector, &request)),
            Leg::Recent => Ok(recent(&channels, &request)),
        }
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<FactIndexStats> {
        self.peek(channel, "FactIndex::stats", |index| {
            FactIndexStats::new(index.table.n_documents(), index.table.n_vectors())
        })
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        const OP: &str = "FactIndex::fence";
        let index = self.existing_or_empty(channel, OP)?;
        write(&index, OP)?.progress.fence(epoch, OP)
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        const OP: &str = "FactIndex::purge";
        let index = self.existing_or_empty(channel, OP)?;
        let mut index = write(&index, OP)?;
        index.progress.fence(epoch, OP)?;
        index.clear();
        Ok(())
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        self.peek(channel, "FactIndex::residue", |index| Residue {
            items: index.table.n_documents(),
            marks: index.progress.marks(),
        })
    }
}

fn lexical(
    channels: &[(&ChannelId, &ChannelIndex)],
    text: &str,
    request: &SearchRequest,
    op: &'static str,
) -> Result<Vec<IndexHit>> {
    let languages: BTreeSet<&str> = channels
        .iter()
        .flat_map(|(_, index)| index.table.languages())
        .collect();
    let words = analysis::of_question(text, &languages);
    let extent = channels
        .iter()
        .fold(Extent::default(), |sum, (_, index)| Extent {
            n_documents: sum.n_documents.saturating_add(index.table.n_documents()),
            n_terms: sum.n_terms.saturating_add(index.table.n_terms()),
        });
    let with_words: Vec<(&ChannelId, &ChannelIndex, &Words)> = channels
        .iter()
        .filter_map(|(channel, index)| Some((*channel, *index, index.words.as_ref()?)))
        .collect();
    let indexes: Vec<&Words> = with_words.iter().map(|(_, _, words)| *words).collect();
    let scored = bm25::score(&indexes, extent, &words, op)?;
    let all = with_words
        .iter()
        .zip(scored)
        .flat_map(|((channel, index, _), scored)| {
            scored
                .into_iter()
                .filter_map(|(slot, score)| found(channel, index, slot, score))
        })
        .filter(|it| it.row.admits(&request.visibility, &request.filter))
        .collect();
    Ok(ranking::first(all, request.limit, Found::by_score))
}

fn dense(
    channels: &[(&ChannelId, &ChannelIndex)],
    vector: &[f32],
    request: &SearchRequest,
) -> Vec<IndexHit> {
    let all = channels
        .iter()
        .flat_map(|(channel, index)| {
            let admitted = |slot| {
                index
                    .table
                    .row(slot)
                    .filter(|row| row.admits(&request.visibility, &request.filter))
            };
            index
                .vectors
                .cosines(vector, |slot| admitted(slot).is_some())
                .into_iter()
                .filter_map(|(slot, score)| found(channel, index, slot, score))
        })
        .collect();
    ranking::first(all, request.limit, Found::by_score)
}

fn recent(channels: &[(&ChannelId, &ChannelIndex)], request: &SearchRequest) -> Vec<IndexHit> {
    // Twice the limit, so that documents that come twice leave enough of others.
    let enough = request.limit.saturating_mul(2);
    let all = channels
        .iter()
        .flat_map(|(channel, index)| {
            index
                .table
                .recent()
                .filter(|row| row.admits(&request.visibility, &request.filter))
                .take(enough)
                .map(|row| Found {
                    score: seconds(row.said_at),
                    channel,
                    row,
                })
        })
        .collect();
    ranking::first(all, request.limit, Found::by_time)
}

fn found<'a>(
    channel: &'a ChannelId,
    index: &'a ChannelIndex,
    slot: Slot,
    score: f32,
) -> Option<Found<'a>> {
    let row = index.table.row(slot)?;
    Some(Found {
        score,
        channel,
        row,
    })
}

fn with_lower_tags(filter: &Filter) -> Filter {
    Filter {
        tags: filter.tags.iter().map(|tag| tag.to_lowercase()).collect(),
        ..filter.clone()
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the order goes by the time itself; the score only tells about it"
)]
fn seconds(at: Timestamp) -> f32 {
    at.as_micros() as f32 / 1_000_000.0
}

fn read<'a, T>(lock: &'a RwLock<T>, op: &'static str) -> Result<RwLockReadGuard<'a, T>> {
    lock.read().map_err(|poison| poisoned(&poison, op))
}

fn write<'a, T>(lock: &'a RwLock<T>, op: &'static str) -> Result<RwLockWriteGuard<'a, T>> {
    lock.write().map_err(|poison| poisoned(&poison, op))
}

fn poisoned<T>(_poison: &PoisonError<T>, op: &'static str) -> Error {
    Error::new(
        ErrorKind::Unexpected,
        op,
        "a thread panicked while it wrote to the index",
    )
}
