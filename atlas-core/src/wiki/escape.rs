//! People's words as Markdown that shows these words and does nothing else.

use crate::topic::code_span::{Part, parts};

/// A text on one line as Markdown: code stays code, addresses become links to themselves, and
/// nothing else has a meaning beyond its letters.
pub(super) fn inline(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut markdown = String::new();
    for part in parts(&line) {
        match part {
            Part::Plain(plain) => words(plain, &line, &mut markdown),
            Part::Code(inner) => markdown.push_str(&code(inner)),
        }
    }
    markdown
}

/// A text as a code span.
pub(super) fn code(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if line.starts_with('`') || line.ends_with('`') {
        " "
    } else {
        ""
    };
    // A bar would end a table's cell even within code; nothing here stands in a table.
    format!("{fence}{pad}{line}{pad}{fence}")
}

fn words(plain: &str, line: &str, markdown: &mut String) {
    let mut rest = plain;
    while !rest.is_empty() {
        let start = ["https://", "http://"]
            .into_iter()
            .filter_map(|scheme| rest.find(scheme))
            .min()
            .unwrap_or(rest.len());
        let (before, from) = rest.split_at(start);
        escape(before, line, markdown);
        let address = address(from);
        if address.is_empty() {
            // What begins like an address and is none.
            let (scheme, after) = from.split_at(from.find("//").unwrap_or(from.len()));
            escape(scheme, line, markdown);
            rest = after;
        } else {
            markdown.extend(["<", address, ">"]);
            rest = from.get(address.len()..).unwrap_or_default();
        }
    }
}

/// The address that the text begins with, without the punctuation that ends its sentence; empty if
/// it is none that can stand as it is.
fn address(text: &str) -> &str {
    let end = text
        .find(|c: char| c.is_whitespace() || c.is_control() || "<>\"'`\\|".contains(c))
        .unwrap_or(text.len());
    let address = text.get(..end).unwrap_or_default();
    let address = address.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}', '*', '_']);
    let after_scheme = address.split_once("://").map_or("", |(_, rest)| rest);
    let is_whole = after_scheme.starts_with(|c: char| c.is_alphanumeric());
    let has_code = after_scheme.contains("&amp;") || after_scheme.matches(':').count() > 1;
    if is_whole && !has_code { address } else { "" }
}

fn escape(plain: &str, line: &str, markdown: &mut String) {
    let mut is_number = markdown.is_empty();
    let mut rest = plain;
    while let Some(c) = rest.chars().next() {
        let before = markdown.chars().next_back();
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let next = after.chars().next();
        let follows_letter = before.is_some_and(char::is_alphanumeric);
        let is_special = match c {
            // These begin emphasis, code, links, images, tables and footnotes.
            '\\' | '`' | '*' | '[' | ']' | '|' => true,
            // Within a word it begins nothing.
            '_' => !(follows_letter && next.is_some_and(char::is_alphanumeric)),
            // One alone is a sign; two enclose what is struck out, raised or a formula.
            '~' | '$' | '^' => line.matches(c).count() > 1,
            ':' => begins_emoji_code(after),
            // What some readers take for an address of mail or of a page.
            '@' => follows_letter,
            '.' if is_number || ends_with_www(markdown) => true,
            ')' => is_number,
            // A list, a heading, or the end of a heading.
            '-' | '+' => markdown.is_empty(),
            '#' => !follows_letter,
            _ => false,
        };
        match c {
            '<' => markdown.push_str("&lt;"),
            '>' => markdown.push_str("&gt;"),
            // An entity would be read as what it names.
            '&' if next.is_some_and(|it| it.is_alphanumeric() || it == '#') => {
                markdown.push_str("&#38;");
            }
            _ if is_special => markdown.extend(['\\', c]),
            _ => markdown.push(c),
        }
        is_number = is_number && c.is_ascii_digit();
        rest = after;
    }
}

/// Whether what follows a colon makes it the beginning of an emoji code.
fn begins_emoji_code(after: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-');
    let rest = after.trim_start_matches(is_letter);
    rest.len() < after.len() && rest.starts_with(':')
}

/// Whether the text ends in what some readers take for the beginning of an address.
fn ends_with_www(text: &str) -> bool {
    let tail: String = text.chars().rev().take(3).collect();
    tail.eq_ignore_ascii_case("www")
}
