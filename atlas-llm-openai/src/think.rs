//! Thoughts out of replies.

/// How the thoughts of models begin and end that write them before their reply.
const TAGS: [(&str, &str); 3] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
];

#[derive(Clone, Copy, Debug, Default)]
enum State {
    /// Nothing of the reply has come.
    #[default]
    Before,
    /// In thoughts that end so.
    Inside(&'static str),
    /// In the reply: tags in it are its own words.
    Through,
}

/// Takes thoughts and white space from the front of a reply that comes in parts.
///
/// Thoughts that do not end are dropped to the end. How the reply is parted does not matter.
#[derive(Debug, Default)]
pub(crate) struct ThinkFilter {
    state: State,
    held: String,
}

impl ThinkFilter {
    /// What of the reply is certain with this part.
    pub(crate) fn push(&mut self, part: &str) -> String {
        self.held.push_str(part);
        loop {
            match self.state {
                State::Through => return std::mem::take(&mut self.held),
                State::Before => {
                    let begun = self.held.trim_start();
                    let mut tags = TAGS.iter();
                    let opened = tags.find_map(|(open, close)| {
                        Some((begun.strip_prefix(open)?.to_owned(), *close))
                    });
                    if let Some((rest, close)) = opened {
                        self.held = rest;
                        self.state = State::Inside(close);
                    } else if TAGS.iter().any(|(open, _)| open.starts_with(begun)) {
                        return String::new();
                    } else {
                        self.held = begun.to_owned();
                        self.state = State::Through;
                    }
                }
                State::Inside(close) => {
                    let Some((_, rest)) = self.held.split_once(close) else {
                        self.held = tail_that_begins(&self.held, close);
                        return String::new();
                    };
                    self.held = rest.to_owned();
                    self.state = State::Before;
                }
            }
        }
    }

    /// What was held back, at the end of the reply.
    pub(crate) fn finish(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        match self.state {
            State::Inside(_) => String::new(),
            State::Before | State::Through => held.trim_start().to_owned(),
        }
    }
}

/// The longest end of the text with which the tag may begin.
fn tail_that_begins(text: &str, tag: &str) -> String {
    let ends = (1..tag.len()).rev().filter_map(|length| tag.get(..length));
    let mut ends = ends.filter(|begun| text.ends_with(begun));
    ends.next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn filtered<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
        let mut filter = ThinkFilter::default();
        let mut text: String = parts.into_iter().map(|part| filter.push(part)).collect();
        text.push_str(&filter.finish());
        text
    }

    #[track_caller]
    fn check(reply: &str, expected: &str) {
        assert_eq!(filtered([reply]), expected, "{reply}");
    }

    #[test]
    fn thoughts_go_and_the_reply_stays() {
        check(
            r#"{"a": "<think>x</think>"}"#,
            r#"{"a": "<think>x</think>"}"#,
        );
        check("<think>\nso {\n</think>\n\n{}", "{}");
        check("\n <thinking>a</thinking><think></think> {}", "{}");
        check("<reasoning>a </think> b</reasoning>{}", "{}");
        check("<think>never ends {\"a\": 1}", "");
        check("<think>almost</thin", "");
        check("<thi", "<thi");
        check("<thinker>", "<thinker>");
        check(" \n", "");
        check("", "");
        check("text </think>", "text </think>");
    }

    proptest! {
        #[test]
        fn parts_do_not_matter(
            pieces in proptest::collection::vec(
                proptest::sample::select(vec![
                    "<think>", "</think>", "<thinking>", "</thinking>", "<thi", "</", "{", "é", " ",
                ]),
                0..8,
            ),
            cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..8),
        ) {
            let reply: String = pieces.concat();
            let letters: Vec<char> = reply.chars().collect();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(letters.len() + 1)).collect();
            cuts.extend([0, letters.len()]);
            cuts.sort_unstable();
            let parts: Vec<String> = cuts
                .windows(2)
                .map(|pair| letters[pair[0]..pair[1]].iter().collect())
                .collect();
            let parted = filtered(parts.iter().map(String::as_str));
            prop_assert_eq!(&parted, &filtered([reply.as_str()]));
            prop_assert!(reply.ends_with(&parted));
        }
    }
}
