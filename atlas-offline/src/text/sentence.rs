//! A message to its sentences.

use atlas_core::grounding::is_dense_script;
use atlas_core::model::Span;

/// Words that end in a full stop without ending a sentence, folded.
const ABBREVIATIONS: [&str; 37] = [
    "mr", "mrs", "ms", "dr", "prof", "sr", "sra", "jr", "st", "vs", "e.g", "i.e", "eg", "ie",
    "etc", "approx", "no", "nr", "inc", "ltd", "co", "fig", "al", "ca", "cf", "z.b", "d.h", "bzw",
    "usw", "ggf", "p.ej", "ext", "dept", "est", "min", "max", "resp",
];

/// A sentence and how its line was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Where it stands, without white space and list marks around it.
    pub(crate) span: Span,
    /// The box that it was ticked in, if it is an item of a task list.
    pub(crate) is_ticked: Option<bool>,
}

/// The sentences of a text, in order. Quoted lines and code blocks hold none.
pub(crate) fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    for (start, end, is_ticked) in blocks(text) {
        split(text, start, end, &mut |from, to| {
            if let Some(span) = trim(text, from, to) {
                found.push(Sentence { span, is_ticked });
            }
        });
    }
    found
}

/// Stretches of text that belong together: lines, or lines that a sentence runs across.
fn blocks(text: &str) -> Vec<(usize, usize, Option<bool>)> {
    let mut blocks: Vec<(usize, usize, Option<bool>)> = Vec::new();
    let mut is_code = false;
    let mut may_go_on = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (from, to) = (start, start + line.len());
        start = to;
        let bare = line.trim();
        let fences = bare.matches("```").count();
        if fences > 0 || is_code {
            is_code ^= fences % 2 == 1;
            may_go_on = false;
            continue;
        }
        if bare.is_empty()
            || bare.starts_with('>')
            || bare.starts_with("&gt;")
            || bare.starts_with('|')
        {
            may_go_on = false;
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let (mark, is_ticked) = list_mark(bare);
        let goes_on = may_go_on && mark == 0 && bare.chars().next().is_some_and(char::is_lowercase);
        match blocks.last_mut().filter(|_| goes_on) {
            Some(last) => last.1 = to,
            None => blocks.push((from + indent + mark, to, is_ticked)),
        }
        may_go_on = bare
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || c == ',');
    }
    blocks
}

/// The length of the list mark that a line begins with, and the tick in its box.
fn list_mark(line: &str) -> (usize, Option<bool>) {
    let bullet = ["- ", "* ", "• ", "– ", "+ "]
        .iter()
        .find(|mark| line.starts_with(**mark));
    let length = bullet.map_or_else(|| number_mark(line), |mark| mark.len());
    let rest = line.get(length..).unwrap_or_default();
    let space = rest.len() - rest.trim_start().len();
    let rest = rest.trim_start();
    let tick = if rest.starts_with("[ ]") {
        Some(false)
    } else if rest.starts_with("[x]") || rest.starts_with("[X]") {
        Some(true)
    } else {
        None
    };
    let boxed = if tick.is_some() { 3 } else { 0 };
    (length + space + boxed, tick)
}

/// The length of a number with its mark at the beginning of a line, such as `2. `.
fn number_mark(line: &str) -> usize {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let after = line.get(digits..).unwrap_or_default();
    let is_mark = after.starts_with(". ") || after.starts_with(") ");
    if (1..=2).contains(&digits) && is_mark {
        digits + 2
    } else {
        0
    }
}

