//! Times that a text speaks of, resolved against the instant at which it was said.
//!
//! Reads English, and the common forms of German, Spanish, French and Chinese. What it promises is
//! to be silent rather than wrong: a date that does not exist, or that lies outside the years 1 to
//! 9999, is no time at all.
//!
//! The readings that people differ about are these:
//!
//! - `5/12/2026` is 12 May: the month stands first, unless it cannot be one.
//! - A day and month without a year is the nearest in the direction of the tense, else the nearest.
//! - `Friday` is the coming one, today counted; after words of the past it is the last one.
//!   `next Friday` is that of the next week from Monday on, `last Friday` the latest before today.
//! - `at 3` is 15:00: hours one to six without minutes are of the afternoon.
//! - The end of a week is its Friday, that of a month, quarter or year its last day.

mod calendar;
mod clock;
mod dates;
mod reader;
mod relative;
mod rules;
mod tense;
mod tokens;
mod words;

use jiff::civil::DateTime;
use jiff::tz::Offset;

use crate::model::{Span, Timestamp};

use reader::Reader;
use rules::{Scene, longest};

/// How coarse a time is said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Granularity {
    /// A time of the clock with minutes.
    Minute,
    /// An hour, or some hours of a day.
    Hour,
    /// A day, or some days.
    Day,
    /// A week, a weekend, or a third of a month.
    Week,
    /// A month.
    Month,
    /// A quarter of a year.
    Quarter,
    /// A year.
    Year,
}

/// A time that a text speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeExpression {
    /// The words.
    pub span: Span,
    /// The first instant that they mean.
    pub start: Timestamp,
    /// The first instant after what they mean.
    pub end: Timestamp,
    /// How coarse they are.
    pub granularity: Granularity,
}

/// The times that a text speaks of, said at `anchor` where clocks are `offset` seconds ahead of
/// UTC.
///
/// # Shape
///
/// In the order of the text, without overlaps, each from the leftmost place and as long as can be;
/// `start < end`.
pub fn find(text: &str, anchor: Timestamp, offset: i32) -> Vec<TimeExpression> {
    let Some(said) = local(anchor, offset) else {
        return Vec::new();
    };
    let tokens = tokens::tokens(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = tokens.get(at) {
        let read = longest(Scene { said }, Reader::new(&tokens, at));
        let Some((stretch, after)) = read.filter(|(_, after)| after.at > at) else {
            at += 1;
            continue;
        };
        let end = after.before(1).map_or(first.end, |last| last.end);
        let zone = stretch.zone.unwrap_or(offset);
        if let (Some(from), Some(to)) = (instant(stretch.start, zone), instant(stretch.end, zone)) {
            found.push(TimeExpression {
                span: Span {
                    start: first.start,
                    end,
                },
                start: from,
                end: to,
                granularity: stretch.granularity,
            });
        }
        at = after.at;
    }
    found
}

fn local(instant: Timestamp, offset: i32) -> Option<DateTime> {
    let offset = Offset::from_seconds(offset).ok()?;
    Some(offset.to_datetime(instant.to_jiff()))
}

fn instant(time: DateTime, offset: i32) -> Option<Timestamp> {
    let offset = Offset::from_seconds(offset).ok()?;
    let instant = offset.to_timestamp(time).ok()?;
    Timestamp::from_micros(instant.as_microsecond()).ok()
}

#[cfg(test)]
mod tests;
