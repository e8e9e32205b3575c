//! Epochs, revisions and cursors.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::ContentHash;

/// A channel's life: raised by every purge, never lowered.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Epoch(pub u64);

impl Epoch {
    /// The epoch after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The number of a commit within its partition; the first is 1.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Revision(pub u64);

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A place in a partition's feed: the number of a commit that wrote projected collections, and the
/// digest of all such commits up to it.
///
/// The digest tells a restored backup, or another store, from the feed that was followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// The commit's number.
    pub revision: Revision,
    /// The chained digest up to it.
    pub digest: ContentHash,
}

impl Cursor {
    /// The place before the first commit.
    pub fn start() -> Self {
        Self {
            revision: Revision(0),
            digest: ContentHash::of(b"atlas feed 1"),
        }
    }
}

/// The number of a write within a channel's message log; the first is 1.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Sequence(pub u64);

/// How much of a channel is still in a store: what [`residue`] counts.
///
/// [`residue`]: crate::ports::RecordStore::residue
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Residue {
    /// Things with content: messages, versions, records, documents, nodes, edges.
    pub items: u64,
    /// Marks without content: tombstones, cursors.
    pub marks: u64,
}
