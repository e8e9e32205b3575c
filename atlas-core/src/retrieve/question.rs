//! What a question asks for.

use std::collections::BTreeSet;

use crate::extract::when;
use crate::model::{Interval, Timestamp};
use crate::text::words;

/// Words of a name at most.
const NAME_WORDS: usize = 4;
/// Names that a question may hold; a longer text is no question about more of them.
const MAX_NAMES: usize = 64;
/// Words that are read of a question.
const MAX_WORDS: usize = 256;
/// Characters that are read of a question.
const MAX_CHARS: usize = 4_096;

/// Words that ask for what is latest.
const RECENT: [&str; 14] = [
    "latest",
    "newest",
    "current",
    "currently",
    "now",
    "recent",
    "recently",
    "today",
    "last",
    "aktuell",
    "ahora",
    "actual",
    "现在",
    "最新",
];

/// Words that ask or join and never name anything by themselves.
const GRAMMAR: [&str; 56] = [
    "a", "about", "an", "and", "any", "are", "at", "be", "by", "can", "did", "do", "does", "for",
    "from", "had", "has", "have", "how", "i", "in", "is", "it", "many", "me", "much", "of", "on",
    "or", "our", "should", "that", "the", "their", "there", "they", "this", "to", "us", "was",
    "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with",
    "would", "you", "your", "tell",
];

/// Words that ask for what was said, whatever it was about.
const TALK: [&str; 25] = [
    "talk",
    "talked",
    "talking",
    "discuss",
    "discussed",
    "say",
    "said",
    "speak",
    "spoke",
    "chat",
    "chatted",
    "mention",
    "mentioned",
    "happen",
    "happened",
    "conversation",
    "conversations",
    "session",
    "sessions",
    "message",
    "messages",
    "write",
    "wrote",
    "went",
    "everything",
];

/// Words for an order, up to the twentieth.
const ORDINALS: [(&str, &str); 20] = [
    ("first", "1st"),
    ("second", "2nd"),
    ("third", "3rd"),
    ("fourth", "4th"),
    ("fifth", "5th"),
    ("sixth", "6th"),
    ("seventh", "7th"),
    ("eighth", "8th"),
    ("ninth", "9th"),
    ("tenth", "10th"),
    ("eleventh", "11th"),
    ("twelfth", "12th"),
    ("thirteenth", "13th"),
    ("fourteenth", "14th"),
    ("fifteenth", "15th"),
    ("sixteenth", "16th"),
    ("seventeenth", "17th"),
    ("eighteenth", "18th"),
    ("nineteenth", "19th"),
    ("twentieth", "20th"),
];

/// A question, as far as its words tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The words that carry it, folded, in order.
    pub words: Vec<String>,
    /// What may be names in it, normalised, the longest first.
    pub names: Vec<String>,
    /// Whether it asks for what is latest.
    pub is_recent: bool,
    /// The times that it names.
    pub times: Vec<Interval>,
    /// Which session of the channel it names, the first being 1.
    pub session: Option<usize>,
    /// Whether it asks for whatever was said then, and for nothing in particular.
    pub is_about_time: bool,
}

impl Question {
    /// Whether the name, or the first word of it, stands in the question.
    pub fn names(&self, name: &str) -> bool {
        let name = words(name).join(" ");
        let first = name.split(' ').next().filter(|it| it.chars().count() > 1);
        let is_named = |it: &str| !it.is_empty() && self.names.iter().any(|name| name == it);
        is_named(&name) || first.is_some_and(is_named)
    }
}

