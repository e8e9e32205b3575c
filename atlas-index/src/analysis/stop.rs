//! Words that say nothing in a question.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::Word;
use super::fold::fold;

/// The stop words of each language, folded as words are.
static STOP_WORDS: LazyLock<BTreeMap<&'static str, BTreeSet<String>>> = LazyLock::new(|| {
    stop_words::available_languages()
        .iter()
        .filter_map(|code| {
            let words = stop_words::lookup(code)?;
            Some((*code, words.iter().map(|word| fold(word)).collect()))
        })
        .collect()
});

/// The stop words of one question.
pub(super) struct StopWords(Vec<&'static BTreeSet<String>>);

impl StopWords {
    /// The stop words of a question that is asked against documents of these languages.
    ///
    /// A question is taken to be in the language that most of its words are stop words of, or in
    /// each of those where several have as many: `die` is a stop word of a German question and
    /// none of an English one. What is asked of texts in no known language is taken for English.
    pub(super) fn of_question(words: &BTreeSet<Word>, languages: &BTreeSet<&str>) -> Self {
        let mut best = Vec::new();
        let mut n_best = 1;
        let lists = languages.iter().filter_map(|language| {
            let language = if *language == "und" { "en" } else { language };
            STOP_WORDS.get(language)
        });
        for list in lists {
            let n_stop = words
                .iter()
                .filter(|word| list.contains(word.surface()))
                .count();
            if n_stop > n_best {
                best.clear();
                n_best = n_stop;
            }
            if n_stop == n_best {
                best.push(list);
            }
        }
        Self(best)
    }

    pub(super) fn contain(&self, word: &Word) -> bool {
        self.0.iter().any(|list| list.contains(word.surface()))
    }
}
