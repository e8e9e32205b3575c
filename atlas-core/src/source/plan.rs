//! What is read next, and how a page moves the place.

use std::collections::HashSet;
use std::time::Duration;

use super::settings::SyncSettings;
use super::state::{
    OpenRange, RunState, SyncMode, SyncReport, SyncRun, SyncState, ThreadMark, UnreadReason,
};
use crate::error::{Error, ErrorKind, Result, Retry};
use crate::model::{ContentHash, Message, SourceId, Timestamp};
use crate::ports::{HistoryCursor, SourcePage, ThreadHead};

/// Whether a sync may begin.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Begin {
    /// It may, and this is what is stored as it begins.
    Run(Box<SyncState>),
    /// The last one is not long enough ago.
    CoolingDown {
        /// When it may.
        until: Timestamp,
    },
}

/// Decides whether a sync begins, and what it reads.
///
/// # Errors
///
/// [`ErrorKind::Conflict`] while another runs; it says when to try again.
pub(super) fn begin(
    source: &SourceId,
    known: Option<SyncState>,
    (mode, settings): (SyncMode, &SyncSettings),
    now: Timestamp,
) -> Result<Begin> {
    let number = known.as_ref().map_or(1, |it| it.run.number + 1);
    let mut abandoned = 0;
    if let Some(known) = &known {
        match &known.run.state {
            RunState::Running { expires_at } if now < *expires_at => {
                return Err(Error::new(
                    ErrorKind::Conflict,
                    "source::sync",
                    "another sync of the channel runs",
                )
                .with_retry(Retry::After(expires_at.duration_since(now)))
                .with("source", source)
                .with("run", known.run.number));
            }
            RunState::Running { .. } => abandoned = 1,
            RunState::Done => {
                let ended = known.run.ended_at.unwrap_or(known.run.started_at);
                let until = ended.saturating_add(settings.cool_down);
                if now < until {
                    return Ok(Begin::CoolingDown { until });
                }
            }
            RunState::Partial | RunState::Failed { .. } => {}
        }
    }
    let run = SyncRun {
        number,
        mode,
        state: RunState::Running {
            expires_at: now.saturating_add(settings.lease),
        },
        started_at: now,
        ended_at: None,
        report: SyncReport::default(),
    };
    let mut state = match known {
        Some(known) => SyncState {
            abandoned: known.abandoned + abandoned,
            run,
            ..known
        },
        None => SyncState {
            source: source.clone(),
            cursor: None,
            open: Vec::new(),
            lost: Vec::new(),
            abandoned: 0,
            run,
        },
    };
    open_ranges(&mut state, settings.overlap);
    Ok(Begin::Run(Box::new(state)))
}

fn open_ranges(state: &mut SyncState, overlap: Duration) {
    let run = state.run.number;
    if state.run.mode == SyncMode::Full {
        state.open.clear();
        state.lost.clear();
    }
    for range in &mut state.open {
        if range.reason == UnreadReason::New {
            range.reason = UnreadReason::Continued;
        }
    }
    // What is left over comes first, so that a limit never keeps the end out of reach; it covers
    // the overlap that it was opened with.
    if state.open.iter().all(|it| it.until.is_some()) {
        let is_continued = state
            .open
            .iter()
            .any(|it| it.reason == UnreadReason::Continued);
        let from = match &state.cursor {
            Some(cursor) if is_continued => cursor.clone(),
            Some(cursor) if state.run.mode == SyncMode::Incremental => {
                HistoryCursor::from_instant(back(cursor.sent_at, overlap))
            }
            Some(_) | None => HistoryCursor::start(),
        };
        state.open.push(OpenRange {
            from,
            until: None,
            reason: UnreadReason::New,
            run,
        });
    }
}

/// The instant moved back, kept within the range of instants.
pub(super) fn back(instant: Timestamp, by: Duration) -> Timestamp {
    let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
    instant.saturating_add_micros(micros.saturating_neg())
}

/// The place in the list of the next range that the run reads: what it opened itself as a gap is
/// left to the next run.
pub(super) fn next_range(state: &SyncState) -> Option<usize> {
    let run = state.run.number;
    let is_own_gap = |it: &OpenRange| it.run == run && matches!(it.reason, UnreadReason::Gap(_));
    state.open.iter().position(|it| !is_own_gap(it))
}

