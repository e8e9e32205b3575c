//! Patterns of words, compiled once.

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
                let compiled = Regex::new(self.pattern);
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
