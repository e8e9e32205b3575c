//! What can be found.

use std::sync::Arc;

use async_trait::async_trait;

use super::{
    ChannelScope, Cursor, DocumentState, EmbeddingSpace, Epoch, Key, Residue, Scope, Visibility,
};
use crate::error::Result;
use crate::model::{AuthorId, ChannelId, EntityId, FactKind, Interval, Language, Timestamp};

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// An admitted fact.
    Fact,
    /// A message as it was said.
    Message,
    /// A section of a wiki page.
    Section,
}

/// Something that can be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// What it is.
    pub kind: DocumentKind,
    /// Its id within its kind and channel.
    pub id: String,
    /// The words to find it by.
    pub text: String,
    /// The language of the words.
    pub language: Language,
    /// Its vector; none if it is not to be found by meaning.
    pub vector: Option<Vec<f32>>,
    /// How it stands.
    pub state: DocumentState,
    /// When what it says is so, in world time.
    pub validity: Vec<Interval>,
    /// When Atlas learned it.
    pub recorded_at: Timestamp,
    /// When it was said, last.
    pub said_at: Timestamp,
    /// The kind of fact, for facts.
    pub fact_kind: Option<FactKind>,
    /// Its topic tags, lower case.
    pub tags: Vec<String>,
    /// Who said it.
    pub authors: Vec<AuthorId>,
    /// The entities that it mentions.
    pub entities: Vec<EntityId>,
}

/// What became of one record: its documents replace all that it had before.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexEntry {
    /// The record that the documents come from.
    pub origin: Key,
    /// Its documents; none if it has none any longer.
    pub documents: Vec<Document>,
}

/// Which documents count for a search. An empty list does not filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Any of these kinds of document.
    pub kinds: Vec<DocumentKind>,
    /// Any of these kinds of fact.
    pub fact_kinds: Vec<FactKind>,
    /// Any of these tags.
    pub tags: Vec<String>,
    /// Any of these authors.
    pub authors: Vec<AuthorId>,
    /// Any of these entities.
    pub entities: Vec<EntityId>,
    /// Said in this span of time.
    pub said_in: Option<Interval>,
}

/// How to look.
#[derive(Clone, Debug, PartialEq)]
pub enum Leg {
    /// By words, best BM25 first.
    Lexical {
        /// Plain text, never a query language.
        text: String,
    },
    /// By meaning, nearest cosine first, over every vector: no neighbour is missed.
    Dense {
        /// The vector to be near to.
        vector: Vec<f32>,
    },
    /// By the filter alone, said last first.
    Recent,
}

/// A search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRequest {
    /// How to look.
    pub leg: Leg,
    /// What the reader may see; applied before the limit.
    pub visibility: Visibility,
    /// Which documents count; applied before the limit.
    pub filter: Filter,
    /// At most this many.
    pub limit: usize,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexHit {
    /// Its channel.
    pub channel: ChannelId,
    /// What it is.
    pub kind: DocumentKind,
    /// Its id within its kind and channel.
    pub id: String,
    /// The leg's own score, greater is better: BM25, cosine, or seconds since 1970.
    pub score: f32,
}

/// How much a channel's index holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FactIndexStats {
    /// Documents.
    pub n_documents: u64,
    /// Documents with a vector.
    pub n_vectors: u64,
    /// Whether there are so many vectors that looking at all of them, which dense search does, is
    /// felt: the answer stays exact and takes longer.
    pub is_large: bool,
}

impl FactIndexStats {
    /// The counts of documents and of vectors.
    pub fn new(n_documents: u64, n_vectors: u64) -> Self {
        Self {
            n_documents,
            n_vectors,
            is_large: false,
        }
    }

    /// Sets whether the scan over all vectors is felt.
    #[must_use]
    pub fn with_large(mut self, is_large: bool) -> Self {
        self.is_large = is_large;
        self
    }
}

/// What a [`FactIndex`] can do. The default is nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FactIndexCapabilities {
    /// Whether [`Leg::Lexical`] is answered.
    pub lexical: bool,
    /// Whether [`Leg::Dense`] is answered.
    pub dense: bool,
    /// Whether it survives the process.
    pub durable: bool,
}

impl FactIndexCapabilities {
    /// Sets whether it finds by words.
    #[must_use]
    pub fn with_lexical(mut self, lexical: bool) -> Self {
        self.lexical = lexical;
        self
    }

    /// Sets whether it finds by meaning.
    #[must_use]
    pub fn with_dense(mut self, dense: bool) -> Self {
        self.dense = dense;
        self
    }

