//! Text as the stages compare and measure it.

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use crate::grounding::is_dense_script;

/// Folds a text for comparison: compatibility forms, case and accents gone, white space single.
pub fn fold(text: &str) -> String {
    let folded: String = text
        .nfkd()
        .filter(|c| !is_accent(*c))
        .flat_map(char::to_lowercase)
        .nfc()
        .collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the mark is an accent on a letter. The marks of Indic, Thai and other scripts are vowels,
/// and words that differ in them are different words.
fn is_accent(c: char) -> bool {
    matches!(u32::from(c), 0x0300..=0x036F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F)
}

/// The words of a text, folded, in order.
pub fn words(text: &str) -> Vec<String> {
    fold(text).unicode_words().map(str::to_owned).collect()
}

/// A guess at the tokens of a text, before any server has counted them: a third of its letters, and
/// one for each letter of a script without spaces.
pub fn estimate_tokens(text: &str) -> usize {
    let dense = text.chars().filter(|c| is_dense_script(*c)).count();
    let other = text.chars().count() - dense;
    dense + other.div_ceil(3)
}

/// A claim as its identity sees it: its words, without punctuation.
///
/// A text without words keeps its folded form, so that two of them stay apart.
pub fn normalise_claim(text: &str) -> String {
    let words = words(text);
    if words.is_empty() {
        fold(text)
    } else {
        words.join(" ")
    }
}

/// A name as aliases compare it: its words, without punctuation.
pub fn normalise_name(name: &str) -> String {
    normalise_claim(name.trim_start_matches('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(normalise_claim(text), expected);
    }

    #[test]
    fn scripts_without_spaces_have_a_token_a_letter() {
        assert_eq!(estimate_tokens(""), 0);
        assert_eq!(estimate_tokens(&"a".repeat(90)), 30);
        assert_eq!(estimate_tokens(&"汉".repeat(90)), 90);
        assert_eq!(estimate_tokens("汉字 ok"), 3);
    }

    #[test]
    fn claims_that_differ_in_form_only_are_one() {
        check("The launch is on  12 May.", "the launch is on 12 may");
        check("THE LAUNCH is on 12 May!", "the launch is on 12 may");
        check("Café à côté", "cafe a cote");
        check("ｆｕｌｌ１２", "full12");
        check("İstanbul", "istanbul");
        check("👍", "👍");
        check("कि", "कि");
        check("की", "की");
        check("", "");
    }
}
