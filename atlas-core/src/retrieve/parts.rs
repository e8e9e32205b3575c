//! The parts of a question that asks for several things.
//!
//! "Which engine does search run on, and why did we change?" is answered in two places, and neither
//! place has many of the words of the whole. So each part is looked for by itself too.

use unicode_segmentation::UnicodeSegmentation;

use super::question::is_grammar;
use crate::text::fold;

/// Parts of a question at most; what is beyond them stays with the last.
const MAX_PARTS: usize = 4;

/// Words that begin a question of their own.
const OPENERS: [&str; 31] = [
    "what", "when", "where", "which", "who", "whom", "whose", "why", "how", "was", "wann", "wo",
    "wohin", "welche", "welcher", "welches", "wer", "wem", "wen", "warum", "wieso", "wie", "que",
    "cuando", "donde", "cual", "quien", "quand", "pourquoi", "qui", "comment",
];

/// Words that join two questions.
const JOINERS: [&str; 8] = ["and", "or", "und", "oder", "y", "o", "et", "ou"];

/// Characters that part two questions before an opener.
const COMMAS: [char; 7] = [',', ';', ':', '，', '；', '、', '—'];

/// Characters that end a question.
const ENDS: [char; 4] = ['?', '？', '؟', '\n'];

/// What the text asks for, in order: the text itself, if that is one thing.
///
/// It is cut after a question mark, and before a word that asks where "and" or a comma joins it to
/// what comes before. A part that names nothing stays with the one before it.
///
/// # Shape
///
/// Between one and four slices of the text, in order, none of which overlap.
pub fn split(text: &str) -> Vec<&str> {
    let mut starts = vec![0];
    let mut joiner = None;
    let mut end = 0;
    for (at, word) in text.unicode_word_indices() {
        let folded = fold(word);
        let between = text.get(end..at).unwrap_or_default();
        if end > 0 && between.contains(ENDS) {
            starts.push(at);
        } else if OPENERS.contains(&folded.as_str()) {
            if let Some(joiner) = joiner {
                starts.push(joiner);
            } else if between.contains(COMMAS) {
                starts.push(at);
            }
        }
        joiner = JOINERS.contains(&folded.as_str()).then_some(at);
        end = at + word.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for (start, end) in starts.iter().copied().zip(ends) {
        let is_part = text.get(start..end).is_some_and(names_something);
        let is_full = parts.len() >= MAX_PARTS;
        match parts.last_mut() {
            Some(last) if !is_part || is_full => last.1 = end,
            Some(_) | None => parts.push((start, end)),
        }
    }
    let parts = parts
        .into_iter()
        .filter_map(|(start, end)| text.get(start..end));
    parts.map(str::trim).collect()
}

fn names_something(part: &str) -> bool {
    let mut words = part.unicode_words().map(fold);
    words.any(|word| !is_grammar(&word) && !OPENERS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(split(text), expected);
    }

    #[test]
    fn one_question_is_one_part() {
        check("", &[""]);
        check("Who owns it?", &["Who owns it?"]);
        check("What did Ana and Ben say?", &["What did Ana and Ben say?"]);
        check("When is the launch, Ana?", &["When is the launch, Ana?"]);
        check("It broke. And why?", &["It broke. And why?"]);
    }

    #[test]
    fn questions_are_cut_where_they_are_joined() {
        check(
            "Which engine does search run on, and why did we change our minds?",
            &[
                "Which engine does search run on,",
                "and why did we change our minds?",
            ],
        );
        check(
            "When is the launch? Who decided that?",
            &["When is the launch?", "Who decided that?"],
        );
        check(
            "Wann startet der Test und wer leitet ihn?",
            &["Wann startet der Test", "und wer leitet ihn?"],
        );
        check(
            "What broke, when was the outage and who fixed the index?",
            &[
                "What broke,",
                "when was the outage",
                "and who fixed the index?",
            ],
        );
        check(
            "谁负责接口？什么时候上线？",
            &["谁负责接口？", "什么时候上线？"],
        );
    }

    #[test]
    fn a_part_that_names_nothing_stays_with_the_one_before() {
        check(
            "What is the price, and why?",
            &["What is the price, and why?"],
        );
        check("Is it Redis? Why?", &["Is it Redis? Why?"]);
    }

    proptest! {
        #[test]
        fn parts_are_slices_in_order(
            text in "((and|why|what|Redis|,|\\?| |，|谁|\n|é){0,30}|.{0,40})",
        ) {
            let parts = split(&text);
            prop_assert!((1..=MAX_PARTS).contains(&parts.len()));
            let mut from = 0;
            for part in parts {
                let found = text.get(from..).and_then(|rest| rest.find(part));
                prop_assert!(found.is_some(), "{part:?}");
                from += found.unwrap_or_default() + part.len();
            }
        }
    }
}
