//! Replies to values, leniently.

use serde::de::DeserializeOwned;

use crate::error::{Error, ErrorKind, Result};

/// Reads the JSON value of a reply: bare, in a code fence, or with prose around it.
///
/// # Errors
///
/// [`ErrorKind::Invalid`] if there is no value of the type in the text.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    let whole: std::result::Result<T, serde_json::Error> = serde_json::from_str(text.trim());
    let cause = match whole {
        Ok(value) => return Ok(value),
        Err(cause) => cause,
    };
    for (start, _) in text.match_indices('{') {
        let rest = text.get(start..).unwrap_or_default();
        // A stream deserialiser stops at the end of the first value: prose after it is no matter.
        if let Some(Ok(value)) = serde_json::Deserializer::from_str(rest)
            .into_iter::<T>()
            .next()
        {
            return Ok(value);
        }
    }
    Err(Error::new(
        ErrorKind::Invalid,
        "llm::reply::read",
        "the reply holds no such value",
    )
    .caused_by(cause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, Debug, PartialEq)]
    struct Reply {
        n: u32,
    }

    #[track_caller]
    fn check(text: &str, expected: Option<u32>) {
        assert_eq!(
            read::<Reply>(text).ok().map(|reply| reply.n),
            expected,
            "{text}"
        );
    }

    #[test]
    fn a_value_is_found_whatever_stands_around_it() {
        check(r#"{"n": 1}"#, Some(1));
        check("```json\n{\"n\": 2}\n```", Some(2));
        check(r#"Sure, {here} it is: {"n": 3}. Anything else?"#, Some(3));
        check(r#"{"n": "#, None);
        check("no", None);
        check("", None);
    }
}