/// Moves the state past a page of a range, whose messages are in the log.
///
/// # Errors
///
/// [`ErrorKind::Unexpected`] if the source has more and does not go on.
pub(super) fn advance(
    state: &mut SyncState,
    index: usize,
    page: &SourcePage,
    is_ascending: bool,
) -> Result<()> {
    let Some(range) = state.open.get_mut(index) else {
        return Ok(());
    };
    let places = || page.messages.iter().map(HistoryCursor::of);
    let (first, last) = (places().min(), places().max());
    let is_done = if is_ascending {
        let reached = last.clone();
        let is_past = match (&reached, &range.until) {
            (Some(at), Some(until)) => at >= until,
            _ => false,
        };
        let is_done = !page.has_more || is_past;
        if !is_done {
            match reached {
                Some(at) if at > range.from => range.from = at,
                Some(_) | None => return Err(stuck(&state.source)),
            }
        }
        is_done
    } else {
        let is_done = !page.has_more || first.as_ref().is_some_and(|at| *at <= range.from);
        if !is_done {
            match first {
                Some(at) if range.until.as_ref().is_none_or(|until| at < *until) => {
                    range.until = Some(at);
                }
                Some(_) | None => return Err(stuck(&state.source)),
            }
        }
        is_done
    };
    if is_done {
        state.open.remove(index);
    }
    if last > state.cursor {
        state.cursor = last;
    }
    let run = state.run.number;
    for gap in &page.gaps {
        if gap.is_lasting {
            if !state.lost.contains(gap) {
                state.lost.push(gap.clone());
            }
            continue;
        }
        let range = OpenRange {
            from: gap.from.clone(),
            until: Some(gap.until.clone()),
            reason: UnreadReason::Gap(gap.reason.clone()),
            run,
        };
        let is_known = |it: &OpenRange| {
            (&it.from, &it.until) == (&range.from, &range.until)
                && matches!(it.reason, UnreadReason::Gap(_))
        };
        if !state.open.iter().any(is_known) {
            state.open.push(range);
        }
    }
    Ok(())
}

fn stuck(source: &SourceId) -> Error {
    Error::new(
        ErrorKind::Unexpected,
        "source::sync",
        "the source has more and does not go on",
    )
    .with("source", source)
}

/// The messages of a page that this run has not read yet, each version once.
pub(super) fn unseen(seen: &mut HashSet<ContentHash>, page: &[Message]) -> Vec<Message> {
    let fresh = page.iter().filter(|it| seen.insert(it.version()));
    fresh.cloned().collect()
}

/// What is known of a thread after its head was seen; none if nothing is to be written.
pub(super) fn see_head(
    known: Option<&ThreadMark>,
    (source, head): (&SourceId, &ThreadHead),
    mode: SyncMode,
) -> Option<ThreadMark> {
    let is_news =
        known.is_none_or(|it| it.active_at < head.latest_reply || it.replies != head.replies);
    let is_unread = known.is_some_and(|it| it.is_unread);
    if !is_news && (is_unread || mode == SyncMode::Incremental) {
        return None;
    }
    let active_at = known.map_or(head.latest_reply, |it| it.active_at.max(head.latest_reply));
    Some(ThreadMark {
        source: source.clone(),
        root: head.root.clone(),
        active_at,
        replies: head.replies,
        read_at: known.and_then(|it| it.read_at),
        is_unread: true,
        last_error: None,
    })
}

/// Whether a thread is read again: something in it is new, or it was active lately.
pub(super) fn is_due(mark: &ThreadMark, window: Duration, now: Timestamp) -> bool {
    mark.is_unread || mark.active_at >= back(now, window)
}

/// Whether a thread need not be followed any longer: it is read, quiet, and its root is before what
/// is read again, so that its head will not be met and taken for news.
pub(super) fn is_quiet(
    mark: &ThreadMark,
    settings: &SyncSettings,
    cursor: Option<&HistoryCursor>,
    now: Timestamp,
) -> bool {
    let is_before_overlap =
        cursor.is_some_and(|it| mark.active_at < back(it.sent_at, settings.overlap));
    !is_due(mark, settings.thread_window, now) && is_before_overlap
}

/// How a run ends that nothing stopped and that leaves so many threads unread.
pub(super) fn ending(state: &SyncState, unread_threads: usize) -> RunState {
    if state.open.is_empty() && unread_threads == 0 {
        RunState::Done
    } else {
        RunState::Partial
    }
}

/// How many more messages the run may read; none if it may read all.
pub(super) fn left(state: &SyncState, settings: &SyncSettings) -> Option<usize> {
    let limit = settings.max_messages?;
    Some(limit.saturating_sub(state.run.report.read))
}
