use proptest::prelude::*;

use super::*;

/// Monday 9 March 2026, ten in the morning.
const SAID: &str = "2026-03-09T10:00:00Z";

fn read(text: &str) -> Vec<(String, String, String)> {
    let local = |at: Timestamp| {
        at.to_string()
            .trim_end_matches(":00Z")
            .replace("T00:00", "")
    };
    find(text, SAID.parse().unwrap(), 0)
        .into_iter()
        .map(|it| {
            (
                it.span.of(text).unwrap().to_owned(),
                local(it.start),
                local(it.end),
            )
        })
        .collect()
}

#[track_caller]
fn check(text: &str, words: &str, start: &str, end: &str) {
    let expected = vec![(words.to_owned(), start.to_owned(), end.to_owned())];
    assert_eq!(read(text), expected, "{text}");
}

#[track_caller]
fn none(text: &str) {
    assert_eq!(read(text), vec![], "{text}");
}

#[test]
fn days_beside_today() {
    check(
        "I'll send it tomorrow",
        "tomorrow",
        "2026-03-10",
        "2026-03-11",
    );
    check("Today we ship.", "Today", "2026-03-09", "2026-03-10");
    check("seen yesterday", "yesterday", "2026-03-08", "2026-03-09");
    check(
        "the day after tomorrow then",
        "the day after tomorrow",
        "2026-03-11",
        "2026-03-12",
    );
    check(
        "drinks tonight?",
        "tonight",
        "2026-03-09T18:00",
        "2026-03-10",
    );
    check(
        "it broke last night",
        "last night",
        "2026-03-08T20:00",
        "2026-03-09",
    );
    check(
        "tomorrow morning works",
        "tomorrow morning",
        "2026-03-10T06:00",
        "2026-03-10T12:00",
    );
    check("the cut is EOD", "EOD", "2026-03-09T17:00", "2026-03-10");
}

#[test]
fn days_of_the_week() {
    check("on Friday", "Friday", "2026-03-13", "2026-03-14");
    check("due by Friday.", "Friday", "2026-03-13", "2026-03-14");
    check("we met on Friday", "Friday", "2026-03-06", "2026-03-07");
    check("next Friday", "next Friday", "2026-03-20", "2026-03-21");
    check("last Friday", "last Friday", "2026-03-06", "2026-03-07");
    check("this Friday", "this Friday", "2026-03-13", "2026-03-14");
    check(
        "this coming Friday",
        "coming Friday",
        "2026-03-13",
        "2026-03-14",
    );
    check("Monday is fine", "Monday", "2026-03-09", "2026-03-10");
    check("by Wed please", "Wed", "2026-03-11", "2026-03-12");
    none("they wed and sat in the sun");
    check(
        "next Tuesday at 10",
        "next Tuesday at 10",
        "2026-03-17T10:00",
        "2026-03-17T11:00",
    );
    check(
        "Friday, 13 March works",
        "Friday, 13 March",
        "2026-03-13",
        "2026-03-14",
    );
}

#[test]
fn stretches() {
    check("next week", "next week", "2026-03-16", "2026-03-23");
    check("last month", "last month", "2026-02-01", "2026-03-01");
    check("this quarter", "this quarter", "2026-01-01", "2026-04-01");
    check("next year we grow", "next year", "2027-01-01", "2028-01-01");
    check("in Q2", "Q2", "2026-04-01", "2026-07-01");
    check("Q3 2025 numbers", "Q3 2025", "2025-07-01", "2025-10-01");
    check("mid-March", "mid-March", "2026-03-11", "2026-03-21");
    check("early in April", "April", "2026-04-01", "2026-05-01");
    check("early April", "early April", "2026-04-01", "2026-04-11");
    check(
        "by end of month",
        "end of month",
        "2026-03-31",
        "2026-04-01",
    );
    check(
        "at the end of the week",
        "the end of the week",
        "2026-03-13",
        "2026-03-14",
    );
    check(
        "end of next year",
        "end of next year",
        "2027-12-31",
        "2028-01-01",
    );
    check("end of May", "end of May", "2026-05-31", "2026-06-01");
    check(
        "over the last 3 days",
        "the last 3 days",
        "2026-03-06T10:00",
        "2026-03-09T10:00",
    );
    check("next weekend", "next weekend", "2026-03-21", "2026-03-23");
    check("since 2019", "2019", "2019-01-01", "2020-01-01");
}

