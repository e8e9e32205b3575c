//! Text to words that can be found.
//!
//! One function cuts and folds both what is indexed and what is asked, so the two meet:
//!
//! - A text is cut at white space, then where scripts without spaces begin and end.
//! - In scripts with spaces each piece gives its words ([Unicode word boundaries]), the parts of
//!   words that are put together (`snake_case`, `GitHub`, `don't`), and itself whole where it is
//!   more than one word (`pre-edit`, `GB/s`, `C++`, `#channel`, an address), joined as well
//!   (`preedit`).
//! - In scripts without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese and a few
//!   more) a run gives every two neighbours; a document also gives every single character, and a
//!   question only where a run is one character long.
//! - An emoji is a word.
//!
//! A [`Word`] is a set of terms for one place in the text: the word folded, and its stems. What
//! language a question is in cannot be told from three words, so a document gives its words with
//! the stems of its own language, and a question with those of every language that it is asked
//! against. A question's word counts once for a document: by its best term.
//!
//! Stems are made twice, before the accents go and after: suffix rules need the accents (Russian
//! `й`, French `é`), and a question is often typed without them.
//!
//! [Unicode word boundaries]: https://www.unicode.org/reports/tr29/

mod fingerprint;
mod fold;
mod language;
mod script;
mod segment;
mod stem;
mod stop;

use std::collections::BTreeSet;

pub(crate) use fingerprint::fingerprint;
pub(crate) use language::resolve;
use segment::Piece;
use stop::StopWords;

/// A term is cut after this many characters, in documents and in questions alike: tantivy takes
/// no term above 64 KiB, and nobody looks for the end of such a word.
const MAX_TERM_CHARS: usize = 200;

/// One word of a text: the terms that stand for it, the word itself first, never none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Word {
    terms: Vec<String>,
}

impl Word {
    /// The terms: the folded word, then what else it is found by, each once.
    pub(crate) fn terms(&self) -> &[String] {
        &self.terms
    }

    /// The terms, to keep.
    pub(crate) fn into_terms(self) -> Vec<String> {
        self.terms
    }

    fn of(terms: impl IntoIterator<Item = String>) -> Option<Self> {
        let mut distinct: Vec<String> = Vec::new();
        for term in terms {
            let term: String = term.chars().take(MAX_TERM_CHARS).collect();
            if !term.is_empty() && !distinct.contains(&term) {
                distinct.push(term);
            }
        }
        (!distinct.is_empty()).then_some(Self { terms: distinct })
    }

    fn surface(&self) -> &str {
        self.terms.first().map_or("", String::as_str)
    }
}

/// The words of a document in a [resolved](resolve) language, in order, as often as they occur.
pub(crate) fn of_document(text: &str, language: &str) -> Vec<Word> {
    let stems = stem::codes_of(language);
    let mut words = Vec::new();
    segment::pieces(text, |piece| {
        if let Piece::Run(run) = &piece
            && run.len() > 1
        {
            words.extend(
                run.iter()
                    .filter_map(|c| Word::of([fold::fold(&c.to_string())])),
            );
        }
        push_words(&piece, &stems, &mut words);
    });
    words
}

/// The words of a question that is asked against documents of these [resolved](resolve) languages:
/// each once, in order of their terms. Stop words are left out if anything else remains.
pub(crate) fn of_question(text: &str, languages: &BTreeSet<&str>) -> Vec<Word> {
    let stems: BTreeSet<&'static str> = languages
        .iter()
        .flat_map(|language| stem::codes_of(language))
        .collect();
    let stems: Vec<&'static str> = stems.into_iter().collect();
    let mut words = Vec::new();
    segment::pieces(text, |piece| push_words(&piece, &stems, &mut words));
    let mut words: BTreeSet<Word> = words.into_iter().collect();
    let stop_words = StopWords::of_question(&words, languages);
    if words.iter().any(|word| !stop_words.contain(word)) {
        words.retain(|word| !stop_words.contain(word));
    }
    words.into_iter().collect()
}

fn push_words(piece: &Piece<'_>, stems: &[&'static str], words: &mut Vec<Word>) {
    match piece {
        Piece::Run(run) => match run.as_slice() {
            [only] => words.extend(Word::of([fold::fold(&only.to_string())])),
            longer => words.extend(longer.windows(2).filter_map(|pair| {
                let pair: String = pair.iter().collect();
                Word::of([fold::fold(&pair)])
            })),
        },
        Piece::Emoji(emoji) => words.extend(Word::of([emoji.to_string()])),
        Piece::Word(word) => {
            let forms = std::iter::once(fold::fold(word))
                .chain(segment::joined(word))
                .chain(stem::stems(word, stems));
            words.extend(Word::of(forms));
        }
        Piece::Whole(whole) => {
            let forms = std::iter::once(fold::fold(whole)).chain(segment::joined(whole));
            words.extend(Word::of(forms));
        }
    }
}

#[cfg(test)]
mod tests;
