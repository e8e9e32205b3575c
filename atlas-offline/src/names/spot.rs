//! A sentence to the names in it.

use std::collections::BTreeSet;

use atlas_core::model::{EntityType, Span};
use atlas_core::text::fold;

use super::known::{NO_NAMES, STARTERS, by_ending, known};
use crate::text::cue::Cue;
use crate::text::stem::is_stop_word;

/// A name, where it stands and what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spotted {
    pub(crate) name: String,
    pub(crate) kind: EntityType,
    pub(crate) span: Span,
}

static HANDLE: Cue = Cue::new(r"(?:^|[^\w@/.])(@[\p{L}][\p{L}\p{N}_.-]*[\p{L}\p{N}_]|@[\p{L}])");
static CODE: Cue = Cue::new(r"`([^`\n]{2,40})`");
static HOST: Cue = Cue::new(r"(?i)https?://(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)");
static TITLE: Cue = Cue::new(r"《([^《》\n]{1,40})》");
static FILE: Cue =
    Cue::new(r"(?i)\b[\w-]+\.(?:md|pdf|docx?|xlsx?|csv|pptx?|txt|json|ya?ml|ipynb|png|jpe?g)\b");
static PROJECT: Cue = Cue::new(r"\b[Pp]roject ([A-Z][\p{L}\p{N}-]*|[A-Z])\b");
static TEAM: Cue = Cue::new(
    r"\b[Tt]he ([A-Z][\p{L}\p{N}-]*(?: [A-Z][\p{L}\p{N}-]*)?) (?:team|squad|guild|crew)\b",
);
static PERSON_VERB: Cue = Cue::new(
    r"(?i)^'?\s*(?:,?\s*(?:can|could|would|will|please)\b|'ll\b|(?:said|says|told|joined|joins|leads|works|worked|thinks|thought|wants|wanted|moved|lives|prefers|loves|likes|hates|owns|uses|knows|handles|agreed|suggested|asked|mentioned|wrote|reports|left|sent|went|came|found|needs to|has to|is (?:our|working|leading|going|now|no longer|on project|on the|out of|(?P<next>(?-i:\p{Lu})[\p{L}]*))|and I)\b)",
);
/// Endings of words that name matters, not people.
const MATTERS: [&str; 13] = [
    "ment", "tion", "sion", "ing", "ness", "ity", "ance", "ence", "ship", "age", "ism", "ure", "s",
];
static PLACE_BEFORE: Cue = Cue::new(
    r"(?i)(?:lives? in|living in|based in|moved to|moving to|flights? to|trip to|travel(?:l?ing)? to|visit(?:ed|ing)?|office in|located in|held in|fly(?:ing)? to)\s+$",
);

/// The names in a sentence, in the order of their places, none across another.
///
/// `people` are the names by which the people around go.
pub(crate) fn spot(text: &str, people: &BTreeSet<String>) -> Vec<Spotted> {
    let mut found: Vec<Spotted> = Vec::new();
    let mut add = |name: &str, kind: EntityType, start: usize| {
        let span = Span {
            start,
            end: start + name.len(),
        };
        let is_free = found
            .iter()
            .all(|it| span.end <= it.span.start || it.span.end <= span.start);
        if is_free && name.chars().any(char::is_alphanumeric) {
            found.push(Spotted {
                name: name.to_owned(),
                kind,
                span,
            });
        }
    };
    let mut longest_first: Vec<&String> = people.iter().collect();
    longest_first.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for person in longest_first {
        for at in places(text, person) {
            add(
                text.get(at..at + person.len()).unwrap_or_default(),
                EntityType::Person,
                at,
            );
        }
    }
    let mut add_all = |cue: &Cue, kind: fn(&str) -> Option<EntityType>| {
        for captures in cue.all(text).into_iter().flatten() {
            if let Some(it) = captures.get(1).or_else(|| captures.get(0))
                && let Some(kind) = kind(it.as_str())
            {
                add(it.as_str(), kind, it.start());
            }
        }
    };
    add_all(&HANDLE, |name| {
        let is_group = matches!(name, "@here" | "@channel" | "@everyone" | "@all" | "@team");
        (!is_group).then_some(EntityType::Person)
    });
    add_all(&HOST, |_| Some(EntityType::Document));
    add_all(&FILE, |_| Some(EntityType::Document));
    add_all(&CODE, |code| {
        (code.split_whitespace().count() <= 2).then_some(EntityType::Technology)
    });
    add_all(&TITLE, |_| Some(EntityType::Document));
    add_all(&PROJECT, |_| Some(EntityType::Project));
    add_all(&TEAM, |_| Some(EntityType::Team));
    for (name, kind, start) in written_as_names(&crate::text::plain::blank_links(text)) {
        add(&name, kind, start);
    }
    found.sort_by_key(|it| it.span);
    found
}

