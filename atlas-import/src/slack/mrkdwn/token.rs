//! A text as characters and pieces that stay whole.

use super::markup;
use crate::slack::scribe::Scribe;

/// A character that may still be markup, or a piece that is final.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Char(char),
    Whole(String),
}

impl Token {
    pub(super) fn is(&self, c: char) -> bool {
        *self == Self::Char(c)
    }

    /// The character; a whole piece is none.
    pub(super) fn char(&self) -> Option<char> {
        match self {
            Self::Char(c) => Some(*c),
            Self::Whole(_) => None,
        }
    }

    /// Whether a line ends in it: emphasis does not reach across.
    pub(super) fn breaks_line(&self) -> bool {
        match self {
            Self::Char(c) => *c == '\n',
            Self::Whole(piece) => piece.contains('\n'),
        }
    }
}

/// The text of tokens.
pub(super) fn text(tokens: &[Token]) -> String {
    let mut text = String::with_capacity(tokens.len());
    for token in tokens {
        match token {
            Token::Char(c) => text.push(*c),
            Token::Whole(piece) => text.push_str(piece),
        }
    }
    text
}

/// Splits raw text; entities are decoded exactly once.
pub(super) fn tokens(raw: &str, scribe: &mut Scribe<'_>) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = raw;
    let mut follows_letter = false;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let (token, after) = match c {
            '<' => markup::read(after, scribe).map_or((Token::Char(c), after), |(piece, after)| {
                (Token::Whole(piece), after)
            }),
            '&' => entity(rest).map_or((Token::Char(c), after), |(c, after)| {
                (Token::Char(c), after)
            }),
            'h' if !follows_letter => {
                bare_url(rest).map_or((Token::Char(c), after), |(url, after)| {
                    let url = decode(url);
                    scribe.link(&url, None);
                    (Token::Whole(url), after)
                })
            }
            _ => (Token::Char(c), after),
        };
        follows_letter = token.char().is_some_and(char::is_alphanumeric);
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// The character of the entity that the text begins with, and the text after it.
fn entity(text: &str) -> Option<(char, &str)> {
    [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&')]
        .into_iter()
        .find_map(|(entity, c)| Some((c, text.strip_prefix(entity)?)))
}

/// Decodes the three entities that Slack writes, once.
pub(in crate::slack) fn decode(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let plain = (c, rest.get(c.len_utf8()..).unwrap_or_default());
        let (c, after) = entity(rest).unwrap_or(plain);
        decoded.push(c);
        rest = after;
    }
    decoded
}

/// A URL that a program wrote without `<…>`, and the text after it.
fn bare_url(text: &str) -> Option<(&str, &str)> {
    let scheme = ["https://", "http://"]
        .into_iter()
        .find(|scheme| text.starts_with(scheme))?;
    let ends = |c: char| c.is_whitespace() || c.is_control() || "<>|`\"".contains(c);
    let url = text.get(..text.find(ends).unwrap_or(text.len()))?;
    let url = ["&lt;", "&gt;"].iter().fold(url, |url, entity| {
        url.split_once(entity).map_or(url, |(before, _)| before)
    });
    let url = url.trim_end_matches(|c: char| ".,;:!?)]}'*_~".contains(c));
    let after = text.get(url.len()..)?;
    (url.len() > scheme.len()).then_some((url, after))
}
