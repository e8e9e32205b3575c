//! Recorded exchanges.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use assert_json_diff::{CompareMode, Config, NumericMode, assert_json_matches_no_panic};
use serde::Deserialize;
use serde_json::Value;

use super::{Answer, Framing, Received};

/// A request and what was answered.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// The request.
    pub request: RecordedRequest,
    /// The answer.
    pub answer: RecordedAnswer,
}

/// The request of an exchange.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedRequest {
    /// Path and query.
    pub target: String,
    /// Headers that the request has to have, names in lower case.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The JSON of its body, whole.
    pub body: Value,
}

/// The answer of an exchange: beside its status and headers, one of `json`, `events` and `text`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RecordedAnswer {
    /// The status; 200 if it is not said.
    #[serde(default = "ok")]
    pub status: u16,
    /// Further headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The body.
    #[serde(flatten)]
    pub body: RecordedBody,
}

/// The body of an answer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordedBody {
    /// One JSON value.
    Json(Value),
    /// The lines of a stream of events as they stood on the wire, an empty one between events.
    Events(Vec<String>),
    /// Something else, as a page of HTML.
    Text(String),
}

fn ok() -> u16 {
    200
}

impl RecordedAnswer {
    fn answer(&self) -> Answer {
        let answer = match &self.body {
            RecordedBody::Json(value) => Answer::json(value),
            RecordedBody::Events(lines) => {
                let body = lines.join("\n") + "\n";
                Answer::new("text/event-stream", body).framed(Framing::Chunked)
            }
            RecordedBody::Text(text) => Answer::new("text/html", text.as_str()),
        };
        let headers = self.headers.iter();
        headers.fold(answer.with_status(self.status), |answer, (name, value)| {
            answer.with_header(name, value.as_str())
        })
    }
}

#[derive(Debug, Default)]
struct State {
    n_answered: usize,
    differences: Vec<String>,
}

/// Answers requests as they were answered when they were recorded, in the order of the recording.
///
/// A request that differs from the next one of the recording is answered with status 418, which no
/// adapter tries again, and the difference is kept. A clone is another handle on the same replay.
#[derive(Clone, Debug)]
pub struct Replay {
    exchanges: Arc<[Exchange]>,
    state: Arc<Mutex<State>>,
}

impl Replay {
    /// Replays these exchanges, each once.
    pub fn new(exchanges: impl Into<Arc<[Exchange]>>) -> Self {
        Self {
            exchanges: exchanges.into(),
            state: Arc::default(),
        }
    }

    /// Reads exchanges from their JSON, a list.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn read(json: &str) -> serde_json::Result<Self> {
        Ok(Self::new(serde_json::from_str::<Vec<Exchange>>(json)?))
    }

    /// Answers a request.
    pub fn answer(&self, received: &Received) -> Answer {
        let mut state = self.state();
        let difference = match self.exchanges.get(state.n_answered) {
            Some(exchange) => match difference(&exchange.request, received) {
                None => {
                    state.n_answered += 1;
                    return exchange.answer.answer();
                }
                Some(difference) => difference,
            },
            None => "nothing more was recorded".to_owned(),
        };
        let place = state.n_answered;
        let target = &received.target;
        let difference = format!("request {place} to {target}:\n{difference}");
        state.differences.push(difference.clone());
        Answer::failure(418, "not_recorded", &difference)
    }

    /// Demands that every exchange took place, and nothing else.
    ///
    /// # Panics
    ///
    /// With what differed, and how many exchanges are left.
    #[track_caller]
    pub fn assert_complete(&self) {
        let state = self.state();
        let left = self.exchanges.len().saturating_sub(state.n_answered);
        assert!(
            left == 0 && state.differences.is_empty(),
            "{left} exchanges did not take place; what differed:\n{}",
            state.differences.join("\n")
        );
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a request differs from what was recorded, in words.
fn difference(recorded: &RecordedRequest, received: &Received) -> Option<String> {
    let mut differences = Vec::new();
    if received.target != recorded.target {
        differences.push(format!("target: recorded {:?}", recorded.target));
    }
    for (name, value) in &recorded.headers {
        // The value that came instead may be a secret of somebody's.
        if received.header(name) != Some(value) {
            differences.push(format!("header {name}: recorded {value:?}"));
        }
    }
    // JSON knows one sort of number.
    let exact = Config::new(CompareMode::Strict).numeric_mode(NumericMode::AssumeFloat);
    if let Err(difference) = assert_json_matches_no_panic(&received.json(), &recorded.body, exact) {
        let difference = difference
            .replace("lhs", "received")
            .replace("rhs", "recorded");
        differences.push(format!("body: {difference}"));
    }
    (!differences.is_empty()).then(|| differences.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORDING: &str = r#"[
        {
            "request": {"target": "/v1/a", "headers": {"x": "1"}, "body": {"n": 1}},
            "answer": {"status": 429, "headers": {"retry-after": "2"}, "json": {"m": 2}}
        },
        {"request": {"target": "/v1/b", "body": null}, "answer": {"events": ["data: 1", ""]}}
    ]"#;

    fn received(target: &str, body: &str) -> Received {
        Received {
            method: "POST".to_owned(),
            target: target.to_owned(),
            headers: vec![("x".to_owned(), "1".to_owned())],
            body: body.as_bytes().to_vec(),
        }
    }

    #[test]
    fn exchanges_come_in_order() {
        let replay = Replay::read(RECORDING).unwrap();
        let busy = Answer::json(&serde_json::json!({"m": 2})).with_status(429);
        let first = replay.answer(&received("/v1/a", r#"{"n": 1}"#));
        assert_eq!(first, busy.with_header("retry-after", "2"));
        let second = replay.answer(&received("/v1/b", "null"));
        let events = Answer::new("text/event-stream", "data: 1\n\n");
        assert_eq!(second, events.framed(Framing::Chunked));
        replay.assert_complete();
    }

    #[test]
    #[should_panic(
        expected = "2 exchanges did not take place; what differed:\nrequest 0 to /v1/a:\nbody: json atoms at path \".n\""
    )]
    fn a_difference_is_told() {
        let replay = Replay::read(RECORDING).unwrap();
        drop(replay.answer(&received("/v1/a", r#"{"n": 2}"#)));
        replay.assert_complete();
    }
}
