//! Where JSON that broke off is still whole.

/// The text up to its last whole item, with what is open closed; none if nothing is whole yet.
///
/// An item is an element of a list that lies in no other list. Fields outside of lists are whole
/// where the next one begins. The text begins with the bracket that opens the value.
pub(super) fn whole_part(text: &str) -> Option<String> {
    let mut scan = Scan::default();
    for (at, byte) in text.bytes().enumerate() {
        scan.step(at, byte);
        if scan.open.is_empty() {
            break;
        }
    }
    let (end, open) = scan.whole?;
    let mut part = text.get(..end)?.to_owned();
    part.extend(open.iter().rev().map(|bracket| match bracket {
        b'[' => ']',
        _ => '}',
    }));
    Some(part)
}

#[derive(Default)]
struct Scan {
    open: Vec<u8>,
    is_string: bool,
    is_escaped: bool,
    /// The end of the last whole part, and what was open there.
    whole: Option<(usize, Vec<u8>)>,
}

impl Scan {
    fn step(&mut self, at: usize, byte: u8) {
        if self.is_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => {
                    self.is_string = false;
                    if self.open.last() == Some(&b'[') {
                        self.mark(at + 1);
                    }
                }
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => self.is_string = true,
            b'{' | b'[' => {
                self.open.push(byte);
                if byte == b'[' {
                    self.mark(at + 1);
                }
            }
            b'}' | b']' => {
                self.open.pop();
                self.mark(at + 1);
            }
            b',' => self.mark(at),
            _ => {}
        }
    }

    /// Takes this place for whole, unless it lies within an item.
    fn mark(&mut self, end: usize) {
        let is_between = (self.open.split_last()).is_some_and(|(_, outer)| !outer.contains(&b'['));
        if is_between {
            self.whole = Some((end, self.open.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(whole_part(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn only_whole_items_are_kept() {
        check("{", None);
        check(r#"{"a"#, None);
        check(r#"{"a": "b"#, None);
        check(r#"{"a": "b","#, Some(r#"{"a": "b"}"#));
        check(r#"{"a": ["#, Some(r#"{"a": []}"#));
        check(r#"{"a": ["b", "c"#, Some(r#"{"a": ["b"]}"#));
        check(r#"{"a": [1, 23"#, Some(r#"{"a": [1]}"#));
        check(r#"{"a": [{"b": [1, 2"#, Some(r#"{"a": []}"#));
        check(
            r#"{"a": [{"b": [1, 2]}, {"b":"#,
            Some(r#"{"a": [{"b": [1, 2]}]}"#),
        );
        check(r#"{"a": ["}]\",", "x"#, Some(r#"{"a": ["}]\","]}"#));
        check(r#"[{"a": 1}, {"#, Some(r#"[{"a": 1}]"#));
        check(
            r#"{"r": {"a": [{"b": 1}"#,
            Some(r#"{"r": {"a": [{"b": 1}]}}"#),
        );
    }
}
