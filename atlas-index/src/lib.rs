//! The local [`FactIndex`](atlas_core::ports::FactIndex) of Atlas: words by tantivy, vectors by
//! exact scan.
//!
//! [`MemoryFactIndex`] is what both local stores find with. Each channel has a tantivy index, a
//! segment of vectors and a table of its documents of its own, so a channel's cost does not grow
//! with its neighbours and nothing of one can score in another.
//!
//! - *By words*: text in any script is cut by one function for documents and questions (`analysis`).
//!   A question is text, never a query language. Scores are BM25 over the documents that are there
//!   in the channels of the scope; they do not depend on how the documents came in.
//! - *By meaning*: every vector is compared, so no neighbour is missed.
//! - *By time*: what was said last.
//!
//! Visibility and filter apply to every candidate, before the limit.
//!
//! What it is not: it is no home of knowledge. It holds nothing that cannot be built again from the
//! feed, it is not durable, and it has no approximate neighbours, no phrases, no spelling
//! correction, no dictionary for scripts without spaces and no joining of simplified and
//! traditional Chinese. Stems exist for the eighteen languages of Snowball; other languages are
//! found by the word as written, case and accents aside.
//!
//! Limits: a scan costs time in proportion to the channel's vectors (about ten million numbers take
//! a few milliseconds); a term is cut after 200 characters; a channel has fewer than 2³²
//! documents. All computing is done on the caller's thread.
//!
//! | module | what |
//! |---|---|
//! | `analysis` | text to words |
//! | `words`, `bm25` | the tantivy index of a channel, and scoring over the channels of a scope |
//! | `vectors` | the segment of vectors, and the scan |
//! | `table` | the documents without words and vectors; what a reader sees |
//! | `ranking` | one order, ties included |
//! | `channel_index` | the three together; batches taken in whole or not at all |
//! | `progress` | which batch may come next |
//! | `memory_fact_index` | the port |

mod analysis;
mod bm25;
mod channel_index;
mod folder;
mod memory_fact_index;
mod progress;
mod ranking;
mod table;
mod vectors;
mod words;

pub use folder::{FolderFactIndex, FolderSettings, Verification};
pub use memory_fact_index::MemoryFactIndex;
pub use progress::{Admission, Progress};
