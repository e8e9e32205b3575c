//! Judgements.

use atlas_core::model::{Judge, Judged, Judgement, Verdict};
use proptest::prelude::*;
use proptest::sample::select;

use super::ids::arb_judgement_id;
use super::{
    arb_fact_id, arb_fingerprint, arb_message_id, arb_principal_id, arb_text, arb_timestamp,
    arb_unit_score, some_of,
};

/// Any verdict.
pub fn arb_verdict() -> impl Strategy<Value = Verdict> {
    select(vec![
        Verdict::Supersede,
        Verdict::Refine,
        Verdict::Dispute,
        Verdict::Duplicate,
        Verdict::Unrelated,
        Verdict::Expire,
        Verdict::Withdraw,
        Verdict::Restore,
        Verdict::Reject,
        Verdict::Confirm,
    ])
}

/// One fact, or a pair of two with the smaller id first.
pub fn arb_judged() -> impl Strategy<Value = Judged> {
    let pair = (arb_fact_id(), arb_fact_id())
        .prop_map(|(a, b)| Judged::pair(&a, &b).unwrap_or(Judged::Fact(a)));
    prop_oneof![1 => arb_fact_id().prop_map(Judged::Fact), 2 => pair]
}

/// A person or a detector.
pub fn arb_judge() -> impl Strategy<Value = Judge> {
    prop_oneof![
        arb_principal_id().prop_map(Judge::Person),
        arb_fingerprint().prop_map(Judge::Detector),
    ]
}

/// A judgement in which every field may say something.
///
/// Its id is arbitrary: a test that needs [`Judgement::id_of`] sets it.
pub fn arb_judgement() -> impl Strategy<Value = Judgement> {
    (
        arb_judgement_id(),
        arb_judged(),
        arb_verdict(),
        arb_unit_score(),
        arb_text().prop_filter("a reason is never empty", |reason| !reason.is_empty()),
        some_of(arb_message_id()),
        arb_judge(),
        arb_timestamp(),
    )
        .prop_map(
            |(id, judged, verdict, confidence, reason, evidence, judge, recorded_at)| Judgement {
                id,
                judged,
                verdict,
                confidence,
                reason,
                evidence,
                judge,
                recorded_at,
            },
        )
}
