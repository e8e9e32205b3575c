//! A topic's facts to a title that names a thing.

use std::collections::BTreeMap;

use atlas_core::llm::{LabelledFact, TopicSummarizerInput};
use atlas_core::text::{fold, normalise_claim};

use crate::names::known::known;
use crate::text::cue::Words;
use crate::text::stem::{folded_words, is_stop_word, singular};

/// Words of a title at most.
const MOST_WORDS: usize = 8;

/// Words that are no title alone.
static NO_TITLES: Words = Words::new(
    "use used plan need thing stuff issue update question answer note team people new good \
    next last time day week month year send deck doc file link make work go get we",
);

/// The title: the thing that the most facts are about, and a second one where that is needed to
/// differ from the other titles.
pub(super) fn title(input: &TopicSummarizerInput) -> String {
    let others: Vec<String> = input
        .other_titles
        .iter()
        .map(|it| normalise_claim(it))
        .collect();
    let things = things(&input.facts);
    let is_free = |title: &String| !title.is_empty() && !others.contains(&normalise_claim(title));
    let alone = things
        .iter()
        .map(|thing| in_title_case(thing, &input.facts));
    let pairs = things.iter().enumerate().flat_map(|(at, first)| {
        things
            .iter()
            .skip(at + 1)
            .filter(move |second| {
                !first.contains(second.as_str()) && !second.contains(first.as_str())
            })
            .map(move |second| (first, second))
    });
    // One word says little where a second one stands beside it as often.
    let named = alone
        .clone()
        .find(|title| is_free(title) && title.split_whitespace().count() > 1);
    let first = alone.clone().next().filter(is_free);
    let best = match (&first, &named) {
        (Some(first), _) if !is_vague(first) => Some(first.clone()),
        (_, Some(named)) => Some(named.clone()),
        _ => None,
    };
    best.or_else(|| {
        pairs
            .map(|(first, second)| {
                format!(
                    "{} and {}",
                    in_title_case(first, &input.facts),
                    in_title_case(second, &input.facts)
                )
            })
            .find(is_free)
    })
    .or(first)
    .or_else(|| alone.clone().find(is_free))
    .or_else(|| first_words(&input.facts, &others))
    .unwrap_or_default()
}

fn is_vague(title: &str) -> bool {
    let folded = fold(title);
    NO_TITLES.has(&folded)
}

/// What the facts are about, the most salient first, folded.
fn things(facts: &[LabelledFact]) -> Vec<String> {
    let mut scores: BTreeMap<String, f32> = BTreeMap::new();
    let mut add = |thing: String, score: f32| {
        let is_word = thing.chars().any(char::is_alphabetic) && thing.chars().count() > 1;
        let short = thing.split_whitespace().count() <= 5;
        if is_word && short && !is_stop_word(&thing) && !is_vague(&thing) {
            *scores.entry(thing).or_insert(0.0) += score;
        }
    };
    for fact in facts {
        let people: Vec<String> = std::iter::once(&fact.author)
            .map(|name| fold(name))
            .collect();
        if let Some(slot) = &fact.slot
            && slot.family != "task"
            && slot.subject != "we"
            && !people.contains(&slot.subject)
            && slot.subject.split_whitespace().count() <= 4
        {
            add(slot.subject.clone(), 2.0);
        }
        for name in &fact.mentions {
            let name = fold(name);
            if !people.contains(&name) && !name.contains('.') {
                add(name, 1.2);
            }
        }
        for tag in &fact.tags {
            add(tag.clone(), 1.0);
        }
        // Two words of matter side by side name a thing more closely than one.
        let words = folded_words(&fact.text);
        for pair in words.windows(2) {
            if let [a, b] = pair {
                let tagged = |word: &String| fact.tags.contains(&singular(word));
                if tagged(a) && tagged(b) && a != b {
                    add(format!("{a} {}", singular(b)), 1.1);
                }
            }
        }
    }
    let mut things: Vec<(String, f32)> = scores.into_iter().collect();
    things.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    things
        .into_iter()
        .map(|(thing, _)| thing)
        .take(12)
        .collect()
}

/// The thing as a title: each word with a capital, or as the facts write it where they give it a
/// form of its own.
fn in_title_case(thing: &str, facts: &[LabelledFact]) -> String {
    let words: Vec<String> = thing
        .split_whitespace()
        .take(MOST_WORDS)
        .enumerate()
        .map(|(at, word)| {
            if let Some(written) = as_written(word, facts) {
                return written;
            }
            if at > 0 && is_stop_word(word) {
                return word.to_owned();
            }
            let mut chars = word.chars();
            chars
                .next()
                .map(|first| first.to_uppercase().chain(chars).collect())
                .unwrap_or_default()
        })
        .collect();
    words.join(" ")
}

/// The word as a fact writes it, if capitals stand within it or it is the name of a technology.
fn as_written(word: &str, facts: &[LabelledFact]) -> Option<String> {
    let split = |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.' | '+' | '#' | '_'));
    let is_form = |written: &&str| {
        let inner = written.chars().skip(1).any(char::is_uppercase);
        inner || (known(word).is_some() && written.chars().any(char::is_uppercase))
    };
    facts
        .iter()
        .flat_map(|fact| fact.text.split(split))
        .map(|written| written.trim_matches(['.', '-']))
        .find(|written| fold(written) == word && is_form(written))
        .map(str::to_owned)
}

fn first_words(facts: &[LabelledFact], others: &[String]) -> Option<String> {
    facts.iter().find_map(|fact| {
        let words: Vec<String> = folded_words(&fact.text)
            .into_iter()
            .filter(|word| !is_stop_word(word) && word.chars().any(char::is_alphabetic))
            .take(4)
            .collect();
        let title = in_title_case(&words.join(" "), facts);
        (!title.is_empty() && !others.contains(&normalise_claim(&title))).then_some(title)
    })
}
