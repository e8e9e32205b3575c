//! Whether the words around a time speak of what is past or to come.

use jiff::civil::Date;

use super::calendar::midnight;
use super::reader::Reader;
use super::rules::Scene;
use super::tokens::{Kind, Token};
use super::words::{AHEAD, FUTURE, PAST};

/// Words to either side within which the tense is looked for.
pub(super) const TENSE_REACH: usize = 14;

/// Where the words of a time lie: after what was said, before it, or who knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tense {
    Future,
    Past,
    Unknown,
}

pub(super) fn tense(here: Reader<'_>, after: Reader<'_>) -> Tense {
    let before = (1..=TENSE_REACH).map_while(|back| here.before(back));
    let article = before
        .clone()
        .take(2)
        .find(|it| !matches!(it.text.as_str(), "the" | "den" | "el"));
    if article.is_some_and(|it| AHEAD.contains(&it.text.as_str())) {
        return Tense::Future;
    }
    let mut around: Vec<&Token> = Vec::new();
    // A new line or a mark with a space after it ends the sentence.
    let mut follower = here.token();
    for token in before {
        if follower.is_some_and(|next| ends_before(token, next)) {
            break;
        }
        around.push(token);
        follower = Some(token);
    }
    let mut last = after.before(1);
    let mut reader = after;
    for _ in 0..TENSE_REACH {
        let Some(token) = reader.token() else { break };
        if last.is_some_and(|last| ends_before(last, token)) {
            break;
        }
        around.push(token);
        last = Some(token);
        reader = reader.next();
    }
    let has = |words: &[&str]| around.iter().any(|it| words.contains(&it.text.as_str()));
    let is_over =
        |it: &&Token| it.kind == Kind::Word && it.text.len() >= 5 && it.text.ends_with("ed");
    if has(FUTURE) {
        Tense::Future
    } else if has(PAST) || around.iter().any(is_over) {
        Tense::Past
    } else {
        Tense::Unknown
    }
}

/// Whether a sentence ends between two neighbours.
fn ends_before(token: &Token, next: &Token) -> bool {
    let is_mark = matches!(
        token.text.as_str(),
        "!" | "?" | ";" | "。" | "！" | "？" | "；"
    );
    next.begins_line || is_mark || (token.text == "." && !next.is_glued)
}

/// Of dates of several years the one that the tense suggests, else the nearest.
pub(super) fn choose(
    scene: Scene,
    tense: Tense,
    of_year: impl Fn(i16) -> Option<Date>,
) -> Option<Date> {
    let today = scene.said.date();
    let year = today.year();
    let dates: Vec<Date> = (year.saturating_sub(1)..=year.saturating_add(1))
        .filter_map(of_year)
        .collect();
    let distance = |date: &Date| (midnight(*date).duration_since(midnight(today))).abs();
    let allowed = |date: &Date| match tense {
        Tense::Future => *date >= today,
        Tense::Past => *date <= today,
        Tense::Unknown => true,
    };
    let nearest = dates.iter().copied().filter(allowed).min_by_key(distance);
    // 29 February may have no date in the wanted direction within a year.
    nearest.or_else(|| dates.into_iter().min_by_key(distance))
}
