//! Whether a text says only what its sources say, as far as words can tell.
//!
//! The check is one of words, not of meaning: every number and every word of weight must stand in
//! a source. It catches invented names, numbers and matters; it does not catch a sentence that
//! turns the words of its source into their opposite, but for a negation that the source lacks.

use std::collections::BTreeSet;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::{fold, words};

/// Words of at most this many letters have no other form: they stand in a source as they are, unless
/// they carry grammar.
const SHORT: usize = 3;
/// Words of grammar, which a writer may add. Words that change how surely something is said (would,
/// must …) are not among them.
const GRAMMAR: [&str; 88] = [
    "a", "an", "the", "to", "of", "in", "on", "at", "by", "for", "and", "or", "but", "so", "as",
    "is", "are", "was", "be", "it", "its", "he", "she", "we", "us", "our", "you", "his", "her",
    "him", "who", "if", "do", "did", "has", "had", "can", "may", "how", "why", "all", "any", "out",
    "up", "off", "per", "via", "yet", "now", "too", "own", "one", "i", "me", "my", "am", "der",
    "die", "das", "el", "la", "le", "un", "de", "will", "does", "have", "been", "were", "that",
    "this", "with", "from", "they", "them", "their", "there", "then", "than", "when", "where",
    "which", "while", "what", "into", "also", "about", "who's",
];
/// Two words count as forms of one word if they share a beginning of this many letters …
const STEM: usize = 4;
/// … and at most this many letters of either are left over.
const ENDING: usize = 4;

/// Words that turn a statement round, folded.
const NEGATIONS: [&str; 22] = [
    "not", "no", "never", "nobody", "nothing", "none", "without", "cannot", "nicht", "kein",
    "keine", "nie", "nunca", "ninguno", "jamais", "pas", "不", "没", "别", "无", "keinen",
    "neither",
];

/// The words of the text that no source says, folded, in order; empty if it is grounded.
///
/// # Shape
///
/// Numbers must stand in a source as they are. Other words of more than three letters must stand
/// there in some form: with a common beginning. Scripts without spaces are compared letter by
/// letter. Negations must stand there, whatever their length, in any form.
pub fn ungrounded(text: &str, sources: &[&str]) -> Vec<String> {
    let known: BTreeSet<String> = sources.iter().flat_map(|source| words(source)).collect();
    let folded: Vec<String> = sources.iter().map(|source| fold(source)).collect();
    let may_negate = known.iter().any(|word| is_negation(word));
    words(text)
        .into_iter()
        .filter(|word| {
            if is_negation(word) {
                return !may_negate;
            }
            let is_number = word.chars().any(char::is_numeric);
            let is_dense = word.chars().any(is_dense_script);
            if GRAMMAR.contains(&word.as_str()) {
                return false;
            }
            let is_short = word.graphemes(true).count() <= SHORT;
            if !is_number && !is_dense && is_short {
                return !known.contains(word);
            }
            let is_said = if is_number {
                known.contains(word)
            } else if is_dense {
                folded
                    .iter()
                    .any(|source| word.chars().all(|c| source.contains(c)))
            } else {
                known.contains(word) || known.iter().any(|other| are_forms(word, other))
            };
            !is_said
        })
        .collect()
}

/// Whether a folded word turns a statement round.
pub fn is_negation(word: &str) -> bool {
    NEGATIONS.contains(&word) || word.ends_with("n't") || word.ends_with("n’t")
}

/// Whether the letter belongs to a script that is written without spaces.
pub fn is_dense_script(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x2FA1F)
}

/// Whether two words look like forms of one word.
fn are_forms(a: &str, b: &str) -> bool {
    let shared = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let rest = |word: &str| word.chars().count() - shared;
    shared >= STEM && rest(a) <= ENDING && rest(b) <= ENDING
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, source: &str, missing: &[&str]) {
        assert_eq!(ungrounded(text, &[source]), missing, "{text} / {source}");
    }

    #[test]
    fn what_no_source_says_is_found() {
        check(
            "The launch moved to 26 May.",
            "we moved the launch to 26 May",
            &[],
        );
        check(
            "The launch moves to 27 May.",
            "we moved the launch to 26 May",
            &["27"],
        );
        check("Maria deploys it.", "deploying it tomorrow", &["maria"]);
        check("It is not done.", "it is done", &["not"]);
        check("It is not done.", "it isn't done", &[]);
        check("我们决定用汇率换算。", "我们决定用汇率换算", &[]);
        check(
            "我们决定用微服务。",
            "我们决定用汇率换算",
            &["微", "服", "务"],
        );
        check("", "anything", &[]);
    }
}
