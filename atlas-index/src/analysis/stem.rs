//! Words to stems.

use rust_stemmers::{Algorithm, Stemmer};

use super::fold::fold;
use super::script::is_accent;

/// The languages whose suffix rules apply to a document of a language.
///
/// Words of another script than the language's own are taken for English if they are Latin:
/// names of things and code are, in every language. A language with Latin letters and without
/// rules here gets none, since the rules of another would not fit its words.
pub(super) fn codes_of(language: &str) -> Vec<&'static str> {
    match language {
        "da" => vec!["da"],
        "de" => vec!["de"],
        "es" => vec!["es"],
        "fi" => vec!["fi"],
        "fr" => vec!["fr"],
        "hu" => vec!["hu"],
        "it" => vec!["it"],
        "nl" => vec!["nl"],
        "no" => vec!["no"],
        "pt" => vec!["pt"],
        "ro" => vec!["ro"],
        "sv" => vec!["sv"],
        "tr" => vec!["tr"],
        "ar" => vec!["ar", "en"],
        "el" => vec!["el", "en"],
        "ru" => vec!["en", "ru"],
        "ta" => vec!["en", "ta"],
        "en" | "zh" | "ja" | "ko" | "th" | "lo" | "km" | "my" | "hi" | "mr" | "ne" | "bn"
        | "gu" | "pa" | "te" | "kn" | "ml" | "si" | "ur" | "fa" | "ps" | "he" | "yi" | "uk"
        | "bg" | "be" | "mk" | "ka" | "hy" | "am" => vec!["en"],
        "und" => vec!["ar", "el", "en", "ru", "ta"],
        _ => Vec::new(),
    }
}

/// The stems of a word by the rules that fit its script, folded; possibly the word itself.
pub(super) fn stems(word: &str, codes: &[&'static str]) -> Vec<String> {
    let is_plain = |c: char| c.is_alphabetic() || is_accent(c) || matches!(c, '\'' | '\u{2019}');
    if !word.chars().all(is_plain) {
        return Vec::new();
    }
    let Some(script) = word.chars().next().and_then(Script::of) else {
        return Vec::new();
    };
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    let folded = Some(fold(word)).filter(|folded| *folded != lower);
    codes
        .iter()
        .filter_map(|code| algorithm(code))
        .filter(|(of, _)| *of == script)
        .flat_map(|(_, algorithm)| {
            let stemmer = Stemmer::create(algorithm);
            [Some(&lower), folded.as_ref()]
                .into_iter()
                .flatten()
                .map(|form| fold(&stemmer.stem(form)))
                .collect::<Vec<_>>()
        })
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Arabic,
    Tamil,
}

impl Script {
    fn of(c: char) -> Option<Self> {
        match u32::from(c) {
            0x0041..=0x024F | 0x1E00..=0x1EFF => Some(Self::Latin),
            0x0370..=0x03FF | 0x1F00..=0x1FFF => Some(Self::Greek),
            0x0400..=0x052F => Some(Self::Cyrillic),
            0x0600..=0x06FF => Some(Self::Arabic),
            0x0B80..=0x0BFF => Some(Self::Tamil),
            _ => None,
        }
    }
}

fn algorithm(code: &str) -> Option<(Script, Algorithm)> {
    Some(match code {
        "ar" => (Script::Arabic, Algorithm::Arabic),
        "da" => (Script::Latin, Algorithm::Danish),
        "de" => (Script::Latin, Algorithm::German),
        "el" => (Script::Greek, Algorithm::Greek),
        "en" => (Script::Latin, Algorithm::English),
        "es" => (Script::Latin, Algorithm::Spanish),
        "fi" => (Script::Latin, Algorithm::Finnish),
        "fr" => (Script::Latin, Algorithm::French),
        "hu" => (Script::Latin, Algorithm::Hungarian),
        "it" => (Script::Latin, Algorithm::Italian),
        "nl" => (Script::Latin, Algorithm::Dutch),
        "no" => (Script::Latin, Algorithm::Norwegian),
        "pt" => (Script::Latin, Algorithm::Portuguese),
        "ro" => (Script::Latin, Algorithm::Romanian),
        "ru" => (Script::Cyrillic, Algorithm::Russian),
        "sv" => (Script::Latin, Algorithm::Swedish),
        "ta" => (Script::Tamil, Algorithm::Tamil),
        "tr" => (Script::Latin, Algorithm::Turkish),
        _ => return None,
    })
}
