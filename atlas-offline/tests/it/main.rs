//! The provider and the embedder, through the doors that their users take.

mod comparing;
mod conversation;
mod embedding;
mod facts;
mod names;
mod soundness;
mod writing;
