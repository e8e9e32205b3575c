//! A sentence to a statement that stands on its own.

use atlas_core::extract::when::{Granularity, TimeExpression};
use atlas_core::grounding::{is_dense_script, ungrounded};
use atlas_core::model::Timestamp;

use super::action::Action;
use super::clause::{Clause, Scene};
use crate::text::cue::{Cue, Words};

static LEAD: Cue = Cue::new(
    r"(?i)^(?:[\s:,.;!?•*~–—-]+|\d{1,2}[)）、]\s*|(?:ok|okay|btw|fyi|so|well)\s+|(?:ok|okay|so|well|yes|yeah|yep|no|sure|right|great|cool|perfect|awesome|thanks|thank you|hi|hello|hey|good (?:morning|afternoon|evening)|morning|btw|by the way|fyi|oh|ah|hmm|update|quick update|heads up|got it|agreed|correct|exactly|(?:hi|hey|hello|good morning) (?:all|team|everyone|folks|guys)|收到|好的|嗯)(?:[,!:.。，！~—–]+| [-–—])\s*)+",
);
static FIRST_PERSON: Cue = Cue::new(r"\b(?:I(?:'ll|'m|'ve|'d)?|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)\b");
/// Verbs that `I` can stand before as they are, whose third person ends in `s`.
static PLAIN_VERBS: Words = Words::new(
    "love like hate prefer think want need use work live own lead believe know agree plan see recommend \
    suggest feel hope enjoy find doubt dislike expect run manage maintain report support prefer remember understand \
    adore write build handle",
);

/// Tells the sentence as a statement: the speaker by name, relative dates with the day they mean,
/// and otherwise in the words of the sentence.
///
/// `sources` are what the statement may say. Of several ways of telling, the
/// first that says no more than they do is taken.
pub(super) fn tell(
    clause: &Clause<'_>,
    action: Option<&Action>,
    scene: Scene<'_>,
    sources: &[&str],
) -> String {
    let dated = with_dates(&clause.plain, &clause.times, scene.offset);
    let bare = LEAD.replace_all(&dated, "");
    let bare = if bare.split_whitespace().count() >= 3 || bare.chars().any(is_dense_script) {
        bare
    } else {
        dated
    };
    let mut ways: Vec<String> = Vec::new();
    if let Some(action) = action.filter(|it| it.is_request)
        && let Some(owner) = &action.owner
    {
        let times = atlas_core::extract::when::find(&action.task, scene.sent_at, scene.offset);
        ways.push(format!(
            "{owner} to {}",
            with_dates(&action.task, &times, scene.offset)
        ));
    }
    let n_first = FIRST_PERSON.all(&bare).map_or(0, Iterator::count);
    // A question keeps the order of its words, so a name does not fit in.
    if n_first == 1 && !clause.is_question {
        ways.extend(third_person(&bare, scene.speaker));
    }
    if n_first > 0 || speaks_of_self(&bare) {
        ways.push(format!("{}: {bare}", scene.speaker));
    }
    let told = ways
        .into_iter()
        .find(|way| ungrounded(way, sources).is_empty())
        .unwrap_or(bare);
    finish(&told)
}

/// Whether a sentence in another language speaks in the first person.
fn speaks_of_self(text: &str) -> bool {
    static OWN: Cue = Cue::new(
        r"(?i)\b(?:ich|mir|mich|mein[er]?|yo|me (?:gusta|encanta|encargo)|voy a|tengo que|prefiero|odio|creo|je|j'(?:ai|aime|adore))\b|我(?:[^们]|$)",
    );
    OWN.is_in(text)
}