    /// Sets whether it survives the process.
    #[must_use]
    pub fn with_durable(mut self, durable: bool) -> Self {
        self.durable = durable;
        self
    }
}

/// A batch of a feed for one channel's index or graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch<'a, E> {
    /// The epoch of the feed.
    pub epoch: Epoch,
    /// What must have been applied before.
    pub from: &'a Cursor,
    /// What is applied after.
    pub to: &'a Cursor,
    /// What changed between them.
    pub entries: &'a [E],
}

/// Finds facts, messages and page sections by words, by meaning and by filter.
///
/// # Contract
///
/// - FI-1 apply makes all entries of a batch findable and moves the cursor to its end, or does neither.
/// - FI-2 a batch that does not begin at the applied cursor is Conflict and changes nothing.
/// - FI-3 a batch that begins at the start empties the channel's index first.
/// - FI-4 the documents of an entry replace all documents of its origin.
/// - FI-5 lexical search finds words whatever their case, accents and inflection, in any script.
/// - FI-6 text that looks like a query language is text: it is never an error.
/// - FI-7 dense search is exact: nearest cosine first, ties by channel, kind and id.
/// - FI-8 recent search goes by said time, latest first, ties by channel, kind and id.
/// - FI-9 visibility and filter apply before the limit on every leg.
/// - FI-10 no document of a channel outside the scope is found, counted or used for a score.
/// - FI-11 a leg that is not offered is Unsupported, never an empty answer.
/// - FI-12 a vector of another width than the space, or not finite, is Invalid and nothing of its batch is applied.
/// - FI-13 a batch or a fence of a lower epoch is Fenced and changes nothing; a fence of the same epoch is idle.
/// - FI-14 purge leaves no residue in its channel, touches no other, and keeps the epoch.
/// - FI-15 a limit of nought is Invalid.
/// - FI-16 stats count documents and vectors of one channel.
/// - FI-17 a text or a vector without any feature (no words, all zero) finds nothing and is no error.
/// - FI-18 what was applied, epochs and cursors included, is there when a durable index is opened again.
/// - FI-19 a document that has no id, or stands twice in its entry, is Invalid and nothing of its batch is applied.
///
/// # Implementing
///
/// The index holds nothing that cannot be built again from the feed. One that is durable keeps its
/// cursor and its epoch with its items, in one transaction: a cursor that is ahead of what it
/// stands for hides a loss for ever. Everything may be dropped while it waits: it is then done or
/// not done. The suite `atlas_testkit::fact_index_conformance!` checks each clause, and opens a durable
/// index again in every check.
#[async_trait]
pub trait FactIndex: Send + Sync {
    /// What this index can do.
    fn capabilities(&self) -> FactIndexCapabilities {
        FactIndexCapabilities::default()
    }

    /// The space that its vectors live in.
    fn space(&self) -> EmbeddingSpace;

    /// Takes in a batch; FI-1 to FI-4, FI-12, FI-13.
    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, IndexEntry>) -> Result<()>;

    /// What was applied last; [`Cursor::start`] for an empty index.
    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor>;

    /// Looks; FI-5 to FI-11, FI-15, FI-17.
    async fn search(&self, scope: &Scope, request: &SearchRequest) -> Result<Vec<IndexHit>>;

    /// Counts; FI-16.
    async fn stats(&self, channel: &ChannelScope) -> Result<FactIndexStats>;

    /// Raises the channel's epoch; FI-13.
    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()>;

    /// Erases the channel's index, keeping its epoch; FI-14.
    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()>;

    /// Counts what is left of the channel; FI-14.
    async fn residue(&self, channel: &ChannelScope) -> Result<Residue>;
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<T: FactIndex + ?Sized> FactIndex for Arc<T> {
    fn capabilities(&self) -> FactIndexCapabilities {
        (**self).capabilities()
    }

    fn space(&self) -> EmbeddingSpace {
        (**self).space()
    }

    async fn apply(&self, channel: &ChannelScope, batch: Batch<'_, IndexEntry>) -> Result<()> {
        (**self).apply(channel, batch).await
    }

    async fn applied(&self, channel: &ChannelScope) -> Result<Cursor> {
        (**self).applied(channel).await
    }

    async fn search(&self, scope: &Scope, request: &SearchRequest) -> Result<Vec<IndexHit>> {
        (**self).search(scope, request).await
    }

    async fn stats(&self, channel: &ChannelScope) -> Result<FactIndexStats> {
        (**self).stats(channel).await
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        (**self).fence(channel, epoch).await
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        (**self).purge(channel, epoch).await
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        (**self).residue(channel).await
    }
}
