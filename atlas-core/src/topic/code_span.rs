//! Where a text is code: spans between backticks.

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// Words.
    Plain(&'a str),
    /// What stands between two equal runs of backticks, never empty.
    Code(&'a str),
}

/// The parts of a text, in order. A run of backticks that nothing closes belongs to the words.
pub(crate) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    let mut plain_from = 0;
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|it| it.find('`')).map(|it| it + at) {
        let fence = run_length(text, start);
        let inner_from = start + fence;
        let Some(end) = closing(text, inner_from, fence) else {
            at = inner_from;
            continue;
        };
        let inner = text.get(inner_from..end).unwrap_or_default();
        if inner.trim().is_empty() {
            at = end + fence;
            continue;
        }
        if let Some(plain) = text.get(plain_from..start).filter(|it| !it.is_empty()) {
            found.push(Part::Plain(plain));
        }
        found.push(Part::Code(inner));
        at = end + fence;
        plain_from = at;
    }
    if let Some(plain) = text.get(plain_from..).filter(|it| !it.is_empty()) {
        found.push(Part::Plain(plain));
    }
    found
}

/// Where the next run of exactly so many backticks begins.
fn closing(text: &str, from: usize, fence: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let start = at + text.get(at..)?.find('`')?;
        let length = run_length(text, start);
        if length == fence {
            return Some(start);
        }
        at = start + length;
    }
}

fn run_length(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    rest.len() - rest.trim_start_matches('`').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_runs_of_backticks_enclose_code() {
        use Part::{Code, Plain};
        assert_eq!(
            parts("run `a` or ``b ` c``."),
            [
                Plain("run "),
                Code("a"),
                Plain(" or "),
                Code("b ` c"),
                Plain(".")
            ]
        );
        assert_eq!(parts("it`s open"), [Plain("it`s open")]);
        assert_eq!(parts("`` `"), [Plain("`` `")]);
        assert_eq!(parts(""), []);
    }
}
