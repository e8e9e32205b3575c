//! Every fault of an endpoint is one attempt with a typed outcome, and tells no secret.

#[cfg(test)]
mod status;
#[cfg(test)]
mod stream;

use std::time::Duration;

use atlas_core::ports::{FinishReason, LlmProvider};
use atlas_core::{ErrorKind, Retry};
use atlas_testkit::loopback::Answer;

use super::asked::{self, KEY, streamed, tells_no_secret, told};

/// What comes of a call.
#[derive(Debug, PartialEq)]
enum Outcome {
    Ends(&'static str, FinishReason),
    Fails(ErrorKind, Retry),
}

use Outcome::{Ends, Fails};

const NEVER: Retry = Retry::Never;
const NOW: Retry = Retry::Now;

fn after(seconds: u64) -> Retry {
    Retry::After(Duration::from_secs(seconds))
}

/// The endpoint answers so: both calls have the outcome, by one request each, which is the one that
/// was to be sent, and nothing that is told holds the key.
async fn check(name: &str, answer: Answer, expected: Outcome) {
    let server = asked::server(move |_| answer.clone());
    let llm = asked::llm(&server);
    let request = asked::request();
    for result in [llm.complete(&request).await, streamed(&llm, &request).await] {
        match (result, &expected) {
            (Ok(reply), Ends(text, finish)) => {
                assert_eq!(
                    (reply.text.as_str(), reply.finish),
                    (*text, *finish),
                    "{name}"
                );
            }
            (Err(error), Fails(kind, retry)) => {
                let seen = (error.kind(), error.retry());
                assert_eq!(seen, (*kind, *retry), "{name}: {}", told(&error));
                tells_no_secret(&error);
                assert!(
                    error.to_string().contains("model=m endpoint=http://127"),
                    "{error}"
                );
            }
            (result, _) => panic!("{name}: {result:?}, not {expected:?}"),
        }
    }
    let received = server.received();
    assert_eq!(received.len(), 2, "{name}: attempts");
    assert_eq!(llm.n_requests(), 2, "{name}");
    for received in received {
        let sent = (received.method.as_str(), received.target.as_str());
        assert_eq!(sent, ("POST", "/v1/chat/completions"), "{name}");
        assert_eq!(received.json(), asked::body(), "{name}");
        let header = received.header("authorization");
        assert_eq!(header, Some(format!("Bearer {KEY}").as_str()), "{name}");
    }
    assert!(!format!("{llm:?}").contains(KEY), "{llm:?}");
}

/// A refusal that repeats the key.
fn refusal(status: u16, code: &str) -> Answer {
    Answer::failure(status, code, &format!("because of Bearer {KEY}"))
}
