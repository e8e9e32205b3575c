//! Words to what they speak of: the subjects of slots.

use atlas_core::text::fold;

use crate::text::cue::Words;
use crate::text::stem::singular;

/// Words that lead to a subject without being part of it.
static LEADING: Words = Words::new(
    "the a an our my your this that these those their his her its so ok okay and but also now then \
    update fyi btw yes no well decision note reminder i think believe we today currently apparently \
    finally actually officially new current official ah oh hey hi all team both der die das unser unsere \
    el la los las nuestro nuestra le les notre",
);

/// Words that end a subject without being part of it.
static TRAILING: Words = Words::new(
    "date day time deadline has have had is are was were been also now still officially currently \
    finally already just probably \
    itself again then schedule instead",
);

/// Words that point to a subject that stands elsewhere.
static POINTING: Words = Words::new(
    "it this that they he she there these those everything something nothing everyone someone \
    who what which one we you i me us them here all both none such thing things stuff part rest same \
    es er sie ello eso esto il elle ça je nous on wir",
);

/// The subject in the words: lower case, without articles and what else surrounds it; none if it
/// only points elsewhere or is too long to be a name of something.
pub(super) fn subject(words: &str) -> Option<String> {
    let folded = fold(words);
    let mut words: Vec<&str> = folded
        .split(|c: char| {
            c.is_whitespace()
                || matches!(c, ',' | ';' | ':' | '"' | '(' | ')' | '!' | '?' | '*' | '`')
        })
        .filter(|word| !word.is_empty())
        .collect();
    // `the date of the launch` is the launch.
    if let Some(at) = words.windows(2).position(|pair| {
        matches!(pair, [noun, of] if TRAILING.has(noun) && matches!(*of, "of" | "for" | "del" | "der"))
    }) {
        words.drain(..at + 2);
    }
    while words.first().is_some_and(|word| LEADING.has(word)) && words.len() > 1 {
        words.remove(0);
    }
    while words.last().is_some_and(|word| TRAILING.has(word)) && words.len() > 1 {
        words.pop();
    }
    if words.is_empty()
        || words.len() > 6
        || words
            .iter()
            .all(|word| POINTING.has(word) || LEADING.has(word))
    {
        return None;
    }
    let last = words.len() - 1;
    let singulars: Vec<String> = words
        .iter()
        .enumerate()
        .map(|(at, word)| {
            let word = word.trim_matches(['.', '\'', '@']);
            if at == last {
                singular(word)
            } else {
                word.to_owned()
            }
        })
        .collect();
    let subject = singulars.join(" ");
    let is_sound = subject.chars().any(char::is_alphabetic);
    is_sound.then_some(subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_bare() {
        for (words, expected) in [
            ("the launch", Some("launch")),
            ("So the launch date", Some("launch")),
            ("the date of the launch", Some("launch")),
            ("Our API tests", Some("api test")),
            ("it", None),
            ("", None),
            ("billing", Some("billing")),
        ] {
            assert_eq!(subject(words).as_deref(), expected, "{words}");
        }
    }
}