/// The sentence with the speaker's name in place of its one word of the first person.
fn third_person(text: &str, speaker: &str) -> Vec<String> {
    let Some(found) = FIRST_PERSON.find(text) else {
        return Vec::new();
    };
    let (before, after) = (
        text.get(..found.start()).unwrap_or_default(),
        text.get(found.end()..).unwrap_or_default(),
    );
    // `delete-my-account` is one word.
    if before.ends_with('-') || after.starts_with('-') {
        return Vec::new();
    }
    let with = |form: &str, after: &str| format!("{before}{form}{after}");
    match found.as_str() {
        "I'll" => vec![
            with(&format!("{speaker} will"), after),
            with(&format!("{speaker} to"), after),
        ],
        "I'm" => vec![with(&format!("{speaker} is"), after)],
        "I've" => vec![with(&format!("{speaker} has"), after)],
        "I'd" => vec![with(&format!("{speaker} would"), after)],
        "Me" | "me" | "mine" | "Mine" => vec![with(speaker, after)],
        "My" | "my" => vec![with(&format!("{speaker}'s"), after)],
        "I" => {
            let mut words = after.trim_start().splitn(2, ' ');
            let verb = words.next().unwrap_or_default();
            let rest = words
                .next()
                .map(|rest| format!(" {rest}"))
                .unwrap_or_default();
            let adverbs = [
                "really",
                "also",
                "still",
                "actually",
                "just",
                "personally",
                "definitely",
                "always",
                "absolutely",
            ];
            if adverbs.contains(&verb) {
                let mut words = rest.trim_start().splitn(2, ' ');
                let next = words.next().unwrap_or_default();
                let tail = words
                    .next()
                    .map(|tail| format!(" {tail}"))
                    .unwrap_or_default();
                return third(next)
                    .map(|third| with(&format!("{speaker} {verb} {third}"), &tail))
                    .into_iter()
                    .collect();
            }
            third(verb)
                .map(|third| with(&format!("{speaker} {third}"), &rest))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The third person of a verb that stands after `I`; none if the form is not known.
fn third(verb: &str) -> Option<String> {
    let bare = verb.trim_end_matches([',', '.', '!']);
    let form = match bare {
        "am" => "is".to_owned(),
        "have" => "has".to_owned(),
        "do" => "does".to_owned(),
        "don't" => "doesn't".to_owned(),
        "haven't" => "hasn't".to_owned(),
        "was" | "had" | "did" | "will" | "would" | "can" | "could" | "should" | "must"
        | "might" | "may" | "won't" | "can't" | "cannot" | "didn't" | "wouldn't" | "couldn't"
        | "wasn't" | "went" | "got" | "took" | "saw" | "made" | "met" | "gave" | "sent"
        | "wrote" | "built" | "found" | "left" | "said" | "told" | "came" | "bought" | "ran"
        | "spoke" | "heard" | "felt" | "thought" | "knew" | "held" | "led" | "grew" | "ate"
        | "began" | "taught" | "paid" | "set" => bare.to_owned(),
        other if other.ends_with("ed") => other.to_owned(),
        other if PLAIN_VERBS.has(other) => match other {
            "wish" | "teach" => format!("{other}es"),
            "study" => "studies".to_owned(),
            other => format!("{other}s"),
        },
        _ => return None,
    };
    Some(format!(
        "{form}{}",
        verb.get(bare.len()..).unwrap_or_default()
    ))
}

/// The local days that a time begins and ends on.
fn days(time: &TimeExpression, offset: i32) -> [String; 2] {
    [
        local_day(time.start, offset),
        local_day(time.end.saturating_add_micros(-1), offset),
    ]
}

fn local_day(at: Timestamp, offset: i32) -> String {
    at.saturating_add_micros(i64::from(offset) * 1_000_000)
        .date()
}

/// The text with the date after each time whose words do not say it: at most two of them.
fn with_dates(text: &str, times: &[TimeExpression], offset: i32) -> String {
    let mut told = String::with_capacity(text.len() + 26);
    let mut from = 0;
    let mut n_told = 0;
    for time in times {
        let words = time.span.of(text).unwrap_or_default();
        let says_year = words
            .split(|c: char| !c.is_ascii_digit())
            .any(|digits| digits.len() == 4);
        if says_year || n_told >= 2 {
            continue;
        }
        n_told += 1;
        // `tomorrow's` is one word.
        let after = text.get(time.span.end..).unwrap_or_default();
        let end = time.span.end + if after.starts_with("'s") { 2 } else { 0 };
        told.push_str(text.get(from..end).unwrap_or_default());
        from = end;
        let [first, last] = days(time, offset);
        let said = match time.granularity {
            Granularity::Minute | Granularity::Hour | Granularity::Day if first == last => first,
            Granularity::Month => first.chars().take(7).collect(),
            Granularity::Year => first.chars().take(4).collect(),
            Granularity::Minute
            | Granularity::Hour
            | Granularity::Day
            | Granularity::Week
            | Granularity::Quarter => {
                format!("{first} to {last}")
            }
        };
        if words.chars().any(is_dense_script) {
            told.extend(["（", said.as_str(), "）"]);
        } else {
            told.extend([" (", said.as_str(), ")"]);
        }
    }
    told.push_str(text.get(from..).unwrap_or_default());
    told
}

/// The statement with a capital at its beginning and a mark at its end.
pub(super) fn finish(text: &str) -> String {
    let text = text
        .trim()
        .trim_end_matches([',', ';', '-', '–', '—'])
        .trim_end();
    let first_word = text.split_whitespace().next().unwrap_or_default();
    let is_plain_word = first_word
        .trim_end_matches([',', '.', ':', '\''])
        .chars()
        .all(|c| c.is_lowercase() || c == '\'');
    let mut told = String::with_capacity(text.len() + 3);
    let mut chars = text.chars();
    if is_plain_word && let Some(first) = chars.next() {
        told.extend(first.to_uppercase());
    }
    told.push_str(chars.as_str());
    let last = told.chars().next_back();
    if last.is_some_and(|c| {
        c.is_alphanumeric() || matches!(c, ')' | '）' | '"' | '%' | '`' | ']' | '\'')
    }) {
        let is_dense = last.is_some_and(is_dense_script) || told.ends_with('）');
        told.push(if is_dense { '。' } else { '.' });
    }
    told
}
