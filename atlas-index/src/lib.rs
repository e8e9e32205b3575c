//! The local [`FactIndex`](atlas_core::ports::FactIndex) of Atlas: words by tantivy, vectors by
//! exact scan, in memory or in a folder.
//!
//! [`MemoryFactIndex`] and [`FolderFactIndex`] are what the local stores find with. They share all
//! code but where things are kept, so they answer alike, scores and ties too. Each channel has a
//! tantivy index and a segment of vectors of its own, so a channel's cost does not grow with its
//! neighbours and nothing of one can score in another.
//!
//! - *By words*: text in any script is cut by one function for documents and questions (`analysis`).
//!   A question is text, never a query language. Scores are BM25 over the documents that are there
//!   in the channels of the scope; they do not depend on how the documents came in.
//! - *By meaning*: every vector is compared, so no neighbour is missed. Quantised vectors are
//!   scanned first; an error bound says which of them have to be read whole, and these are compared
//!   in double precision.
//! - *By time*: what was said last.
//!
//! Visibility and filter apply to every candidate, before the limit.
//!
//! What it is not: it is no home of knowledge. It holds nothing that cannot be built again from the
//! feed, and it has no approximate neighbours, no phrases, no spelling correction, no dictionary
//! for scripts without spaces and no joining of simplified and traditional Chinese. Stems exist for
//! the eighteen languages of Snowball; other languages are found by the word as written, case and
//! accents aside.
//!
//! # On disk
//!
//! A batch is one commit. Vectors come to the disk first, then tantivy's files, then tantivy's
//! commit, whose payload says how far the channel has followed its feed, how many rows of vectors
//! count, and the totals; a crash between any two writes leaves the commit before. A build from the
//! start goes to a folder of its own and counts once the small file `current` names it, so readers
//! keep what they have open. Everything has a checksum: small files and tantivy's are checked when
//! a commit is opened, codes when they are read, a vector when it is compared.
//!
//! # Limits
//!
//! A scan costs time in proportion to the channel's vectors (stats say when that is felt); a term
//! is cut after 200 characters; a channel has fewer than 2³² documents and vectors. In memory all
//! computing is done on the caller's thread, in a folder on threads of the index. Of a document
//! about the width of a vector in bytes is kept in memory once a channel is searched by meaning,
//! until the channel closes; the rest is read from mapped files.
//!
//! | module | what |
//! |---|---|
//! | `analysis` | text to words |
//! | `channel` | one channel: documents as words and columns, one commit with its totals, what a reader sees |
//! | `vectors` | quantised rows with error bounds, whole rows, their files |
//! | `search` | the three legs over the channels of a scope, and one order, ties included |
//! | `progress` | which batch may come next |
//! | `memory_fact_index` | the port, in memory |
//! | `folder` | the port, in a folder: builds, locks, damage |
//! | `disk`, `sealed`, `failure` | writes that can be made to fail, small files with a checksum, failures as errors |

mod analysis;
mod channel;
mod disk;
mod failure;
mod folder;
mod memory_fact_index;
mod progress;
mod sealed;
mod search;
mod vectors;

pub use folder::{FolderFactIndex, FolderSettings, Verification};
pub use memory_fact_index::MemoryFactIndex;
pub use progress::{Admission, Progress};
