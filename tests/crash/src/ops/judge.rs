//! A person judges a fact or a pair of facts.

use anyhow::Result;
use atlas_core::async_trait;
use atlas_core::model::{FactId, Judged, PrincipalId, Timestamp, Verdict};
use atlas_core::ports::{LifecycleView, Visibility};
use fastrand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Kind, Op, Reached};
use crate::talk::Talk;
use crate::world::World;

/// Verdicts on one fact.
const OF_FACT: [Verdict; 4] = [
    Verdict::Reject,
    Verdict::Restore,
    Verdict::Confirm,
    Verdict::Expire,
];

/// Verdicts on a pair.
const OF_PAIR: [Verdict; 4] = [
    Verdict::Supersede,
    Verdict::Dispute,
    Verdict::Duplicate,
    Verdict::Unrelated,
];

/// Places are taken modulo the number of facts that there are.
#[derive(Serialize, Deserialize)]
struct Args {
    place: usize,
    other: Option<usize>,
    verdict: Verdict,
    reason: String,
}

pub(super) struct Judge;

#[async_trait]
impl Kind for Judge {
    fn name(&self) -> &'static str {
        "judge"
    }

    fn weight(&self) -> u32 {
        10
    }

    /// The id of a judgement holds its time, which is that of the operation.
    fn is_repeatable(&self) -> bool {
        true
    }

    fn make(&self, talk: &mut Talk, rng: &mut Rng, _at: Timestamp) -> Option<Value> {
        if !talk.is_known {
            return None;
        }
        let is_pair = rng.bool();
        let verdicts = if is_pair { &OF_PAIR } else { &OF_FACT };
        // The pages tell the old standing until the next settle.
        talk.is_settled = false;
        serde_json::to_value(Args {
            place: rng.usize(0..1_000),
            other: is_pair.then(|| rng.usize(0..1_000)),
            verdict: rng.choice(verdicts)?.clone(),
            reason: format!("Reviewed as case {}.", rng.u16(..)),
        })
        .ok()
    }

    async fn perform(&self, world: &World, op: &Op, _reached: Reached<'_>) -> Result<Value> {
        let args: Args = serde_json::from_value(op.args.clone())?;
        let channel = world.channel(&op.channel);
        let everything = Visibility {
            view: LifecycleView::All,
            ..Visibility::default()
        };
        let mut facts: Vec<FactId> = channel
            .facts_seen(&everything)
            .await?
            .into_iter()
            .map(|(fact, _)| fact.id)
            .collect();
        facts.sort();
        let Some(judged) = choose(&facts, &args) else {
            return Ok(Value::Null);
        };
        let by = PrincipalId::new("reviewer");
        let judgement = channel
            .judge(&by, judged, args.verdict, &args.reason)
            .await?;
        Ok(json!({ "judgement": judgement.id }))
    }
}

/// Whom the judgement speaks of; none if there are too few facts.
fn choose(facts: &[FactId], args: &Args) -> Option<Judged> {
    let at = |place: usize| facts.get(place.checked_rem(facts.len())?);
    let fact = at(args.place)?;
    match args.other {
        None => Some(Judged::Fact(fact.clone())),
        Some(other) => Judged::pair(fact, at(other)?),
    }
}
