//! Splits a list into its elements without reading them.

/// The text is no list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotAList;

/// The elements of a JSON list, as text, and whether the list ended as it should.
///
/// Only brackets and strings are followed, so that an element with a fault inside, or a file
/// that was cut off, leaves the others as they are. A closing bracket of the wrong kind closes
/// what stands open inside it.
pub(crate) fn elements(text: &str) -> Result<(Vec<&str>, bool), NotAList> {
    let text = text.trim_start();
    let mut scan = Scan {
        text,
        start: 1,
        open: Vec::new(),
        found: Vec::new(),
    };
    let mut chars = text.char_indices();
    if chars.next().is_none_or(|(_, c)| c != '[') {
        return Err(NotAList);
    }
    let mut in_string = false;
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if in_string => {
                chars.next();
            }
            '"' => in_string = !in_string,
            _ if in_string => {}
            '{' | '[' => scan.open.push(c),
            '}' => scan.close('{'),
            ']' if scan.open.is_empty() => {
                scan.end_element(at, true);
                let rest = text.get(at + 1..).unwrap_or_default();
                return Ok((scan.found, rest.trim().is_empty()));
            }
            ']' => scan.close('['),
            ',' if scan.open.is_empty() => scan.end_element(at, false),
            _ => {}
        }
    }
    scan.end_element(text.len(), true);
    Ok((scan.found, false))
}

struct Scan<'a> {
    text: &'a str,
    start: usize,
    open: Vec<char>,
    found: Vec<&'a str>,
}

impl Scan<'_> {
    fn close(&mut self, opener: char) {
        if let Some(depth) = self.open.iter().rposition(|open| *open == opener) {
            self.open.truncate(depth);
        }
    }

    /// Blank between two commas is a fault of its own; blank at the end is just the end.
    fn end_element(&mut self, at: usize, is_last: bool) {
        let element = self.text.get(self.start..at).unwrap_or_default().trim();
        if !(is_last && element.is_empty()) {
            self.found.push(element);
        }
        self.start = at + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_costs_the_element_that_has_it() {
        let rows: [(&str, &[&str], bool); 9] = [
            ("[]", &[], true),
            (
                " [1, {\"a\":[2,3]} ,\"x,]\"]\n",
                &["1", "{\"a\":[2,3]}", "\"x,]\""],
                true,
            ),
            (r#"["\"]", 2]"#, &[r#""\"]""#, "2"], true),
            (
                r#"[{"a":1},{"b":}, {"c":3}]"#,
                &[r#"{"a":1}"#, r#"{"b":}"#, r#"{"c":3}"#],
                true,
            ),
            (r#"[{"a":[},{"c":3}]"#, &[r#"{"a":[}"#, r#"{"c":3}"#], true),
            (r#"[{"a":1},{"b":"#, &[r#"{"a":1}"#, r#"{"b":"#], false),
            ("[1,,2,]", &["1", "", "2"], true),
            ("[1] x", &["1"], false),
            ("[", &[], false),
        ];
        for (text, expected, is_whole) in rows {
            assert_eq!(elements(text), Ok((expected.to_vec(), is_whole)), "{text}");
        }
        for text in ["", "{}", "null", "<html>"] {
            assert_eq!(elements(text), Err(NotAList), "{text}");
        }
    }
}
