//! Remains of the platform's markup.

use std::ops::Range;

use super::page::Page;

/// How much of the text around a remain is shown.
const SHOWN: usize = 24;

/// Every `<@`, `<#`, `&amp;` and `:name:` outside code, with what stands around it.
pub fn remains(markdown: &str, page: &Page) -> Vec<String> {
    let mut found: Vec<Range<usize>> = ["<@", "<#", "&amp;", "&lt;@", "&lt;#"]
        .into_iter()
        .flat_map(|remain| markdown.match_indices(remain))
        .map(|(at, remain)| at..at + remain.len())
        .chain(codes(markdown))
        .filter(|at| {
            !page
                .code
                .iter()
                .any(|code| code.start <= at.start && at.end <= code.end)
        })
        .collect();
    found.sort_by_key(|at| at.start);
    found.into_iter().map(|at| around(markdown, at)).collect()
}

/// Where `:[a-z_]+:` stands.
fn codes(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(':')) {
        let start = from + at;
        let rest = text.get(start + 1..).unwrap_or_default();
        let name = rest
            .find(|c: char| !(c.is_ascii_lowercase() || c == '_'))
            .unwrap_or(rest.len());
        let end = start + 1 + name;
        if name > 0 && text.get(end..).is_some_and(|rest| rest.starts_with(':')) {
            found.push(start..end + 1);
        }
        from = start + 1;
    }
    found
}

fn around(text: &str, at: Range<usize>) -> String {
    let before: Vec<char> = text
        .get(..at.start)
        .unwrap_or_default()
        .chars()
        .rev()
        .take(SHOWN)
        .collect();
    let after = text.get(at.start..).unwrap_or_default();
    let shown = before.into_iter().rev();
    let shown = shown.chain(after.chars().take(at.len() + SHOWN));
    shown.map(|c| if c == '\n' { ' ' } else { c }).collect()
}
