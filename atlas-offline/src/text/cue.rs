//! Patterns of words and lists of words, made ready once.

use std::collections::HashSet;
use std::sync::OnceLock;

use regex::{CaptureMatches, Captures, Match, Regex};

/// A pattern that is compiled when it is first asked for. One that does not compile fits nothing,
/// and the crate's tests fail.
pub(crate) struct Cue {
    pattern: &'static str,
    regex: OnceLock<Option<Regex>>,
}

impl Cue {
    pub(crate) const fn new(pattern: &'static str) -> Self {
        Self {
            pattern,
            regex: OnceLock::new(),
        }
    }

    fn regex(&self) -> Option<&Regex> {
        self.regex
            .get_or_init(|| {
                let compiled = Regex::new(&compact(self.pattern));
                debug_assert!(compiled.is_ok(), "{compiled:?}");
                compiled.ok()
            })
            .as_ref()
    }

    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }

    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.regex()?.find(text)
    }

    pub(crate) fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.regex()?.captures(text)
    }

    pub(crate) fn all<'r, 't>(&'r self, text: &'t str) -> Option<CaptureMatches<'r, 't>> {
        Some(self.regex()?.captures_iter(text))
    }

    pub(crate) fn replace_all(&self, text: &str, with: &str) -> String {
        match self.regex() {
            Some(regex) => regex.replace_all(text, with).into_owned(),
            None => text.to_owned(),
        }
    }
}

/// The words of a capture group, trimmed; empty if it takes no part.
pub(crate) fn group<'t>(captures: &Captures<'t>, name: &str) -> &'t str {
    captures.name(name).map_or("", |it| it.as_str().trim())
}

/// Classes of letters, and ranges that hold the letters of living scripts and little else. The
/// exact classes have thousands of ranges, which make automata that are slow to build.
const CLASSES: [(&str, &str); 4] = [
    (
        r"\p{Lu}",
        r"[A-Z\u{C0}-\u{D6}\u{D8}-\u{DE}\u{386}-\u{3A9}\u{400}-\u{42F}]",
    ),
    (
        r"\p{L}",
        r"[A-Za-z\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{1FFF}\u{3041}-\u{9FFF}\u{AC00}-\u{D7A3}]",
    ),
    (r"\p{N}", r"[0-9\u{FF10}-\u{FF19}]"),
    (r"\p{Han}", r"[\u{3400}-\u{9FFF}]"),
];

fn compact(pattern: &str) -> String {
    CLASSES
        .iter()
        .fold(pattern.to_owned(), |pattern, (class, ranges)| {
            pattern.replace(class, ranges)
        })
}

/// A list of words, parted by spaces.
pub(crate) struct Words {
    list: &'static str,
    set: OnceLock<HashSet<&'static str>>,
}

impl Words {
    pub(crate) const fn new(list: &'static str) -> Self {
        Self {
            list,
            set: OnceLock::new(),
        }
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        self.set
            .get_or_init(|| self.list.split_whitespace().collect())
            .contains(word)
    }
}
