//! Titles that name things.

use std::collections::{BTreeMap, BTreeSet};

use super::sentence::clean;
use super::telling::SeenFact;
use crate::grounding::ungrounded;
use crate::model::EntityType;
use crate::text::{fold, normalise_claim, normalise_name, words};

/// The most words of a title.
pub const MAX_WORDS: usize = 8;

/// Words that name nothing by themselves, folded.
const NAMELESS: &[&str] = &[
    "a",
    "about",
    "above",
    "after",
    "again",
    "all",
    "also",
    "always",
    "am",
    "an",
    "and",
    "another",
    "any",
    "anybody",
    "anyone",
    "anything",
    "are",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "but",
    "by",
    "can",
    "could",
    "day",
    "did",
    "discussion",
    "do",
    "does",
    "done",
    "each",
    "etc",
    "every",
    "everybody",
    "everyone",
    "everything",
    "few",
    "first",
    "for",
    "from",
    "general",
    "get",
    "go",
    "going",
    "good",
    "got",
    "had",
    "has",
    "have",
    "he",
    "her",
    "here",
    "hi",
    "him",
    "his",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "just",
    "know",
    "last",
    "less",
    "let",
    "like",
    "lot",
    "made",
    "make",
    "many",
    "matter",
    "matters",
    "maybe",
    "me",
    "message",
    "messages",
    "misc",
    "miscellaneous",
    "more",
    "most",
    "much",
    "my",
    "need",
    "new",
    "next",
    "no",
    "not",
    "nothing",
    "now",
    "of",
    "off",
    "ok",
    "okay",
    "old",
    "on",
    "one",
    "only",
    "or",
    "other",
    "others",
    "our",
    "out",
    "over",
    "own",
    "please",
    "really",
    "right",
    "same",
    "say",
    "see",
    "she",
    "should",
    "so",
    "some",
    "somebody",
    "someone",
    "something",
    "stuff",
    "such",
    "sure",
    "than",
    "thanks",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "think",
    "this",
    "those",
    "thread",
    "time",
    "to",
    "today",
    "tomorrow",
    "too",
    "topic",
    "topics",
    "two",
    "under",
    "untitled",
    "up",
    "update",
    "updates",
    "us",
    "use",
    "very",
    "want",
    "was",
    "way",
    "we",
    "week",
    "well",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "why",
    "will",
    "with",
    "would",
    "yeah",
    "yes",
    "yesterday",
    "yet",
    "you",
    "your",
];

/// A proposed title as it may stand: `None` if it names nothing.
///
/// A title has a word that is more than grammar, a number or an emoji, at most eight words, no
/// markup and no punctuation at its end.
pub fn gate(proposed: &str) -> Option<String> {
    let line = clean(proposed)?;
    let title = line
        .trim_matches(|c: char| c.is_whitespace() || is_edge(c))
        .to_owned();
    let has_markup = title.contains(['`', '*', '_', '<', '>', '[', ']', '|', '#', '~', '\\']);
    let all = words(&title);
    let names = all.iter().any(|word| {
        word.chars().any(char::is_alphabetic) && !NAMELESS.contains(&fold(word).as_str())
    });
    let n_words = title.split_whitespace().count();
    (!has_markup && names && n_words <= MAX_WORDS).then_some(title)
}

/// Punctuation that neither opens nor closes a title. Brackets that belong to it stay.
fn is_edge(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | '-'
            | '–'
            | '—'
            | '…'
            | '"'
            | '\''
            | '“'
            | '”'
            | '。'
            | '，'
            | '！'
            | '？'
            | '：'
            | '；'
            | '、'
            | '/'
            | '&'
            | '+'
            | '='
    )
}

/// Two titles are one if they differ in form only.
pub fn same(title: &str) -> String {
    normalise_claim(title)
}