/// Where a name stands as a whole word, whatever its case in the text.
fn places(text: &str, name: &str) -> Vec<usize> {
    if name.chars().count() < 2 {
        return Vec::new();
    }
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && c.is_ascii());
    text.match_indices(name)
        .map(|(at, _)| at)
        .filter(|at| {
            let before = text.get(..*at).and_then(|it| it.chars().next_back());
            let after = text.get(at + name.len()..).and_then(|it| it.chars().next());
            !is_word(before) && !is_word(after)
        })
        .collect()
}

/// A word as it is written, and where.
struct Written<'t> {
    word: &'t str,
    start: usize,
    begins_sentence: bool,
    follows_mark: bool,
    /// Whether it stood in the genitive: then no name goes on after it.
    owns_what_follows: bool,
}

fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '\'' | '.' | '+' | '#' | '_' | '&')
}

fn written(text: &str) -> Vec<Written<'_>> {
    let mut words = Vec::new();
    let mut start = None;
    let mut mark: Option<char> = None;
    let mut push = |from: usize, to: usize, mark: Option<char>| {
        let raw = text.get(from..to).unwrap_or_default();
        let word = raw.trim_end_matches(['.', '\'', '-', '&', '_']);
        let word = word.strip_suffix("'s").unwrap_or(word);
        let front = word.len() - word.trim_start_matches(['\'', '-', '.', '_', '&']).len();
        let word = word.get(front..).unwrap_or_default();
        if word.chars().any(char::is_alphanumeric) {
            words.push(Written {
                word,
                start: from + front,
                begins_sentence: words.is_empty()
                    || matches!(mark, Some('.' | '!' | '?' | ':' | '"' | '(' | '-' | '•')),
                follows_mark: mark.is_some(),
                owns_what_follows: raw.ends_with("'s"),
            });
        }
        raw.len() != word.len() + front && !raw.ends_with("'s")
    };
    for (at, c) in text.char_indices() {
        // Letters without case end words of letters with case.
        if is_inner(c) && !atlas_core::grounding::is_dense_script(c) {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            let stopped = push(from, at, mark);
            mark = stopped.then_some('.');
        }
        if !c.is_whitespace() {
            mark = Some(c);
        }
    }
    if let Some(from) = start {
        push(from, text.len(), mark);
    }
    words
}

fn begins_with_capital(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// Whether the form alone makes the word a name: `CamelCase`, `ACRONYM`, `bge-m3`, `node.js`.
fn is_formed_as_name(word: &str) -> bool {
    let chars: Vec<char> = word.chars().collect();
    let n_upper = chars.iter().filter(|c| c.is_uppercase()).count();
    let n_lower = chars.iter().filter(|c| c.is_lowercase()).count();
    let is_camel = chars
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.is_lowercase() && b.is_uppercase()));
    let is_acronym = n_lower == 0 && n_upper >= 2 && chars.len() <= 8;
    let is_plural_acronym = n_upper >= 2 && n_lower == 1 && word.ends_with('s');
    is_camel || is_acronym || is_plural_acronym || folded_end(word)
}

/// Whether the word ends as names of technologies do.
fn folded_end(word: &str) -> bool {
    let folded = word.to_lowercase();
    let (_, ending) = folded.rsplit_once('.').unwrap_or_default();
    ending == "js" || folded.ends_with("++")
}

