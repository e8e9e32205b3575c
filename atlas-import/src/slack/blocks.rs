//! The text of Block Kit: rich text as people write it, sections as programs do.

use serde_json::Value;

use super::mrkdwn::{self, date, in_plain_text};
use super::scribe::Scribe;
use super::{emoji, time};
use crate::json::{bool_of, list_of, object_of, text_of};

/// How deep blocks may nest; a list in a list in a quote is three deep.
const DEPTH: usize = 16;

/// One level of a list.
const INDENT: &str = "    ";

/// The text of blocks, one below the other.
pub(super) fn text(blocks: &[Value], scribe: &mut Scribe<'_>) -> String {
    let texts = blocks.iter().map(|block| block_text(block, scribe));
    joined(texts, "\n")
}

/// Joins what is not blank.
pub(super) fn joined(texts: impl IntoIterator<Item = String>, separator: &str) -> String {
    let texts: Vec<String> = texts
        .into_iter()
        .filter(|text| !text.trim().is_empty())
        .collect();
    texts.join(separator)
}

fn block_text(block: &Value, scribe: &mut Scribe<'_>) -> String {
    match text_of(block, "type") {
        Some("rich_text") => rich_text(block, scribe, DEPTH),
        Some("context") => {
            let elements = list_of(block, "elements").iter();
            joined(elements.map(|element| text_object(element, scribe)), " ")
        }
        Some("markdown") => text_of(block, "text").unwrap_or_default().to_owned(),
        Some("image" | "video") => {
            let title = object_of(block, "title");
            title
                .map(|title| text_object(title, scribe))
                .unwrap_or_default()
        }
        Some("table") => {
            let rows = list_of(block, "rows").iter().filter_map(Value::as_array);
            let rows = rows.map(|row| {
                let cells = row.iter().map(|cell| match text_of(cell, "type") {
                    Some("rich_text") => rich_text(cell, scribe, DEPTH),
                    _ => text_of(cell, "text").unwrap_or_default().to_owned(),
                });
                joined(cells, " | ")
            });
            joined(rows.collect::<Vec<_>>(), "\n")
        }
        _ => {
            let text = object_of(block, "text").into_iter();
            let fields = list_of(block, "fields").iter();
            joined(
                text.chain(fields).map(|object| text_object(object, scribe)),
                "\n",
            )
        }
    }
}

/// `{"type": "mrkdwn" | "plain_text", "text": …}`.
fn text_object(object: &Value, scribe: &mut Scribe<'_>) -> String {
    let text = text_of(object, "text").unwrap_or_default();
    match text_of(object, "type") {
        Some("mrkdwn") => mrkdwn::render(text, scribe),
        Some("plain_text") if object.get("emoji") == Some(&Value::Bool(false)) => text.to_owned(),
        Some("plain_text") => in_plain_text(text),
        _ => String::new(),
    }
}

/// A rich text or one of its parts; parts are one below the other.
fn rich_text(element: &Value, scribe: &mut Scribe<'_>, depth: usize) -> String {
    let Some(depth) = depth.checked_sub(1) else {
        return String::new();
    };
    let inside = list_of(element, "elements");
    match text_of(element, "type") {
        Some("rich_text_section") => inside.iter().map(|piece| inline(piece, scribe)).collect(),
        Some("rich_text_preformatted") => {
            let code: String = inside
                .iter()
                .map(|piece| plain_inline(piece, scribe))
                .collect();
            format!("```{code}```")
        }
        Some("rich_text_quote") => {
            let quoted: String = inside.iter().map(|piece| inline(piece, scribe)).collect();
            quote(&quoted)
        }
        Some("rich_text_list") => list(element, scribe, depth),
        Some("rich_text") => {
            let parts = inside.iter().map(|part| {
                let text = rich_text(part, scribe, depth);
                text.strip_suffix('\n').map(str::to_owned).unwrap_or(text)
            });
            let parts: Vec<String> = parts.collect();
            joined(parts, "\n")
        }
        _ => String::new(),
    }
}

/// Puts `> ` before each line.
pub(super) fn quote(text: &str) -> String {
    let lines: Vec<String> = text
        .trim_end_matches('\n')
        .split('\n')
        .map(|line| {
            if line.is_empty() {
                ">".to_owned()
            } else {
                format!("> {line}")
            }
        })
        .collect();
    lines.join("\n")
}

fn list(list: &Value, scribe: &mut Scribe<'_>, depth: usize) -> String {
    let number = |field| list.get(field).and_then(Value::as_u64).unwrap_or(0);
    let is_ordered = text_of(list, "style") == Some("ordered");
    let indent = INDENT.repeat(usize::try_from(number("indent")).unwrap_or(0).min(DEPTH));
    let items = list_of(list, "elements").iter().zip(number("offset")..);
    let items = items.map(|(item, before)| {
        let text = rich_text(item, scribe, depth);
        if is_ordered {
            format!("{indent}{}. {text}", before.saturating_add(1))
        } else {
            format!("{indent}• {text}")
        }
    });
    joined(items.collect::<Vec<_>>(), "\n")
}

fn inline(piece: &Value, scribe: &mut Scribe<'_>) -> String {
    let seen = plain_inline(piece, scribe);
    let is_code = object_of(piece, "style").is_some_and(|style| bool_of(style, "code"));
    if is_code && !seen.is_empty() {
        format!("`{seen}`")
    } else {
        seen
    }
}

/// Text here is as typed: no entities, no marks, no codes.
fn plain_inline(piece: &Value, scribe: &mut Scribe<'_>) -> String {
    let field = |name| text_of(piece, name);
    let text = || piece.get("text").and_then(Value::as_str);
    match field("type") {
        Some("text") => text().unwrap_or_default().to_owned(),
        Some("link") => field("url")
            .map(|url| scribe.link(url, text()))
            .unwrap_or_default(),
        Some("user") => field("user_id")
            .map(|id| scribe.user(id, None))
            .unwrap_or_default(),
        Some("usergroup") => field("usergroup_id")
            .map(|id| scribe.group(id, None))
            .unwrap_or_default(),
        Some("channel") => field("channel_id")
            .map(|id| scribe.channel(id, None))
            .unwrap_or_default(),
        Some("broadcast") => field("range")
            .map(|range| format!("@{range}"))
            .unwrap_or_default(),
        Some("color") => field("value").unwrap_or_default().to_owned(),
        Some("emoji") => emoji_piece(piece),
        Some("date") => date_piece(piece),
        _ => String::new(),
    }
}

fn date_piece(piece: &Value) -> String {
    if let Some(fallback) = text_of(piece, "fallback") {
        return fallback.to_owned();
    }
    let seconds = piece.get("timestamp").and_then(time::text);
    seconds.map(|seconds| date(&seconds)).unwrap_or_default()
}

fn emoji_piece(piece: &Value) -> String {
    let Some(name) = text_of(piece, "name") else {
        return String::new();
    };
    let tone = piece.get("skin_tone").and_then(Value::as_u64);
    match emoji::named(name) {
        Some(known) => tone.map_or(known.clone(), |tone| emoji::with_tone(&known, tone)),
        None => unicode(piece).unwrap_or_else(|| format!("({name})")),
    }
}

/// `"1f468-200d-1f4bb"`: the code points of an emoji that is younger than our list.
fn unicode(piece: &Value) -> Option<String> {
    let points = text_of(piece, "unicode")?.split('-');
    points
        .map(|point| u32::from_str_radix(point, 16).ok().and_then(char::from_u32))
        .collect()
}
