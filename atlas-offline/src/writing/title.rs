//! Facts to a title that names a thing.

use std::collections::{BTreeMap, BTreeSet};

use atlas_core::llm::LabelledFact;
use atlas_core::text::normalise_claim;

use crate::text::stem::{folded_words, is_stop_word, stem};

/// Letters that a word of a title has at least, where it is no name.
const MIN_LETTERS: usize = 4;

/// The title of a topic, different from the other titles.
///
/// The candidates are names that several facts mention, pairs of words in a row and tags; each
/// counts the facts that hold it, a pair and a name more than a tag.
pub(crate) fn title(
    facts: &[LabelledFact],
    ranked: &[&LabelledFact],
    other_titles: &[String],
) -> String {
    let taken: BTreeSet<String> = other_titles.iter().map(|it| normalise_claim(it)).collect();
    let candidates = candidates(facts);
    let free = |title: &String| !title.is_empty() && !taken.contains(&normalise_claim(title));
    let single = candidates.iter().map(|it| titled(it)).find(free);
    let joined = || {
        let first = candidates.first()?;
        candidates
            .iter()
            .skip(1)
            .filter(|other| !shares_stem(first, other))
            .map(|other| format!("{} and {other}", titled(first)))
            .find(free)
    };
    single
        .or_else(joined)
        .or_else(|| {
            let words = folded_words(&ranked.first()?.text);
            let words: Vec<String> = words
                .into_iter()
                .filter(|word| is_of_matter(word))
                .take(4)
                .collect();
            Some(titled(&words.join(" ")))
        })
        .unwrap_or_default()
}

/// What may name the topic, best first.
fn candidates(facts: &[LabelledFact]) -> Vec<String> {
    let mut holders: BTreeMap<String, (BTreeSet<&str>, usize)> = BTreeMap::new();
    for fact in facts {
        let mut add = |name: String, weight: usize| {
            let held = holders.entry(name).or_default();
            held.0.insert(fact.label.as_str());
            held.1 = held.1.max(weight);
        };
        for tag in fact.tags.iter().filter(|tag| is_of_matter(tag)) {
            add(tag.clone(), 2);
        }
        let words = folded_words(&fact.text);
        for pair in words.windows(2) {
            if pair.iter().all(|word| is_of_matter(word)) {
                add(pair.join(" "), 3);
            }
        }
    }
    // People are on a page of their own; a topic is named by what they speak of.
    let people: BTreeSet<String> = facts
        .iter()
        .flat_map(|it| folded_words(&it.author))
        .collect();
    let mut scored: Vec<(usize, String)> = holders
        .into_iter()
        .filter(|(name, _)| !name.split(' ').any(|word| people.contains(word)))
        .filter(|(_, (labels, _))| labels.len() > 1 || facts.len() < 3)
        .map(|(name, (labels, weight))| (labels.len() * weight, name))
        .collect();
    scored.sort_by(|(x, a), (y, b)| y.cmp(x).then_with(|| a.cmp(b)));
    scored.into_iter().map(|(_, name)| name).collect()
}

fn is_of_matter(word: &str) -> bool {
    let is_dense = word.chars().any(atlas_core::grounding::is_dense_script);
    let is_long = word.chars().count() >= if is_dense { 2 } else { MIN_LETTERS };
    is_long && !word.chars().any(char::is_numeric) && !word.split(' ').any(is_stop_word)
}

fn shares_stem(a: &str, b: &str) -> bool {
    let stems = |text: &str| -> BTreeSet<String> { text.split(' ').map(stem).collect() };
    !stems(a).is_disjoint(&stems(b))
}

/// The name with a capital first letter.
fn titled(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
