//! What a question asks for.

use std::collections::BTreeSet;

use crate::text::words;

/// Words of a name at most.
const NAME_WORDS: usize = 4;
/// Names that a question may hold; a longer text is no question about more of them.
const MAX_NAMES: usize = 64;

/// Words that ask for what is latest.
const RECENT: [&str; 14] = [
    "latest",
    "newest",
    "current",
    "currently",
    "now",
    "recent",
    "recently",
    "today",
    "last",
    "aktuell",
    "ahora",
    "actual",
    "现在",
    "最新",
];

/// Words that ask or join and never name anything by themselves.
const GRAMMAR: [&str; 56] = [
    "a", "about", "an", "and", "any", "are", "at", "be", "by", "can", "did", "do", "does", "for",
    "from", "had", "has", "have", "how", "i", "in", "is", "it", "many", "me", "much", "of", "on",
    "or", "our", "should", "that", "the", "their", "there", "they", "this", "to", "us", "was",
    "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with",
    "would", "you", "your", "tell",
];

/// A question, as far as its words tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The words that carry it, folded, in order.
    pub words: Vec<String>,
    /// What may be names in it, normalised, the longest first.
    pub names: Vec<String>,
    /// Whether it asks for what is latest.
    pub is_recent: bool,
}

/// Reads a question.
pub fn read(text: &str) -> Question {
    let all: Vec<String> = words(text).into_iter().take(256).collect();
    let mut names: BTreeSet<(std::cmp::Reverse<usize>, String)> = BTreeSet::new();
    for size in 1..=NAME_WORDS {
        for run in all.windows(size) {
            let is_grammar = |word: &String| GRAMMAR.contains(&word.as_str());
            let edges = [run.first(), run.last()];
            if edges.into_iter().flatten().any(is_grammar) {
                continue;
            }
            names.insert((std::cmp::Reverse(size), run.join(" ")));
        }
    }
    Question {
        is_recent: all.iter().any(|word| RECENT.contains(&word.as_str())),
        names: names
            .into_iter()
            .map(|(_, name)| name)
            .take(MAX_NAMES)
            .collect(),
        words: all
            .into_iter()
            .filter(|word| !GRAMMAR.contains(&word.as_str()))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_runs_that_neither_begin_nor_end_with_grammar() {
        let question = read("Who is the owner of Project Apollo now?");
        assert!(question.is_recent);
        assert_eq!(question.words, ["owner", "project", "apollo", "now"]);
        assert_eq!(
            question.names.first().map(String::as_str),
            Some("owner of project apollo")
        );
        assert!(question.names.contains(&"project apollo".to_owned()));
        assert!(!question.names.iter().any(|name| name.starts_with("the ")));
    }

    #[test]
    fn a_text_without_words_asks_nothing() {
        assert_eq!(read(" ?! 👍 "), Question::default());
    }
}
