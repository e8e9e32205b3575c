//! Taking messages in: said, replied, edited, deleted, restated and sent again.

use anyhow::{Result, ensure};
use atlas_core::async_trait;
use atlas_core::model::{Message, Timestamp};
use fastrand::Rng;
use serde_json::{Value, json};

use super::{Kind, Op, Reached};
use crate::talk::Talk;
use crate::world::World;

/// The most messages of one batch.
const MOST: usize = 8;

pub(super) struct Ingest;

#[async_trait]
impl Kind for Ingest {
    fn name(&self) -> &'static str {
        "ingest"
    }

    fn weight(&self) -> u32 {
        35
    }

    fn is_repeatable(&self) -> bool {
        true
    }

    fn make(&self, talk: &mut Talk, rng: &mut Rng, at: Timestamp) -> Option<Value> {
        let batch: Vec<Message> = (0..rng.usize(1..=MOST))
            .map(|_| talk.next(rng, at))
            .collect();
        talk.is_settled = false;
        serde_json::to_value(batch).ok()
    }

    async fn perform(&self, world: &World, op: &Op, _reached: Reached<'_>) -> Result<Value> {
        let messages: Vec<Message> = serde_json::from_value(op.args.clone())?;
        let receipt = world.channel(&op.channel).ingest(&messages).await?;
        let given = receipt.accepted + receipt.changed + receipt.unchanged;
        ensure!(
            given + receipt.refused.len() == messages.len(),
            "a receipt that does not add up: {receipt:?}"
        );
        Ok(json!({ "taken": given, "refused": receipt.refused.len() }))
    }
}
