//! The sessions of a channel by their number.

use std::time::Duration;

use crate::components::Components;
use crate::error::Result;
use crate::model::{Interval, Timestamp};
use crate::ports::{ChannelScope, ReadCursor, Scope};

/// Messages that are read at a time.
const PAGE: usize = 500;
/// Messages that are read at most.
const MOST: usize = 20_000;

/// When the session of a number was held in each channel: the first message counts as the
/// beginning of the first session, and one that comes more than `gap` after another begins the
/// next. A channel with fewer sessions gives none.
pub(super) async fn session_span(
    parts: &Components,
    scope: &Scope,
    number: usize,
    gap: Duration,
) -> Result<Vec<Interval>> {
    let mut spans = Vec::new();
    for channel in scope.channels() {
        let channel = ChannelScope::new(channel.clone());
        let mut times: Vec<Timestamp> = Vec::new();
        let mut after: Option<ReadCursor> = None;
        loop {
            let page = parts.messages.read(&channel, after.as_ref(), PAGE).await?;
            after = page
                .last()
                .map(|it| (it.message.sent_at, it.message.id.clone()));
            let is_last = page.len() < PAGE;
            times.extend(page.iter().map(|it| it.message.sent_at));
            if is_last || times.len() >= MOST {
                spans.extend(nth(&times, number, gap, is_last));
                break;
            }
            if let Some(span) = nth(&times, number, gap, false) {
                spans.push(span);
                break;
            }
        }
    }
    Ok(spans)
}

/// The span of the session of a number among rising times. The last session counts only if no more
/// times come.
fn nth(times: &[Timestamp], number: usize, gap: Duration, is_all: bool) -> Option<Interval> {
    let mut sessions = times.chunk_by(|a, b| b.duration_since(*a) <= gap);
    let session = sessions.nth(number.checked_sub(1)?)?;
    let is_whole = is_all || sessions.next().is_some();
    let (first, last) = (session.first()?, session.last()?);
    is_whole.then(|| Interval {
        start: *first,
        end: Some(last.saturating_add_micros(1)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_where_nothing_follows_for_a_while() {
        let hours = [0_i64, 1, 2, 30, 31, 90];
        let times = hours.map(|it| Timestamp::MIN.saturating_add_micros(it * 3_600_000_000));
        let gap = Duration::from_hours(6);
        let span = |number, is_all| {
            let found = nth(&times, number, gap, is_all)?;
            let at = |it: Timestamp| times.iter().position(|time| *time == it);
            Some((at(found.start), at(found.end?.saturating_add_micros(-1))))
        };
        assert_eq!(span(1, false), Some((Some(0), Some(2))));
        assert_eq!(span(2, false), Some((Some(3), Some(4))));
        assert_eq!(span(3, true), Some((Some(5), Some(5))));
        assert_eq!(
            (span(3, false), span(4, true), span(0, true)),
            (None, None, None)
        );
    }
}
