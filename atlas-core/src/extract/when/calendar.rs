//! Calendar arithmetic that ends in no time rather than in a wrong one.

use jiff::Span;
use jiff::civil::{Date, DateTime, Time};

use super::Granularity;
use super::words::{Edge, Unit};

/// A stretch of local time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) start: DateTime,
    pub(super) end: DateTime,
    pub(super) granularity: Granularity,
    /// The zone that the words name, in seconds east of UTC.
    pub(super) zone: Option<i32>,
}

impl Found {
    fn new(start: DateTime, end: DateTime, granularity: Granularity) -> Option<Self> {
        (start < end).then_some(Self {
            start,
            end,
            granularity,
            zone: None,
        })
    }

    /// Whole days, from the first to the last.
    pub(super) fn days(first: Date, last: Date, granularity: Granularity) -> Option<Self> {
        let end = plus(last, Unit::Day, 1)?;
        Self::new(midnight(first), midnight(end), granularity)
    }

    /// One day.
    pub(super) fn day(date: Date) -> Option<Self> {
        Self::days(date, date, Granularity::Day)
    }

    /// Hours of a day; 24 is its end.
    pub(super) fn hours(date: Date, from: i8, to: i8) -> Option<Self> {
        Self::new(
            clock(date, from, 0)?,
            clock(date, to, 0)?,
            Granularity::Hour,
        )
    }

    /// An hour or a minute of a day; hour 24 is the next midnight.
    pub(super) fn at(date: Date, hour: i8, minute: Option<i8>) -> Option<Self> {
        let start = clock(date, hour, minute.unwrap_or(0))?;
        let (length, granularity) = match minute {
            Some(_) => (Span::new().minutes(1), Granularity::Minute),
            None => (Span::new().hours(1), Granularity::Hour),
        };
        Self::new(start, start.checked_add(length).ok()?, granularity)
    }

    /// Between two instants.
    pub(super) fn between(a: DateTime, b: DateTime, granularity: Granularity) -> Option<Self> {
        Self::new(a.min(b), a.max(b), granularity)
    }
}

pub(super) fn midnight(date: Date) -> DateTime {
    date.to_datetime(Time::midnight())
}

fn clock(date: Date, hour: i8, minute: i8) -> Option<DateTime> {
    if hour == 24 && minute == 0 {
        return Some(midnight(plus(date, Unit::Day, 1)?));
    }
    Some(date.to_datetime(Time::new(hour, minute, 0, 0).ok()?))
}

fn span(unit: Unit, count: i64) -> Option<Span> {
    let span = Span::new();
    match unit {
        Unit::Minute => span.try_minutes(count),
        Unit::Hour => span.try_hours(count),
        Unit::Day => span.try_days(count),
        Unit::Week | Unit::Weekend => span.try_weeks(count),
        Unit::Month => span.try_months(count),
        Unit::Quarter => span.try_months(count.checked_mul(3)?),
        Unit::Year => span.try_years(count),
    }
    .ok()
}

/// The date so many units later.
pub(super) fn plus(date: Date, unit: Unit, count: i64) -> Option<Date> {
    date.checked_add(span(unit, count)?).ok()
}

/// The time so many units later.
pub(super) fn plus_time(time: DateTime, unit: Unit, count: i64) -> Option<DateTime> {
    time.checked_add(span(unit, count)?).ok()
}

/// What the calendar is as coarse as.
pub(super) fn granularity(unit: Unit) -> Granularity {
    match unit {
        Unit::Minute => Granularity::Minute,
        Unit::Hour => Granularity::Hour,
        Unit::Day => Granularity::Day,
        Unit::Week | Unit::Weekend => Granularity::Week,
        Unit::Month => Granularity::Month,
        Unit::Quarter => Granularity::Quarter,
        Unit::Year => Granularity::Year,
    }
}

/// The first day of the unit that the date is in.
pub(super) fn first_day(date: Date, unit: Unit) -> Option<Date> {
    match unit {
        Unit::Minute | Unit::Hour | Unit::Day => Some(date),
        Unit::Week => plus(
            date,
            Unit::Day,
            -i64::from(date.weekday().to_monday_zero_offset()),
        ),
        Unit::Weekend => plus(first_day(date, Unit::Week)?, Unit::Day, 5),
        Unit::Month => Some(date.first_of_month()),
        Unit::Quarter => Date::new(date.year(), (date.month() - 1) / 3 * 3 + 1, 1).ok(),
        Unit::Year => Some(date.first_of_year()),
    }
}

/// The unit that lies so many units from the date.
pub(super) fn period(date: Date, unit: Unit, count: i64) -> Option<Found> {
    if let Unit::Minute | Unit::Hour = unit {
        return None;
    }
    // Counted from the first day, so that a month after 31 January is February.
    let first = plus(first_day(date, unit)?, unit, count)?;
    let last = match unit {
        Unit::Weekend => plus(first, Unit::Day, 1)?,
        Unit::Minute
        | Unit::Hour
        | Unit::Day
        | Unit::Week
        | Unit::Month
        | Unit::Quarter
        | Unit::Year => plus(plus(first, unit, 1)?, Unit::Day, -1)?,
    };
    Found::days(first, last, granularity(unit))
}

/// A part of the unit that begins on the date.
///
/// The end of a week is its Friday, that of a longer stretch its last day; early, middle and late
/// in a month are its thirds.
pub(super) fn edge(first: Date, unit: Unit, edge: Edge) -> Option<Found> {
    let day = |count| plus(first, Unit::Day, count);
    let last = plus(plus(first, unit, 1)?, Unit::Day, -1)?;
    match (unit, edge) {
        (Unit::Day, Edge::Start) => Found::hours(first, 6, 10),
        (Unit::Day, Edge::Middle) => Found::hours(first, 11, 14),
        (Unit::Day, Edge::Late | Edge::End) => Found::hours(first, 17, 24),
        (Unit::Week, Edge::Start) => Found::day(first),
        (Unit::Week, Edge::Middle) => Found::day(day(2)?),
        (Unit::Week, Edge::Late) => Found::days(day(3)?, day(4)?, Granularity::Day),
        (Unit::Week, Edge::End) => Found::day(day(4)?),
        (Unit::Month, Edge::Start) => Found::days(first, day(9)?, Granularity::Week),
        (Unit::Month, Edge::Middle) => Found::days(day(10)?, day(19)?, Granularity::Week),
        (Unit::Month, Edge::Late) => Found::days(day(20)?, last, Granularity::Week),
        (Unit::Month | Unit::Quarter | Unit::Year, Edge::End) => Found::day(last),
        (Unit::Quarter, Edge::Start) => period(first, Unit::Month, 0),
        (Unit::Quarter, Edge::Middle) => period(first, Unit::Month, 1),
        (Unit::Quarter, Edge::Late) => period(first, Unit::Month, 2),
        (Unit::Year, Edge::Start) => period(first, Unit::Quarter, 0),
        (Unit::Year, Edge::Middle) => {
            let august = plus(first, Unit::Month, 7)?;
            let last = plus(august, Unit::Day, -1)?;
            Found::days(plus(first, Unit::Month, 5)?, last, Granularity::Month)
        }
        (Unit::Year, Edge::Late) => period(first, Unit::Quarter, 3),
        (Unit::Minute | Unit::Hour | Unit::Weekend, _) => None,
    }
}
