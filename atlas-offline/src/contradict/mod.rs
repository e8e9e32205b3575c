//! Pairs of facts to verdicts.

use std::collections::BTreeSet;

use atlas_core::llm::{
    ContradictionInput, ContradictionOutput, FactRelation, LabelledFact, ProposedVerdict,
};
use atlas_core::model::{FactKind, Modality, Polarity, Slot};

use crate::text::stem::{folded_words, overlap, stem_set};

/// Families of which a thing has several values at once: another value is no contradiction, unless
/// the words say that it takes the place of the first.
const MANY_VALUED: [&str; 26] = [
    "uses",
    "use",
    "likes",
    "dislikes",
    "prefers",
    "works_on",
    "owns",
    "has",
    "have",
    "knows",
    "includes",
    "needs",
    "depends_on",
    "mentions",
    "attends",
    "contains",
    "supports",
    "wants",
    "says",
    "asks",
    "does",
    "did",
    "is",
    "about",
    "fact",
    "link",
];

/// Words that say that one thing takes the place of another, folded.
const REPLACING: [&str; 44] = [
    "instead",
    "no longer",
    "not anymore",
    "any more",
    "anymore",
    "back to",
    "moved to",
    "moved from",
    "moved the",
    "move to",
    "postponed",
    "pushed to",
    "slips to",
    "slipped to",
    "changed to",
    "changed our mind",
    "change of plan",
    "scrap",
    "scrapped",
    "revert",
    "reverted",
    "reverting",
    "cancelled",
    "canceled",
    "dropped",
    "dropping",
    "switch",
    "switched",
    "switching",
    "replaces",
    "replaced",
    "rather than",
    "reversed",
    "reversing",
    "undo",
    "not going with",
    "walk back",
    "statt",
    "nicht mehr",
    "doch nicht",
    "ya no",
    "改成",
    "不再",
    "改为",
];

/// Verdicts on the fact and each candidate with which it has to do.
pub(crate) fn detect(input: &ContradictionInput) -> ContradictionOutput {
    let verdicts = input
        .candidates
        .iter()
        .filter_map(|candidate| {
            let (relation, confidence, reason) = verdict(&input.fact, candidate)?;
            let candidate = candidate.label.clone();
            Some(ProposedVerdict {
                candidate,
                relation,
                confidence,
                reason,
            })
        })
        .collect();
    ContradictionOutput { verdicts }
}

type Judged = (FactRelation, f32, String);

/// How two facts stand to each other. It is the same whichever comes first.
fn verdict(a: &LabelledFact, b: &LabelledFact) -> Option<Judged> {
    if a.kind == FactKind::Question || b.kind == FactKind::Question {
        return None;
    }
    let likeness = overlap(&stem_set(&a.text), &stem_set(&b.text));
    if likeness >= SAME && exact_words(a) == exact_words(b) && slots_agree(a, b) {
        let reason = "Both say the same in nearly the same words.".to_owned();
        return Some((FactRelation::Duplicates, 0.9, reason));
    }
    match (&a.slot, &b.slot) {
        (Some(x), Some(y)) if x.subject == y.subject && x.family == y.family => {
            within_slot((a, x), (b, y))
        }
        (Some(_), Some(_)) => None,
        _ if (replaces(a) || replaces(b)) && likeness >= RELATED => {
            let reason = "One says that something changed, and both speak of the same.".to_owned();
            Some((FactRelation::Contradicts, 0.6, reason))
        }
        _ => None,
    }
}

/// The share of words from which two statements are one.
const SAME: f32 = 0.85;
/// The share of words from which two statements speak of the same.
const RELATED: f32 = 0.4;

fn within_slot((a, x): (&LabelledFact, &Slot), (b, y): (&LabelledFact, &Slot)) -> Option<Judged> {
    let is_firm = |slot: &Slot| !matches!(slot.modality, Modality::Asked | Modality::Possible);
    if !is_firm(x) || !is_firm(y) {
        return None;
    }
    let about = format!("the {} of {}", x.family.replace('_', " "), x.subject);
    if x.value == y.value {
        if x.polarity == y.polarity {
            return None;
        }
        let reason = format!("One affirms and the other denies {about}.");
        return Some((FactRelation::Contradicts, 0.9, reason));
    }
    if x.value.is_empty() || y.value.is_empty() {
        return None;
    }
    let is_open = |slot: &Slot| MANY_VALUED.contains(&slot.family.as_str());
    let is_replaced = replaces(a) || replaces(b);
    if x.polarity != y.polarity {
        // "Not A" and "B" agree, unless the words say that B takes A's place.
        return is_replaced.then(|| {
            let reason = format!("One takes back what the other says of {about}.");
            (FactRelation::Contradicts, 0.8, reason)
        });
    }
    if x.polarity == Polarity::Negative {
        return None;
    }
    if refines(&x.value, &y.value) {
        let reason = format!("One says {about} more precisely than the other.");
        return Some((FactRelation::Refines, 0.7, reason));
    }
    let reason = format!(
        "They give {about} as “{}” and as “{}”.",
        first(x, y),
        second(x, y)
    );
    match (is_open(x), is_replaced) {
        (false, _) => Some((FactRelation::Contradicts, 0.85, reason)),
        (true, true) => Some((FactRelation::Contradicts, 0.82, reason)),
        (true, false) => None,
    }
}