fn written_as_names(text: &str) -> Vec<(String, EntityType, usize)> {
    let words = written(text);
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(first) = words.get(at) {
        let folded = fold(first.word);
        let known_kind = known(&folded);
        let may_be_name = begins_with_capital(first.word) || is_formed_as_name(first.word);
        let is_grammar = is_stop_word(&folded) || NO_NAMES.has(&folded);
        if is_grammar || !(may_be_name || known_kind.is_some()) {
            at += 1;
            continue;
        }
        // A run of capitalised words is one name.
        let mut end = at + 1;
        if may_be_name {
            while let Some(next) = words.get(end) {
                let folded = fold(next.word);
                let goes_on = !next.follows_mark
                    && words.get(end - 1).is_some_and(|it| !it.owns_what_follows)
                    && begins_with_capital(next.word)
                    && !is_stop_word(&folded)
                    && !NO_NAMES.has(&folded)
                    && end - at < 4;
                if !goes_on {
                    break;
                }
                end += 1;
            }
        }
        let mut run = words.get(at..end).unwrap_or_default();
        at = end;
        // The first word of a sentence is in capitals for its place.
        if run.len() > 1 && first.begins_sentence && STARTERS.has(&fold(first.word)) {
            run = run.get(1..).unwrap_or_default();
        }
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            continue;
        };
        let stop = last.start + last.word.len();
        let name = text.get(first.start..stop).unwrap_or_default();
        let before = text.get(..first.start).unwrap_or_default();
        let after = text.get(stop..).unwrap_or_default();
        let folded = fold(name);
        if run.len() == 1 && STARTERS.has(&folded) {
            continue;
        }
        let is_sure = run.len() > 1
            || !first.begins_sentence
            || is_formed_as_name(name)
            || known(&folded).is_some();
        let names_matter =
            first.begins_sentence && MATTERS.iter().any(|ending| folded.ends_with(ending));
        let is_person = !names_matter && !is_formed_as_name(name) && acts_as_person(after);
        if !is_sure && !is_person {
            continue;
        }
        let kind = if let Some(kind) = known(&folded) {
            kind
        } else if let Some(kind) = by_ending(&fold(last.word)).filter(|_| run.len() > 1) {
            kind
        } else if PLACE_BEFORE.is_in(before) {
            EntityType::Place
        } else if is_person {
            EntityType::Person
        } else if is_formed_as_name(name) {
            let is_acronym = name.chars().all(|c| !c.is_lowercase());
            if is_acronym {
                EntityType::Concept
            } else {
                EntityType::Technology
            }
        } else if run.len() == 2
            && run
                .iter()
                .all(|it| it.word.chars().all(char::is_alphabetic))
            && has_person_before(before)
        {
            EntityType::Person
        } else {
            EntityType::Concept
        };
        names.push((name.to_owned(), kind, first.start));
    }
    names
}

fn acts_as_person(after: &str) -> bool {
    PERSON_VERB.captures(after).is_some_and(|captures| {
        captures
            .name("next")
            .is_none_or(|next| !STARTERS.has(&fold(next.as_str())))
    })
}

fn has_person_before(before: &str) -> bool {
    let last = before.split_whitespace().next_back().unwrap_or_default();
    matches!(
        fold(last).as_str(),
        "with"
            | "by"
            | "from"
            | "thanks"
            | "ask"
            | "cc"
            | "and"
            | "met"
            | "hi"
            | "hey"
            | "to"
            | "told"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, EntityType)]) {
        let people: BTreeSet<String> = ["Priya Shah", "Priya"].map(str::to_owned).into();
        let found = spot(text, &people);
        let found: Vec<(&str, EntityType)> =
            found.iter().map(|it| (it.name.as_str(), it.kind)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names_are_spotted_by_form_place_and_company() {
        use EntityType::{
            Concept, Document, Organization, Person, Place, Project, Team, Technology,
        };
        check(
            "Kiran is on project Atlas",
            &[("Kiran", Person), ("Atlas", Project)],
        );
        check(
            "Ask Priya Shah about postgres",
            &[("Priya Shah", Person), ("postgres", Technology)],
        );
        check(
            "We signed with Acme Labs today",
            &[("Acme Labs", Organization)],
        );
        check("The Growth team owns it", &[("Growth", Team)]);
        check("She moved to Springfield", &[("Springfield", Place)]);
        check(
            "Read budget.xlsx and `cargo doc`",
            &[("budget.xlsx", Document), ("cargo doc", Technology)],
        );
        check(
            "The SLA covers FastGraph",
            &[("SLA", Concept), ("FastGraph", Technology)],
        );
        check("Everything works. Please test it on Friday", &[]);
        check("@dana can you look?", &[("@dana", Person)]);
        check("LGTM, FYI the API", &[("API", Technology)]);
        check("我们用Redis做缓存", &[("Redis", Technology)]);
    }
}
