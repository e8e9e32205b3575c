//! The forms that times take in text. Each rule reads from one place; the longest reading counts.

use jiff::civil::DateTime;

use super::calendar::Found;
use super::clock::{clock_first, with_clock};
use super::dates::{
    chinese_date, day_month, day_of_month, dotted_date, iso_date, month_alone, month_day, quarter,
    slashed_date, year,
};
use super::reader::Reader;
use super::relative::{chinese_weekday, counted, edge_of, phrase, pointed, trailing, weekday};

/// What rules know besides the words.
#[derive(Clone, Copy)]
pub(super) struct Scene {
    /// When it is said, in local time.
    pub(super) said: DateTime,
}

pub(super) type Read<'a> = Option<(Found, Reader<'a>)>;

/// The longest expression that begins here.
pub(super) fn longest(scene: Scene, here: Reader<'_>) -> Read<'_> {
    if !here.begins_cleanly() {
        return None;
    }
    let dates = [
        iso_date(here),
        dotted_date(here),
        slashed_date(scene, here),
        day_month(scene, here),
        month_day(scene, here),
        chinese_date(scene, here),
        month_alone(scene, here),
        day_of_month(scene, here),
        phrase(scene, here),
        pointed(scene, here),
        trailing(scene, here),
        weekday(scene, here),
        chinese_weekday(scene, here),
        edge_of(scene, here),
        quarter(scene, here),
        year(here),
        counted(scene, here),
    ];
    let timed = dates.into_iter().flatten().map(with_clock);
    let clocks = clock_first(scene, here);
    timed
        .chain(clocks)
        .filter(|(_, after)| after.ends_cleanly())
        .reduce(|best, next| if next.1.at > best.1.at { next } else { best })
}
