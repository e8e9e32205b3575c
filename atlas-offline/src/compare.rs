//! A fact and its candidates to verdicts.

use std::collections::BTreeSet;

use atlas_core::llm::{
    ContradictionInput, ContradictionOutput, FactRelation, LabelledFact, ProposedVerdict,
};
use atlas_core::model::{FactKind, Modality, Polarity, Slot};
use atlas_core::text::words;

use crate::text::cue::Cue;
use crate::text::stem::{overlap, ratio, stem_set};

/// Words of a later fact that take back what an earlier one says.
static TAKES_BACK: Cue = Cue::new(
    r"(?i)\b(?:instead|no longer|not any ?more|back to|scrap(?:ped)?|drop(?:ped)?|cancel(?:l?ed)?|chang(?:ed|e) (?:our|my|the|of) (?:minds?|plans?)|moved|moves|moving|switch(?:ed|ing)?|replac(?:ed|ing|es)|postponed|rescheduled|pushed|slips|slipped|now|actually|correction|revert(?:ed|ing)?|stopped|quit|left|isn't|aren't|not|statt(?:dessen)?|nicht mehr|verschoben|en lugar de|ya no|au lieu de|ne plus)\b|改成|改为|改用|改到|不再|换成|取消|推迟",
);
static NOT: Cue = Cue::new(
    r"(?i)\b(?:not|no|never|none|nobody|without|cannot|can't|don't|doesn't|didn't|won't|isn't|aren't|wasn't|weren't|haven't|hasn't|wouldn't|shouldn't|nicht|kein|keine|nie|nunca|jamais|pas)\b|[不没]",
);

/// Families of which a subject has one value at a time, with how sure that is.
const ONE_AT_A_TIME: [(&str, f32); 8] = [
    ("date", 0.92),
    ("owner", 0.84),
    ("lead", 0.82),
    ("price", 0.86),
    ("share", 0.82),
    ("amount", 0.8),
    ("lives_in", 0.84),
    ("meaning", 0.7),
];

/// States that exclude those of the other rows.
const STATES: [&[&str]; 4] = [
    &[
        "done",
        "complete",
        "completed",
        "finished",
        "ready",
        "live",
        "up",
        "up and running",
        "online",
        "fixed",
        "resolved",
        "solved",
        "shipped",
        "deployed",
        "merged",
        "released",
        "launched",
        "published",
        "approved",
        "closed",
        "working",
        "stable",
        "green",
        "signed",
        "available",
        "accepted",
        "confirmed",
        "完成",
        "上线",
        "修复",
        "修好",
        "发布",
        "搞定",
        "就绪",
        "通过",
        "通了",
        "解决",
    ],
    &[
        "down", "broken", "failing", "blocked", "stuck", "rejected", "offline", "unstable", "red",
        "open", "reopened", "阻塞", "失败", "挂了",
    ],
    &[
        "in progress",
        "underway",
        "delayed",
        "paused",
        "on hold",
        "postponed",
        "暂停",
    ],
    &[
        "cancelled",
        "canceled",
        "dropped",
        "removed",
        "deprecated",
        "reverted",
        "取消",
    ],
];

/// Judges the fact against each candidate; candidates that have nothing to do with it are left out.
pub(crate) fn compare(input: &ContradictionInput) -> ContradictionOutput {
    let fact = Side::of(&input.fact);
    let verdicts = input
        .candidates
        .iter()
        .filter_map(|candidate| {
            let (relation, confidence, reason) = verdict(&fact, &Side::of(candidate))?;
            Some(ProposedVerdict {
                candidate: candidate.label.clone(),
                relation,
                confidence,
                reason,
            })
        })
        .collect();
    ContradictionOutput { verdicts }
}

/// A fact with what it is compared by.
struct Side<'f> {
    fact: &'f LabelledFact,
    stems: BTreeSet<String>,
    numbers: BTreeSet<String>,
    is_negated: bool,
    takes_back: bool,
}

impl<'f> Side<'f> {
    fn of(fact: &'f LabelledFact) -> Self {
        let all = words(&fact.text);
        let is_number = |word: &&String| word.chars().any(char::is_numeric);
        Self {
            stems: stem_set(&fact.text)
                .into_iter()
                .filter(|stem| !stem.chars().any(char::is_numeric))
                .collect(),
            numbers: all.iter().filter(is_number).cloned().collect(),
            is_negated: NOT.is_in(&fact.text),
            takes_back: TAKES_BACK.is_in(&fact.quote) || TAKES_BACK.is_in(&fact.text),
            fact,
        }
    }
}

