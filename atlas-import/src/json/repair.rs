//! Repairs inside the strings of JSON.

use std::iter::Peekable;
use std::str::Chars;

/// What a lone surrogate becomes.
const REPLACEMENT: &str = "\\ufffd";

/// Replaces each lone surrogate by U+FFFD and escapes each raw control character, in strings.
pub(super) fn strings(json: &str) -> String {
    let mut repaired = String::with_capacity(json.len());
    let mut chars = json.chars().peekable();
    let mut in_string = false;
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                in_string = !in_string;
                repaired.push(c);
            }
            '\\' if in_string => escape(&mut chars, &mut repaired),
            _ if in_string && c < ' ' => {
                let escape = format!("\\u{:04x}", u32::from(c));
                repaired.push_str(&escape);
            }
            _ => repaired.push(c),
        }
    }
    repaired
}

fn escape(chars: &mut Peekable<Chars<'_>>, repaired: &mut String) {
    let Some(kind) = chars.next() else {
        repaired.push('\\');
        return;
    };
    if kind != 'u' {
        repaired.extend(['\\', kind]);
        return;
    }
    let digits: String = chars.clone().take(4).collect();
    let unit = code_unit(&digits);
    match unit {
        Some(0xd800..=0xdbff)
            if is_low_surrogate(&chars.clone().skip(4).take(6).collect::<String>()) =>
        {
            repaired.push_str("\\u");
            repaired.extend(chars.by_ref().take(10));
        }
        Some(0xd800..=0xdfff) => {
            repaired.push_str(REPLACEMENT);
            chars.by_ref().take(4).for_each(drop);
        }
        _ => repaired.push_str("\\u"),
    }
}

fn is_low_surrogate(escape: &str) -> bool {
    let unit = escape.strip_prefix("\\u").and_then(code_unit);
    matches!(unit, Some(0xdc00..=0xdfff))
}

fn code_unit(digits: &str) -> Option<u32> {
    if digits.len() != 4 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}
