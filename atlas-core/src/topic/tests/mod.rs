//! Tests of whole clusterings, and the facts that tests of topics and pages are made of.

mod clustering;
pub(crate) mod given;
mod summaries;
