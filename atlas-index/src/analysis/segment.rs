//! Text to pieces: words, wholes, runs of scripts without spaces, emoji.

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::script::{is_emoji, is_gap, is_ignorable, is_unspaced, is_wordly};

/// The longest piece that is also looked for joined, in characters.
const MAX_JOINED_CHARS: usize = 40;

/// A piece of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A word of a script with spaces, or a part of one.
    Word(&'a str),
    /// Several words written as one, whole.
    Whole(&'a str),
    /// Neighbouring characters of scripts without spaces, at least one.
    Run(Vec<char>),
    /// A picture.
    Emoji(char),
}

/// Cuts a text and hands over its pieces in order.
pub(super) fn pieces(text: &str, mut take: impl FnMut(Piece<'_>)) {
    let text: String = text.nfkc().filter(|c| !is_ignorable(*c)).collect();
    for chunk in text.split(is_gap).filter(|chunk| !chunk.is_empty()) {
        let mut spaced = String::new();
        let mut run = Vec::new();
        for c in chunk.chars() {
            if is_unspaced(c) {
                flush_spaced(&mut spaced, &mut take);
                run.push(c);
                continue;
            }
            if !run.is_empty() {
                take(Piece::Run(std::mem::take(&mut run)));
            }
            if is_emoji(c) {
                flush_spaced(&mut spaced, &mut take);
                take(Piece::Emoji(c));
            } else {
                spaced.push(c);
            }
        }
        if !run.is_empty() {
            take(Piece::Run(run));
        }
        flush_spaced(&mut spaced, &mut take);
    }
}

fn flush_spaced(spaced: &mut String, take: &mut impl FnMut(Piece<'_>)) {
    if spaced.is_empty() {
        return;
    }
    let core = without_edges(spaced);
    // A mark that stands on punctuation makes a word of it by the rules of Unicode.
    let mut parts = core
        .unicode_words()
        .map(|part| part.trim_matches(|c| !is_wordly(c)))
        .filter(|part| !part.is_empty())
        .peekable();
    if parts.peek().is_some_and(|first| *first != core) {
        take(Piece::Whole(core));
    }
    for part in parts {
        take(Piece::Word(part));
        let mut inner = Vec::new();
        for piece in part.split(|c| !is_wordly(c)) {
            split_case(piece, &mut inner);
        }
        let is_compound = inner.len() > 1;
        for piece in inner.into_iter().filter(|it| is_compound && is_telling(it)) {
            take(Piece::Word(piece));
        }
    }
    spaced.clear();
}

/// A piece without the punctuation around it, but for what belongs to names: `#tag`, `@name`,
/// `$VAR`, `C++`, `C#`.
fn without_edges(piece: &str) -> &str {
    let trimmed = piece.trim_matches(|c| !is_wordly(c));
    if trimmed.is_empty() {
        return trimmed;
    }
    let Some(start) = piece.find(is_wordly) else {
        return trimmed;
    };
    let sign = piece
        .char_indices()
        .take_while(|(at, _)| *at < start)
        .last()
        .filter(|(_, c)| matches!(c, '#' | '@' | '$'));
    let start = sign.map_or(start, |(at, _)| at);
    let tail = piece.trim_end_matches(|c| !is_wordly(c) && !matches!(c, '+' | '#'));
    // The signs at the end count only where they follow the word at once.
    let end = tail
        .char_indices()
        .rev()
        .find(|(_, c)| is_wordly(*c))
        .map_or(tail.len(), |(at, c)| at + c.len_utf8());
    let signs = tail
        .get(end..)
        .unwrap_or_default()
        .chars()
        .take_while(|c| matches!(c, '+' | '#'))
        .map(char::len_utf8)
        .sum::<usize>();
    piece.get(start..end + signs).unwrap_or(trimmed)
}

/// Splits where a small letter is followed by a capital: `GitHub`.
fn split_case<'a>(word: &'a str, into: &mut Vec<&'a str>) {
    let mut rest = word;
    let mut was_small = false;
    let mut from = 0;
    for (at, c) in word.char_indices() {
        if was_small && c.is_uppercase() {
            let (head, tail) = rest.split_at_checked(at - from).unwrap_or((rest, ""));
            into.push(head);
            rest = tail;
            from = at;
        }
        was_small = c.is_lowercase();
    }
    if !rest.is_empty() {
        into.push(rest);
    }
}

/// Whether a part of a word says anything by itself: the `s` of `Alice's` does not.
fn is_telling(part: &str) -> bool {
    let mut chars = part.chars();
    let first = chars.next();
    chars.next().is_some() || first.is_some_and(|c| c.is_numeric() || !c.is_ascii())
}

/// A name without the marks that people leave out of it: `pre-edit`, `don't`, `U.S.A`, `1,000`.
pub(super) fn joined(piece: &str) -> Option<String> {
    let is_mark = |c: char| {
        matches!(
            c,
            '-' | '\'' | '\u{2019}' | '\u{2010}' | '\u{2011}' | '.' | '_' | ','
        )
    };
    let mut n_chars = 0;
    let mut has_mark = false;
    for c in piece.chars() {
        n_chars += 1;
        has_mark |= is_mark(c);
        if n_chars > MAX_JOINED_CHARS || !(is_mark(c) || is_wordly(c)) {
            return None;
        }
    }
    has_mark.then(|| super::fold::fold(&piece.replace(is_mark, "")))
}
