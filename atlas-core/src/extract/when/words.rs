//! The words of time, folded, by meaning. One table a meaning, all languages in it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::tokens::tokens;

/// A stretch of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Weekend,
    Month,
    Quarter,
    Year,
}

/// Which part of a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    Start,
    Middle,
    Late,
    End,
}

/// What a fixed phrase means, seen from the day on which it is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A day so many days away.
    Day(i64),
    /// Hours of a day so many days away.
    Part(i64, i8, i8),
    /// A stretch so many stretches away.
    Period(Unit, i64),
    /// Part of a stretch so many stretches away.
    Edge(Edge, Unit, i64),
    /// An hour.
    Clock(i8),
}

use Edge::{End, Late, Middle, Start};
use Meaning::{Clock, Day, Part, Period};

const PHRASES: &[(&str, Meaning)] = &[
    ("today", Day(0)),
    ("tonight", Part(0, 18, 24)),
    ("tomorrow", Day(1)),
    ("tmrw", Day(1)),
    ("yesterday", Day(-1)),
    ("the day after tomorrow", Day(2)),
    ("day after tomorrow", Day(2)),
    ("the day before yesterday", Day(-2)),
    ("day before yesterday", Day(-2)),
    ("this morning", Part(0, 6, 12)),
    ("this afternoon", Part(0, 12, 18)),
    ("this evening", Part(0, 18, 24)),
    ("last night", Part(-1, 20, 24)),
    ("tomorrow night", Part(1, 20, 24)),
    ("noon", Clock(12)),
    ("midnight", Clock(24)),
    ("eod", Meaning::Edge(End, Unit::Day, 0)),
    ("cob", Meaning::Edge(End, Unit::Day, 0)),
    ("eow", Meaning::Edge(End, Unit::Week, 0)),
    ("eom", Meaning::Edge(End, Unit::Month, 0)),
    ("eoq", Meaning::Edge(End, Unit::Quarter, 0)),
    ("eoy", Meaning::Edge(End, Unit::Year, 0)),
    ("the weekend", Period(Unit::Weekend, 0)),
    // German
    ("heute", Day(0)),
    ("morgen", Day(1)),
    ("ubermorgen", Day(2)),
    ("gestern", Day(-1)),
    ("vorgestern", Day(-2)),
    ("heute morgen", Part(0, 6, 12)),
    ("heute fruh", Part(0, 6, 12)),
    ("heute abend", Part(0, 18, 24)),
    ("heute nachmittag", Part(0, 12, 18)),
    ("morgen fruh", Part(1, 6, 12)),
    ("morgen vormittag", Part(1, 8, 12)),
    ("morgen nachmittag", Part(1, 12, 18)),
    ("morgen abend", Part(1, 18, 24)),
    ("gestern abend", Part(-1, 18, 24)),
    ("am wochenende", Period(Unit::Weekend, 0)),
    ("monatsende", Meaning::Edge(End, Unit::Month, 0)),
    ("jahresende", Meaning::Edge(End, Unit::Year, 0)),
    // Spanish
    ("hoy", Day(0)),
    ("manana", Day(1)),
    ("ayer", Day(-1)),
    ("pasado manana", Day(2)),
    ("anteayer", Day(-2)),
    ("anoche", Part(-1, 20, 24)),
    ("esta noche", Part(0, 18, 24)),
    ("esta tarde", Part(0, 12, 20)),
    ("esta manana", Part(0, 6, 12)),
    ("manana por la manana", Part(1, 6, 12)),
    ("manana por la tarde", Part(1, 12, 20)),
    ("fin de mes", Meaning::Edge(End, Unit::Month, 0)),
    ("fin de ano", Meaning::Edge(End, Unit::Year, 0)),
    ("finales de mes", Meaning::Edge(End, Unit::Month, 0)),
    // French
    ("aujourd'hui", Day(0)),
    ("aujourd’hui", Day(0)),
    ("demain", Day(1)),
    ("hier", Day(-1)),
    ("apres-demain", Day(2)),
    ("avant-hier", Day(-2)),
    ("ce soir", Part(0, 18, 24)),
    ("ce matin", Part(0, 6, 12)),
    ("demain matin", Part(1, 6, 12)),
    ("demain soir", Part(1, 18, 24)),
    ("fin du mois", Meaning::Edge(End, Unit::Month, 0)),
    // Chinese
    ("今天", Day(0)),
    ("今日", Day(0)),
    ("今早", Part(0, 6, 12)),
    ("今晚", Part(0, 18, 24)),
    ("明天", Day(1)),
    ("明日", Day(1)),
    ("明早", Part(1, 6, 12)),
    ("明晚", Part(1, 18, 24)),
    ("后天", Day(2)),
    ("後天", Day(2)),
    ("大后天", Day(3)),
    ("大後天", Day(3)),
    ("昨天", Day(-1)),
    ("昨日", Day(-1)),
    ("昨晚", Part(-1, 18, 24)),
    ("前天", Day(-2)),
    ("大前天", Day(-3)),
    ("今年", Period(Unit::Year, 0)),
    ("明年", Period(Unit::Year, 1)),
    ("后年", Period(Unit::Year, 2)),
    ("去年", Period(Unit::Year, -1)),
    ("前年", Period(Unit::Year, -2)),
    ("月底", Meaning::Edge(End, Unit::Month, 0)),
    ("本月底", Meaning::Edge(End, Unit::Month, 0)),
    ("这个月底", Meaning::Edge(End, Unit::Month, 0)),
    ("下月底", Meaning::Edge(End, Unit::Month, 1)),
    ("下个月底", Meaning::Edge(End, Unit::Month, 1)),
    ("月初", Meaning::Edge(Start, Unit::Month, 0)),
    ("下月初", Meaning::Edge(Start, Unit::Month, 1)),
    ("下个月初", Meaning::Edge(Start, Unit::Month, 1)),
    ("月中", Meaning::Edge(Middle, Unit::Month, 0)),
    ("年底", Meaning::Edge(End, Unit::Year, 0)),
    ("年初", Meaning::Edge(Start, Unit::Year, 0)),
    ("周末", Period(Unit::Weekend, 0)),
    ("週末", Period(Unit::Weekend, 0)),
    ("本周末", Period(Unit::Weekend, 0)),
    ("这周末", Period(Unit::Weekend, 0)),
    ("下周末", Period(Unit::Weekend, 1)),
    ("上周末", Period(Unit::Weekend, -1)),
    ("中午", Clock(12)),
];