fn first<'a>(x: &'a Slot, y: &'a Slot) -> &'a str {
    x.value.as_str().min(y.value.as_str())
}

fn second<'a>(x: &'a Slot, y: &'a Slot) -> &'a str {
    x.value.as_str().max(y.value.as_str())
}

/// Whether one value is the other with more words.
fn refines(a: &str, b: &str) -> bool {
    let (a, b): (BTreeSet<&str>, BTreeSet<&str>) = (
        a.split_whitespace().collect(),
        b.split_whitespace().collect(),
    );
    (a.len() != b.len()) && (a.is_subset(&b) || b.is_subset(&a))
}

fn slots_agree(a: &LabelledFact, b: &LabelledFact) -> bool {
    match (&a.slot, &b.slot) {
        (Some(x), Some(y)) => {
            x.subject == y.subject && x.value == y.value && x.polarity == y.polarity
        }
        _ => true,
    }
}

fn replaces(fact: &LabelledFact) -> bool {
    let said = format!(" {} ", folded_words(&fact.text).join(" "));
    let dense = fact.text.replace(char::is_whitespace, "");
    REPLACING.iter().any(|cue| {
        if cue.is_ascii() {
            said.contains(&format!(" {cue} "))
        } else {
            dense.contains(cue)
        }
    })
}

/// Numbers and negations: what must agree for two statements to be one.
fn exact_words(fact: &LabelledFact) -> BTreeSet<String> {
    folded_words(&fact.text)
        .into_iter()
        .filter(|word| {
            word.chars().any(char::is_numeric)
                || matches!(word.as_str(), "not" | "no" | "never" | "without" | "cannot")
                || word.ends_with("n't")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use atlas_core::model::{Importance, Timestamp};

    use super::*;

    fn fact(text: &str, slot: Option<(&str, &str, &str)>, polarity: Polarity) -> LabelledFact {
        LabelledFact {
            label: "f1".to_owned(),
            text: text.to_owned(),
            quote: text.to_owned(),
            author: "Ana".to_owned(),
            said_at: Timestamp::MIN,
            kind: FactKind::Observation,
            importance: Importance::Medium,
            slot: slot.map(|(subject, family, value)| Slot {
                subject: subject.to_owned(),
                family: family.to_owned(),
                value: value.to_owned(),
                polarity,
                modality: Modality::Asserted,
            }),
            tags: Vec::new(),
            mentions: Vec::new(),
            answers: None,
            is_disputed: false,
        }
    }

    #[track_caller]
    fn check(a: &LabelledFact, b: &LabelledFact, expected: Option<(FactRelation, bool)>) {
        let seen = |a: &LabelledFact, b: &LabelledFact| {
            verdict(a, b).map(|(relation, confidence, reason)| {
                assert!(!reason.is_empty());
                (relation, confidence >= 0.8)
            })
        };
        assert_eq!(seen(a, b), expected, "{} / {}", a.text, b.text);
        assert_eq!(seen(b, a), expected, "{} / {}", b.text, a.text);
    }

    #[test]
    fn a_changed_value_of_one_slot_contradicts() {
        let launch = |date: &str| {
            let text = format!("The launch is on {date}.");
            fact(&text, Some(("launch", "date", date)), Polarity::Positive)
        };
        let firm = Some((FactRelation::Contradicts, true));
        check(&launch("2026-05-12"), &launch("2026-05-26"), firm);
        let food = |text, polarity| fact(text, Some(("ana", "likes", "chinese food")), polarity);
        check(
            &food("I love Chinese food", Polarity::Positive),
            &food("I hate Chinese food", Polarity::Negative),
            firm,
        );
    }

    #[test]
    fn other_slots_and_values_that_can_both_be_do_not() {
        let of = |text, slot| fact(text, Some(slot), Polarity::Positive);
        check(
            &of(
                "Ana is Staff Engineer at Acme",
                ("ana", "role", "staff engineer"),
            ),
            &of(
                "Ana administers Acme's GitHub org",
                ("ana", "administers", "github"),
            ),
            None,
        );
        check(
            &of("We use Postgres", ("team", "uses", "postgres")),
            &of("We use Redis", ("team", "uses", "redis")),
            None,
        );
        check(
            &of("We use Postgres", ("search", "uses", "postgres")),
            &of(
                "We use Elasticsearch instead",
                ("search", "uses", "elasticsearch"),
            ),
            Some((FactRelation::Contradicts, true)),
        );
    }

    #[test]
    fn without_a_slot_a_reversal_is_doubtful_at_most() {
        let plain = |text| fact(text, None, Polarity::Positive);
        check(
            &plain("Search runs on Elasticsearch now"),
            &plain("Search no longer runs on Elasticsearch"),
            Some((FactRelation::Contradicts, false)),
        );
        check(
            &plain("Search runs on Elasticsearch"),
            &plain("Lunch is at noon"),
            None,
        );
    }

    #[test]
    fn nearly_the_same_words_are_one_statement_unless_a_number_differs() {
        let plain = |text| fact(text, None, Polarity::Positive);
        check(
            &plain("The export takes 40 minutes on the big account"),
            &plain("the export takes 40 minutes on the big accounts"),
            Some((FactRelation::Duplicates, true)),
        );
        check(
            &plain("The export takes 40 minutes on the big account"),
            &plain("The export takes 50 minutes on the big account"),
            None,
        );
    }
}
