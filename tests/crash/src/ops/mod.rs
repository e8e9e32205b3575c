//! The table of operations: what a history is made of.
//!
//! An operation that is to be killed from now on is a file beside this one and a row of [`TABLE`].

mod ask;
mod check;
mod forget;
mod ingest;
mod judge;
mod search;
mod settle;

use anyhow::{Context, Result};
use atlas_core::async_trait;
use atlas_core::model::{ChannelId, Timestamp};
use fastrand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::talk::Talk;
use crate::world::World;

/// Every kind of operation.
pub static TABLE: &[&dyn Kind] = &[
    &ingest::Ingest,
    &settle::Settle,
    &judge::Judge,
    &forget::Forget,
    &search::Search,
    &ask::Ask,
    &check::Check,
];

/// One operation of a history, as it is logged and sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Op {
    /// Its place in the log, from 0.
    pub n: u64,
    /// Its row of the [`TABLE`].
    pub name: String,
    /// Where it happens.
    pub channel: ChannelId,
    /// When it happens: the clock stands there while it is performed, however often it is sent.
    pub at: Timestamp,
    /// What its row made for it.
    pub args: Value,
}

/// Told when an operation comes to a stage of its own, by name.
pub type Reached<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// A row of the table.
#[async_trait]
pub trait Kind: Sync {
    /// Its name, unique in the table.
    fn name(&self) -> &'static str;

    /// How often it is drawn, beside the weights of the other rows.
    fn weight(&self) -> u32;

    /// Whether an operation that was performed, in part or whole, may be performed again.
    ///
    /// One that may not is sent again only if the folder shows that it did not happen.
    fn is_repeatable(&self) -> bool;

    /// The stages that it reports, at which it can be killed on purpose.
    fn stages(&self) -> &'static [&'static str] {
        &[]
    }

    /// Draws the arguments, given everything that was said in the channel so far; none if there is
    /// nothing that it could be done with.
    fn make(&self, talk: &mut Talk, rng: &mut Rng, at: Timestamp) -> Option<Value>;

    /// Performs it and answers what it saw: the same for every run of the same log, whichever the
    /// store, and whether it was performed before or not.
    async fn perform(&self, world: &World, op: &Op, reached: Reached<'_>) -> Result<Value>;
}

/// The row of that name.
///
/// # Errors
///
/// If there is none.
pub fn kind(name: &str) -> Result<&'static dyn Kind> {
    TABLE
        .iter()
        .copied()
        .find(|it| it.name() == name)
        .with_context(|| format!("no operation is named {name:?}"))
}

/// Performs an operation at its time.
///
/// # Errors
///
/// What the operation fails with.
pub async fn perform(world: &World, op: &Op, reached: Reached<'_>) -> Result<Value> {
    world.clock.set(op.at);
    kind(&op.name)?.perform(world, op, reached).await
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn rows_have_names_of_their_own_and_are_drawn() {
        let names: BTreeSet<&str> = TABLE.iter().map(|it| it.name()).collect();
        assert_eq!(names.len(), TABLE.len());
        assert!(TABLE.iter().all(|it| it.weight() > 0));
    }
}
