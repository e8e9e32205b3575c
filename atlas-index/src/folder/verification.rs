//! What a check of everything that a channel's index stores has found.

/// What [`verify`](crate::FolderFactIndex::verify) found in a channel's index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// Documents that were read.
    pub n_documents: u64,
    /// Vectors that were read.
    pub n_vectors: u64,
    /// What does not hold, one sentence each; empty for a sound index.
    pub faults: Vec<String>,
}

impl Verification {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
}
