//! Slack's markup to the text that a reader sees.
//!
//! Tokens first: `<…>` markup, entities and bare URLs each become one piece that later steps
//! leave alone; then code, emoji, emphasis and quotes. A NUL or any other control character
//! stays as it is.

mod code;
mod emoji_codes;
mod emphasis;
mod markup;
mod quotes;
mod token;

pub(super) use emoji_codes::in_plain_text;
pub(super) use markup::date;
pub(super) use token::decode;

use super::scribe::Scribe;

/// Renders a text; text without any of ``<>&*_~:` `` is unchanged.
pub(super) fn render(raw: &str, scribe: &mut Scribe<'_>) -> String {
    let tokens = token::tokens(raw, scribe);
    let tokens = code::fold(tokens);
    let tokens = emoji_codes::fold(tokens);
    let tokens = emphasis::strip(tokens);
    token::text(&quotes::space(tokens))
}

#[cfg(test)]
mod tests;
