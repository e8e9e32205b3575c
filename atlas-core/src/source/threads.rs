//! Reading the threads that have something new, or may have.

use super::plan;
use super::state::{SyncState, ThreadMark};
use super::sync::Place;
use crate::error::{Error, ErrorKind, Result};
use crate::model::{SourceId, Stored, Timestamp};
use crate::ports::{HistoryCursor, MessageSource, Partition, RecordStore, RecordStoreExt};

/// The threads of a source that are followed.
pub(super) async fn marks(
    records: &dyn RecordStore,
    partition: &Partition,
    source: &SourceId,
) -> Result<Vec<ThreadMark>> {
    let prefix = ThreadMark::prefix(source);
    let found = records
        .list_all(partition, &ThreadMark::COLLECTION, &prefix)
        .await?;
    found
        .iter()
        .map(|it| ThreadMark::decode(&it.value))
        .collect()
}

/// Reads every thread that is due: those with news first, then those that were read longest ago.
/// Answers how many are left unread.
///
/// A thread that fails costs no other: it stays unread. With a limit, one thread is read however
/// much history took, and another in the next run, so that no thread is kept out of reach.
pub(super) async fn read(
    place: &mut Place<'_>,
    state: &mut SyncState,
    source: &dyn MessageSource,
) -> Result<usize> {
    let records = place.parts.records.as_ref();
    let now = place.parts.clock.now();
    let settings = place.settings;
    let mut open = marks(records, &place.partition, &place.source).await?;
    open.sort_by_key(|it| (!it.is_unread, it.read_at));
    let mut unread = 0;
    let mut n_read = 0_usize;
    for mark in open {
        if plan::is_quiet(&mark, settings, state.cursor.as_ref(), now) {
            place.save(state, &[], Some((&mark, None))).await?;
            continue;
        }
        if !plan::is_due(&mark, settings.thread_window, now) {
            continue;
        }
        if n_read > 0 && plan::left(state, settings) == Some(0) {
            unread += usize::from(mark.is_unread);
            continue;
        }
        n_read += 1;
        let after = match read_one(place, state, source, &mark).await {
            Ok(latest) => {
                state.run.report.threads += 1;
                ThreadMark {
                    active_at: latest.map_or(mark.active_at, |it| it.max(mark.active_at)),
                    is_unread: false,
                    read_at: Some(now),
                    last_error: None,
                    ..mark.clone()
                }
            }
            Err(Unread::Stores(error)) => return Err(error),
            Err(Unread::Source(error)) => {
                state.run.report.failed_threads += 1;
                ThreadMark {
                    is_unread: true,
                    last_error: Some(error),
                    ..mark.clone()
                }
            }
        };
        unread += usize::from(after.is_unread);
        place.save(state, &[], Some((&mark, Some(after)))).await?;
    }
    Ok(unread)
}

/// Why a thread was not read.
enum Unread {
    /// The stores failed: the run ends.
    Stores(Error),
    /// The source failed, or left something out: the thread waits.
    Source(String),
}

async fn read_one(
    place: &mut Place<'_>,
    state: &mut SyncState,
    source: &dyn MessageSource,
    mark: &ThreadMark,
) -> std::result::Result<Option<Timestamp>, Unread> {
    let limit = place
        .settings
        .page
        .min(source.capabilities().max_page.max(2));
    let channel = place.channel.channel().clone();
    let mut from = HistoryCursor::start();
    let mut latest = None;
    let mut left_out = None;
    loop {
        let page = source
            .replies(&channel, &mark.root, &from, limit)
            .await
            .map_err(|error| Unread::Source(error.to_string()))?;
        place.append(state, &page).await.map_err(Unread::Stores)?;
        for gap in page.gaps {
            if gap.is_lasting {
                if !state.lost.contains(&gap) {
                    state.lost.push(gap);
                }
            } else {
                left_out = Some(gap.reason);
            }
        }
        let last = page.messages.iter().map(HistoryCursor::of).max();
        latest = latest.max(last.as_ref().map(|it| it.sent_at));
        if !page.has_more {
            break;
        }
        match last {
            Some(at) if at > from => from = at,
            Some(_) | None => {
                let error = Error::new(
                    ErrorKind::Unexpected,
                    "source::sync",
                    "the thread has more and does not go on",
                );
                return Err(Unread::Source(error.to_string()));
            }
        }
    }
    left_out.map_or(Ok(latest), |reason| Err(Unread::Source(reason)))
}
