//! The provider and the embedder, through the doors that their users take.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::too_many_lines,
    reason = "a test that cannot go on has failed"
)]

mod comparing;
mod conversation;
mod embedding;
mod facts;
mod names;
mod soundness;
mod writing;
