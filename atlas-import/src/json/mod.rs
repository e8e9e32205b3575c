//! JSON as exports have it: large lists in which one bad element must not cost the rest.

mod elements;
mod field;
mod repair;

pub(crate) use elements::elements;
pub(crate) use field::{bool_of, list_of, object_of, text_of};

use serde_json::Value;

/// The text of a file: a byte order mark is dropped, bytes that are not UTF-8 become U+FFFD.
///
/// The flag tells whether there were such bytes.
pub(crate) fn decode(bytes: Vec<u8>) -> (String, bool) {
    let (text, is_repaired) = match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(bad) => (String::from_utf8_lossy(bad.as_bytes()).into_owned(), true),
    };
    match text.strip_prefix('\u{feff}') {
        Some(rest) => (rest.to_owned(), is_repaired),
        None => (text, is_repaired),
    }
}

/// Reads one element; lone surrogates and raw control characters in strings are repaired.
///
/// The flag tells whether that was needed.
pub(crate) fn parse(element: &str) -> Option<(Value, bool)> {
    if let Ok(value) = serde_json::from_str(element) {
        return Some((value, false));
    }
    let repaired = repair::strings(element);
    serde_json::from_str(&repaired)
        .ok()
        .map(|value| (value, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_broken_inside_a_string_is_repaired() {
        let rows = [
            (r#"{"text":"a\ud83d b"}"#, Some(("a\u{fffd} b", true))),
            (r#"{"text":"\ud83c\udf89"}"#, Some(("\u{1f389}", false))),
            (
                r#"{"text":"\udf89\ud83c"}"#,
                Some(("\u{fffd}\u{fffd}", true)),
            ),
            (r#"{"text":"\\ud83d"}"#, Some(("\\ud83d", false))),
            (
                r#"{"text":"\ud83d\ud83c\udf89"}"#,
                Some(("\u{fffd}\u{1f389}", true)),
            ),
            ("{\"text\":\"a\nb\u{1}\"}", Some(("a\nb\u{1}", true))),
            (r#"{"text":"a\u0000b"}"#, Some(("a\0b", false))),
            (
                "{\"text\":\"a\u{feff}\u{2028}b\"}",
                Some(("a\u{feff}\u{2028}b", false)),
            ),
            (r#"{"text":}"#, None),
        ];
        for (json, expected) in rows {
            let found = parse(json);
            let found = found
                .as_ref()
                .map(|(value, is_repaired)| (value["text"].as_str().unwrap(), *is_repaired));
            assert_eq!(found, expected, "{json}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        assert_eq!(decode(b"\xef\xbb\xbf[]".to_vec()), ("[]".to_owned(), false));
        assert_eq!(decode(b"a\xffb".to_vec()), ("a\u{fffd}b".to_owned(), true));
    }
}
