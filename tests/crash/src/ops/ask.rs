//! Asking a question, which keeps a turn.

use anyhow::Result;
use atlas_core::async_trait;
use atlas_core::model::Timestamp;
use fastrand::Rng;
use serde_json::{Value, json};

use super::{Kind, Op, Reached};
use crate::answers::whole;
use crate::talk::Talk;
use crate::world::World;

pub(super) struct Ask;

#[async_trait]
impl Kind for Ask {
    fn name(&self) -> &'static str {
        "ask"
    }

    fn weight(&self) -> u32 {
        5
    }

    /// The id of a turn holds its time, which is that of the operation.
    fn is_repeatable(&self) -> bool {
        true
    }

    fn make(&self, talk: &mut Talk, rng: &mut Rng, _at: Timestamp) -> Option<Value> {
        (!talk.is_empty()).then(|| Value::from(talk.question(rng)))
    }

    async fn perform(&self, world: &World, op: &Op, _reached: Reached<'_>) -> Result<Value> {
        let question: String = serde_json::from_value(op.args.clone())?;
        let answer = world.channel(&op.channel).ask(&question).await?;
        whole(&answer.degraded)?;
        Ok(json!({ "turn": answer.turn.id, "outcome": format!("{:?}", answer.outcome()) }))
    }
}
