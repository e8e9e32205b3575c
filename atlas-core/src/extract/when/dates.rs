//! Dates, months, quarters and years.

use jiff::civil::Date;

use super::Granularity;
use super::calendar::{Found, edge, midnight, period, plus};
use super::reader::Reader;
use super::rules::{Read, Scene};
use super::tense::{Tense, choose, tense};
use super::tokens::Kind;
use super::words::{BEFORE_TIME, Edge, PLAIN_MONTHS, TABLES, Unit};

pub(super) fn date(year: i64, month: i64, day: i64) -> Option<Date> {
    if year < 1 {
        return None;
    }
    let short = |value: i64| i8::try_from(value).ok();
    Date::new(i16::try_from(year).ok()?, short(month)?, short(day)?).ok()
}

pub(super) fn iso_date(here: Reader<'_>) -> Read<'_> {
    let (year, 4, after) = here.digits(4)? else {
        return None;
    };
    let mark = after.token()?.text.as_str();
    if !matches!(mark, "-" | "/" | ".") {
        return None;
    }
    let (month, _, after) = after.eat_glued(&[mark])?.digits(2)?;
    let (day, _, after) = after.eat_glued(&[mark])?.digits(2)?;
    Some((Found::day(date(year, month, day)?)?, after))
}

pub(super) fn dotted_date(here: Reader<'_>) -> Read<'_> {
    let (day, _, after) = here.digits(2)?;
    let (month, _, after) = after.eat_glued(&["."])?.digits(2)?;
    let (year, 4, after) = after.eat_glued(&["."])?.digits(4)? else {
        return None;
    };
    Some((Found::day(date(year, month, day)?)?, after))
}

/// `5/12/2026` is 12 May: the month stands first unless it cannot be one.
pub(super) fn slashed_date(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let (first, _, after) = here.digits(2)?;
    let (second, _, after) = after.eat_glued(&["/"])?.digits(2)?;
    let with_year = after.eat_glued(&["/"]).and_then(|it| it.digits(4));
    let in_year = |year: i64| date(year, first, second).or_else(|| date(year, second, first));
    if let Some((year, length, after)) = with_year {
        let year = match length {
            4 => year,
            2 => 2_000 + year,
            _ => return None,
        };
        return Some((Found::day(in_year(year)?)?, after));
    }
    // Without a year it may be a fraction, unless a word of time stands before it.
    let before = here.before(1)?.text.as_str();
    if !matches!(
        before,
        "on" | "by" | "until" | "till" | "before" | "since" | "due"
    ) {
        return None;
    }
    let found = choose(scene, tense(here, after), |year| in_year(i64::from(year)))?;
    Some((Found::day(found)?, after))
}

/// A day of a month, with its ordinal ending if it has one.
pub(super) fn day_number(here: Reader<'_>) -> Option<(i64, Reader<'_>)> {
    let (day, _, after) = here.digits(2)?;
    if !(1..=31).contains(&day) {
        return None;
    }
    Some((
        day,
        after
            .eat_glued(&["st", "nd", "rd", "th", "er", "."])
            .unwrap_or(after),
    ))
}

/// A year of four digits, after a comma or a word if there is one.
pub(super) fn year_after(here: Reader<'_>) -> Option<(i64, Reader<'_>)> {
    let (year, 4, after) = here.skip(&[",", "de", "of", "del"]).digits(4)? else {
        return None;
    };
    (1_000..=2_999).contains(&year).then_some((year, after))
}

pub(super) fn in_month<'a>(
    scene: Scene,
    here: Reader<'a>,
    (month, first, last): (i8, i64, i64),
    after: Reader<'a>,
) -> Read<'a> {
    let month = i64::from(month);
    if let Some((year, after)) = year_after(after) {
        let days = (date(year, month, first)?, date(year, month, last)?);
        return Some((Found::days(days.0, days.1, Granularity::Day)?, after));
    }
    let start = choose(scene, tense(here, after), |year| {
        date(i64::from(year), month, first)
    })?;
    let end = date(i64::from(start.year()), month, last)?;
    Some((Found::days(start, end, Granularity::Day)?, after))
}

