//! What an endpoint says when it refuses.

use std::time::Duration;

use atlas_core::{ErrorKind, Retry};
use serde_json::Value;

/// A refusal in the endpoint's own words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The status, or the one that its code stands for in a stream.
    pub(crate) status: u16,
    /// How long it asks to wait.
    pub(crate) wait: Option<Duration>,
    /// Its code and type, as words.
    pub(crate) code: String,
    /// The field that it names.
    pub(crate) field: String,
    /// What it says.
    pub(crate) message: String,
}

impl Refusal {
    /// Reads the body of an answer that is no success, whatever it is.
    pub(crate) fn of_answer(status: u16, wait: Option<Duration>, body: &[u8]) -> Self {
        let said: Value = serde_json::from_slice(body).unwrap_or_default();
        Self {
            status,
            wait,
            ..Self::of_value(&said)
        }
    }

    /// Reads an error that came in a stream, where there is no status.
    pub(crate) fn of_event(event: &Value) -> Self {
        let mut refusal = Self::of_value(event);
        let numbers = refusal.code.split(' ').filter_map(|word| word.parse().ok());
        let named = || {
            let code = &refusal.code;
            if code.contains("rate_limit") || code.contains("quota") {
                429
            } else if code.contains("invalid_request") || refusal.names_window() {
                400
            } else {
                500
            }
        };
        refusal.status = numbers
            .clone()
            .find(|status| (400..600).contains(status))
            .unwrap_or_else(named);
        refusal
    }

    fn of_value(said: &Value) -> Self {
        // Some wrap the error, some do not, and some only say a sentence.
        let error = said.get("error").filter(|it| !it.is_null()).unwrap_or(said);
        let word = |name: &str| match error.get(name) {
            Some(Value::String(word)) => word.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        let code = ["code", "type", "status"].map(word).join(" ");
        let (place, detail) = detail(error);
        let field = Some(word("param")).filter(|it| !it.is_empty());
        let messages = [word("message"), word("detail"), detail];
        let message = messages.into_iter().find(|it| !it.is_empty());
        Self {
            status: 0,
            wait: None,
            code: code.trim().to_owned(),
            field: field.unwrap_or(place),
            message: message
                .or_else(|| error.as_str().map(str::to_owned))
                .unwrap_or_default(),
        }
    }

    /// Whether the model would not answer, by a filter of the endpoint: a refusal as a value.
    pub(crate) fn is_filter(&self) -> bool {
        self.status == 400 && self.code.contains("content_filter")
    }

    /// Whether the prompt is longer than the model's window.
    pub(crate) fn names_window(&self) -> bool {
        let message = self.message.to_lowercase();
        let of_code = ["context_length", "context_size", "string_above_max_length"];
        of_code.iter().any(|code| self.code.contains(code))
            || [
                "context length",
                "context size",
                "context window",
                "maximum context",
            ]
            .iter()
            .any(|words| message.contains(words))
    }

    fn is_out_of_quota(&self) -> bool {
        let codes = ["insufficient_quota", "billing", "insufficient_balance"];
        self.status == 402 || codes.iter().any(|code| self.code.contains(code))
    }

    /// What the caller does next, when, and what is the matter.
    pub(super) fn verdict(&self) -> (ErrorKind, Retry, &'static str) {
        /// What an endpoint that is busy gets if it does not say.
        const BUSY: Duration = Duration::from_secs(1);
        use ErrorKind::{Denied, Invalid, Unavailable, Unsupported};
        let after = |default: Duration| match self.wait.unwrap_or(default) {
            Duration::ZERO => Retry::Now,
            wait => Retry::After(wait),
        };
        match self.status {
            _ if self.is_out_of_quota() => (Denied, Retry::Never, "the account has no quota left"),
            401 | 403 | 407 => (
                Denied,
                Retry::Never,
                "the endpoint does not take the credentials",
            ),
            404 => (
                Invalid,
                Retry::Never,
                "the endpoint has no such model or no such path",
            ),
            400 | 413 | 422 if self.names_window() => (
                Invalid,
                Retry::Never,
                "the prompt is longer than the context of the model",
            ),
            400 if self.code.contains("json_validate_failed") => (
                Unavailable,
                Retry::Now,
                "the model did not keep to the schema",
            ),
            429 => (Unavailable, after(BUSY), "the endpoint limits its requests"),
            501 => (Unsupported, Retry::Never, "the endpoint cannot do that"),
            503 | 529 => (Unavailable, after(BUSY), "the endpoint is overloaded"),
            408 | 409 | 425 | 500.. => (Unavailable, after(Duration::ZERO), "the endpoint failed"),
            300..400 => (
                Invalid,
                Retry::Never,
                "the endpoint redirects, which is not followed",
            ),
            _ => (Invalid, Retry::Never, "the endpoint refuses the request"),
        }
    }
}

/// Field and message of the first entry of a list of complaints, as validators of requests write it.
fn detail(error: &Value) -> (String, String) {
    let lists = ["/detail", "/message/detail"];
    let mut entries = lists.iter().filter_map(|path| error.pointer(path)?.get(0));
    let Some(entry) = entries.next() else {
        return Default::default();
    };
    let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
    let place = entry.get("loc").and_then(Value::as_array);
    let place: Vec<&str> = place
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    (place.join("."), format!("{} {}", text("type"), text("msg")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn refusals_are_read_in_every_form() {
        let read = |body: &Value| {
            let refusal = Refusal::of_answer(422, None, body.to_string().as_bytes());
            (refusal.code, refusal.field, refusal.message)
        };
        let expected = |code: &str, field: &str, message: &str| {
            (code.to_owned(), field.to_owned(), message.to_owned())
        };
        let usual = json!({"error": {"message": "m", "type": "t", "param": "seed", "code": 400}});
        assert_eq!(read(&usual), expected("400 t", "seed", "m"));
        let flat = json!({"object": "error", "message": "m", "type": "t", "code": "c"});
        assert_eq!(read(&flat), expected("c t", "", "m"));
        let entry = json!({"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra"});
        let listed = json!({"detail": [entry]});
        assert_eq!(
            read(&listed),
            expected("", "body.seed", "extra_forbidden Extra")
        );
        assert_eq!(
            read(&json!({"message": listed})),
            expected("", "body.seed", "extra_forbidden Extra")
        );
        assert_eq!(read(&json!({"error": "m"})), expected("", "", "m"));
        assert_eq!(read(&json!([1])), expected("", "", ""));
    }

    #[test]
    fn an_error_in_a_stream_gets_a_status() {
        for (error, status) in [
            (json!({"error": {"code": 503, "message": "m"}}), 503),
            (json!({"error": {"code": "rate_limit_exceeded"}}), 429),
            (
                json!({"error": {"message": "the context length is 4"}}),
                400,
            ),
            (json!({"error": {"code": "server_error"}}), 500),
            (json!({"error": "overloaded"}), 500),
        ] {
            assert_eq!(Refusal::of_event(&error).status, status, "{error}");
        }
    }
}
