//! Times of the day, alone or beside a date.

use jiff::civil::Date;

use super::Granularity;
use super::calendar::{Found, plus};
use super::dates::{day_month, iso_date, month_day};
use super::reader::Reader;
use super::relative::{phrase, pointed, weekday};
use super::rules::{Read, Scene};
use super::tokens::{Kind, Token};
use super::words::{Meaning, TABLES, Unit, ZONES};

/// An hour and what follows it.
pub(super) struct Clock {
    hour: i8,
    minute: Option<i8>,
    zone: Option<i32>,
    /// Whether the half of the day is said or follows from the number.
    is_sure: bool,
}

/// A clock time. `is_led` tells that a word before it says that a time follows.
pub(super) fn clock(here: Reader<'_>, is_led: bool) -> Option<(Clock, Reader<'_>)> {
    if let Some((Meaning::Clock(hour), after)) = here.phrase(&TABLES.phrases) {
        let clock = Clock {
            hour,
            minute: None,
            zone: None,
            is_sure: true,
        };
        return Some((clock, after));
    }
    let (part, from) = match here.phrase(&TABLES.day_parts) {
        Some((part, after)) if after.token().is_some_and(|it| it.kind != Kind::Word) => {
            (Some(part), after)
        }
        _ => (None, here),
    };
    let chinese = chinese_clock(from, part);
    if chinese.is_some() {
        return chinese;
    }
    let (hour, length, after) = here.digits(2)?;
    let (minute, after) = match after.eat_glued(&[":", "h"]).and_then(|it| it.digits(2)) {
        Some((minute, 2, after)) if minute < 60 => (Some(minute), after),
        _ => (None, after),
    };
    // Seconds are read and dropped.
    let after = match after.eat_glued(&[":"]).and_then(|it| it.digits(2)) {
        Some((_, 2, next)) if minute.is_some() => next,
        _ => after,
    };
    let half = [("am", 0), ("pm", 12), ("a.m", 0), ("p.m", 12)]
        .iter()
        .find_map(|(word, add)| {
            let mut parts = word.split('.');
            let next = after.eat(&[parts.next()?])?;
            let next = match parts.next() {
                Some(more) => next.eat_glued(&["."])?.eat(&[more])?.skip(&["."]),
                None => next,
            };
            Some((*add, next))
        });
    let (hour, is_sure, after) = match half {
        Some((add, after)) if (1..=12).contains(&hour) => (hour % 12 + add, true, after),
        Some(_) => return None,
        None => {
            let o_clock = after
                .eat(&["o"])
                .and_then(|it| it.eat_glued(&["'", "’"]))
                .and_then(|it| it.eat(&["clock"]))
                .or_else(|| after.eat(&["uhr"]));
            let is_named = o_clock.is_some() || minute.is_some();
            if !is_named && !is_led {
                return None;
            }
            let after = o_clock.unwrap_or(after);
            if !is_named
                && !after
                    .token()
                    .is_none_or(|it| it.kind != Kind::Number && !counts_something(it))
            {
                return None;
            }
            // Without minutes or a nought before it, one to six are hours of the afternoon.
            let is_short = minute.is_none() && length == 1;
            let hour = if is_short && (1..=6).contains(&hour) {
                hour + 12
            } else {
                hour
            };
            (hour, !is_short, after)
        }
    };
    let zone = after.token().and_then(|it| {
        let (_, hours) = ZONES.iter().find(|(name, _)| *name == it.text)?;
        Some((hours * 3_600, after.next()))
    });
    let (zone, after) = match zone {
        Some((zone, after)) => (Some(zone), after),
        None => (None, after),
    };
    let clock = Clock {
        hour: i8::try_from(hour).ok().filter(|hour| *hour < 24)?,
        minute: minute.and_then(|minute| i8::try_from(minute).ok()),
        zone,
        is_sure,
    };
    Some((clock, after))
}

/// Whether a word after a bare number is what it counts, so that it is no hour.
pub(super) fn counts_something(token: &Token) -> bool {
    match token.kind {
        Kind::Word => !matches!(
            token.text.as_str(),
            "on" | "today"
                | "tomorrow"
                | "and"
                | "or"
                | "in"
                | "with"
                | "for"
                | "to"
                | "so"
                | "but"
                | "if"
                | "then"
                | "at"
                | "sharp"
                | "el"
                | "am"
        ),
        Kind::Mark => matches!(token.text.as_str(), "%" | "/" | "$" | "€" | "°" | "×" | "x"),
        Kind::Number | Kind::Dense => true,
    }
}