/// The proposed title if it passes, is said by the facts and is not taken; else one made of what
/// the facts name most. The facts come most important first, `taken` is normalised by [`same`],
/// and `unique` sets apart what nothing else does.
pub fn choose(
    proposed: Option<&str>,
    facts: &[SeenFact<'_>],
    taken: &BTreeSet<String>,
    unique: &str,
) -> String {
    let is_free = |title: &String| !taken.contains(&same(title));
    proposed
        .and_then(gate)
        .filter(|title| is_said(title, facts))
        .filter(is_free)
        .or_else(|| candidates(facts).into_iter().find(is_free))
        .unwrap_or_else(|| {
            let base = candidates(facts).into_iter().next();
            let base = base.unwrap_or_else(|| "Notes".to_owned());
            let dated = facts
                .first()
                .and_then(|it| it.fact.first())
                .map(|it| format!("{base} ({})", it.sent_at.date()));
            let short: String = unique.chars().take(8).collect();
            dated.filter(is_free).unwrap_or(format!("{base} ({short})"))
        })
}

fn is_said(title: &str, facts: &[SeenFact<'_>]) -> bool {
    let sources: Vec<&str> = facts
        .iter()
        .flat_map(|seen| {
            let claim = &seen.fact.claim;
            let names = claim.mentions.iter().map(|it| it.name.as_str());
            let quotes = seen.fact.evidence.iter().map(|it| it.quote.as_str());
            std::iter::once(claim.text.as_str())
                .chain(claim.topic_tags.iter().map(String::as_str))
                .chain(names)
                .chain(quotes)
        })
        .collect();
    ungrounded(title, &sources).is_empty()
}

/// Titles that the facts give: what they name most, then two of these, then their own words.
fn candidates(facts: &[SeenFact<'_>]) -> Vec<String> {
    let names = named_most(facts);
    let mut titles: Vec<String> = Vec::new();
    // A name that one fact of several has does not stand for all of them.
    let (shared, single): (Vec<_>, Vec<_>) = names
        .into_iter()
        .partition(|(_, count)| *count > 1 || facts.len() == 1);
    titles.extend(shared.iter().map(|(name, _)| name.clone()));
    let first_pairs = (shared.iter().chain(&single))
        .zip(shared.iter().chain(&single).skip(1))
        .map(|((a, _), (b, _))| format!("{a}, {b}"));
    titles.extend(first_pairs.filter_map(|title| gate(&title)));
    titles.extend(facts.iter().filter_map(opening));
    titles.extend(single.into_iter().map(|(name, _)| name));
    titles
}

/// What the facts name, most frequent first, ties by name, as titles.
fn named_most(facts: &[SeenFact<'_>]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for seen in facts {
        let claim = &seen.fact.claim;
        let things = claim
            .mentions
            .iter()
            .filter(|it| it.kind != EntityType::Person)
            .map(|it| it.name.clone());
        let tags = claim.topic_tags.iter().map(|tag| capitalised(tag));
        let mut of_fact: BTreeMap<String, String> = BTreeMap::new();
        for name in things.chain(tags) {
            if let Some(name) = gate(&name) {
                of_fact.entry(normalise_name(&name)).or_insert(name);
            }
        }
        for (normal, name) in of_fact {
            counts.entry(normal).or_insert((0, name)).0 += 1;
        }
    }
    let mut names: Vec<(String, usize)> = (counts.into_values())
        .map(|(count, name)| (name, count))
        .collect();
    names.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    names
}

/// The first words of what a fact says, whole if it is short.
fn opening(seen: &SeenFact<'_>) -> Option<String> {
    let text = clean(seen.fact.text())?;
    let first: Vec<&str> = text.split_whitespace().take(MAX_WORDS).collect();
    gate(&first.join(" "))
}

/// The text with its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(proposed: &str, expected: Option<&str>) {
        assert_eq!(gate(proposed).as_deref(), expected, "{proposed}");
    }

    #[test]
    fn a_title_names_a_thing() {
        check("Billing migration.", Some("Billing migration"));
        check("  \"Currency conversion\" ", Some("Currency conversion"));
        check("汇率换算", Some("汇率换算"));
        check("Postgres 16", Some("Postgres 16"));
        for nameless in [
            "",
            "The",
            "2024",
            "🎉🎉",
            "…",
            ":tada:",
            "What about it?",
            "General",
        ] {
            check(nameless, None);
        }
        check("# Heading", None);
        check("**bold** thing", None);
        check("one two three four five six seven eight nine", None);
    }
}