type Verdict = (FactRelation, f32, String);

fn verdict(a: &Side<'_>, b: &Side<'_>) -> Option<Verdict> {
    if a.fact.kind == FactKind::Question || b.fact.kind == FactKind::Question {
        let same = a.fact.kind == b.fact.kind && says_the_same(a, b);
        return same.then(|| {
            (
                FactRelation::Duplicates,
                0.9,
                "both ask the same".to_owned(),
            )
        });
    }
    if says_the_same(a, b) {
        return Some((
            FactRelation::Duplicates,
            0.95,
            "the words, numbers and dates are the same".to_owned(),
        ));
    }
    if let (Some(x), Some(y)) = (&a.fact.slot, &b.fact.slot)
        && is_one(&x.subject, &y.subject)
        && x.family == y.family
    {
        return in_one_slot(a, b, x, y);
    }
    taken_back(a, b)
        .or_else(|| turned_round(a, b))
        .or_else(|| refined(a, b))
}

/// Whether two facts say the same in the same words, or nearly.
fn says_the_same(a: &Side<'_>, b: &Side<'_>) -> bool {
    let agree = a.numbers == b.numbers && a.is_negated == b.is_negated;
    agree
        && !a.stems.is_empty()
        && (a.stems == b.stems || (a.stems.len() >= 5 && overlap(&a.stems, &b.stems) >= 0.9))
        && slots_agree(a.fact.slot.as_ref(), b.fact.slot.as_ref())
}

fn slots_agree(a: Option<&Slot>, b: Option<&Slot>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            a.polarity == b.polarity && (a.subject != b.subject || a.value == b.value)
        }
        _ => true,
    }
}

/// Whether two subjects or values are the same thing: the same words in any form and order.
fn is_one(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (x, y) = (stem_set(a), stem_set(b));
    !x.is_empty() && x == y
}

/// Whether both state what is so or will be: what is asked or only possible changes nothing.
fn are_both_stated(a: &Slot, b: &Slot) -> bool {
    let is_stated = |slot: &Slot| matches!(slot.modality, Modality::Asserted | Modality::Planned);
    is_stated(a) && is_stated(b)
}

fn in_one_slot(a: &Side<'_>, b: &Side<'_>, mine: &Slot, other: &Slot) -> Option<Verdict> {
    if !are_both_stated(mine, other) {
        return None;
    }
    let contradicts =
        |confidence: f32, reason: String| Some((FactRelation::Contradicts, confidence, reason));
    let same_value = is_one(&mine.value, &other.value);
    let what = format!("{} of {}", mine.family.replace('_', " "), mine.subject);
    let changed = || {
        format!(
            "the {what} is given as {} and as {}",
            mine.value, other.value
        )
    };
    let takes_back =
        later(a, b).is_none_or(|side| side.takes_back) && (a.takes_back || b.takes_back);
    if same_value && mine.polarity != other.polarity {
        return contradicts(
            0.9,
            format!("the {what} ({}) is affirmed and denied", mine.value),
        );
    }
    if same_value || mine.polarity != other.polarity {
        return if same_value { refined(a, b) } else { None };
    }
    if let Some((_, sure)) = ONE_AT_A_TIME
        .iter()
        .find(|(family, _)| *family == mine.family)
    {
        // A day and an hour of that day agree.
        let agree = mine.family == "date"
            && (mine.value.starts_with(&other.value) || other.value.starts_with(&mine.value));
        return if agree {
            Some((
                FactRelation::Refines,
                0.75,
                format!("the {what} is given more precisely"),
            ))
        } else if mine.polarity == Polarity::Negative {
            None
        } else {
            contradicts(*sure, changed())
        };
    }
    match mine.family.as_str() {
        "status" => {
            let row = |value: &str| STATES.iter().position(|states| states.contains(&value));
            let (first, second) = (row(&mine.value)?, row(&other.value)?);
            (first != second && mine.polarity == Polarity::Positive)
                .then(|| (FactRelation::Contradicts, 0.85, changed()))
        }
        "task" => {
            let person = a.fact.author == b.fact.author
                || a.fact
                    .mentions
                    .iter()
                    .any(|name| b.fact.mentions.contains(name));
            let names_none = a.fact.mentions.is_empty() || b.fact.mentions.is_empty();
            contradicts(if person || names_none { 0.85 } else { 0.6 }, changed())
        }
        "role" | "works_on" => contradicts(if takes_back { 0.85 } else { 0.55 }, changed()),
        "uses" => {
            let is_purpose = mine.subject != "we";
            let names_other = names(later(a, b).unwrap_or(a), &earlier_value(a, b, mine, other));
            let both_decided =
                a.fact.kind == FactKind::Decision && b.fact.kind == FactKind::Decision;
            match (is_purpose, takes_back && names_other, both_decided) {
                (_, true, _) => contradicts(0.88, changed()),
                (true, false, true) => contradicts(0.85, changed()),
                (true, false, false) => contradicts(0.6, changed()),
                (false, false, _) => None,
            }
        }
        _ => None,
    }
}