/// Parts of a day that follow the name of the day, with their hours.
pub(super) const DAY_PARTS: &[(&str, i8, i8)] = &[
    ("morning", 6, 12),
    ("afternoon", 12, 18),
    ("evening", 18, 24),
    ("night", 20, 24),
    ("上午", 6, 12),
    ("早上", 6, 12),
    ("下午", 12, 18),
    ("晚上", 18, 24),
];

/// Words that point to a stretch beside the present one.
const POINTERS: &[(&str, i64)] = &[
    ("next", 1),
    ("coming", 1),
    ("upcoming", 1),
    ("last", -1),
    ("past", -1),
    ("previous", -1),
    ("this", 0),
    ("current", 0),
    ("nachste", 1),
    ("nachsten", 1),
    ("nachster", 1),
    ("nachstes", 1),
    ("kommende", 1),
    ("kommenden", 1),
    ("kommender", 1),
    ("kommendes", 1),
    ("letzte", -1),
    ("letzten", -1),
    ("letzter", -1),
    ("letztes", -1),
    ("vergangene", -1),
    ("vergangenen", -1),
    ("vorige", -1),
    ("vorigen", -1),
    ("diese", 0),
    ("diesen", 0),
    ("dieser", 0),
    ("dieses", 0),
    ("diesem", 0),
    ("proximo", 1),
    ("proxima", 1),
    ("pasado", -1),
    ("pasada", -1),
    ("ultimo", -1),
    ("ultima", -1),
    ("este", 0),
    ("esta", 0),
    ("ce", 0),
    ("cette", 0),
    ("下", 1),
    ("下个", 1),
    ("下個", 1),
    ("下下", 2),
    ("下下个", 2),
    ("上", -1),
    ("上个", -1),
    ("上個", -1),
    ("上上", -2),
    ("上上个", -2),
    ("本", 0),
    ("这", 0),
    ("这个", 0),
    ("這", 0),
    ("這個", 0),
];

