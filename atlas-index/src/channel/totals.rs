//! What a commit of a channel's index says of itself.

use std::collections::BTreeMap;

use atlas_core::ports::{Cursor, FactIndexStats};
use serde::{Deserialize, Serialize};

use crate::sealed;

/// Above so many vectors a channel is called large: a scan of all of them takes some milliseconds.
const LARGE: u64 = 200_000;

/// How far the vectors of a channel go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extent {
    /// Raised whenever all vectors are written anew.
    pub(crate) generation: u64,
    /// The rows that count; what stands behind them was never committed.
    pub(crate) n_rows: u64,
    /// The number of the next vector; numbers are never taken again.
    pub(crate) next_id: u64,
}

impl Default for Extent {
    fn default() -> Self {
        Self {
            generation: 1,
            n_rows: 0,
            next_id: 1,
        }
    }
}

/// Where a channel's index stands, and how much it holds. It is the payload of tantivy's commit,
/// which makes words, columns and vectors count together or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) applied: Cursor,
    pub(crate) n_documents: u64,
    /// Documents with a vector.
    pub(crate) n_vectors: u64,
    /// Documents whose vector has a length: each has a row.
    pub(crate) n_kept: u64,
    /// Terms of all documents.
    pub(crate) n_terms: u64,
    /// How many documents were taken in each language.
    pub(crate) languages: BTreeMap<String, u64>,
    pub(crate) vectors: Extent,
}

impl Default for Totals {
    fn default() -> Self {
        Self {
            applied: Cursor::start(),
            n_documents: 0,
            n_vectors: 0,
            n_kept: 0,
            n_terms: 0,
            languages: BTreeMap::new(),
            vectors: Extent::default(),
        }
    }
}

/// What one document adds to the totals.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    /// The number of its vector; nought for one without length.
    pub(crate) vector: Option<u64>,
    pub(crate) n_terms: u64,
    pub(crate) language: String,
}

impl Totals {
    pub(crate) fn to_payload(&self) -> serde_json::Result<String> {
        sealed::seal(self)
    }

    pub(crate) fn from_payload(payload: &str) -> Option<Self> {
        sealed::unseal(payload)
    }

    pub(crate) fn to_stats(&self) -> FactIndexStats {
        FactIndexStats::new(self.n_documents, self.n_vectors).with_large(self.n_kept > LARGE)
    }

    /// Counts a document that comes in.
    pub(crate) fn add(&mut self, share: Share) {
        self.n_documents = self.n_documents.saturating_add(1);
        self.n_terms = self.n_terms.saturating_add(share.n_terms);
        let (has_vector, is_kept) = vector_counts(share.vector);
        self.n_vectors = self.n_vectors.saturating_add(has_vector);
        self.n_kept = self.n_kept.saturating_add(is_kept);
        *self.languages.entry(share.language).or_default() += 1;
    }

    /// Counts a document out.
    pub(crate) fn remove(&mut self, share: &Share) {
        self.n_documents = self.n_documents.saturating_sub(1);
        self.n_terms = self.n_terms.saturating_sub(share.n_terms);
        let (has_vector, is_kept) = vector_counts(share.vector);
        self.n_vectors = self.n_vectors.saturating_sub(has_vector);
        self.n_kept = self.n_kept.saturating_sub(is_kept);
        if let Some(count) = self.languages.get_mut(&share.language) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.languages.remove(&share.language);
            }
        }
    }
}

fn vector_counts(vector: Option<u64>) -> (u64, u64) {
    (
        u64::from(vector.is_some()),
        u64::from(vector.is_some_and(|id| id > 0)),
    )
}