pub(super) fn chinese_clock(
    here: Reader<'_>,
    part: Option<(i8, i8)>,
) -> Option<(Clock, Reader<'_>)> {
    let (hour, after) = here.count()?;
    let after = after.eat(&["点", "點", "时", "時"])?;
    let hour = i8::try_from(hour)
        .ok()
        .filter(|hour| (0..24).contains(hour))?;
    let is_late = part.is_some_and(|(from, _)| from >= 12);
    let hour = if hour < 12 && (is_late || (part.is_none() && (1..=6).contains(&hour))) {
        hour + 12
    } else {
        hour
    };
    let (minute, after) = if let Some(after) = after.eat(&["半"]) {
        (Some(30), after)
    } else if let Some((minute, after)) =
        after.count().filter(|(minute, _)| (0..60).contains(minute))
    {
        (i8::try_from(minute).ok(), after.skip(&["分"]))
    } else {
        (None, after.skip(&["钟", "鐘"]))
    };
    let clock = Clock {
        hour,
        minute,
        zone: None,
        is_sure: true,
    };
    Some((clock, after))
}

pub(super) fn at(date: Date, clock: &Clock) -> Option<Found> {
    let mut found = Found::at(date, clock.hour, clock.minute)?;
    found.zone = clock.zone;
    Some(found)
}

/// Adds the time of day that follows a date, if one does.
pub(super) fn with_clock((found, after): (Found, Reader<'_>)) -> (Found, Reader<'_>) {
    let is_day = found.granularity == Granularity::Day
        && plus(found.start.date(), Unit::Day, 1) == Some(found.end.date());
    let is_part = found.granularity == Granularity::Hour
        && found.start.date() >= Date::MIN
        && found.end.duration_since(found.start).as_hours() > 1;
    if !is_day && !is_part {
        return (found, after);
    }
    // `2026-05-12T10:00Z`
    if let Some((clock, next)) = after.eat_glued(&["t"]).and_then(|it| clock(it, false))
        && let Some(mut timed) = at(found.start.date(), &clock)
    {
        if let Some(next) = next.eat_glued(&["z"]) {
            timed.zone = Some(0);
            return (timed, next);
        }
        return (timed, next);
    }
    let start = after.skip(&[",", "("]);
    let led = start
        .eat(&["at", "@", "um", "gegen", "à", "around"])
        .or_else(|| start.eat(&["a"])?.eat(&["las", "la"]));
    let timed = match led {
        Some(next) => clock(next, true),
        None => clock(start, false),
    };
    let Some((clock, next)) = timed else {
        return (found, after);
    };
    let is_evening = is_part && found.start.hour() >= 12 && clock.hour < 12;
    let hour = if is_evening {
        clock.hour + 12
    } else if is_part && !clock.is_sure && found.start.hour() < 12 {
        clock.hour % 12
    } else {
        clock.hour
    };
    match at(found.start.date(), &Clock { hour, ..clock }) {
        Some(timed) => (timed, next),
        None => (found, after),
    }
}

/// A time of day with a day after it, or without any: then it is today's.
pub(super) fn clock_first(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let (lead, is_led) = match here.eat(&["at", "um"]) {
        Some(next) => (next, true),
        None => match here.eat(&["a"]).and_then(|it| it.eat(&["las", "la"])) {
            Some(next) => (next, true),
            None => (here, false),
        },
    };
    let (clock, after) = clock(lead, is_led)?;
    let day = after.skip(&[","]).skip(&["on", "am", "el"]);
    let dated = [
        phrase(scene, day),
        weekday(scene, day),
        pointed(scene, day),
        day_month(scene, day),
        month_day(scene, day),
        iso_date(day),
    ]
    .into_iter()
    .flatten()
    .filter(|(found, _)| matches!(found.granularity, Granularity::Day | Granularity::Hour))
    .max_by_key(|(_, after)| after.at);
    if let Some((found, after)) = dated {
        return Some((at(found.start.date(), &clock)?, after));
    }
    Some((at(scene.said.date(), &clock)?, after))
}
