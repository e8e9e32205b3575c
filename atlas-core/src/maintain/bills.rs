//! What models came to, kept by day.

use serde::{Deserialize, Serialize};

use crate::components::Components;
use crate::error::{ErrorKind, Result};
use crate::model::{Bill, Stored, Timestamp};
use crate::ports::{Collection, CommitBuilder, Partition, RecordStore, RecordStoreExt};
use crate::stage;

/// How often a bill is added up again because somebody else added first. Whoever comes second lost
/// to one who is done, so that only so many others at the same time are too many.
pub(crate) const TRIES: usize = 32;

/// What models came to on one day, for one channel or for one principal's questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayBill {
    /// The day in UTC, as `2026-03-09`.
    pub day: String,
    /// What it came to.
    pub bill: Bill,
}

impl Stored for DayBill {
    const COLLECTION: Collection = Collection::literal(".bill");
    const SCHEMA: u32 = 1;

    fn record_id(&self) -> String {
        self.day.clone()
    }
}

/// Adds a bill to the day's, in the commit, which expects that nobody else adds meanwhile. A bill
/// of nothing adds nothing.
///
/// # Errors
///
/// What the store fails with.
pub(crate) async fn add(
    records: &dyn RecordStore,
    partition: &Partition,
    commit: &mut CommitBuilder,
    (bill, at): (&Bill, Timestamp),
) -> Result<()> {
    if bill.is_empty() {
        return Ok(());
    }
    let day = at.date();
    let found = commit
        .load_many::<DayBill>(records, partition, std::slice::from_ref(&day))
        .await?;
    let mut sum = match found.into_iter().flatten().next() {
        Some(kept) => kept.value,
        None => DayBill {
            day,
            bill: Bill::default(),
        },
    };
    sum.bill.add(bill);
    commit.put(&sum)
}

/// Adds a bill to the day's.
pub(crate) async fn keep(parts: &Components, partition: &Partition, bill: &Bill) -> Result<()> {
    let records = parts.records.as_ref();
    let at = parts.clock.now();
    if bill.is_empty() {
        return Ok(());
    }
    let mut tries = 0;
    loop {
        let mut commit = CommitBuilder::new(records.head(partition).await?.epoch);
        add(records, partition, &mut commit, (bill, at)).await?;
        tries += 1;
        match stage::commit(records, partition, commit).await {
            Err(error) if error.kind() == ErrorKind::Conflict && tries < TRIES => {}
            done => return done.map(drop),
        }
    }
}

/// The kept bills, in order of the days.
pub(crate) async fn kept(parts: &Components, partition: &Partition) -> Result<Vec<DayBill>> {
    let all = parts.records.load_all::<DayBill>(partition).await?;
    Ok(all.into_iter().map(|it| it.value).collect())
}
