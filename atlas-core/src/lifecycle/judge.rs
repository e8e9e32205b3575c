//! A person judges.

use std::collections::BTreeSet;

use super::ledger;
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::llm::{Role, fingerprint};
use crate::model::{
    AtomicFact, FactId, Judge, Judged, Judgement, MessageId, PrincipalId, UnitScore, Verdict,
};
use crate::ports::{ChannelScope, CommitBuilder, Partition};
use crate::stage;

/// Records what a person judges of a fact or of a pair, and computes where they stand.
///
/// # Errors
///
/// [`ErrorKind::Invalid`] without a reason, [`ErrorKind::NotFound`] for a fact that is not there,
/// and what the store fails with.
pub async fn judge(
    parts: &Components,
    channel: &ChannelScope,
    by: &PrincipalId,
    (judged, verdict): (Judged, Verdict),
    reason: &str,
) -> Result<Judgement> {
    const OP: &str = "lifecycle::judge";
    if reason.trim().is_empty() {
        return Err(Error::new(
            ErrorKind::Invalid,
            OP,
            "a judgement needs a reason",
        ));
    }
    let judged = match judged {
        Judged::Pair(a, b) => Judged::pair(&a, &b).ok_or_else(|| {
            Error::new(
                ErrorKind::Invalid,
                OP,
                "a fact cannot be judged against itself",
            )
        })?,
        Judged::Fact(fact) => Judged::Fact(fact),
    };
    if !fits(&judged, &verdict) {
        return Err(Error::new(
            ErrorKind::Invalid,
            OP,
            "the verdict does not fit what is judged",
        ));
    }
    let records = parts.records.as_ref();
    let partition = Partition::of(channel);
    let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
    let ids: Vec<String> = judged
        .facts()
        .into_iter()
        .map(ToString::to_string)
        .collect();
    let facts = commit
        .load_many::<AtomicFact>(records, &partition, &ids)
        .await?;
    let mut evidence: BTreeSet<MessageId> = BTreeSet::new();
    for (id, fact) in ids.iter().zip(facts) {
        let fact = fact.ok_or_else(|| {
            Error::new(ErrorKind::NotFound, OP, "there is no such fact").with("fact", id)
        })?;
        evidence.extend(fact.value.evidence.into_iter().map(|it| it.message));
    }
    let touched: BTreeSet<FactId> = judged.facts().into_iter().cloned().collect();
    let judge = Judge::Person(by.clone());
    let now = parts.clock.now();
    let judgement = Judgement {
        id: Judgement::id_of(&judged, &verdict, &judge, now),
        judged,
        verdict,
        confidence: UnitScore::ONE,
        reason: reason.to_owned(),
        evidence: evidence.into_iter().collect(),
        judge,
        recorded_at: now,
    };
    ledger::add(records, &partition, &mut commit, &judgement).await?;
    let detector = fingerprint(parts.llm.as_ref(), Role::ContradictionDetector);
    let added = std::slice::from_ref(&judgement);
    ledger::settle_standings(
        records,
        &partition,
        &mut commit,
        (touched, added),
        Some(&detector),
    )
    .await?;
    stage::commit(records, &partition, commit).await?;
    Ok(judgement)
}

/// Whether a verdict speaks of as many facts as are judged.
fn fits(judged: &Judged, verdict: &Verdict) -> bool {
    let of_pair = matches!(
        verdict,
        Verdict::Supersede
            | Verdict::Refine
            | Verdict::Dispute
            | Verdict::Duplicate
            | Verdict::Unrelated
            | Verdict::Reject
    );
    let of_fact = matches!(
        verdict,
        Verdict::Expire | Verdict::Withdraw | Verdict::Restore | Verdict::Reject | Verdict::Confirm
    );
    match judged {
        Judged::Pair(..) => of_pair,
        Judged::Fact(_) => of_fact,
    }
}
