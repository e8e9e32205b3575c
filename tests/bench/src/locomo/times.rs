//! Questions that name a time, made from the dates of the conversations, and whether a search finds
//! what was said then.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::{Context, Result};
use atlas_core::Settings;
use atlas_core::model::Timestamp;
use atlas_core::retrieve::SearchOptions;
use jiff::civil::Date;
use jiff::{ToSpan, Unit};

use super::data::Conversation;
use super::floors::Floors;
use super::measure::share;
use super::report::System;
use super::run::{places, settled, turns};

/// Questions of each phrasing.
const QUESTIONS: usize = 12;
/// Ways of naming a time.
const PHRASINGS: [Phrasing; 5] = [
    Phrasing::Month,
    Phrasing::Weekday,
    Phrasing::DaysAgo,
    Phrasing::Between,
    Phrasing::Session,
];
/// Seconds of a day.
const DAY: i64 = 86_400;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phrasing {
    Month,
    Weekday,
    DaysAgo,
    Between,
    Session,
}

impl Phrasing {
    fn name(self) -> &'static str {
        match self {
            Self::Month => "in May 2023",
            Self::Weekday => "last Friday",
            Self::DaysAgo => "167 days ago",
            Self::Between => "between two dates",
            Self::Session => "in our third conversation",
        }
    }
}

/// A question with when it is asked, and the places of the turns that were said then.
#[derive(Debug)]
struct Asked {
    phrasing: Phrasing,
    text: String,
    at: Timestamp,
    gold: BTreeSet<usize>,
}

/// The sessions of a conversation that are held on a day of their own: date, and places of turns.
type Days = Vec<(Date, BTreeSet<usize>)>;

/// Makes the questions, asks them and tells the R-precision: of the first `R` turns, the share that
/// was said then, where `R` turns were.
///
/// # Errors
///
/// What Atlas fails with.
pub(super) fn measured(conversations: &[Conversation], settings: &Settings) -> Result<String> {
    let mut by_phrasing: BTreeMap<Phrasing, Vec<[f64; 3]>> = BTreeMap::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    for (number, conversation) in conversations.iter().enumerate() {
        let floors = Floors::new(conversation)?;
        let places = places(conversation);
        let (channel, _) = runtime.block_on(settled(conversation, settings))?;
        for phrasing in PHRASINGS {
            // Each conversation gets its share of the twelve.
            let n = (number..QUESTIONS).step_by(conversations.len()).count();
            for asked in questions(conversation, phrasing, n)? {
                let depth = asked.gold.len();
                let options = SearchOptions::default()
                    .with_limit(depth.saturating_mul(2))
                    .with_asked_at(asked.at);
                let found = runtime.block_on(channel.search_with(&asked.text, &options))?;
                let mut scores = [
                    precision(&turns(&found.hits, &places), &asked.gold),
                    0.0,
                    0.0,
                ];
                for (system, list) in floors.ranked(&asked.text, depth)? {
                    match system {
                        System::Plain => scores[1] = precision(&list, &asked.gold),
                        System::Stemmed => scores[2] = precision(&list, &asked.gold),
                        System::Atlas | System::Dense => {}
                    }
                }
                by_phrasing.entry(asked.phrasing).or_default().push(scores);
            }
        }
    }
    Ok(text(&by_phrasing))
}

fn text(by_phrasing: &BTreeMap<Phrasing, Vec<[f64; 3]>>) -> String {
    let mut out = String::from(
        "R-precision of questions that name a time\n\n\
         | phrasing | questions | Atlas | BM25, words alone | BM25, stemmed, with dates |\n|---|---|---|---|---|\n",
    );
    let all: Vec<[f64; 3]> = by_phrasing.values().flatten().copied().collect();
    let rows = by_phrasing
        .iter()
        .map(|(phrasing, scores)| (phrasing.name(), scores));
    for (name, scores) in rows.chain([("all", &all)]) {
        let [ours, plain, stemmed] = [0, 1, 2].map(|column| mean(scores, column));
        let _always = writeln!(
            out,
            "| {name} | {} | {ours:.3} | {plain:.3} | {stemmed:.3} |",
            scores.len()
        );
    }
    let _always = writeln!(out, "atlas times R-precision={:.3}", mean(&all, 0));
    out
}

fn mean(scores: &[[f64; 3]], column: usize) -> f64 {
    let column = scores.iter().filter_map(|it| it.get(column));
    column.sum::<f64>() / share(scores.len().max(1), 1)
}

fn precision(list: &[usize], gold: &BTreeSet<usize>) -> f64 {
    let found = list.iter().take(gold.len()).filter(|it| gold.contains(it));
    share(found.count(), gold.len())
}

/// So many questions of a phrasing, spread over the conversation; fewer where it is too short.
fn questions(conversation: &Conversation, phrasing: Phrasing, n: usize) -> Result<Vec<Asked>> {
    let days = days(conversation)?;
    let last = days.last().context("a conversation without turns")?.0;
    // The last is spared: a span begins with one and ends with a later one.
    let n_starts = days.len().saturating_sub(1);
    let step = (n_starts / n.max(1)).max(1);
    let starts = (0..n_starts).step_by(step).take(n);
    starts
        .map(|place| question(conversation, &days, (place, last), phrasing))
        .collect()
}