fn split(text: &str, start: usize, end: usize, found: &mut impl FnMut(usize, usize)) {
    let block = text.get(start..end).unwrap_or_default();
    let mut from = start;
    let mut code = CodeSpans::new(block);
    let mut chars = block.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if code.covers(c) {
            continue;
        }
        let ends = match c {
            '。' | '！' | '？' | '；' | '｡' => true,
            '.' | '!' | '?' | '…' => {
                let mut is_dots = c == '…';
                let mut n_stops = 1;
                while let Some((_, next)) =
                    chars.next_if(|(_, next)| matches!(next, '.' | '!' | '?' | '…'))
                {
                    n_stops += 1;
                    is_dots |= next == '…';
                }
                is_dots |= n_stops > 1 && c == '.';
                let rest = chars.clone();
                let is_closer =
                    |c: char| matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '*' | '_');
                let mut after = rest
                    .map(|(_, next)| next)
                    .skip_while(|next| is_closer(*next));
                match after.next() {
                    None => true,
                    Some(next) if next.is_whitespace() => {
                        let follower = after.find(|next| !next.is_whitespace());
                        let trails_off = is_dots && follower.is_some_and(char::is_lowercase);
                        let is_short_form = c == '.' && n_stops == 1 && is_abbreviation(block, at);
                        !trails_off && !is_short_form
                    }
                    Some(next) => c != '.' && is_dense_script(next),
                }
            }
            _ => false,
        };
        if !ends {
            continue;
        }
        while chars
            .next_if(|(_, next)| {
                matches!(
                    next,
                    '"' | '\''
                        | ')'
                        | ']'
                        | '”'
                        | '’'
                        | '」'
                        | '』'
                        | '）'
                        | '！'
                        | '？'
                        | '。'
                        | '*'
                        | '_'
                )
            })
            .is_some()
        {}
        let to = chars.peek().map_or(end, |(at, _)| start + at);
        found(from, to);
        from = to;
    }
    found(from, end);
}

/// Tells whether a place is inside a span of code, which ends on its own line only.
struct CodeSpans {
    total: usize,
    open: bool,
    seen: usize,
}

impl CodeSpans {
    fn new(block: &str) -> Self {
        Self {
            total: block.matches('`').count(),
            open: false,
            seen: 0,
        }
    }

    fn covers(&mut self, c: char) -> bool {
        if c == '`' {
            self.seen += 1;
            // A lone backtick opens nothing.
            self.open = !self.open && self.seen < self.total;
            return true;
        }
        self.open
    }
}

fn is_abbreviation(block: &str, stop: usize) -> bool {
    let before = block.get(..stop).unwrap_or_default();
    let word: String = before
        .chars()
        .rev()
        .take_while(|c| c.is_alphanumeric() || *c == '.')
        .take(8)
        .collect();
    let word: String = word.chars().rev().collect();
    let is_initial =
        word.chars().count() == 1 && word.chars().all(char::is_uppercase) && word != "I";
    is_initial || ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}

fn trim(text: &str, start: usize, end: usize) -> Option<Span> {
    let words = text.get(start..end)?;
    let bare = words.trim_start();
    let marked = ["- ", "• ", "– ", "* ", "-\u{a0}"]
        .iter()
        .find_map(|mark| bare.strip_prefix(mark));
    let bare = marked.unwrap_or(bare).trim_start();
    let start = start + (words.len() - bare.len());
    let words = bare.trim_end();
    words.chars().any(char::is_alphanumeric).then_some(Span {
        start,
        end: start + words.len(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = sentences(text)
            .iter()
            .filter_map(|it| it.span.of(text))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn sentences_end_where_readers_end_them() {
        check("We ship. it works!", &["We ship.", "it works!"]);
        check(
            "Ask Dr. Lee, e.g. on Monday. Fine?",
            &["Ask Dr. Lee, e.g. on Monday.", "Fine?"],
        );
        check(
            "See https://a.io/b.c?d=e. Then go",
            &["See https://a.io/b.c?d=e.", "Then go"],
        );
        check("Run `a. b` first. Done", &["Run `a. b` first.", "Done"]);
        check("well... maybe not", &["well... maybe not"]);
        check("Really?! Yes", &["Really?!", "Yes"]);
        check(
            "- one item\n- [x] another\n2. third",
            &["one item", "another", "third"],
        );
        check("a\n```\ncode. here\n```\nb", &["a", "b"]);
        check("> he said so\nI do not agree", &["I do not agree"]);
        check(
            "先做。再看！好吗？可以",
            &["先做。", "再看！", "好吗？", "可以"],
        );
        check("用v3.2版本。", &["用v3.2版本。"]);
        check(
            "a line that is\nwrapped here. End",
            &["a line that is\nwrapped here.", "End"],
        );
        check("👍 🎉", &[]);
        check(
            "He said \"go.\" Then left",
            &["He said \"go.\"", "Then left"],
        );
    }

    proptest! {
        #[test]
        fn spans_stand_in_order_on_borders(text in "(?s)([-a-zA-Z .!?`>\\n…。？「」0-9]|\\PC){0,60}") {
            let mut from = 0;
            for it in sentences(&text) {
                prop_assert!(it.span.start >= from);
                prop_assert!(it.span.of(&text).is_some_and(|words| !words.is_empty()));
                from = it.span.end;
            }
        }
    }
}
