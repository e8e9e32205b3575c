//! Texts in, vectors out.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Result;

/// What a text is embedded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// To be found.
    Document,
    /// To find.
    Query,
}

/// The space that an embedder's vectors live in; vectors of two spaces are never compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EmbeddingSpace {
    /// The model's name.
    pub model: String,
    /// The model's revision, or that of the features.
    pub revision: String,
    /// The width of a vector.
    pub dimensions: usize,
    /// Whether vectors have length one, or are all zero.
    pub is_normalised: bool,
}

impl fmt::Display for EmbeddingSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}/{}", self.model, self.revision, self.dimensions)
    }
}

/// Embeds texts.
///
/// # Contract
///
/// - EM-1 embed answers one vector a text, in the order given.
/// - EM-2 every vector has the width of the space and only finite numbers, whatever the text.
/// - EM-3 vectors of a normalised space have length one, or are all zero for a text without features.
/// - EM-4 the same text and purpose give the same vector, whatever else is in the batch.
/// - EM-5 a batch may have `max_batch` texts, which is at least one; more are Invalid.
/// - EM-6 no texts give no vectors and are no error.
/// - EM-7 the space names its model, is at least two wide and does not change.
/// - EM-8 calls side by side, and one that is dropped midway, leave the embedder usable.
/// - EM-9 both purposes share the space: a text to find is nearest to itself to be found.
///
/// # Implementing
///
/// Texts that are longer than the model's window are cut by the adapter. What a purpose asks of
/// the model, such as a prefix, is the adapter's part too. Whoever calls it splits into batches and
/// tries again: the adapter does neither. The suite `atlas_testkit::embedder_conformance!` checks
/// each clause.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// The space of its vectors; EM-7.
    fn space(&self) -> EmbeddingSpace;

    /// The most texts of one call, at least one; EM-5.
    fn max_batch(&self) -> usize;

    /// Embeds texts; EM-1 to EM-6, EM-8, EM-9.
    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>>;
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<T: Embedder + ?Sized> Embedder for Arc<T> {
    fn space(&self) -> EmbeddingSpace {
        (**self).space()
    }

    fn max_batch(&self) -> usize {
        (**self).max_batch()
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        (**self).embed(texts, purpose).await
    }
}

/// Conveniences for callers; never implemented by hand.
pub trait EmbedderExt: Embedder {
    /// Embeds any number of texts, a batch at a time.
    fn embed_all(
        &self,
        texts: &[&str],
        purpose: Purpose,
    ) -> impl Future<Output = Result<Vec<Vec<f32>>>> + Send {
        async move {
            let mut vectors = Vec::with_capacity(texts.len());
            for batch in texts.chunks(self.max_batch().max(1)) {
                vectors.extend(self.embed(batch, purpose).await?);
            }
            Ok(vectors)
        }
    }
}

impl<T: Embedder + ?Sized> EmbedderExt for T {}
