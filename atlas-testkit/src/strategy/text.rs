//! Texts, names and languages.

use atlas_core::model::Language;
use proptest::prelude::*;
use proptest::sample::select;

use crate::conformance::corpus;

/// A short text: plain, of any characters, or of an awkward sort.
pub fn arb_text() -> impl Strategy<Value = String> {
    let awkward: Vec<String> = corpus::texts()
        .into_iter()
        .filter(|text| text.len() < 1_000)
        .collect();
    prop_oneof![
        3 => "[a-z]{1,8}( [a-z]{1,8}){0,5}",
        2 => any::<String>(),
        2 => select(awkward),
    ]
}

/// A short text that is never empty, for names and ids.
pub fn arb_name() -> impl Strategy<Value = String> {
    let awkward: Vec<String> = corpus::ids()
        .into_iter()
        .filter(|id| id.len() < 100)
        .collect();
    prop_oneof![
        2 => "[a-z0-9]{1,10}",
        1 => "\\PC{1,8}",
        1 => select(awkward),
    ]
}

/// A language tag.
pub fn arb_language() -> impl Strategy<Value = Language> {
    prop_oneof![
        "[a-z]{2,3}".prop_map(Language::new),
        Just(Language::unknown())
    ]
}
