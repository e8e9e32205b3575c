//! Times that are counted from the instant at which they are said.

use jiff::civil::Date;

use super::calendar::{Found, edge, first_day, granularity, period, plus, plus_time};
use super::dates::{date, day_month, iso_date, month_day, month_of, quarter, year_after};
use super::reader::Reader;
use super::rules::{Read, Scene};
use super::tense::{Tense, choose, tense};
use super::words::{BEFORE_SHORT_WEEKDAY, CHINESE_WEEKDAYS, Meaning, TABLES, Unit};

pub(super) fn phrase(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let (meaning, after) = here.phrase(&TABLES.phrases)?;
    let today = scene.said.date();
    let day = |count| plus(today, Unit::Day, count);
    let found = match meaning {
        Meaning::Day(count) => {
            let date = day(count)?;
            if let Some(((from, to), after)) =
                after.skip(&["in"]).skip(&["the"]).phrase(&TABLES.day_parts)
            {
                return Some((Found::hours(date, from, to)?, after));
            }
            Found::day(date)
        }
        Meaning::Part(count, from, to) => Found::hours(day(count)?, from, to),
        Meaning::Period(unit, count) => period(today, unit, count),
        Meaning::Edge(of, unit, count) => {
            edge(plus(first_day(today, unit)?, unit, count)?, unit, of)
        }
        Meaning::Clock(hour) => Found::at(today, hour, None),
    };
    Some((found?, after))
}

/// `next week`, `last Friday`, `this March`, `the past 3 days`.
pub(super) fn pointed(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let (count, after) = here.skip(&["the"]).phrase(&TABLES.pointers)?;
    let today = scene.said.date();
    if let Some((day, after)) = after
        .phrase(&TABLES.weekdays)
        .or_else(|| after.phrase(&TABLES.short_weekdays))
    {
        let pointer = here.skip(&["the"]).token()?.text.as_str();
        let found = if count == -1
            || matches!(pointer, "coming" | "upcoming")
            || pointer.starts_with("kommend")
        {
            beside(today, day, if count < 0 { -1 } else { 1 })?
        } else {
            plus(
                plus(first_day(today, Unit::Week)?, Unit::Week, count)?,
                Unit::Day,
                day,
            )?
        };
        return with_part(found, after);
    }
    if let Some((unit, after)) = after.phrase(&TABLES.units) {
        // `the last day`, `the next day` are days of something that the words do not name.
        if unit == Unit::Day {
            return None;
        }
        return Some((period(today, unit, count)?, after));
    }
    if let Some((month, after)) = after.phrase(&TABLES.months) {
        let tense = if count < 0 {
            Tense::Past
        } else {
            Tense::Future
        };
        let of = |year: i16| date(i64::from(year), i64::from(month), 1);
        let found = if count == 0 {
            of(today.year())
        } else {
            choose(scene, tense, of)
        };
        return Some((period(found?, Unit::Month, 0)?, after));
    }
    let (many, after) = after.count()?;
    let (unit, after) = after.phrase(&TABLES.units)?;
    if count == 0 || many == 0 {
        return None;
    }
    let reach = many.checked_mul(count)?;
    let other = plus_time(scene.said, unit, reach)?;
    Some((Found::between(scene.said, other, granularity(unit))?, after))
}

/// The nearest such day of the week strictly before or after a date.
pub(super) fn beside(today: Date, weekday: i64, direction: i64) -> Option<Date> {
    let now = i64::from(today.weekday().to_monday_zero_offset());
    let ahead = (weekday - now).rem_euclid(7);
    let days = match (direction < 0, ahead) {
        (true, 0) => -7,
        (true, ahead) => ahead - 7,
        (false, 0) => 7,
        (false, ahead) => ahead,
    };
    plus(today, Unit::Day, days)
}

