//! Sentences: what may stand on a page, and which of them say the same.

use std::collections::BTreeMap;

use super::code_span::{Part, parts};
use crate::model::CitedSentence;
use crate::text::{normalise_claim, words};

/// Words that change nothing in what a sentence says.
const EMPTY_WORDS: [&str; 14] = [
    "a", "an", "the", "that", "this", "also", "just", "really", "very", "so", "now", "please",
    "then", "actually",
];

/// Entities that exports leave in texts.
const ENTITIES: [(&str, &str); 6] = [
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&nbsp;", " "),
];

/// How often a text is cleaned until nothing changes any more.
const MAX_PASSES: usize = 8;

/// A text made fit for a page: on one line, entities decoded, handles by name, no emoji codes.
///
/// `None` if nothing is left, or if it names somebody or some channel by a bare id: a reader could
/// not tell whom. Code stays as it is.
pub fn clean(text: &str) -> Option<String> {
    let mut cleaned = clean_once(text)?;
    // What is taken out may leave a backtick that makes code of other words, or of none.
    for _ in 0..MAX_PASSES {
        let again = clean_once(&cleaned)?;
        if again == cleaned {
            break;
        }
        cleaned = again;
    }
    Some(cleaned)
}

fn clean_once(text: &str) -> Option<String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut cleaned = String::new();
    for part in parts(&line) {
        match part {
            Part::Plain(plain) => {
                let plain = without_emoji_codes(&with_names(&decode(plain)));
                if plain.contains("<@") || plain.contains("<#") {
                    return None;
                }
                cleaned.push_str(&plain);
            }
            Part::Code(code) => {
                let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
                let fence = "`".repeat(longest + 1);
                cleaned.extend([fence.as_str(), code, fence.as_str()]);
            }
        }
    }
    let line = cleaned.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().any(char::is_alphanumeric).then_some(line)
}

/// Decodes until nothing is left to decode: texts come through exports that encode twice.
fn decode(text: &str) -> String {
    let mut decoded = text.to_owned();
    loop {
        let next = ENTITIES
            .iter()
            .fold(decoded.clone(), |text, (entity, sign)| {
                text.replace(entity, sign)
            });
        if next == decoded {
            return decoded;
        }
        decoded = next;
    }
}

/// Puts the name in place of `<@U1|name>` and `<#C1|name>`.
fn with_names(text: &str) -> String {
    let mut named = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("<@").into_iter().chain(rest.find("<#")).min() {
        let (before, handle) = rest.split_at(start);
        named.push_str(before);
        let name = handle.split_once('>').and_then(|(inner, after)| {
            let (_, name) = inner.split_once('|')?;
            (!name.trim().is_empty()).then_some((name, after))
        });
        match name {
            Some((name, after)) => {
                named.push_str(name.trim());
                rest = after;
            }
            None => break,
        }
    }
    named.push_str(rest);
    named
}

/// Takes out `:codes:` that stand alone. A colon inside a path or a time is none.
fn without_emoji_codes(text: &str) -> String {
    let is_border = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != ':');
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(':') {
        let (before, code) = rest.split_at(start);
        kept.push_str(before);
        let after_colon = code.get(1..).unwrap_or_default();
        let end = after_colon.find(|c: char| !is_code_letter(c));
        let name = end
            .and_then(|end| after_colon.get(..end))
            .unwrap_or_default();
        let after = after_colon.get(name.len()..).unwrap_or_default();
        let follows = after.strip_prefix(':');
        let is_code = follows.is_some_and(|follows| {
            !name.is_empty()
                && is_border(kept.chars().next_back())
                && is_border(follows.chars().next())
        });
        if let Some(follows) = follows.filter(|_| is_code) {
            rest = follows;
        } else {
            kept.push(':');
            rest = after_colon;
        }
    }
    kept.push_str(rest);
    kept
}

fn is_code_letter(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '+' | '-')
}

/// What a sentence says, without what changes nothing: sentences with the same key are said once.
pub fn key(text: &str) -> String {
    let weighty: Vec<String> = words(text)
        .into_iter()
        .filter(|word| !EMPTY_WORDS.contains(&word.as_str()))
        .collect();
    if weighty.is_empty() {
        normalise_claim(text)
    } else {
        weighty.join(" ")
    }
}

/// Keeps the first of sentences that say the same, with the facts of all of them.
pub fn once(sentences: Vec<CitedSentence>) -> Vec<CitedSentence> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut kept: Vec<CitedSentence> = Vec::new();
    for sentence in sentences {
        let place = *places.entry(key(&sentence.text)).or_insert(kept.len());
        match kept.get_mut(place) {
            Some(first) => {
                for fact in sentence.facts {
                    if !first.facts.contains(&fact) {
                        first.facts.push(fact);
                    }
                }
            }
            None => kept.push(sentence),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(clean(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn what_exports_leave_behind_is_cleaned_or_refused() {
        check("R&amp;amp;D\n  ships", Some("R&D ships"));
        check(
            "ask <@U12|Ada> in <#C1|general>",
            Some("ask Ada in general"),
        );
        check("ask <@U12>", None);
        check("see &lt;#C12&gt;", None);
        check("great :tada: work :+1:", Some("great work"));
        check(
            "use std::vec::Vec at 10:30:15",
            Some("use std::vec::Vec at 10:30:15"),
        );
        check("run `<@U1> :tada: &amp;`", Some("run `<@U1> :tada: &amp;`"));
        check(":tada: !!", None);
        check("我们决定用汇率换算。", Some("我们决定用汇率换算。"));
    }

    #[test]
    fn sentences_that_say_the_same_are_said_once() {
        let said = |text: &str, fact: &str| CitedSentence {
            text: text.to_owned(),
            facts: vec![crate::model::FactId::new(fact)],
        };
        let kept = once(vec![
            said("The launch is on 12 May.", "a"),
            said("Launch is on 12 May", "b"),
            said("The launch is on 13 May.", "c"),
        ]);
        assert_eq!(kept.len(), 2);
        assert_eq!(kept[0].facts.len(), 2);
    }
}