/// Pointers that stand after their noun.
const TRAILING_POINTERS: &[(&str, i64)] = &[
    ("que viene", 1),
    ("proximo", 1),
    ("proxima", 1),
    ("pasado", -1),
    ("pasada", -1),
    ("prochain", 1),
    ("prochaine", 1),
    ("dernier", -1),
    ("derniere", -1),
];

const UNITS: &[(&str, Unit)] = &[
    ("minute", Unit::Minute),
    ("minutes", Unit::Minute),
    ("min", Unit::Minute),
    ("mins", Unit::Minute),
    ("hour", Unit::Hour),
    ("hours", Unit::Hour),
    ("hrs", Unit::Hour),
    ("day", Unit::Day),
    ("days", Unit::Day),
    ("week", Unit::Week),
    ("weeks", Unit::Week),
    ("weekend", Unit::Weekend),
    ("month", Unit::Month),
    ("months", Unit::Month),
    ("quarter", Unit::Quarter),
    ("quarters", Unit::Quarter),
    ("year", Unit::Year),
    ("years", Unit::Year),
    ("minuten", Unit::Minute),
    ("stunde", Unit::Hour),
    ("stunden", Unit::Hour),
    ("tag", Unit::Day),
    ("tage", Unit::Day),
    ("tagen", Unit::Day),
    ("tages", Unit::Day),
    ("woche", Unit::Week),
    ("wochen", Unit::Week),
    ("wochenende", Unit::Weekend),
    ("monat", Unit::Month),
    ("monate", Unit::Month),
    ("monaten", Unit::Month),
    ("monats", Unit::Month),
    ("quartal", Unit::Quarter),
    ("quartals", Unit::Quarter),
    ("jahr", Unit::Year),
    ("jahre", Unit::Year),
    ("jahren", Unit::Year),
    ("jahres", Unit::Year),
    ("minutos", Unit::Minute),
    ("hora", Unit::Hour),
    ("horas", Unit::Hour),
    ("dia", Unit::Day),
    ("dias", Unit::Day),
    ("semana", Unit::Week),
    ("semanas", Unit::Week),
    ("fin de semana", Unit::Weekend),
    ("mes", Unit::Month),
    ("meses", Unit::Month),
    ("trimestre", Unit::Quarter),
    ("ano", Unit::Year),
    ("anos", Unit::Year),
    ("heure", Unit::Hour),
    ("heures", Unit::Hour),
    ("jour", Unit::Day),
    ("jours", Unit::Day),
    ("semaine", Unit::Week),
    ("semaines", Unit::Week),
    ("mois", Unit::Month),
    ("an", Unit::Year),
    ("ans", Unit::Year),
    ("annee", Unit::Year),
    ("分钟", Unit::Minute),
    ("小时", Unit::Hour),
    ("个小时", Unit::Hour),
    ("天", Unit::Day),
    ("日", Unit::Day),
    ("周", Unit::Week),
    ("週", Unit::Week),
    ("星期", Unit::Week),
    ("个星期", Unit::Week),
    ("礼拜", Unit::Week),
    ("月", Unit::Month),
    ("个月", Unit::Month),
    ("個月", Unit::Month),
    ("季度", Unit::Quarter),
    ("个季度", Unit::Quarter),
    ("年", Unit::Year),
];

/// Days of the week from Monday, which is nought.
const WEEKDAYS: &[(&str, i64)] = &[
    ("monday", 0),
    ("tuesday", 1),
    ("wednesday", 2),
    ("thursday", 3),
    ("friday", 4),
    ("saturday", 5),
    ("sunday", 6),
    ("montag", 0),
    ("dienstag", 1),
    ("mittwoch", 2),
    ("donnerstag", 3),
    ("freitag", 4),
    ("samstag", 5),
    ("sonnabend", 5),
    ("sonntag", 6),
    ("lunes", 0),
    ("martes", 1),
    ("miercoles", 2),
    ("jueves", 3),
    ("viernes", 4),
    ("sabado", 5),
    ("domingo", 6),
    ("lundi", 0),
    ("mardi", 1),
    ("mercredi", 2),
    ("jeudi", 3),
    ("vendredi", 4),
    ("samedi", 5),
    ("dimanche", 6),
];

