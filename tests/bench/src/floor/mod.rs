//! What the stores are measured against: the parts that they are made of, used bare.

mod fts5;
mod raw_records;
mod raw_words;
mod scan;

use std::collections::BTreeSet;

pub(crate) use fts5::Fts5;
pub(crate) use raw_records::RawRecords;
pub(crate) use raw_words::RawWords;
pub(crate) use scan::{ScanF32, ScanI8, dot};

/// The words of a question in lower case, each once.
fn terms(question: &str) -> BTreeSet<String> {
    question
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
