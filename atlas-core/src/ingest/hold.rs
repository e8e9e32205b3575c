//! Sources that are held: their conversations are queued and not read.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::components::Components;
use crate::error::Result;
use crate::model::{SourceId, Stored, Timestamp};
use crate::ports::{
    ChannelScope, Collection, CommitBuilder, Partition, RecordStore, RecordStoreExt,
};
use crate::stage;

/// A source whose conversations wait until it is released.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// The source.
    pub source: SourceId,
    /// Since when.
    pub since: Timestamp,
}

impl Stored for Hold {
    const COLLECTION: Collection = Collection::literal(".hold");
    const SCHEMA: u32 = 1;

    fn record_id(&self) -> String {
        self.source.to_string()
    }
}

/// The sources that are held.
///
/// # Errors
///
/// What the store fails with.
pub async fn held(records: &dyn RecordStore, partition: &Partition) -> Result<BTreeSet<SourceId>> {
    let holds = records.load_all::<Hold>(partition).await?;
    Ok(holds.into_iter().map(|it| it.value.source).collect())
}

/// Holds a source, or releases it. What is claimed already is finished. Doing it again changes
/// nothing.
///
/// # Errors
///
/// What the store fails with; [`crate::ErrorKind::Conflict`] if somebody else did it meanwhile.
pub async fn set_hold(
    parts: &Components,
    channel: &ChannelScope,
    source: &SourceId,
    is_held: bool,
) -> Result<()> {
    let partition = Partition::of(channel);
    let records = parts.records.as_ref();
    let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
    let known = commit
        .load_many::<Hold>(records, &partition, &[source.to_string()])
        .await?;
    let is_known = known.iter().any(Option::is_some);
    if is_held && !is_known {
        commit.put(&Hold {
            source: source.clone(),
            since: parts.clock.now(),
        })?;
    } else if !is_held && is_known {
        commit.delete(Hold::key_of(source.to_string()));
    }
    stage::commit(records, &partition, commit).await?;
    Ok(())
}
