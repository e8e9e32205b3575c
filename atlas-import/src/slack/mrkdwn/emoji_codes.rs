//! Emoji codes in a text.

use super::token::{Token, text};
use crate::slack::emoji;

/// Longer than any name that Slack allows.
const LONGEST_NAME: usize = 100;

/// Replaces emoji codes in text that has no other markup.
pub(in crate::slack) fn in_plain_text(plain: &str) -> String {
    text(&fold(plain.chars().map(Token::Char).collect()))
}

/// Replaces each known code by its emoji and each code of a custom emoji by its name in
/// parentheses.
///
/// Colons between letters or digits on both sides are no code: `10:30:45`, `urn:isbn:1`; nor
/// are double colons around an unknown name: `std::vec::Vec`.
pub(super) fn fold(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|token| token.is(':')) {
        return tokens;
    }
    let mut folded: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.as_slice();
    while let Some((first, after)) = rest.split_first() {
        let before = folded.last().and_then(Token::char);
        let seen = code(rest).and_then(|code| Some((code.seen(before)?, code.after)));
        if let Some((seen, after)) = seen {
            folded.push(Token::Whole(seen));
            rest = after;
        } else {
            folded.push(first.clone());
            rest = after;
        }
    }
    folded
}

/// Something between two colons, with the skin tone that follows it.
struct Code<'t> {
    name: String,
    after: &'t [Token],
}

fn code(tokens: &[Token]) -> Option<Code<'_>> {
    let (name, after) = name(tokens)?;
    if let Some((tone, after)) = self::name(after)
        && tone.starts_with("skin-tone-")
    {
        return Some(Code {
            name: format!("{name}::{tone}"),
            after,
        });
    }
    Some(Code { name, after })
}

fn name(tokens: &[Token]) -> Option<(String, &[Token])> {
    let (colon, inside) = tokens.split_first()?;
    let is_part = |c: char| (c.is_alphanumeric() && !c.is_uppercase()) || "_+-'".contains(c);
    let name: String = inside
        .iter()
        .map_while(|token| token.char().filter(|c| is_part(*c)))
        .take(LONGEST_NAME)
        .collect();
    let (end, after) = inside.get(name.chars().count()..)?.split_first()?;
    (colon.is(':') && end.is(':') && !name.is_empty()).then_some((name, after))
}

impl Code<'_> {
    /// What a reader sees, if it is a code after the character `before`.
    fn seen(&self, before: Option<char>) -> Option<String> {
        let next = self.after.first().and_then(Token::char);
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        if is_word(before) && is_word(next) {
            return None;
        }
        let is_number = self
            .name
            .chars()
            .all(|c| !c.is_alphabetic() && !"+-".contains(c));
        if is_number && (is_word(before) || is_word(next)) {
            return None;
        }
        if let Some(emoji) = emoji::named(&self.name) {
            return Some(emoji);
        }
        let stands_apart = before != Some(':') && (next != Some(':') || code(self.after).is_some());
        let name = self.name.split("::").next().unwrap_or_default();
        (stands_apart && name.contains(char::is_alphabetic)).then(|| format!("({name})"))
    }
}
