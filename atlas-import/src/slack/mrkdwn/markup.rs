//! `<…>`: people, channels, groups, dates and links.

use super::emoji_codes::in_plain_text;
use super::token::decode;
use crate::slack::scribe::Scribe;
use crate::slack::time;

/// Reads markup whose `<` is already read: what a reader sees, and the text after the `>`.
///
/// What is no markup, such as the `<T>` of unescaped code, gives nothing.
pub(super) fn read<'t>(text: &'t str, scribe: &mut Scribe<'_>) -> Option<(String, &'t str)> {
    let end = text.find(['<', '>', '\n'])?;
    let body = text.get(..end)?;
    let after = text.get(end..)?.strip_prefix('>')?;
    let (target, label) = match body.split_once('|') {
        Some((target, label)) => (target, Some(in_plain_text(&decode(label)))),
        None => (body, None),
    };
    let label = label.as_deref().filter(|label| !label.trim().is_empty());
    let mut kind = target.chars();
    let seen = match kind.next()? {
        '@' => scribe.user(id(kind.as_str())?, label),
        '#' => scribe.channel(id(kind.as_str())?, label),
        '!' => special(kind.as_str(), label, scribe)?,
        _ if is_url(target) => scribe.link(&decode(target), label),
        _ => return None,
    };
    Some((seen, after))
}

fn id(text: &str) -> Option<&str> {
    let is_id = !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_id.then_some(text)
}

/// `<!here>`, `<!subteam^S1|@team>`, `<!date^1392734382^{date}|18 February>`.
fn special(command: &str, label: Option<&str>, scribe: &mut Scribe<'_>) -> Option<String> {
    let mut parts = command.split('^');
    let name = parts.next().filter(|name| !name.is_empty())?;
    Some(match (name, parts.next()) {
        ("subteam", Some(group)) => scribe.group(group, label),
        ("date", Some(seconds)) => label.map_or_else(|| date(seconds), str::to_owned),
        ("here" | "channel" | "everyone" | "group", _) => format!("@{name}"),
        _ => label.map_or_else(|| format!("@{}", decode(name)), str::to_owned),
    })
}

/// A moment that no fallback words; as it stands if it is none.
pub(in crate::slack) fn date(seconds: &str) -> String {
    time::instant(seconds).map_or_else(|| seconds.to_owned(), |instant| instant.to_string())
}

fn is_url(target: &str) -> bool {
    let Some((scheme, rest)) = target.split_once(':') else {
        return false;
    };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    is_scheme && (rest.starts_with("//") || matches!(scheme, "mailto" | "tel" | "sms"))
}