pub(super) fn day_month(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let (first, after) = day_number(here.skip(&["the"]))?;
    let (last, after) = after
        .eat(&["-", "–"])
        .and_then(day_number)
        .unwrap_or((first, after));
    let (month, after) = after.skip(&["of", "de"]).phrase(&TABLES.months)?;
    in_month(
        scene,
        here,
        (month, first, last),
        after
            .eat_glued(&["."])
            .filter(|it| year_after(*it).is_some())
            .unwrap_or(after),
    )
}

pub(super) fn month_day(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let (month, after) = here.phrase(&TABLES.months)?;
    let (first, after) = day_number(after.skip(&["."]).skip(&["the"]))?;
    let (last, after) = after
        .eat(&["-", "–"])
        .and_then(day_number)
        .filter(|(last, _)| *last > first)
        .unwrap_or((first, after));
    in_month(scene, here, (month, first, last), after)
}

pub(super) fn chinese_date(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let with_year = here
        .digits(4)
        .filter(|(_, length, _)| *length == 4)
        .and_then(|(year, _, after)| Some((year, after.eat(&["年"])?)));
    let (year, from) = match with_year {
        Some((year, after)) => (Some(year), after),
        None => (None, here),
    };
    let month = from
        .count()
        .filter(|(_, after)| after.eat(&["月"]).is_some());
    let Some((month, after)) = month else {
        // The year alone, or a day of this month.
        if let Some(year) = year {
            return Some((period(date(year, 1, 1)?, Unit::Year, 0)?, from));
        }
        let (day, after) = here.count()?;
        let after = after.eat(&["号", "號"])?;
        return nearest_day(scene, here, day, after);
    };
    let after = after.next();
    let day = after
        .count()
        .and_then(|(day, it)| Some((day, it.eat(&["日", "号", "號"])?)));
    let of_year = |year: i64| date(year, month, day.map_or(1, |(day, _)| day));
    let end = day.map_or(after, |(_, after)| after);
    let found = match year {
        Some(year) => of_year(year)?,
        None => choose(scene, tense(here, end), |year| of_year(i64::from(year)))?,
    };
    if day.is_some() {
        return Some((Found::day(found)?, end));
    }
    let part = [("底", Edge::End), ("初", Edge::Start), ("中", Edge::Middle)];
    for (word, part) in part {
        if let Some(after) = end
            .eat(&[word])
            .filter(|it| word != "中" || it.eat(&["旬"]).is_some())
        {
            return Some((edge(found, Unit::Month, part)?, after.skip(&["旬"])));
        }
    }
    Some((period(found, Unit::Month, 0)?, end.skip(&["份"])))
}

pub(super) fn nearest_day<'a>(
    scene: Scene,
    here: Reader<'a>,
    day: i64,
    after: Reader<'a>,
) -> Read<'a> {
    let today = scene.said.date();
    let tense = tense(here, after);
    let candidates = (-2..=2).filter_map(|count| {
        let month = plus(today.first_of_month(), Unit::Month, count)?;
        date(i64::from(month.year()), i64::from(month.month()), day)
    });
    let allowed = candidates.filter(|it| match tense {
        Tense::Past => *it <= today,
        Tense::Future | Tense::Unknown => *it >= today,
    });
    let nearest = allowed.min_by_key(|it| midnight(*it).duration_since(midnight(today)).abs())?;
    Some((Found::day(nearest)?, after))
}

/// `the 12th`, where a word of time stands before and no thing is counted.
pub(super) fn day_of_month(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let before = here.before(1)?.text.as_str();
    if !matches!(
        before,
        "on" | "by" | "until" | "till" | "before" | "since" | "from" | "to"
    ) {
        return None;
    }
    let (day, _, after) = here.eat(&["the"])?.digits(2)?;
    let after = after.eat_glued(&["st", "nd", "rd", "th"])?;
    let counts = after.token().is_some_and(|it| {
        it.kind == Kind::Word
            && !matches!(
                it.text.as_str(),
                "at" | "and"
                    | "or"
                    | "for"
                    | "because"
                    | "if"
                    | "so"
                    | "in"
                    | "with"
                    | "but"
                    | "to"
            )
    });
    if counts {
        return None;
    }
    nearest_day(scene, here, day, after)
}