/// Short days of the week: they are other words too, so they need a word of time before them.
const SHORT_WEEKDAYS: &[(&str, i64)] = &[
    ("mon", 0),
    ("tue", 1),
    ("tues", 1),
    ("wed", 2),
    ("thu", 3),
    ("thur", 3),
    ("thurs", 3),
    ("fri", 4),
    ("sat", 5),
    ("sun", 6),
];

/// Chinese days of the week, after the word for week.
pub(super) const CHINESE_WEEKDAYS: &[(&str, i64)] = &[
    ("一", 0),
    ("二", 1),
    ("三", 2),
    ("四", 3),
    ("五", 4),
    ("六", 5),
    ("日", 6),
    ("天", 6),
];

const MONTHS: &[(&str, i8)] = &[
    ("january", 1),
    ("february", 2),
    ("march", 3),
    ("april", 4),
    ("may", 5),
    ("june", 6),
    ("july", 7),
    ("august", 8),
    ("september", 9),
    ("october", 10),
    ("november", 11),
    ("december", 12),
    ("jan", 1),
    ("feb", 2),
    ("mar", 3),
    ("apr", 4),
    ("jun", 6),
    ("jul", 7),
    ("aug", 8),
    ("sep", 9),
    ("sept", 9),
    ("oct", 10),
    ("nov", 11),
    ("dec", 12),
    ("januar", 1),
    ("februar", 2),
    ("marz", 3),
    ("mai", 5),
    ("juni", 6),
    ("juli", 7),
    ("oktober", 10),
    ("dezember", 12),
    ("enero", 1),
    ("febrero", 2),
    ("marzo", 3),
    ("abril", 4),
    ("mayo", 5),
    ("junio", 6),
    ("julio", 7),
    ("agosto", 8),
    ("septiembre", 9),
    ("octubre", 10),
    ("noviembre", 11),
    ("diciembre", 12),
    ("janvier", 1),
    ("fevrier", 2),
    ("mars", 3),
    ("avril", 4),
    ("juin", 6),
    ("juillet", 7),
    ("aout", 8),
    ("septembre", 9),
    ("octobre", 10),
    ("novembre", 11),
    ("decembre", 12),
];

/// Names of months that are unlike any other word: they need no company.
pub(super) const PLAIN_MONTHS: &[&str] = &[
    "january",
    "february",
    "july",
    "september",
    "october",
    "november",
    "december",
    "januar",
    "februar",
    "oktober",
    "dezember",
    "enero",
    "febrero",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];

