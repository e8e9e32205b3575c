//! Text to sentences, plain words, stems and languages.

pub(crate) mod cue;
pub(crate) mod language;
pub(crate) mod plain;
pub(crate) mod sentence;
pub(crate) mod stem;
