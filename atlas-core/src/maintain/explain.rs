//! What became of a message.

use serde::{Deserialize, Serialize};

use crate::components::Components;
use crate::error::Result;
use crate::extract::assemble::facts_of;
use crate::ingest::{Lease, WorkItem, held};
use crate::model::{
    AtomicFact, DeadReason, MessageId, MessageOutcome, OutcomeStage, RefusedClaim, SkipReason,
    Timestamp,
};
use crate::ports::{ChannelScope, MessageStoreExt, Partition, RecordStoreExt};

/// What became of a message: why it has the facts that it has, or none.
#[derive(Clone, Debug, PartialEq)]
pub enum Explanation {
    /// There is no such message.
    Unknown,
    /// Nothing is extracted from it.
    Skipped {
        /// Why.
        reason: SkipReason,
    },
    /// It was read, and nothing was admitted.
    Nothing {
        /// What was proposed, and why it was not admitted.
        refused: Vec<RefusedClaim>,
    },
    /// It was read.
    Facts {
        /// The facts that it is evidence of.
        facts: Vec<AtomicFact>,
        /// What else was proposed, and why it was not admitted.
        refused: Vec<RefusedClaim>,
    },
    /// It waits, with its conversation.
    Waiting(Wait),
    /// It was given up.
    Dead {
        /// Why.
        reason: DeadReason,
        /// How often its conversation was begun.
        attempts: u32,
    },
}

/// How a message waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// Since when; none if it is in the log and not taken in yet.
    pub since: Option<Timestamp>,
    /// How often its conversation was begun.
    pub attempts: u32,
    /// Not before this instant, which is the end of the lease if somebody works on it.
    pub next_try: Option<Timestamp>,
    /// How it failed last.
    pub last_error: Option<String>,
    /// Who works on it.
    pub lease: Option<Lease>,
    /// Whether its source is held.
    pub is_held: bool,
}

/// Tells what became of a message.
///
/// # Errors
///
/// What the stores fail with.
pub async fn explain(
    parts: &Components,
    channel: &ChannelScope,
    message: &MessageId,
) -> Result<Explanation> {
    let partition = Partition::of(channel);
    let records = parts.records.as_ref();
    let Some(stored) = parts.messages.get_one(channel, message).await? else {
        return Ok(Explanation::Unknown);
    };
    let is_held = held(records, &partition).await?.contains(&message.source);
    let root = stored.message.conversation().record_id();
    let item = records.load::<WorkItem>(&partition, &root).await?;
    let item = item.map(|it| it.value);
    let outcome = records
        .load::<MessageOutcome>(&partition, &message.record_id())
        .await?
        .map(|it| it.value);
    let not_taken_in = Explanation::Waiting(Wait {
        is_held,
        ..Wait::default()
    });
    let Some(outcome) = outcome else {
        return Ok(not_taken_in);
    };
    if outcome.version != stored.version && !matches!(outcome.stage, OutcomeStage::Queued { .. }) {
        return Ok(not_taken_in);
    }
    Ok(match outcome.stage {
        OutcomeStage::Queued { .. } => Explanation::Waiting(Wait {
            since: item.as_ref().map(|it| it.since),
            attempts: item.as_ref().map_or(0, |it| it.attempts),
            next_try: item.as_ref().and_then(|it| it.due),
            last_error: item.as_ref().and_then(|it| it.last_error.clone()),
            lease: item.and_then(|it| it.lease),
            is_held,
        }),
        OutcomeStage::Skipped { reason } => Explanation::Skipped { reason },
        OutcomeStage::Dead { reason } => Explanation::Dead {
            reason,
            attempts: item.map_or(0, |it| it.attempts),
        },
        OutcomeStage::Extracted if outcome.claims.is_empty() => Explanation::Nothing {
            refused: outcome.refusals,
        },
        OutcomeStage::Extracted => {
            let ids: Vec<String> = facts_of(channel.channel(), &outcome)
                .into_iter()
                .map(|it| it.to_string())
                .collect();
            let facts = records.load_many::<AtomicFact>(&partition, &ids).await?;
            Explanation::Facts {
                facts: facts.into_iter().flatten().map(|it| it.value).collect(),
                refused: outcome.refusals,
            }
        }
    })
}