#[test]
fn counts() {
    check("in 3 days", "in 3 days", "2026-03-12", "2026-03-13");
    check("two weeks ago", "two weeks ago", "2026-02-23", "2026-02-24");
    check("a month ago", "a month ago", "2026-02-01", "2026-03-01");
    check(
        "I will call in two hours",
        "in two hours",
        "2026-03-09T12:00",
        "2026-03-09T13:00",
    );
    check(
        "5 days from now",
        "5 days from now",
        "2026-03-14",
        "2026-03-15",
    );
    check("in 1,000 days", "in 1,000 days", "2028-12-03", "2028-12-04");
}

#[test]
fn dates() {
    check(
        "The launch is on 12 May.",
        "12 May",
        "2026-05-12",
        "2026-05-13",
    );
    check(
        "the 3rd of April",
        "the 3rd of April",
        "2026-04-03",
        "2026-04-04",
    );
    check("April 3", "April 3", "2026-04-03", "2026-04-04");
    check("April 3rd", "April 3rd", "2026-04-03", "2026-04-04");
    check("12 May 2027", "12 May 2027", "2027-05-12", "2027-05-13");
    check("May 12, 2027", "May 12, 2027", "2027-05-12", "2027-05-13");
    check("2026-05-12", "2026-05-12", "2026-05-12", "2026-05-13");
    check("5/12/2026", "5/12/2026", "2026-05-12", "2026-05-13");
    check("25/12/2026", "25/12/2026", "2026-12-25", "2026-12-26");
    check("May 12-14", "May 12-14", "2026-05-12", "2026-05-15");
    check(
        "on the 3rd of May 2023 or so",
        "the 3rd of May 2023",
        "2023-05-03",
        "2023-05-04",
    );
    check("due by the 20th", "the 20th", "2026-03-20", "2026-03-21");
    check("in August", "August", "2026-08-01", "2026-09-01");
    none("you may go, and march on");
    none("on the 3rd floor");
}

#[test]
fn a_date_without_a_year_follows_the_tense() {
    check(
        "we launched on 1 October",
        "1 October",
        "2025-10-01",
        "2025-10-02",
    );
    check(
        "we will launch on 1 October",
        "1 October",
        "2026-10-01",
        "2026-10-02",
    );
    check(
        "moved the launch to 26 February",
        "26 February",
        "2027-02-26",
        "2027-02-27",
    );
    check(
        "seen 20 December",
        "20 December",
        "2025-12-20",
        "2025-12-21",
    );
}

#[test]
fn the_tense_of_another_sentence_is_no_matter() {
    check(
        "We launched it. Next one: 1 June. It was fine",
        "1 June",
        "2026-06-01",
        "2026-06-02",
    );
}

#[test]
fn times_of_day() {
    check("at 3pm", "at 3pm", "2026-03-09T15:00", "2026-03-09T16:00");
    check(
        "15:30 works",
        "15:30",
        "2026-03-09T15:30",
        "2026-03-09T15:31",
    );
    check(
        "noon tomorrow",
        "noon tomorrow",
        "2026-03-10T12:00",
        "2026-03-10T13:00",
    );
    check(
        "tomorrow at 3",
        "tomorrow at 3",
        "2026-03-10T15:00",
        "2026-03-10T16:00",
    );
    check(
        "10am on Friday",
        "10am on Friday",
        "2026-03-13T10:00",
        "2026-03-13T11:00",
    );
    check(
        "tonight at 8",
        "tonight at 8",
        "2026-03-09T20:00",
        "2026-03-09T21:00",
    );
    check(
        "2026-05-12T10:15:00Z",
        "2026-05-12T10:15:00Z",
        "2026-05-12T10:15",
        "2026-05-12T10:16",
    );
    check(
        "15:00 CET",
        "15:00 CET",
        "2026-03-09T14:00",
        "2026-03-09T14:01",
    );
    none("at 10 users per node");
    none("at 10% load");
    none("a 16:9 screen");
}

