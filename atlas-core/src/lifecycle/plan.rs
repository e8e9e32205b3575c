//! Verdicts of a detector to judgements.

use super::LifecycleSettings;
use super::pairs::{have_other_slots, say_the_same};
use crate::llm::{FactRelation, ProposedVerdict};
use crate::model::{
    AtomicFact, Fingerprint, Judge, Judged, Judgement, MessageId, Timestamp, UnitScore, Verdict,
};

/// Who judges, and when it is recorded.
#[derive(Clone, Debug)]
pub struct Bench<'a> {
    /// The detector.
    pub detector: &'a Fingerprint,
    /// The present instant.
    pub now: Timestamp,
}

/// Why a verdict was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refused {
    /// It names a fact that was not offered.
    NotOffered,
    /// Its confidence is not a number between 0 and 1.
    BadConfidence,
    /// It gives no reason.
    NoReason,
    /// The facts speak of different things, so they cannot contradict each other.
    OtherSlot,
}

/// The judgement that two facts say the same, by rule.
pub fn duplicate(
    a: &AtomicFact,
    b: &AtomicFact,
    cosine: f32,
    settings: &LifecycleSettings,
    bench: &Bench<'_>,
) -> Option<Judgement> {
    if !say_the_same(a, b, cosine, settings.duplicate_from) {
        return None;
    }
    let reason = "The two say the same and agree in every number, negation and date.".to_owned();
    judgement(
        a,
        b,
        Verdict::Duplicate,
        (UnitScore::clamped(cosine), reason),
        bench,
    )
}

/// What a detector's verdict on two facts comes to; nothing if it changes nothing.
///
/// A contradiction supersedes from one confidence on, is a dispute from another one on, and
/// changes nothing below. Facts whose slots differ do not contradict each other; facts of which one
/// has no slot are disputed at most.
///
/// # Errors
///
/// Why the verdict was not taken.
pub fn judged(
    (a, b): (&AtomicFact, &AtomicFact),
    verdict: &ProposedVerdict,
    settings: &LifecycleSettings,
    bench: &Bench<'_>,
) -> Result<Option<Judgement>, Refused> {
    let confidence = UnitScore::new(verdict.confidence).map_err(|_| Refused::BadConfidence)?;
    let decided = match verdict.relation {
        FactRelation::Contradicts => {
            let slots = a.claim.slot.as_ref().zip(b.claim.slot.as_ref());
            if slots.is_some_and(|(a, b)| have_other_slots(a, b)) {
                return Err(Refused::OtherSlot);
            }
            if confidence >= settings.supersede_from && slots.is_some() {
                Verdict::Supersede
            } else if confidence >= settings.dispute_from {
                Verdict::Dispute
            } else {
                return Ok(None);
            }
        }
        FactRelation::Duplicates if confidence >= settings.supersede_from => Verdict::Duplicate,
        FactRelation::Refines if confidence >= settings.dispute_from => Verdict::Refine,
        FactRelation::Duplicates | FactRelation::Refines | FactRelation::Unrelated => {
            return Ok(None);
        }
    };
    if verdict.reason.trim().is_empty() {
        return Err(Refused::NoReason);
    }
    Ok(judgement(
        a,
        b,
        decided,
        (confidence, verdict.reason.clone()),
        bench,
    ))
}

fn judgement(
    a: &AtomicFact,
    b: &AtomicFact,
    verdict: Verdict,
    (confidence, reason): (UnitScore, String),
    bench: &Bench<'_>,
) -> Option<Judgement> {
    let judged = Judged::pair(&a.id, &b.id)?;
    let judge = Judge::Detector(bench.detector.clone());
    let mut evidence: Vec<MessageId> = a
        .evidence
        .iter()
        .chain(&b.evidence)
        .map(|it| it.message.clone())
        .collect();
    evidence.sort();
    evidence.dedup();
    Some(Judgement {
        id: Judgement::id_of(&judged, &verdict, &judge, bench.now),
        judged,
        verdict,
        confidence,
        reason,
        evidence,
        judge,
        recorded_at: bench.now,
    })
}
