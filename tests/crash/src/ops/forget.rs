//! Forgetting a message: its words go from the log, and what was forgotten is taken in, so that the
//! next settle takes them out of everything that was made of them.

use anyhow::Result;
use atlas_core::async_trait;
use atlas_core::model::{MessageId, Timestamp};
use atlas_core::ports::{ChannelScope, MessageStore};
use fastrand::Rng;
use serde_json::{Value, json};

use super::{Kind, Op, Reached};
use crate::talk::Talk;
use crate::world::World;

pub(super) struct Forget;

#[async_trait]
impl Kind for Forget {
    fn name(&self) -> &'static str {
        "forget"
    }

    fn weight(&self) -> u32 {
        5
    }

    fn is_repeatable(&self) -> bool {
        true
    }

    fn make(&self, talk: &mut Talk, rng: &mut Rng, _at: Timestamp) -> Option<Value> {
        let id = talk.forget(rng)?;
        talk.is_settled = false;
        serde_json::to_value(id).ok()
    }

    async fn perform(&self, world: &World, op: &Op, _reached: Reached<'_>) -> Result<Value> {
        let id: MessageId = serde_json::from_value(op.args.clone())?;
        let scope = ChannelScope::new(op.channel.clone());
        let messages = &world.atlas.components().messages;
        let epoch = messages.epoch(&scope).await?;
        let n = messages.forget(&scope, epoch, &[id]).await?;
        world.channel(&op.channel).ingest(&[]).await?;
        Ok(json!({ "forgotten": n }))
    }
}
