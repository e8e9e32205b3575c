//! What kind of thing a question asks for.

use std::collections::BTreeSet;

use atlas_core::llm::LabelledEvidence;

use crate::text::stem::{folded_words, stem_set};

/// A question, as far as its words tell.
pub(super) struct Asked {
    /// The stems of the words that carry it.
    pub(super) stems: BTreeSet<String>,
    /// Whether it asks how something came about or was before.
    pub(super) is_past: bool,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Person,
    Time,
    Number,
    Reason,
    Place,
    Other,
}

/// Words that give a time.
const TIMES: [&str; 40] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "today",
    "tomorrow",
    "yesterday",
    "week",
    "month",
    "noon",
    "tonight",
    "morning",
    "afternoon",
    "evening",
];

/// Words that give a reason.
const REASONS: [&str; 8] = [
    "because",
    "since",
    "due",
    "so",
    "reason",
    "therefore",
    "caused",
    "cause",
];

/// Words that ask how something came about or was before.
const PAST: [&str; 16] = [
    "why",
    "before",
    "previously",
    "originally",
    "original",
    "history",
    "changed",
    "change",
    "moved",
    "reversed",
    "used",
    "first",
    "earlier",
    "former",
    "warum",
    "为什么",
];

impl Asked {
    pub(super) fn read(question: &str) -> Self {
        let words = folded_words(question);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let after_how = words.windows(2).any(|pair| {
            matches!(pair, [how, many] if how == "how" && ["many", "much", "big", "large", "long", "often"].contains(&many.as_str()))
        });
        let kind = if has(&["who", "whom", "whose", "wer", "quien", "谁"]) {
            Kind::Person
        } else if has(&["when", "wann", "cuando"]) || question.contains("什么时候") {
            Kind::Time
        } else if after_how {
            Kind::Number
        } else if has(&["why", "warum"]) || question.contains("为什么") {
            Kind::Reason
        } else if has(&["where", "wo", "donde"]) || question.contains("哪里") {
            Kind::Place
        } else {
            Kind::Other
        };
        Self {
            stems: stem_set(question),
            is_past: has(&PAST),
            kind,
        }
    }

    /// What the evidence gains by holding the kind of thing that is asked for.
    pub(super) fn bonus(&self, evidence: &LabelledEvidence) -> f32 {
        let words = folded_words(&evidence.text);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let has_digit = evidence.text.chars().any(char::is_numeric);
        let has_name = evidence.text.split_whitespace().skip(1).any(|word| {
            word.chars().next().is_some_and(char::is_uppercase) && word.chars().count() > 1
        });
        let fits = match self.kind {
            Kind::Person | Kind::Place => has_name,
            Kind::Time => has(&TIMES) || has_digit,
            Kind::Number => has_digit,
            Kind::Reason => has(&REASONS),
            Kind::Other => false,
        };
        if fits { 0.15 } else { 0.0 }
    }
}
