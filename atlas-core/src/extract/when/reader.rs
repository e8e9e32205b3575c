//! A place among tokens that rules move forward.

use super::tokens::{Kind, Token};
use super::words::{TABLES, Table};

/// A place among tokens. Rules take it and give the place after what they read.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    tokens: &'a [Token],
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(tokens: &'a [Token], at: usize) -> Self {
        Self { tokens, at }
    }

    pub(super) fn token(self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    /// The token so many places before.
    pub(super) fn before(self, back: usize) -> Option<&'a Token> {
        self.tokens.get(self.at.checked_sub(back)?)
    }

    pub(super) fn next(self) -> Self {
        Self {
            at: self.at + 1,
            ..self
        }
    }

    fn is_at(self, text: &str) -> bool {
        self.token().is_some_and(|token| token.text == text)
    }

    /// After any one of the words, which must stand here.
    pub(super) fn eat(self, words: &[&str]) -> Option<Self> {
        words
            .iter()
            .any(|word| self.is_at(word))
            .then(|| self.next())
    }

    /// After the word, which must stand here without a space before it.
    pub(super) fn eat_glued(self, words: &[&str]) -> Option<Self> {
        self.token().filter(|token| token.is_glued)?;
        self.eat(words)
    }

    /// After any one of the words, if one stands here.
    pub(super) fn skip(self, words: &[&str]) -> Self {
        self.eat(words).unwrap_or(self)
    }

    /// The longest phrase of the table that stands here.
    pub(super) fn phrase<T: Copy>(self, table: &Table<T>) -> Option<(T, Self)> {
        let first = self.token()?;
        table
            .beginning_with(&first.text)
            .iter()
            .find(|(words, _)| {
                words
                    .iter()
                    .enumerate()
                    .all(|(i, word)| Self::new(self.tokens, self.at + i).is_at(word))
            })
            .map(|(words, meaning)| (*meaning, Self::new(self.tokens, self.at + words.len())))
    }

    /// A run of digits of at most so many.
    pub(super) fn digits(self, most: usize) -> Option<(i64, usize, Self)> {
        let token = self.token().filter(|it| it.kind == Kind::Number)?;
        if token.text.len() > most {
            return None;
        }
        Some((token.text.parse().ok()?, token.text.len(), self.next()))
    }

    /// A count: digits, with commas between thousands, or words.
    pub(super) fn count(self) -> Option<(i64, Self)> {
        if let Some((mut value, _, mut after)) = self.digits(12) {
            while let Some((more, 3, next)) = after
                .eat_glued(&[","])
                .filter(|it| it.token().is_some_and(|token| token.is_glued))
                .and_then(|it| it.digits(3))
            {
                value = value.checked_mul(1_000)?.checked_add(more)?;
                after = next;
            }
            return Some((value, after));
        }
        self.phrase(&TABLES.numbers)
            .or_else(|| self.chinese_number())
    }

    /// A Chinese number below a hundred.
    pub(super) fn chinese_number(self) -> Option<(i64, Self)> {
        let digit = |reader: Self| {
            let token = reader.token()?;
            let place = "一二三四五六七八九"
                .chars()
                .position(|c| token.text.starts_with(c));
            let value = match token.text.as_str() {
                "两" | "兩" => 2,
                _ => i64::try_from(place?).ok()? + 1,
            };
            Some((value, reader.next()))
        };
        let (tens, after) = match digit(self) {
            Some((value, after)) => match after.eat(&["十"]) {
                Some(after) => (value, after),
                None => return Some((value, after)),
            },
            None => (1, self.eat(&["十"])?),
        };
        match digit(after) {
            Some((ones, after)) => Some((tens * 10 + ones, after)),
            None => Some((tens * 10, after)),
        }
    }

    /// Whether a word of a script with spaces could begin here.
    pub(super) fn begins_cleanly(self) -> bool {
        let Some(token) = self.token().filter(|it| it.is_glued) else {
            return true;
        };
        let Some(before) = self.before(1) else {
            return true;
        };
        if before.is_text() && token.is_text() {
            return false;
        }
        let joins = matches!(
            before.text.as_str(),
            "." | "/" | "-" | ":" | "_" | "@" | "$" | "€" | "£" | "\\" | "&" | "="
        );
        let leans = before.is_glued && self.before(2).is_some_and(Token::is_text);
        !(joins
            && (leans
                || matches!(
                    before.text.as_str(),
                    "@" | "$" | "€" | "£" | "/" | "\\" | "_"
                )))
    }

    /// Whether what was read does not go on without a space.
    pub(super) fn ends_cleanly(self) -> bool {
        let Some(token) = self.token().filter(|it| it.is_glued) else {
            return true;
        };
        if token.is_text() {
            return self.before(1).is_some_and(|it| it.kind == Kind::Dense);
        }
        let goes_on = self
            .next()
            .token()
            .is_some_and(|it| it.is_glued && it.is_text());
        match token.text.as_str() {
            "%" | "_" | "@" | "\\" | "€" | "$" => false,
            "/" | "." | ":" | "," | "-" | "=" => !goes_on,
            _ => true,
        }
    }
}