fn question(
    conversation: &Conversation,
    days: &Days,
    (place, last): (usize, Date),
    phrasing: Phrasing,
) -> Result<Asked> {
    let (date, turns) = days.get(place).context("no such day")?;
    let said = |within: &dyn Fn(Date) -> bool| -> BTreeSet<usize> {
        let days = days.iter().filter(|(date, _)| within(*date));
        days.flat_map(|(_, turns)| turns.iter().copied()).collect()
    };
    let after = last.checked_add(1.day())?;
    let (text, on, gold) = match phrasing {
        Phrasing::Month => (
            format!("What did we talk about in {}?", date.strftime("%B %Y")),
            after,
            said(&|it| (it.year(), it.month()) == (date.year(), date.month())),
        ),
        Phrasing::Weekday => (
            format!("What did we discuss last {}?", date.strftime("%A")),
            // Between two and five days later, so that no other such day has passed.
            date.checked_add((2 + i64::try_from(place % 4)?).days())?,
            turns.clone(),
        ),
        Phrasing::DaysAgo => (
            format!(
                "What was said {} days ago?",
                date.until((Unit::Day, after))?.get_days()
            ),
            after,
            turns.clone(),
        ),
        Phrasing::Between => {
            let (until, _) = days.get(place + 1).context("no day after it")?;
            let day = |it: Date| it.strftime("%-d %B %Y").to_string();
            (
                format!("What happened between {} and {}?", day(*date), day(*until)),
                after,
                said(&|it| (*date..=*until).contains(&it)),
            )
        }
        Phrasing::Session => {
            // A session that begins before midnight and one after it are two days and may be one.
            let session = turns.first().and_then(|it| conversation.turns.get(*it));
            let number = session.context("a day without turns")?.session;
            let sessions = conversation.turns.iter().enumerate();
            (
                format!(
                    "What did we talk about in our {} conversation?",
                    ordinal(number)
                ),
                after,
                sessions
                    .filter(|(_, it)| it.session == number)
                    .map(|(at, _)| at)
                    .collect(),
            )
        }
    };
    Ok(Asked {
        phrasing,
        text,
        at: noon(on)?,
        gold,
    })
}

fn ordinal(number: usize) -> String {
    const NAMED: [&str; 20] = [
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
    ];
    let name = number.checked_sub(1).and_then(|at| NAMED.get(at));
    name.map_or_else(
        || {
            let ending = match (number % 10, number % 100) {
                (_, 11..=13) | (0 | 4..=9, _) => "th",
                (1, _) => "st",
                (2, _) => "nd",
                _ => "rd",
            };
            format!("{number}{ending}")
        },
        |it| (*it).to_owned(),
    )
}

/// The turns of each date of the calendar, by UTC.
fn days(conversation: &Conversation) -> Result<Days> {
    let mut days: BTreeMap<Date, BTreeSet<usize>> = BTreeMap::new();
    for (place, turn) in conversation.turns.iter().enumerate() {
        let instant = jiff::Timestamp::from_microsecond(turn.at.as_micros())?;
        let date = jiff::tz::Offset::UTC.to_datetime(instant).date();
        days.entry(date).or_default().insert(place);
    }
    Ok(days.into_iter().collect())
}

fn noon(date: Date) -> Result<Timestamp> {
    let instant = jiff::tz::Offset::UTC.to_timestamp(date.at(0, 0, 0, 0))?;
    Ok(Timestamp::from_micros(
        instant.as_microsecond() + DAY / 2 * 1_000_000,
    )?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locomo::data::read;

    fn conversation() -> Conversation {
        let text = r#"[{"conversation": {
            "session_1_date_time": "1:00 pm on 5 May, 2023",
            "session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "Hi"}],
            "session_2_date_time": "1:00 pm on 19 May, 2023",
            "session_2": [{"speaker": "A", "dia_id": "D2:1", "text": "Hi"},
                {"speaker": "B", "dia_id": "D2:2", "text": "Ho"}],
            "session_3_date_time": "1:00 pm on 2 June, 2023",
            "session_3": [{"speaker": "A", "dia_id": "D3:1", "text": "Hi"}]},
            "qa": []}]"#;
        read(text.as_bytes()).unwrap().remove(0)
    }

    #[test]
    fn questions_name_the_time_of_their_turns() {
        let conversation = conversation();
        let made: Vec<(String, String, Vec<usize>)> = PHRASINGS
            .into_iter()
            .flat_map(|it| questions(&conversation, it, 2).unwrap())
            .map(|it| (it.text, it.at.date(), it.gold.into_iter().collect()))
            .collect();
        let row =
            |text: &str, at: &str, gold: &[usize]| (text.to_owned(), at.to_owned(), gold.to_vec());
        let expected = [
            row(
                "What did we talk about in May 2023?",
                "2023-06-03",
                &[0, 1, 2],
            ),
            row(
                "What did we talk about in May 2023?",
                "2023-06-03",
                &[0, 1, 2],
            ),
            row("What did we discuss last Friday?", "2023-05-07", &[0]),
            row("What did we discuss last Friday?", "2023-05-22", &[1, 2]),
            row("What was said 29 days ago?", "2023-06-03", &[0]),
            row("What was said 15 days ago?", "2023-06-03", &[1, 2]),
            row(
                "What happened between 5 May 2023 and 19 May 2023?",
                "2023-06-03",
                &[0, 1, 2],
            ),
            row(
                "What happened between 19 May 2023 and 2 June 2023?",
                "2023-06-03",
                &[1, 2, 3],
            ),
            row(
                "What did we talk about in our first conversation?",
                "2023-06-03",
                &[0],
            ),
            row(
                "What did we talk about in our second conversation?",
                "2023-06-03",
                &[1, 2],
            ),
        ];
        assert_eq!(made, expected);
    }

    #[test]
    fn ordinals_beyond_the_twentieth_are_numbers() {
        let named = [3, 20, 21, 22, 30, 111].map(ordinal);
        assert_eq!(
            named,
            ["third", "twentieth", "21st", "22nd", "30th", "111th"]
        );
    }
}
