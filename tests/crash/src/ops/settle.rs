//! Settling a channel.

use anyhow::Result;
use atlas_core::async_trait;
use atlas_core::maintain::{Observer, Progress};
use atlas_core::model::Timestamp;
use fastrand::Rng;
use serde_json::{Value, json};

use super::{Kind, Op, Reached};
use crate::talk::Talk;
use crate::world::World;

pub(super) struct Settle;

#[async_trait]
impl Kind for Settle {
    fn name(&self) -> &'static str {
        "settle"
    }

    fn weight(&self) -> u32 {
        40
    }

    fn is_repeatable(&self) -> bool {
        true
    }

    fn stages(&self) -> &'static [&'static str] {
        &[
            "ingest",
            "extract",
            "lifecycle",
            "graph",
            "topic",
            "wiki",
            "index",
        ]
    }

    fn make(&self, talk: &mut Talk, _rng: &mut Rng, _at: Timestamp) -> Option<Value> {
        if talk.is_settled || talk.is_empty() {
            return None;
        }
        talk.is_settled = true;
        talk.is_known = true;
        Some(Value::Null)
    }

    async fn perform(&self, world: &World, op: &Op, reached: Reached<'_>) -> Result<Value> {
        let channel = world.channel(&op.channel);
        let settled = channel.settle_with(&Stages(reached)).await?;
        Ok(json!({ "complete": settled.is_complete(), "waiting": settled.waiting }))
    }
}

/// Hands on which stage begins.
struct Stages<'a>(Reached<'a>);

impl Observer for Stages<'_> {
    fn progress(&self, progress: Progress) {
        if progress.done == 0 {
            (self.0)(progress.stage.as_str());
        }
    }
}
