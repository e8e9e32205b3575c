//! Case, accents and compatibility forms gone.
//!
//! This is not `atlas_core::text::fold`: that one takes away every combining mark, among them the
//! vowels of Hindi and Thai, which tell words apart.

use unicode_normalization::UnicodeNormalization;

use super::script::{digit_value, is_accent, is_ignorable};

/// Folds a word or an identifier; what would fold to nothing is lower case only.
pub(super) fn fold(word: &str) -> String {
    if word.is_ascii() {
        // The same, for most words of most texts, in a fraction of the time.
        return word.to_ascii_lowercase();
    }
    let folded: String = word
        .nfkd()
        .filter(|c| !is_accent(*c) && !is_ignorable(*c))
        .flat_map(char::to_lowercase)
        .flat_map(plain)
        .nfc()
        .collect();
    if folded.is_empty() {
        word.to_lowercase()
    } else {
        folded
    }
}

/// Letters that people type for one another and that Unicode does not decompose.
fn plain(c: char) -> impl Iterator<Item = char> {
    let (first, second) = match c {
        'ß' => ('s', Some('s')),
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        'þ' => ('t', Some('h')),
        'ð' | 'đ' => ('d', None),
        'ø' => ('o', None),
        'ł' => ('l', None),
        'ħ' => ('h', None),
        // Turkish: `I` is the capital of it, and of `i` everywhere else.
        'ı' => ('i', None),
        'ς' => ('σ', None),
        '\u{2018}' | '\u{2019}' | '\u{02BC}' => ('\'', None),
        '\u{2010}' | '\u{2011}' => ('-', None),
        // Arabic and Persian: one letter each for those that keyboards mix up.
        'ى' | 'ی' => ('ي', None),
        'ک' => ('ك', None),
        'ة' => ('ه', None),
        other => (
            digit_value(other)
                .and_then(|value| char::from_digit(value, 10))
                .unwrap_or(other),
            None,
        ),
    };
    std::iter::once(first).chain(second)
}
