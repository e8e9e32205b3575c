//! Checking a settled channel.

use anyhow::Result;
use atlas_core::async_trait;
use atlas_core::model::Timestamp;
use fastrand::Rng;
use serde_json::{Value, json};

use super::{Kind, Op, Reached};
use crate::talk::Talk;
use crate::world::World;

pub(super) struct Check;

#[async_trait]
impl Kind for Check {
    fn name(&self) -> &'static str {
        "check"
    }

    fn weight(&self) -> u32 {
        4
    }

    fn is_repeatable(&self) -> bool {
        true
    }

    fn make(&self, talk: &mut Talk, _rng: &mut Rng, _at: Timestamp) -> Option<Value> {
        talk.is_settled.then_some(Value::Null)
    }

    async fn perform(&self, world: &World, op: &Op, _reached: Reached<'_>) -> Result<Value> {
        let violations = world.channel(&op.channel).check().await?;
        Ok(json!({ "violations": format!("{violations:?}") }))
    }
}
