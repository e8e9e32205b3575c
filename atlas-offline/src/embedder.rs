//! The embedder.

use async_trait::async_trait;
use atlas_core::ports::{Embedder, EmbeddingSpace, Purpose};
use atlas_core::{Error, ErrorKind, Result};

use crate::features::{DIMENSIONS, REVISION, vector};

/// Texts of one call at most.
const MAX_BATCH: usize = 1_024;

/// Embeds texts by hashed features of their words, without a model.
///
/// Texts that share words, or parts of words, are near each other; texts that say the same in
/// other words are not. Questions and documents are embedded alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfflineEmbedder {}

impl OfflineEmbedder {
    /// Makes an embedder.
    pub fn new() -> Self {
        Self::default()
    }
}

#[async_trait]
impl Embedder for OfflineEmbedder {
    fn space(&self) -> EmbeddingSpace {
        EmbeddingSpace {
            model: "offline-features".to_owned(),
            revision: REVISION.to_owned(),
            dimensions: DIMENSIONS,
            is_normalised: true,
        }
    }

    fn max_batch(&self) -> usize {
        MAX_BATCH
    }

    async fn embed(&self, texts: &[&str], _purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        if texts.len() > MAX_BATCH {
            return Err(Error::new(
                ErrorKind::Invalid,
                "OfflineEmbedder::embed",
                "more texts than a batch may have",
            )
            .with("texts", texts.len()));
        }
        Ok(texts.iter().map(|text| vector(text)).collect())
    }
}
