//! Which facts are compared with each other, and which say the same.

use crate::grounding::is_negation;
use crate::model::{AtomicFact, FactKind, Modality, Slot};
use crate::text::words;

/// Whether a fact is compared with others: questions are not.
pub fn is_comparable(fact: &AtomicFact) -> bool {
    fact.claim.kind != FactKind::Question
        && fact
            .claim
            .slot
            .as_ref()
            .is_none_or(|slot| slot.modality != Modality::Asked)
}

/// Whether two facts speak of one property of one thing.
pub fn share_slot(a: &AtomicFact, b: &AtomicFact) -> bool {
    match (&a.claim.slot, &b.claim.slot) {
        (Some(a), Some(b)) => a.subject == b.subject && a.family == b.family,
        _ => false,
    }
}

/// Whether two facts speak of different properties or things, as far as both say of what.
///
/// Facts of different slots never contradict each other, whatever a model says.
pub fn have_other_slots(a: &Slot, b: &Slot) -> bool {
    a.subject != b.subject || a.family != b.family
}

/// Whether two facts are compared: they share a slot, or are near enough in meaning.
///
/// It does not matter which is asked about first, what else is known, or what was judged before:
/// so the pairs that are compared are the same for any order of arrival.
pub fn are_compared(a: &AtomicFact, b: &AtomicFact, cosine: f32, compare_from: f32) -> bool {
    a.id != b.id
        && is_comparable(a)
        && is_comparable(b)
        && (share_slot(a, b) || cosine >= compare_from)
}

/// Whether two facts say the same: near in meaning, of one kind and subject, and agreeing in every
/// number, in negation and in dates.
pub fn say_the_same(a: &AtomicFact, b: &AtomicFact, cosine: f32, duplicate_from: f32) -> bool {
    let subject = |fact: &AtomicFact| fact.claim.slot.as_ref().map(|it| it.subject.clone());
    let slots_agree = match (&a.claim.slot, &b.claim.slot) {
        (Some(x), Some(y)) => x == y,
        _ => true,
    };
    cosine >= duplicate_from
        && a.claim.kind == b.claim.kind
        && subject(a) == subject(b)
        && slots_agree
        && exact_words(a) == exact_words(b)
        && a.claim.action.as_ref().map(|it| (it.due, it.status))
            == b.claim.action.as_ref().map(|it| (it.due, it.status))
}

/// The words that must agree exactly, in their order: numbers and negations.
fn exact_words(fact: &AtomicFact) -> Vec<String> {
    words(&fact.claim.text)
        .into_iter()
        .filter(|word| word.chars().any(char::is_numeric) || is_negation(word))
        .collect()
}
