//! Titles that name things.

use super::page::Page;

/// Characters that only markup has in a title.
const MARKUP: [char; 8] = ['<', '>', '*', '`', '[', ']', '|', '@'];

/// Why a title names nothing; empty if it does.
pub fn faults(page: &Page) -> Vec<String> {
    let title = page.title.trim();
    let mut found = Vec::new();
    if !names_something(title) {
        found.push(format!("no name: {title:?}"));
    }
    if title.contains(MARKUP) || title.contains("://") || title.contains("&amp;") {
        found.push(format!("markup: {title}"));
    }
    found
}

/// Whether a word of it is neither a stop word nor a number, nor a single Latin letter.
fn names_something(title: &str) -> bool {
    let stop_words = stop_words::get("en");
    let is_part = |c: char| c.is_alphanumeric() || c == '\'' || c == '’';
    title
        .split(|c: char| !is_part(c))
        .map(str::to_lowercase)
        .any(|word| {
            let has_letter = word.chars().any(char::is_alphabetic);
            let is_letter = word.len() == 1 && word != "c" && word != "r";
            has_letter && !is_letter && !stop_words.contains(&word.as_str())
        })
}
