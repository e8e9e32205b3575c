//! What must not be told.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// Words that are taken out of every text that leaves the crate.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<SecretString>);

/// What stands in the place of a secret.
const HIDDEN: &str = "[hidden]";

impl Secrets {
    /// Hides a word, which may be empty.
    pub(crate) fn add(&mut self, word: &str) {
        if !word.is_empty() {
            self.0.push(word.into());
            // The longest first: one secret may begin another.
            self.0
                .sort_by_key(|word| std::cmp::Reverse(word.expose_secret().len()));
        }
    }

    /// The text without the words.
    pub(crate) fn hide(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, word| {
            text.replace(word.expose_secret(), HIDDEN)
        })
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {HIDDEN}", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_secret_is_hidden_the_longer_before_the_shorter() {
        let mut secrets = Secrets::default();
        for word in ["sk-1", "", "sk-1-long"] {
            secrets.add(word);
        }
        let hidden = secrets.hide("got sk-1-long and sk-1, sk-2");
        assert_eq!(hidden, "got [hidden] and [hidden], sk-2");
        assert_eq!(format!("{secrets:?}"), "2 [hidden]");
    }
}
