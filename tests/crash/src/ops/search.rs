//! Searching a channel.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use atlas_core::async_trait;
use atlas_core::model::Timestamp;
use fastrand::Rng;
use serde_json::{Value, json};

use super::{Kind, Op, Reached};
use crate::answers::{found, whole};
use crate::talk::Talk;
use crate::world::World;

pub(super) struct Search;

#[async_trait]
impl Kind for Search {
    fn name(&self) -> &'static str {
        "search"
    }

    fn weight(&self) -> u32 {
        5
    }

    fn is_repeatable(&self) -> bool {
        true
    }

    fn make(&self, talk: &mut Talk, rng: &mut Rng, _at: Timestamp) -> Option<Value> {
        (!talk.is_empty()).then(|| Value::from(talk.question(rng)))
    }

    async fn perform(&self, world: &World, op: &Op, _reached: Reached<'_>) -> Result<Value> {
        let text: String = serde_json::from_value(op.args.clone())?;
        let outcome = world.channel(&op.channel).search(&text).await?;
        whole(&outcome.degraded)?;
        let hits: Vec<String> = outcome.hits.iter().map(found).collect();
        let different: BTreeSet<&String> = hits.iter().collect();
        ensure!(different.len() == hits.len(), "a hit comes twice: {hits:?}");
        Ok(json!(hits))
    }
}
