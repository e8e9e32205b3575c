//! Facts to sentences: summaries, pages and answers, all by choosing what was said.

pub(crate) mod answer;
pub(crate) mod channel;
pub(crate) mod page;
pub(crate) mod rank;
mod tell;
mod title;
pub(crate) mod topic;
