//! Text to the tokens that time expressions are made of.

use unicode_normalization::char::is_combining_mark;

use crate::grounding::is_dense_script;
use crate::text::fold;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A run of digits.
    Number,
    /// A run of letters of a script with spaces.
    Word,
    /// One letter of a script without spaces.
    Dense,
    /// Anything else that is not white space.
    Mark,
}

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Its letters, folded.
    pub(super) text: String,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it follows its neighbour without a space.
    pub(super) is_glued: bool,
    /// Whether a line begins with it.
    pub(super) begins_line: bool,
    /// Whether it begins with a capital letter.
    pub(super) is_capital: bool,
}

impl Token {
    /// Whether it is a word or a number.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Number)
    }
}

fn kind(c: char) -> Kind {
    if c.is_ascii_digit() || ('０'..='９').contains(&c) {
        Kind::Number
    } else if is_dense_script(c) {
        Kind::Dense
    } else if c.is_alphabetic() || is_combining_mark(c) {
        Kind::Word
    } else {
        Kind::Mark
    }
}

/// The tokens of a text, without those of web addresses.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut begins_line = false;
    let mut rest = text.char_indices().peekable();
    while let Some((start, first)) = rest.next() {
        if first.is_whitespace() {
            begins_line |= first == '\n';
            continue;
        }
        let of = kind(first);
        let mut end = start + first.len_utf8();
        if matches!(of, Kind::Number | Kind::Word) {
            while let Some((at, next)) = rest.next_if(|(_, next)| kind(*next) == of) {
                end = at + next.len_utf8();
            }
        }
        let after = text.get(end..).unwrap_or_default();
        if of == Kind::Word && after.starts_with("://") {
            while rest
                .next_if(|(_, next)| !next.is_whitespace() && kind(*next) != Kind::Dense)
                .is_some()
            {}
            continue;
        }
        let is_glued = tokens.last().is_some_and(|last| last.end == start);
        tokens.push(Token {
            kind: of,
            text: fold(text.get(start..end).unwrap_or_default()),
            start,
            end,
            is_glued,
            begins_line: std::mem::take(&mut begins_line),
            is_capital: first.is_uppercase(),
        });
    }
    tokens
}