/// The side that was said later; none if both were said at one time.
fn later<'s, 'f>(a: &'s Side<'f>, b: &'s Side<'f>) -> Option<&'s Side<'f>> {
    match a.fact.said_at.cmp(&b.fact.said_at) {
        std::cmp::Ordering::Greater => Some(a),
        std::cmp::Ordering::Less => Some(b),
        std::cmp::Ordering::Equal => None,
    }
}

fn earlier_value(a: &Side<'_>, b: &Side<'_>, x: &Slot, y: &Slot) -> String {
    if a.fact.said_at >= b.fact.said_at {
        y.value.clone()
    } else {
        x.value.clone()
    }
}

/// Whether the fact names the value.
fn names(side: &Side<'_>, value: &str) -> bool {
    let wanted = stem_set(value);
    let said = stem_set(&side.fact.quote);
    !wanted.is_empty() && wanted.is_subset(&said)
}

/// A later choice that takes back an earlier one by name, whatever it is for.
fn taken_back(a: &Side<'_>, b: &Side<'_>) -> Option<Verdict> {
    let new = later(a, b)?;
    let old = if std::ptr::eq(new, a) { b } else { a };
    let (x, y) = (old.fact.slot.as_ref()?, new.fact.slot.as_ref()?);
    let is_choice = x.family == "uses" && y.family == "uses" && are_both_stated(x, y);
    let subjects_fit = x.subject == "we" || y.subject == "we";
    if !is_choice || !subjects_fit || !new.takes_back || x.polarity == Polarity::Negative {
        return None;
    }
    let denies = y.polarity == Polarity::Negative && is_one(&x.value, &y.value);
    let replaces =
        y.polarity == Polarity::Positive && !is_one(&x.value, &y.value) && names(new, &x.value);
    (denies || replaces).then(|| {
        (
            FactRelation::Contradicts,
            0.84,
            format!("the later one takes back {}", x.value),
        )
    })
}

/// The same words with a negation, or with another number, in one of them.
fn turned_round(a: &Side<'_>, b: &Side<'_>) -> Option<Verdict> {
    let likeness = overlap(&a.stems, &b.stems);
    let share = likeness >= 0.7 && a.stems.intersection(&b.stems).count() >= 2;
    if !share || a.fact.kind == FactKind::Opinion && a.fact.author != b.fact.author {
        return None;
    }
    let possible = |side: &Side<'_>| {
        side.fact
            .slot
            .as_ref()
            .is_some_and(|it| matches!(it.modality, Modality::Possible | Modality::Asked))
    };
    if possible(a) || possible(b) {
        return None;
    }
    // One slot each that differ in subject or family are two matters, whatever the words.
    if a.fact.slot.is_some() && b.fact.slot.is_some() {
        return None;
    }
    if a.is_negated != b.is_negated && a.numbers == b.numbers {
        let confidence = if likeness >= 0.85 { 0.8 } else { 0.65 };
        return Some((
            FactRelation::Contradicts,
            confidence,
            "the one denies what the other says".to_owned(),
        ));
    }
    let differ = !a.numbers.is_empty() && !b.numbers.is_empty() && a.numbers != b.numbers;
    (differ && a.is_negated == b.is_negated && likeness >= 0.85 && (a.takes_back || b.takes_back))
        .then(|| {
            (
                FactRelation::Contradicts,
                0.65,
                "the numbers or dates differ".to_owned(),
            )
        })
}

/// One says all that the other says, and more.
fn refined(a: &Side<'_>, b: &Side<'_>) -> Option<Verdict> {
    let (less, more) = if a.stems.len() <= b.stems.len() {
        (a, b)
    } else {
        (b, a)
    };
    let holds = less.stems.len() >= 3
        && less.stems.is_subset(&more.stems)
        && less.stems.len() < more.stems.len()
        && less.numbers.is_subset(&more.numbers)
        && a.is_negated == b.is_negated
        && ratio(less.stems.len(), more.stems.len()) >= 0.5;
    holds.then(|| {
        (
            FactRelation::Refines,
            0.7,
            "the one says the same and more".to_owned(),
        )
    })
}