/// Reads a question that is asked at an instant.
pub fn read(text: &str, asked_at: Timestamp) -> Question {
    let text: String = text.chars().take(MAX_CHARS).collect();
    let found = when::find(&text, asked_at, 0);
    let mut rest = text.clone();
    for time in found.iter().rev() {
        // The places are those of the text, and what stands behind is blanked out first.
        if rest.get(time.span.start..time.span.end).is_some() {
            rest.replace_range(time.span.start..time.span.end, " ");
        }
    }
    let rest: Vec<String> = words(&rest).iter().map(|it| bare(it)).collect();
    let all: Vec<String> = words(&text)
        .iter()
        .map(|it| bare(it))
        .take(MAX_WORDS)
        .collect();
    let session = session(&rest);
    let is_joined = rest.iter().any(|it| it == "between")
        || (found.len() == 2 && all.iter().any(|it| it == "from"));
    let mut times: Vec<Interval> = found
        .iter()
        .map(|it| Interval {
            start: it.start,
            end: Some(it.end),
        })
        .collect();
    if let ([first, last], true) = (times.as_slice(), is_joined) {
        times = vec![Interval {
            start: first.start.min(last.start),
            end: first.end.max(last.end),
        }];
    }
    let is_ordinal = |word: &str| {
        ORDINALS
            .iter()
            .any(|(long, short)| [*long, *short].contains(&word))
    };
    let is_about_time = (!times.is_empty() || session.is_some())
        && rest.iter().all(|word| {
            let word = word.as_str();
            is_grammar(word)
                || TALK.contains(&word)
                || ["between", "during", "ago", "back", "up", "came"].contains(&word)
                || (session.is_some() && is_ordinal(word))
        });
    let mut names: BTreeSet<(std::cmp::Reverse<usize>, String)> = BTreeSet::new();
    for size in 1..=NAME_WORDS {
        for run in all.windows(size) {
            let edges = [run.first(), run.last()];
            if edges.into_iter().flatten().any(|word| is_grammar(word)) {
                continue;
            }
            names.insert((std::cmp::Reverse(size), run.join(" ")));
        }
    }
    Question {
        is_recent: rest.iter().any(|word| RECENT.contains(&word.as_str())),
        times,
        session,
        is_about_time,
        names: names
            .into_iter()
            .map(|(_, name)| name)
            .take(MAX_NAMES)
            .collect(),
        words: all.into_iter().filter(|word| !is_grammar(word)).collect(),
    }
}

/// Whether the word asks or joins, and never names anything by itself.
pub(super) fn is_grammar(word: &str) -> bool {
    GRAMMAR.contains(&word)
}

/// A word without the sign of possession.
fn bare(word: &str) -> String {
    let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s"));
    bare.unwrap_or(word).to_owned()
}

/// The session that an order before one of its names tells.
fn session(words: &[String]) -> Option<usize> {
    words.windows(2).find_map(|pair| {
        let [order, name] = pair else { return None };
        let is_session = ["conversation", "session", "chat", "talk"].contains(&name.as_str());
        let place = ORDINALS
            .iter()
            .position(|(long, short)| [*long, *short].contains(&order.as_str()));
        place.filter(|_| is_session).map(|it| it + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Question {
        super::read(text, "2026-03-09T10:00:00Z".parse().unwrap())
    }

    #[track_caller]
    fn check_time(text: &str, expected: &[(&str, &str)], is_about_time: bool) {
        let question = read(text);
        let expected: Vec<Interval> = expected
            .iter()
            .map(|(start, end)| Interval {
                start: format!("{start}T00:00:00Z").parse().unwrap(),
                end: Some(format!("{end}T00:00:00Z").parse().unwrap()),
            })
            .collect();
        assert_eq!(
            (question.times, question.is_about_time),
            (expected, is_about_time),
            "{text}"
        );
    }

    #[test]
    fn times_are_read_from_the_question() {
        check_time(
            "What did we talk about on 8 May 2023?",
            &[("2023-05-08", "2023-05-09")],
            true,
        );
        check_time(
            "What happened 3 days ago?",
            &[("2026-03-06", "2026-03-07")],
            true,
        );
        check_time(
            "What did Anna buy in May 2023?",
            &[("2023-05-01", "2023-06-01")],
            false,
        );
        check_time(
            "What was said between 8 May 2023 and 10 June 2023?",
            &[("2023-05-08", "2023-06-11")],
            true,
        );
        check_time("Who may go?", &[], false);
    }

    #[test]
    fn a_session_is_named_by_its_order() {
        let question = read("What did we discuss in our third conversation?");
        assert_eq!((question.session, question.is_about_time), (Some(3), true));
        assert_eq!(read("What is the second option?").session, None);
    }

    #[test]
    fn a_name_is_found_in_the_question_with_its_possession() {
        let question = read("What is Caroline's plan?");
        assert!(question.names("Caroline") && question.names("Caroline Meyer"));
        assert!(!question.names("Carol") && !question.names(""));
    }

    #[test]
    fn names_are_runs_that_neither_begin_nor_end_with_grammar() {
        let question = read("Who is the owner of Project Apollo now?");
        assert!(question.is_recent);
        assert_eq!(question.words, ["owner", "project", "apollo", "now"]);
        assert_eq!(
            question.names.first().map(String::as_str),
            Some("owner of project apollo")
        );
        assert!(question.names.contains(&"project apollo".to_owned()));
        assert!(!question.names.iter().any(|name| name.starts_with("the ")));
    }

    #[test]
    fn a_text_without_words_asks_nothing() {
        assert_eq!(read(" ?! 👍 "), Question::default());
    }
}
