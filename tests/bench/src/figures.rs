//! What was measured of one store at one shape.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::plan::Shape;
use crate::spread::Spread;
use crate::stores::StoreKind;

/// A way of finding that is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Way {
    /// By words: 20 hits of the index.
    Lexical,
    /// By meaning: 20 hits of the index.
    Dense,
    /// By both, joined, and 20 facts read from the records.
    Hybrid,
    /// Of that, reading the facts from the records.
    Hydrate,
    /// The same where a filter keeps 2 %.
    HybridRare,
    /// The same where a filter keeps 20 %.
    HybridCommon,
    /// The whole of `retrieve::search`, every leg and every check of it.
    Retrieve,
    /// Floor: the same words in `SQLite`'s FTS5.
    Fts5,
    /// Floor: the same words in tantivy.
    Tantivy,
    /// Floor: every vector, in single precision.
    ScanF32,
    /// Floor: every vector, in one byte a number, by simsimd.
    ScanI8,
}

/// Seconds that writing in bulk took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Load {
    /// Facts that were written.
    pub(crate) facts: usize,
    /// Committing the records.
    pub(crate) commit: f64,
    /// Bringing the index up to them.
    pub(crate) index: f64,
    /// Floor: the same records by batched `SQLite`.
    pub(crate) raw_records: f64,
    /// Floor: the same texts by tantivy.
    pub(crate) raw_words: f64,
}

impl Load {
    /// Facts a second, committed and indexed.
    pub(crate) fn rate(&self) -> f64 {
        per(count(self.facts), self.commit + self.index)
    }

    /// Facts a second of the floor.
    pub(crate) fn raw_rate(&self) -> f64 {
        per(count(self.facts), self.raw_records + self.raw_words)
    }

    /// How many times the floor's time it took.
    pub(crate) fn ratio(&self) -> f64 {
        per(self.commit + self.index, self.raw_records + self.raw_words)
    }
}

/// Bytes on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Disk {
    /// Of the whole folder.
    pub(crate) all: u64,
    /// Of what is found with.
    pub(crate) index: u64,
    /// Floor: of the raw records.
    pub(crate) raw: u64,
}

/// What a process found that opened the folder anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reopened {
    /// Milliseconds from opening to the first answer.
    pub(crate) first_answer: f64,
    /// The first answers of other channels after that.
    pub(crate) next_channels: Spread,
    /// Bytes in memory that came with opening and searching.
    pub(crate) resident: Option<u64>,
}

/// What was measured of one store at one shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    pub(crate) store: StoreKind,
    pub(crate) shape: Shape,
    pub(crate) load: Load,
    pub(crate) ways: BTreeMap<Way, Spread>,
    /// The share of the ten nearest that the dense leg found.
    pub(crate) recall: f64,
    /// Ten facts, committed and found.
    pub(crate) tens: Spread,
    /// Of the process that wrote, for a store in memory.
    pub(crate) resident: Option<u64>,
    /// Of a durable store.
    pub(crate) disk: Option<Disk>,
    /// Of a durable store.
    pub(crate) reopened: Option<Reopened>,
}

impl Figures {
    /// The figures of a way; noughts if it was not taken.
    pub(crate) fn way(&self, way: Way) -> Spread {
        self.ways.get(&way).copied().unwrap_or_default()
    }

    /// Bytes in memory, of the reopened store where there is one.
    pub(crate) fn resident(&self) -> Option<u64> {
        match &self.reopened {
            Some(reopened) => reopened.resident,
            None => self.resident,
        }
    }
}

/// A count as a number to divide.
#[expect(
    clippy::cast_precision_loss,
    reason = "a figure that is printed needs few digits"
)]
pub(crate) fn count(n: usize) -> f64 {
    n as f64
}

/// A quotient; nought where there is nothing to divide by.
pub(crate) fn per(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}