/// A month without a day.
pub(super) fn month_alone(scene: Scene, here: Reader<'_>) -> Read<'_> {
    let (month, after) = here.phrase(&TABLES.months)?;
    let word = here.token()?;
    let with_year = year_after(after.skip(&["."]));
    let before = here.before(1);
    let is_led = before.is_some_and(|it| BEFORE_TIME.contains(&it.text.as_str()));
    let is_plain = PLAIN_MONTHS.contains(&word.text.as_str()) && word.is_capital;
    let beside_number = before.is_some_and(|it| it.kind == Kind::Number)
        || (with_year.is_none() && after.token().is_some_and(|it| it.kind == Kind::Number));
    let is_named = word.is_capital && is_led;
    if beside_number || !(with_year.is_some() || is_plain || is_named) {
        return None;
    }
    // `may 2026 …` in lower case is a month; `may` alone is a verb.
    if let Some((year, after)) = with_year {
        return Some((
            period(date(year, i64::from(month), 1)?, Unit::Month, 0)?,
            after,
        ));
    }
    let found = month_of(scene, here, after, month)?;
    Some((period(found, Unit::Month, 0)?, after))
}

/// The first day of the month that is meant.
pub(super) fn month_of(
    scene: Scene,
    here: Reader<'_>,
    after: Reader<'_>,
    month: i8,
) -> Option<Date> {
    let this = scene.said.date();
    let tense = tense(here, after);
    if this.month() == month {
        return Some(this.first_of_month());
    }
    choose(scene, tense, |year| {
        date(i64::from(year), i64::from(month), 1)
    })
}

/// `Q2`, `Q2 2026`, `2026 Q2`.
pub(super) fn quarter(scene: Scene, here: Reader<'_>) -> Read<'_> {
    if let Some((year, 4, after)) = here.digits(4)
        && let Some((number, after)) = quarter_number(after)
    {
        return Some((
            period(date(year, number * 3 - 2, 1)?, Unit::Quarter, 0)?,
            after,
        ));
    }
    let (number, after) = quarter_number(here)?;
    let of = |year: i64| date(year, number * 3 - 2, 1);
    if let Some((year, after)) = year_after(after) {
        return Some((period(of(year)?, Unit::Quarter, 0)?, after));
    }
    let today = scene.said.date();
    let this = of(i64::from(today.year()))?;
    let found = match tense(here, after) {
        // The quarter that runs is meant before any other of its number.
        Tense::Future if plus(this, Unit::Quarter, 1)? <= today => of(i64::from(today.year()) + 1)?,
        Tense::Past if this > today => of(i64::from(today.year()) - 1)?,
        Tense::Future | Tense::Past | Tense::Unknown => this,
    };
    Some((period(found, Unit::Quarter, 0)?, after))
}

pub(super) fn quarter_number(here: Reader<'_>) -> Option<(i64, Reader<'_>)> {
    let after = here.eat(&["q"])?;
    after.token().filter(|it| it.is_glued)?;
    let (number, 1, after) = after.digits(1)? else {
        return None;
    };
    (1..=4).contains(&number).then_some((number, after))
}

pub(super) fn year(here: Reader<'_>) -> Read<'_> {
    let before = here.before(1)?.text.as_str();
    if !matches!(
        before,
        "in" | "since" | "by" | "until" | "during" | "seit" | "desde" | "depuis" | "of" | "en"
    ) {
        return None;
    }
    let (year, 4, after) = here.digits(4)? else {
        return None;
    };
    // Not `in 2000 files`: what is counted would follow.
    let counts = after
        .token()
        .is_some_and(|it| it.kind == Kind::Word && before == "in" && it.text.len() > 3);
    if counts || !(1_900..=2_200).contains(&year) {
        return None;
    }
    Some((period(date(year, 1, 1)?, Unit::Year, 0)?, after))
}