const NUMBERS: &[(&str, i64)] = &[
    ("a", 1),
    ("an", 1),
    ("one", 1),
    ("two", 2),
    ("a couple of", 2),
    ("couple of", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("ein", 1),
    ("eine", 1),
    ("einem", 1),
    ("einer", 1),
    ("einen", 1),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("funf", 5),
    ("sechs", 6),
    ("sieben", 7),
    ("acht", 8),
    ("zehn", 10),
    ("un", 1),
    ("una", 1),
    ("dos", 2),
    ("tres", 3),
    ("cuatro", 4),
    ("cinco", 5),
    ("seis", 6),
    ("siete", 7),
    ("ocho", 8),
    ("diez", 10),
    ("une", 1),
    ("deux", 2),
    ("trois", 3),
    ("quatre", 4),
    ("cinq", 5),
];

/// Which part of a stretch a word names.
const EDGES: &[(&str, Edge)] = &[
    ("end of", End),
    ("end", End),
    ("late", Late),
    ("mid", Middle),
    ("mid-", Middle),
    ("middle of", Middle),
    ("early", Start),
    ("start of", Start),
    ("beginning of", Start),
    ("ende", End),
    ("mitte", Middle),
    ("anfang", Start),
    ("finales de", End),
    ("fin de", End),
    ("mediados de", Middle),
    ("principios de", Start),
    ("fin", End),
    ("mi-", Middle),
    ("debut", Start),
];

/// Words after which a time is to come.
pub(super) const AHEAD: &[&str] = &[
    "by", "until", "till", "to", "for", "bis", "zum", "auf", "para", "hasta", "jusqu", "due",
    "deadline",
];

/// Words that tell that what is said is still to come.
pub(super) const FUTURE: &[&str] = &[
    "will",
    "be",
    "ll",
    "shall",
    "going",
    "gonna",
    "wont",
    "due",
    "deadline",
    "by",
    "until",
    "plan",
    "planned",
    "planning",
    "scheduled",
    "schedule",
    "postponed",
    "delayed",
    "moved",
    "moving",
    "rescheduled",
    "slipped",
    "slips",
    "pushed",
    "expected",
    "launch",
    "launches",
    "coming",
    "upcoming",
    "decided",
    "agreed",
    "booked",
    "confirmed",
    "set",
    "announced",
    "starts",
    "begins",
    "wird",
    "werden",
    "bis",
    "verschoben",
    "geplant",
    "hasta",
    "将",
    "会",
    "要",
];

/// Words that tell that what is said is over.
pub(super) const PAST: &[&str] = &[
    "was", "were", "had", "did", "ago", "since", "went", "met", "came", "made", "got", "took",
    "saw", "began", "sent", "happened", "war", "waren", "hatte", "wurde", "fue", "era", "过", "過",
];

/// Words that stand before a time.
pub(super) const BEFORE_TIME: &[&str] = &[
    "on", "by", "in", "at", "until", "till", "since", "before", "after", "from", "for", "to",
    "this", "next", "last", "mid", "early", "late", "every", "of", "through", "during", "due",
    "and", "or", "am", "ab", "bis", "im", "seit", "vor", "nach", "vom", "zum", "den", "el", "en",
    "de", "desde", "hasta", "le", "avant", "depuis", "about", "around", "is",
];

/// Words that stand before a short day of the week.
pub(super) const BEFORE_SHORT_WEEKDAY: &[&str] = &[
    "on", "by", "until", "till", "since", "before", "after", "from", "every", "through", "due",
];

/// Zones of the clock that mean one offset only, in hours.
pub(super) const ZONES: &[(&str, i32)] = &[
    ("utc", 0),
    ("gmt", 0),
    ("cet", 1),
    ("cest", 2),
    ("est", -5),
    ("edt", -4),
    ("pst", -8),
    ("pdt", -7),
    ("jst", 9),
];

/// Phrases by their first token, the longest first.
pub(super) struct Table<T>(BTreeMap<String, Vec<(Vec<String>, T)>>);

impl<T: Copy> Table<T> {
    fn of(rows: &[(&str, T)]) -> Self {
        let mut table: BTreeMap<String, Vec<(Vec<String>, T)>> = BTreeMap::new();
        for (phrase, meaning) in rows {
            let words: Vec<String> = tokens(phrase).into_iter().map(|it| it.text).collect();
            if let Some(first) = words.first() {
                table
                    .entry(first.clone())
                    .or_default()
                    .push((words, *meaning));
            }
        }
        for rows in table.values_mut() {
            rows.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        Self(table)
    }

    /// What a phrase that begins with the token may be, the longest first.
    pub(super) fn beginning_with(&self, token: &str) -> &[(Vec<String>, T)] {
        self.0.get(token).map_or(&[], Vec::as_slice)
    }
}

/// All tables, ready to be matched.
pub(super) struct Tables {
    pub(super) phrases: Table<Meaning>,
    pub(super) pointers: Table<i64>,
    pub(super) trailing_pointers: Table<i64>,
    pub(super) units: Table<Unit>,
    pub(super) weekdays: Table<i64>,
    pub(super) short_weekdays: Table<i64>,
    pub(super) months: Table<i8>,
    pub(super) numbers: Table<i64>,
    pub(super) edges: Table<Edge>,
    pub(super) day_parts: Table<(i8, i8)>,
}

/// The tables.
pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let parts: Vec<(&str, (i8, i8))> = DAY_PARTS
        .iter()
        .map(|(word, from, to)| (*word, (*from, *to)))
        .collect();
    Tables {
        phrases: Table::of(PHRASES),
        pointers: Table::of(POINTERS),
        trailing_pointers: Table::of(TRAILING_POINTERS),
        units: Table::of(UNITS),
        weekdays: Table::of(WEEKDAYS),
        short_weekdays: Table::of(SHORT_WEEKDAYS),
        months: Table::of(MONTHS),
        numbers: Table::of(NUMBERS),
        edges: Table::of(EDGES),
        day_parts: Table::of(&parts),
    }
});
