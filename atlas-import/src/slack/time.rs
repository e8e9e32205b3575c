//! Slack's times, which are ids at the same time: `"1433866203.000003"`.

use atlas_core::model::Timestamp;
use serde_json::Value;

/// Digits of a second's fraction in a [`Timestamp`].
const MICRO_DIGITS: usize = 6;

/// The text of a time field. A number is written as Slack writes it, with six decimals.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => {
            let text = text.trim();
            (!text.is_empty()).then(|| text.to_owned())
        }
        Value::Number(number) => {
            let text = number.to_string();
            let (seconds, fraction) = text.split_once('.').unwrap_or((&text, ""));
            Some(format!("{seconds}.{fraction:0<MICRO_DIGITS$}"))
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The instant: decimal digits only, never through a float. What is finer than a microsecond is
/// cut.
pub(super) fn instant(text: &str) -> Option<Timestamp> {
    let (seconds, fraction) = match text.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (text, ""),
    };
    let are_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if seconds.is_empty() || !are_digits(seconds) || !are_digits(fraction) {
        return None;
    }
    let micros: String = fraction
        .chars()
        .chain(std::iter::repeat('0'))
        .take(MICRO_DIGITS)
        .collect();
    let seconds: i64 = seconds.parse().ok()?;
    let micros: i64 = micros.parse().ok()?;
    let micros = seconds.checked_mul(1_000_000)?.checked_add(micros)?;
    Timestamp::from_micros(micros).ok()
}

/// The text and the instant of a field of an object, if both are there.
pub(super) fn of(object: &Value, field: &str) -> Option<(String, Timestamp)> {
    let text = text(object.get(field)?)?;
    let instant = instant(&text)?;
    Some((text, instant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_decimal_digits_are_a_time() {
        let rows = [
            ("1433866203.000003", Some(1_433_866_203_000_003)),
            ("1433866203.1", Some(1_433_866_203_100_000)),
            ("1433866203", Some(1_433_866_203_000_000)),
            ("1433866203.0000019", Some(1_433_866_203_000_001)),
            ("0", Some(0)),
            ("", None),
            ("not-a-number", None),
            ("NaN", None),
            ("inf", None),
            ("-1", None),
            ("+1", None),
            ("1e9", None),
            ("1.", None),
            (".5", None),
            ("1.2.3", None),
            ("99999999999999", None),
            ("99999999999999999999999", None),
        ];
        for (text, expected) in rows {
            assert_eq!(instant(text).map(Timestamp::as_micros), expected, "{text}");
        }
    }

    #[test]
    fn a_number_is_written_as_slack_writes_it() {
        let rows = [
            (json!(1_433_866_203.000_003), "1433866203.000003"),
            (json!(1_433_866_203.000_1), "1433866203.000100"),
            (json!(1_433_866_203), "1433866203.000000"),
        ];
        for (value, expected) in rows {
            assert_eq!(text(&value).as_deref(), Some(expected));
        }
    }
}
