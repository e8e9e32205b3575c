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
    "amazing",
    "an",
    "and",
    "another",
    "any",
    "anybody",
    "anyone",
    "anything",
    "april",
    "are",
    "as",
    "at",
    "august",
    "awesome",
    "be",
    "because",
    "been",
    "before",
    "but",
    "by",
    "can",
    "check",
    "checks",
    "com",
    "comment",
    "commented",
    "comments",
    "cool",
    "could",
    "csv",
    "day",
    "december",
    "detail",
    "details",
    "did",
    "discussion",
    "do",
    "does",
    "done",
    "each",
    "etc",
    "evening",
    "every",
    "everybody",
    "everyone",
    "everything",
    "february",
    "few",
    "file",
    "files",
    "first",
    "folk",
    "folks",
    "follow",
    "following",
    "for",
    "friday",
    "from",
    "fun",
    "general",
    "get",
    "gif",
    "go",
    "going",
    "good",
    "got",
    "great",
    "guy",
    "guys",
    "had",
    "happy",
    "has",
    "have",
    "he",
    "help",
    "her",
    "here",
    "hi",
    "him",
    "his",
    "hope",
    "hour",
    "hours",
    "how",
    "htm",
    "html",
    "http",
    "https",
    "i",
    "idea",
    "ideas",
    "if",
    "in",
    "interesting",
    "into",
    "is",
    "it",
    "its",
    "january",
    "jpeg",
    "jpg",
    "july",
    "june",
    "just",
    "kind",
    "know",
    "last",
    "less",
    "let",
    "like",
    "link",
    "links",
    "look",
    "looking",
    "looks",
    "lot",
    "made",
    "make",
    "many",
    "march",
    "matter",
    "matters",
    "maybe",
    "me",
    "message",
    "messages",
    "minute",
    "minutes",
    "misc",
    "miscellaneous",
    "monday",
    "month",
    "months",
    "more",
    "morning",
    "most",
    "much",
    "my",
    "need",
    "net",
    "new",
    "next",
    "nice",
    "night",
    "no",
    "not",
    "nothing",
    "november",
    "now",
    "october",
    "of",
    "off",
    "ok",
    "okay",
    "old",
    "on",
    "one",
    "only",
    "or",
    "org",
    "other",
    "others",
    "our",
    "out",
    "over",
    "own",
    "pdf",
    "please",
    "png",
    "post",
    "posted",
    "posts",
    "question",
    "questions",
    "really",
    "right",
    "same",
    "saturday",
    "say",
    "see",
    "september",
    "share",
    "shared",
    "shares",
    "sharing",
    "she",
    "should",
    "so",
    "some",
    "somebody",
    "someone",
    "something",
    "stuff",
    "such",
    "sunday",
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
    "thursday",
    "time",
    "to",
    "today",
    "tomorrow",
    "tonight",
    "too",
    "topic",
    "topics",
    "try",
    "trying",
    "tuesday",
    "two",
    "under",
    "untitled",
    "up",
    "update",
    "updates",
    "upload",
    "uploaded",
    "uploads",
    "us",
    "use",
    "very",
    "want",
    "was",
    "way",
    "we",
    "wednesday",
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
    "work",
    "working",
    "works",
    "would",
    "www",
    "yeah",
    "year",
    "years",
    "yes",
    "yesterday",
    "yet",
    "you",
    "your",
];

/// Words that only an address has.
const ADDRESS: [&str; 3] = ["http", "https", "www"];

/// A proposed title as it may stand: `None` if it names nothing.
///
/// A title has a word that is more than grammar, chatter, a number or an emoji in each part of what
/// it lists, at most eight words, no address, no markup and no punctuation at its end.
pub fn gate(proposed: &str) -> Option<String> {
    let line = clean(proposed)?;
    let title = line
        .trim_matches(|c: char| c.is_whitespace() || is_edge(c))
        .to_owned();
    let has_markup = title.contains(['`', '*', '_', '<', '>', '[', ']', '|', '#', '~', '\\']);
    let all = words(&title);
    let is_address = all.iter().any(|word| ADDRESS.contains(&word.as_str()));
    // What is listed names something in each of its parts.
    let joined = title.replace(" and ", ",").replace(" & ", ",");
    let names = joined.split(',').all(|part| {
        words(part).iter().any(|word| {
            word.chars().any(char::is_alphabetic) && !NAMELESS.contains(&fold(word).as_str())
        })
    });
    let n_words = title.split_whitespace().count();
    let has_id = title.split_whitespace().any(is_platform_id);
    let is_fit = !has_markup && !is_address && !has_id && names && n_words <= MAX_WORDS;
    is_fit.then_some(title)
}

/// Whether a word looks like a platform's id of a person or a channel: capitals and digits, nine
/// or more.
fn is_platform_id(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    let is_plain = word
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    has_digit && is_plain && word.len() >= 9 && word.contains(|c: char| c.is_ascii_uppercase())
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

/// What the facts name, as titles: most frequent first, proper names before tags, ties by name.
fn named_most(facts: &[SeenFact<'_>]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, (usize, bool, String)> = BTreeMap::new();
    for seen in facts {
        let claim = &seen.fact.claim;
        let things = claim
            .mentions
            .iter()
            .filter(|it| it.kind != EntityType::Person)
            .map(|it| it.name.clone());
        let tags = claim.topic_tags.iter().map(|tag| capitalised(tag));
        let named = things
            .map(|it| (it, true))
            .chain(tags.map(|it| (it, false)));
        let mut of_fact: BTreeMap<String, (String, bool)> = BTreeMap::new();
        for (name, is_name) in named {
            if let Some(name) = gate(&name) {
                let normal = normalise_name(&name);
                of_fact.entry(normal).or_insert((name, is_name));
            }
        }
        for (normal, (name, is_name)) in of_fact {
            let entry = counts.entry(normal).or_insert((0, false, name));
            entry.0 += 1;
            entry.1 |= is_name;
        }
    }
    // A proper name says twice as much as a tag.
    let mut names: Vec<(usize, String, usize)> = (counts.into_values())
        .map(|(count, is_name, name)| (count * (1 + usize::from(is_name)), name, count))
        .collect();
    names.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    names
        .into_iter()
        .map(|(_, name, count)| (name, count))
        .collect()
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
            "Cool and posted",
            "Billing and posted",
            "https notes",
            "U064KUGRJ",
        ] {
            check(nameless, None);
        }
        check("# Heading", None);
        check("**bold** thing", None);
        check("one two three four five six seven eight nine", None);
    }
}
