//! What goes wrong, and the one place where it becomes an error.

mod refusal;

use std::time::Duration;

use atlas_core::{Error, ErrorKind, Retry};

use crate::secret::Secrets;
pub(crate) use refusal::Refusal;

/// What errors of an endpoint may tell of it.
#[derive(Clone, Debug)]
pub(crate) struct About {
    /// Its address.
    pub(crate) endpoint: String,
    /// What they may not.
    pub(crate) secrets: Secrets,
}

/// What can go wrong with a call.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("the request cannot be made")]
    Unmade(String),
    #[error("the endpoint is not reached")]
    Unreached(String),
    #[error("the endpoint took too long")]
    TimedOut(String),
    #[error("the connection broke")]
    Broken(String),
    #[error("the endpoint refuses")]
    Refused(Refusal),
    #[error("the reply ended before its end")]
    Cut,
    #[error("the reply is empty")]
    Empty,
    #[error("the reply is not of the dialect")]
    Garbage(String),
    #[error("the endpoint answers with a page: is its base URL right?")]
    Page,
    #[error("the reply ended for a reason that is no end")]
    Ended(String),
    #[error("the reply is longer than is read")]
    TooLong(usize),
    #[error("the reply has another number of vectors than there are texts")]
    WrongCount { expected: usize, found: usize },
    #[error("a vector has another width than the space")]
    WrongWidth { expected: usize, found: usize },
    #[error("a vector has a number that is not finite")]
    NotFinite(usize),
}

/// What a part of a call comes to.
pub(crate) type Tried<T> = Result<T, Failure>;

impl Failure {
    /// The error of the operation, about the endpoint and the model.
    pub(crate) fn into_error(self, op: &'static str, about: &About, model: &str) -> Error {
        use ErrorKind::{Invalid, Unavailable};
        let (kind, retry) = match &self {
            Self::Refused(refusal) => return refused(op, refusal, about, model),
            Self::Unmade(_) | Self::WrongWidth { .. } | Self::NotFinite(_) => {
                (Invalid, Retry::Never)
            }
            Self::Unreached(_) => (Unavailable, Retry::After(Duration::from_secs(1))),
            // Asked again, it would say the same; another endpoint may do better.
            Self::Page | Self::TooLong(_) => (Unavailable, Retry::Never),
            Self::TimedOut(_)
            | Self::Broken(_)
            | Self::Cut
            | Self::Empty
            | Self::Garbage(_)
            | Self::Ended(_)
            | Self::WrongCount { .. } => (Unavailable, Retry::Now),
        };
        let error = Error::new(kind, op, self.to_string()).with_retry(retry);
        let error = error
            .with("model", about.secrets.hide(model))
            .with("endpoint", &about.endpoint);
        match self {
            Self::Unmade(why)
            | Self::Unreached(why)
            | Self::TimedOut(why)
            | Self::Broken(why)
            | Self::Garbage(why) => error.caused_by(about.secrets.hide(&why)),
            Self::Ended(reason) => {
                error.with("finish_reason", shortened(&about.secrets.hide(&reason)))
            }
            Self::TooLong(bytes) => error.with("limit", bytes),
            Self::WrongCount { expected, found } | Self::WrongWidth { expected, found } => {
                error.with("expected", expected).with("found", found)
            }
            Self::NotFinite(text) => error.with("text", text),
            Self::Cut | Self::Empty | Self::Page | Self::Refused(_) => error,
        }
    }
}

fn refused(op: &'static str, refusal: &Refusal, about: &About, model: &str) -> Error {
    let (kind, retry, message) = refusal.verdict();
    let mut error = Error::new(kind, op, message)
        .with_retry(retry)
        .with("model", about.secrets.hide(model))
        .with("endpoint", &about.endpoint)
        .with("status", refusal.status);
    if !refusal.code.is_empty() {
        error = error.with("code", shortened(&about.secrets.hide(&refusal.code)));
    }
    // Endpoints that do not take a key tell parts of it.
    if kind != ErrorKind::Denied && !refusal.message.is_empty() {
        error = error.with("said", shortened(&about.secrets.hide(&refusal.message)));
    }
    error
}

/// The beginning of what an endpoint said: it may repeat what people wrote.
fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    text.chars().take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(status: u16, body: &Value, kind: ErrorKind, retry: Retry) {
        let mut secrets = Secrets::default();
        secrets.add("sk-secret");
        let about = About {
            endpoint: "http://h/v1".to_owned(),
            secrets,
        };
        let refusal = Refusal::of_answer(status, None, body.to_string().as_bytes());
        let error = Failure::Refused(refusal).into_error("op", &about, "m");
        assert_eq!(
            (error.kind(), error.retry()),
            (kind, retry),
            "{status} {body}"
        );
        assert!(
            !format!("{error} {error:?}").contains("sk-secret"),
            "{error:?}"
        );
    }

    #[test]
    fn a_refusal_says_what_to_do_next() {
        use ErrorKind::{Denied, Invalid, Unavailable, Unsupported};
        let second = Retry::After(Duration::from_secs(1));
        let of = |code: &str, message: &str| json!({"error": {"message": message, "type": "t", "param": null, "code": code}});
        let none = Value::Null;
        check(400, &none, Invalid, Retry::Never);
        check(
            400,
            &of("context_length_exceeded", ""),
            Invalid,
            Retry::Never,
        );
        check(
            400,
            &of("json_validate_failed", ""),
            Unavailable,
            Retry::Now,
        );
        check(
            401,
            &of("invalid_api_key", "no: sk-secret"),
            Denied,
            Retry::Never,
        );
        check(402, &none, Denied, Retry::Never);
        check(403, &none, Denied, Retry::Never);
        check(
            404,
            &of("model_not_found", "sk-secret"),
            Invalid,
            Retry::Never,
        );
        check(408, &none, Unavailable, Retry::Now);
        check(409, &none, Unavailable, Retry::Now);
        check(418, &none, Invalid, Retry::Never);
        check(425, &none, Unavailable, Retry::Now);
        check(
            429,
            &of("rate_limit_exceeded", "sk-secret"),
            Unavailable,
            second,
        );
        check(
            429,
            &of("insufficient_quota", "sk-secret"),
            Denied,
            Retry::Never,
        );
        check(500, &none, Unavailable, Retry::Now);
        check(501, &none, Unsupported, Retry::Never);
        check(503, &json!({"detail": "sk-secret"}), Unavailable, second);
        check(529, &json!("sk-secret"), Unavailable, second);
        check(302, &none, Invalid, Retry::Never);
    }
}
