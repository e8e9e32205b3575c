//! How long an endpoint asks to wait.

use std::time::Duration;

use jiff::SignedDuration;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::HeaderMap;

/// No endpoint is taken at its word beyond this: a date in the far future is a mistake.
const LONGEST: Duration = Duration::from_hours(24);

/// The wait that the headers of a refusal ask for.
///
/// In this order: `retry-after-ms`; `retry-after` in seconds, or as a date that is compared with the
/// endpoint's own `date`, so that no clock is needed; the longest reset of a limit that is used up.
///
/// # Source
///
/// RFC 9110, section 10.2.3, for `retry-after`; the others as the endpoints document them.
pub(crate) fn asked(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let in_ms = || seconds(text("retry-after-ms")?).map(|it| it / 1000);
    let in_seconds = || seconds(text("retry-after")?);
    let by_date = || until(text("retry-after")?, text("date")?);
    let by_reset = || {
        let resets = ["requests", "tokens"].into_iter().filter_map(|what| {
            let left = text(&format!("x-ratelimit-remaining-{what}"));
            let reset = text(&format!("x-ratelimit-reset-{what}"))?;
            let reset = seconds(reset).or_else(|| friendly(reset))?;
            (left.is_none_or(|left| left.trim() == "0")).then_some(reset)
        });
        resets.max()
    };
    let asked = in_ms()
        .or_else(in_seconds)
        .or_else(by_date)
        .or_else(by_reset);
    asked.map(|wait| wait.min(LONGEST))
}

/// A number of seconds, with or without a fraction.
fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.trim().parse().ok()?;
    // More than can be counted is the longest.
    (number >= 0.0).then(|| Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX))
}

/// From one date of HTTP to another; nothing if it has passed.
fn until(then: &str, now: &str) -> Option<Duration> {
    let parse = |text: &str| DateTimeParser::new().parse_timestamp(text.trim()).ok();
    let wait = parse(then)?.duration_since(parse(now)?);
    Some(Duration::try_from(wait).unwrap_or_default())
}

/// A span such as `6m0s` or `1.5s`.
fn friendly(text: &str) -> Option<Duration> {
    let span: SignedDuration = text.trim().parse().ok()?;
    Duration::try_from(span).ok()
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    #[track_caller]
    fn check(headers: &[(&str, &str)], expected: Option<f64>) {
        let headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| {
                let name: HeaderName = name.parse().unwrap();
                (name, HeaderValue::from_str(value).unwrap())
            })
            .collect();
        let waited = asked(&headers).map(|it| it.as_secs_f64());
        assert_eq!(waited, expected, "{headers:?}");
    }

    #[test]
    fn a_wait_is_read_as_it_is_asked_for() {
        const NOON: &str = "Sun, 06 Nov 1994 12:00:00 GMT";
        check(&[], None);
        check(&[("retry-after", "2")], Some(2.0));
        check(&[("retry-after", " 0.25 ")], Some(0.25));
        check(&[("retry-after", "0")], Some(0.0));
        check(&[("retry-after", "-3")], None);
        check(&[("retry-after", "soon")], None);
        check(&[("retry-after", "NaN")], None);
        check(&[("retry-after", "1e300")], Some(86_400.0));
        check(
            &[("retry-after-ms", "1500"), ("retry-after", "9")],
            Some(1.5),
        );
        let date = ("retry-after", "Sun, 06 Nov 1994 12:01:30 GMT");
        check(&[date, ("date", NOON)], Some(90.0));
        check(&[date], None);
        check(&[("retry-after", NOON), ("date", date.1)], Some(0.0));
        check(&[("x-ratelimit-reset-requests", "6m0s")], Some(360.0));
        check(&[("x-ratelimit-reset-tokens", "20ms")], Some(0.02));
        check(&[("x-ratelimit-reset-tokens", "2m59.5s")], Some(179.5));
        check(&[("x-ratelimit-reset-tokens", "7")], Some(7.0));
        let requests = [
            ("x-ratelimit-remaining-requests", "9"),
            ("x-ratelimit-reset-requests", "1h"),
        ];
        let tokens = [
            ("x-ratelimit-remaining-tokens", "0"),
            ("x-ratelimit-reset-tokens", "3s"),
        ];
        check(&[requests, tokens].concat(), Some(3.0));
        check(&requests, None);
    }
}
