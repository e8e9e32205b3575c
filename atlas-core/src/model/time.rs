//! Instants and intervals.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, ErrorKind, Result};

/// Microseconds in a second.
const MICROS: i64 = 1_000_000;
/// Microseconds in a day.
const MICROS_A_DAY: i64 = 86_400 * MICROS;

/// An instant: microseconds since 1970-01-01T00:00:00Z; RFC 3339 in text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The earliest instant that has a text: 0001-01-01T00:00:00Z.
    pub const MIN: Self = Self(-62_135_596_800 * MICROS);
    /// The latest instant that has a text: 9999-12-30T22:00:00Z.
    pub const MAX: Self = Self(253_402_207_200 * MICROS);

    /// Checks that the instant has a text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Invalid`] outside [`Timestamp::MIN`]..=[`Timestamp::MAX`].
    pub fn from_micros(micros: i64) -> Result<Self> {
        if (Self::MIN.0..=Self::MAX.0).contains(&micros) {
            Ok(Self(micros))
        } else {
            Err(Error::new(
                ErrorKind::Invalid,
                "Timestamp::from_micros",
                "outside years 1 to 9999",
            )
            .with("micros", micros))
        }
    }

    /// Microseconds since 1970.
    pub fn as_micros(self) -> i64 {
        self.0
    }

    /// The instant moved by microseconds, kept within the range.
    #[must_use]
    pub fn saturating_add_micros(self, micros: i64) -> Self {
        Self(
            self.0
                .saturating_add(micros)
                .clamp(Self::MIN.0, Self::MAX.0),
        )
    }

    /// The instant moved by days of 24 hours, kept within the range.
    #[must_use]
    pub fn saturating_add_days(self, days: i64) -> Self {
        self.saturating_add_micros(days.saturating_mul(MICROS_A_DAY))
    }

    /// The instant moved forwards, kept within the range.
    #[must_use]
    pub fn saturating_add(self, by: Duration) -> Self {
        self.saturating_add_micros(i64::try_from(by.as_micros()).unwrap_or(i64::MAX))
    }

    /// How long after `earlier` it is; nothing if it is not.
    pub fn duration_since(self, earlier: Self) -> Duration {
        let micros = self.0.saturating_sub(earlier.0);
        Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    }

    /// Whole days of 24 hours since `earlier`; negative if `earlier` is later.
    pub fn days_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0).div_euclid(MICROS_A_DAY)
    }

    /// The date in UTC, as `2026-03-09`.
    pub fn date(self) -> String {
        self.to_string().chars().take(10).collect()
    }

    /// The jiff form, for calendar arithmetic inside the core.
    pub(crate) fn to_jiff(self) -> jiff::Timestamp {
        jiff::Timestamp::from_microsecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(instant) => write!(f, "{instant}"),
            Err(_) => write!(f, "{}us", self.0),
        }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Timestamp {
    type Err = Error;

    /// Reads RFC 3339; what is finer than a microsecond is cut.
    fn from_str(text: &str) -> Result<Self> {
        let instant: jiff::Timestamp = text.parse().map_err(|cause: jiff::Error| {
            Error::new(
                ErrorKind::Invalid,
                "Timestamp::from_str",
                "not an RFC 3339 time",
            )
            .with("text", text)
            .caused_by(cause)
        })?;
        Self::from_micros(instant.as_microsecond())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A half-open span of time: from `start` on, up to but without `end`; no end means still open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Interval {
    /// The first instant in it.
    pub start: Timestamp,
    /// The first instant after it.
    pub end: Option<Timestamp>,
}

impl Interval {
    /// An interval that is still open.
    pub fn since(start: Timestamp) -> Self {
        Self { start, end: None }
    }

    /// Whether the instant lies in it.
    pub fn contains(&self, instant: Timestamp) -> bool {
        self.start <= instant && self.end.is_none_or(|end| instant < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_micros_agree() {
        let instant: Timestamp = "2026-03-09T10:00:00.25Z".parse().unwrap();
        assert_eq!(instant.to_string(), "2026-03-09T10:00:00.25Z");
        assert_eq!(instant.date(), "2026-03-09");
        for edge in [Timestamp::MIN, Timestamp::MAX] {
            assert_eq!(edge.to_string().parse::<Timestamp>().unwrap(), edge);
        }
    }

    #[test]
    fn days_count_down_to_whole_days() {
        let day = |d: i64| Timestamp::from_micros(d * MICROS_A_DAY).unwrap();
        assert_eq!(day(3).days_since(day(1)), 2);
        assert_eq!(day(1).days_since(day(3)), -2);
        assert_eq!(day(1).saturating_add_micros(-1).days_since(day(0)), 0);
        assert_eq!(day(1).duration_since(day(0)), Duration::from_hours(24));
        assert_eq!(day(0).duration_since(day(1)), Duration::ZERO);
        assert_eq!(day(0).saturating_add(Duration::from_hours(24)), day(1));
        assert_eq!(day(0).saturating_add(Duration::MAX), Timestamp::MAX);
    }

    #[test]
    fn an_interval_is_half_open() {
        let at = |s: i64| Timestamp::from_micros(s).unwrap();
        let span = Interval {
            start: at(1),
            end: Some(at(3)),
        };
        assert_eq!(
            [0, 1, 2, 3].map(|s| span.contains(at(s))),
            [false, true, true, false]
        );
    }
}