#[test]
fn other_languages() {
    check(
        "Wir liefern übermorgen.",
        "übermorgen",
        "2026-03-11",
        "2026-03-12",
    );
    check("bis Freitag", "Freitag", "2026-03-13", "2026-03-14");
    check("nächste Woche", "nächste Woche", "2026-03-16", "2026-03-23");
    check(
        "vor drei Tagen",
        "vor drei Tagen",
        "2026-03-06",
        "2026-03-07",
    );
    check(
        "am 12. Mai 2026",
        "12. Mai 2026",
        "2026-05-12",
        "2026-05-13",
    );
    check("12.05.2026", "12.05.2026", "2026-05-12", "2026-05-13");
    check(
        "Ende des Monats",
        "Ende des Monats",
        "2026-03-31",
        "2026-04-01",
    );
    check(
        "morgen um 15 Uhr",
        "morgen um 15 Uhr",
        "2026-03-10T15:00",
        "2026-03-10T16:00",
    );
    check("mañana lo envío", "mañana", "2026-03-10", "2026-03-11");
    check(
        "la próxima semana",
        "próxima semana",
        "2026-03-16",
        "2026-03-23",
    );
    check(
        "la semana que viene",
        "la semana que viene",
        "2026-03-16",
        "2026-03-23",
    );
    check(
        "el viernes pasado",
        "el viernes pasado",
        "2026-03-06",
        "2026-03-07",
    );
    check("hace 3 días", "hace 3 días", "2026-03-06", "2026-03-07");
    check(
        "el 12 de mayo de 2026",
        "12 de mayo de 2026",
        "2026-05-12",
        "2026-05-13",
    );
    check("demain", "demain", "2026-03-10", "2026-03-11");
    check(
        "lundi prochain",
        "lundi prochain",
        "2026-03-16",
        "2026-03-17",
    );
    check("今天发布", "今天", "2026-03-09", "2026-03-10");
    check("我们后天上线", "后天", "2026-03-11", "2026-03-12");
    check("下周一开会", "下周一", "2026-03-16", "2026-03-17");
    check("上上周的数据", "上上周", "2026-02-23", "2026-03-02");
    check("本月底完成", "本月底", "2026-03-31", "2026-04-01");
    check("5月12日发布", "5月12日", "2026-05-12", "2026-05-13");
    check("2026年5月12日", "2026年5月12日", "2026-05-12", "2026-05-13");
    check("下个月", "下个月", "2026-04-01", "2026-05-01");
    check("3天后", "3天后", "2026-03-12", "2026-03-13");
    check("两周前", "两周前", "2026-02-23", "2026-02-24");
    check("周五合评", "周五", "2026-03-13", "2026-03-14");
    check(
        "明天下午3点",
        "明天下午3点",
        "2026-03-10T15:00",
        "2026-03-10T16:00",
    );
}

#[test]
fn what_is_no_time_is_none() {
    for text in [
        "100000 years ago",
        "in 9999999 days",
        "in 99999999999999999999 days",
        "31 Feb",
        "on 31 February",
        "Feb 31, 2025",
        "year 0",
        "in the year 0",
        "0000-01-01",
        "2026-13-45",
        "version 2.5.12",
        "https://example.org/2026-05-12/today",
        "see today.example.org",
        "3/4 of them",
        "cost $2026",
        "indexed in 41 min",
        "it broke 4 times in 3 weeks",
        "it is her last day",
    ] {
        none(text);
    }
}

#[test]
fn the_zone_decides_what_today_is() {
    let text = "we saw it yesterday";
    let said = "2024-03-11T04:30:00Z".parse().unwrap();
    let found = find(text, said, -5 * 3_600);
    assert_eq!(found[0].start.to_string(), "2024-03-09T05:00:00Z");
}

proptest! {
    #[test]
    fn any_text_gives_sound_stretches(
        text in "(?s)([a-z0-9 ./:,-]{0,4}|in |ago|next |last |week|year|days|周|月|日|天|5月|\\PC){0,40}",
        micros in Timestamp::MIN.as_micros()..Timestamp::MAX.as_micros(),
        offset in -200_000_i32..200_000,
    ) {
        let said = Timestamp::from_micros(micros).unwrap();
        let mut from = 0;
        for it in find(&text, said, offset) {
            prop_assert!(it.span.start >= from && it.span.of(&text).is_some_and(|words| !words.is_empty()));
            prop_assert!(it.start < it.end);
            from = it.span.end;
        }
    }
}