pub(super) fn with_part(date: Date, after: Reader<'_>) -> Read<'_> {
    match after.phrase(&TABLES.day_parts) {
        Some(((from, to), after)) => Some((Found::hours(date, from, to)?, after)),
        None => Some((Found::day(date)?, after)),
    }
}

/// `la semana que viene`, `lundi prochain`.
pub(super) fn trailing(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let from = here.skip(&["la", "el", "le", "les"]);
    let today = scene.said.date();
    if let Some((day, after)) = from.phrase(&TABLES.weekdays) {
        let (count, after) = after.phrase(&TABLES.trailing_pointers)?;
        return with_part(beside(today, day, count)?, after);
    }
    let (unit, after) = from.phrase(&TABLES.units)?;
    let (count, after) = after.phrase(&TABLES.trailing_pointers)?;
    Some((period(today, unit, count)?, after))
}

/// A day of the week: the coming one, today counted, or the last one where the tense says so.
pub(super) fn weekday(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let is_led = here
        .before(1)
        .is_some_and(|it| BEFORE_SHORT_WEEKDAY.contains(&it.text.as_str()));
    let (day, after) = here
        .phrase(&TABLES.weekdays)
        .or_else(|| here.phrase(&TABLES.short_weekdays).filter(|_| is_led))?;
    // `Friday, 12 May`: the date says it all.
    let named = after.skip(&[","]).skip(&["the"]);
    let dated = day_month(scene, named)
        .or_else(|| month_day(scene, named))
        .or_else(|| iso_date(named));
    if dated.is_some() {
        return dated;
    }
    let today = scene.said.date();
    let is_today = i64::from(today.weekday().to_monday_zero_offset()) == day;
    let found = if is_today {
        today
    } else if tense(here, after) == Tense::Past {
        beside(today, day, -1)?
    } else {
        beside(today, day, 1)?
    };
    with_part(found, after)
}

pub(super) fn chinese_weekday(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let (count, from) = match here.phrase(&TABLES.pointers) {
        Some((count, after)) => (Some(count), after),
        None => (None, here),
    };
    let after = from
        .eat(&["周", "週"])
        .or_else(|| from.eat(&["星"])?.eat(&["期"]))
        .or_else(|| from.eat(&["礼", "禮"])?.eat(&["拜"]))?;
    let name = after.token()?.text.as_str();
    let (_, day) = CHINESE_WEEKDAYS.iter().find(|(word, _)| *word == name)?;
    let after = after.next();
    let today = scene.said.date();
    let found = match count {
        Some(count) => plus(
            plus(first_day(today, Unit::Week)?, Unit::Week, count)?,
            Unit::Day,
            *day,
        )?,
        None if i64::from(today.weekday().to_monday_zero_offset()) == *day => today,
        None if tense(here, after) == Tense::Past => beside(today, *day, -1)?,
        None => beside(today, *day, 1)?,
    };
    with_part(found, after)
}

/// `end of the month`, `mid-March`, `Ende Mai`.
pub(super) fn edge_of(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let (part, after) = here.skip(&["the"]).phrase(&TABLES.edges)?;
    let today = scene.said.date();
    let after = after
        .skip(&["of"])
        .skip(&["the", "der", "des", "del", "de", "la", "du"]);
    let after = after.skip(&["-"]);
    if let Some((count, after)) = after.phrase(&TABLES.pointers) {
        let (unit, after) = after.phrase(&TABLES.units)?;
        return Some((
            edge(plus(first_day(today, unit)?, unit, count)?, unit, part)?,
            after,
        ));
    }
    if let Some((unit, after)) = after.phrase(&TABLES.units) {
        return Some((edge(first_day(today, unit)?, unit, part)?, after));
    }
    if let Some((of, after)) = quarter(scene, after) {
        return Some((edge(of.start.date(), Unit::Quarter, part)?, after));
    }
    if let Some((month, after)) = after.phrase(&TABLES.months) {
        if let Some((year, after)) = year_after(after) {
            return Some((
                edge(date(year, i64::from(month), 1)?, Unit::Month, part)?,
                after,
            ));
        }
        let first = month_of(scene, here, after, month)?;
        return Some((edge(first, Unit::Month, part)?, after));
    }
    let (year, 4, after) = after.digits(4)? else {
        return None;
    };
    if !(1_900..=2_200).contains(&year) {
        return None;
    }
    Some((edge(date(year, 1, 1)?, Unit::Year, part)?, after))
}

/// `in 3 days`, `two weeks ago`, `vor drei Tagen`, `hace 3 días`, `3天后`.
pub(super) fn counted(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let ahead = here
        .eat(&["in", "within", "dentro", "en", "dans"])
        .map(|it| it.skip(&["de", "about", "around"]));
    let back = here
        .eat(&["vor", "hace"])
        .or_else(|| here.eat(&["il"])?.eat(&["y"])?.eat(&["a"]));
    let (from, direction) = match (ahead, back) {
        (Some(after), _) => (after, Some(1)),
        (None, Some(after)) => (after, Some(-1)),
        (None, None) => (here, None),
    };
    let (count, after) = from.count()?;
    let (unit, after) = after.phrase(&TABLES.units)?;
    let (direction, after) = match direction {
        Some(direction) => (direction, after),
        None => {
            if let Some(after) = after.eat(&["ago", "前"]) {
                (-1, after)
            } else if let Some(after) = after.eat(&["后", "後"]) {
                (1, after)
            } else {
                let after = after.eat(&["之", "以"]);
                if let Some(after) = after.and_then(|it| it.eat(&["后", "後"])) {
                    (1, after)
                } else if let Some(after) = after.and_then(|it| it.eat(&["前"])) {
                    (-1, after)
                } else {
                    let (_, after) = from.count().and_then(|(_, it)| it.phrase(&TABLES.units))?;
                    (1, after.eat(&["from"])?.eat(&["now", "today"])?)
                }
            }
        }
    };
    // `done in 20 minutes`, `4 times in 3 weeks` tell how long something took.
    let is_short = matches!(unit, Unit::Minute | Unit::Hour);
    let is_counted = here
        .before(1)
        .is_some_and(|it| matches!(it.text.as_str(), "time" | "times" | "once" | "twice"));
    let takes = ahead.is_some()
        && (is_counted || (is_short && tense(here, after) != Tense::Future))
        && from.before(1).is_some_and(|it| it.text == "in");
    if takes {
        return None;
    }
    let reach = count.checked_mul(direction)?;
    let moment = plus_time(scene.said, unit, reach)?;
    let found = match unit {
        Unit::Minute => Found::at(moment.date(), moment.hour(), Some(moment.minute())),
        Unit::Hour => Found::at(moment.date(), moment.hour(), None),
        // `in two weeks` is a day like this one, not a whole week; a month or a year is as coarse
        // as it is said.
        Unit::Day | Unit::Week => Found::day(moment.date()),
        Unit::Weekend => period(scene.said.date(), Unit::Weekend, reach),
        Unit::Month | Unit::Quarter | Unit::Year => period(moment.date(), unit, 0),
    };
    Some((found?, after))
}
