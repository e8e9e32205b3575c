//! Answers that are no success, and none.

use atlas_core::ErrorKind::{Denied, Invalid, Unavailable, Unsupported};
use atlas_core::ports::{FinishReason, LlmProvider};
use atlas_testkit::loopback::{Answer, every_nth};

use super::Outcome::{Ends, Fails};
use super::{NEVER, NOW, after, check, refusal};
use crate::asked::{self, KEY, tells_no_secret};

#[tokio::test]
async fn a_status_says_what_to_do_next() {
    for (status, code, expected) in [
        (302, "", Fails(Invalid, NEVER)),
        (400, "bad", Fails(Invalid, NEVER)),
        (400, "context_length_exceeded", Fails(Invalid, NEVER)),
        (400, "exceed_context_size_error", Fails(Invalid, NEVER)),
        (400, "json_validate_failed", Fails(Unavailable, NOW)),
        (400, "content_filter", Ends("", FinishReason::Refused)),
        (401, "invalid_api_key", Fails(Denied, NEVER)),
        (402, "", Fails(Denied, NEVER)),
        (403, "", Fails(Denied, NEVER)),
        (404, "model_not_found", Fails(Invalid, NEVER)),
        (405, "", Fails(Invalid, NEVER)),
        (408, "", Fails(Unavailable, NOW)),
        (409, "", Fails(Unavailable, NOW)),
        (413, "", Fails(Invalid, NEVER)),
        (422, "", Fails(Invalid, NEVER)),
        (425, "", Fails(Unavailable, NOW)),
        (429, "rate_limit_exceeded", Fails(Unavailable, after(1))),
        (429, "insufficient_quota", Fails(Denied, NEVER)),
        (500, "", Fails(Unavailable, NOW)),
        (501, "", Fails(Unsupported, NEVER)),
        (502, "", Fails(Unavailable, NOW)),
        (503, "overloaded", Fails(Unavailable, after(1))),
        (504, "", Fails(Unavailable, NOW)),
        (529, "", Fails(Unavailable, after(1))),
    ] {
        check(&format!("{status} {code}"), refusal(status, code), expected).await;
    }
    let page = format!("<html>{KEY}</html>");
    let page = Answer::new("text/html", page).with_status(502);
    check("a page of a gateway", page, Fails(Unavailable, NOW)).await;
}

#[tokio::test]
async fn a_wait_that_is_asked_for_is_told() {
    const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    const LATER: &str = "Sun, 06 Nov 1994 08:50:07 GMT";
    for (status, headers, retry) in [
        (429, vec![("retry-after", "7")], after(7)),
        (503, vec![("retry-after", "7")], after(7)),
        (500, vec![("retry-after", "7")], after(7)),
        (429, vec![("retry-after", "0")], NOW),
        (429, vec![("retry-after-ms", "2000")], after(2)),
        (429, vec![("date", DATE), ("retry-after", LATER)], after(30)),
        (
            429,
            vec![("x-ratelimit-reset-requests", "1m30s")],
            after(90),
        ),
        (429, vec![("retry-after", "soon")], after(1)),
    ] {
        let answer = headers
            .iter()
            .fold(refusal(status, ""), |answer, (name, value)| {
                answer.with_header(name, *value)
            });
        let expected = Fails(Unavailable, retry);
        check(&format!("{status} {headers:?}"), answer, expected).await;
    }
}

#[tokio::test]
async fn a_storm_is_one_attempt_a_call() {
    let busy = refusal(429, "rate_limit_exceeded").with_header("retry-after", "3");
    let handler = every_nth(1, vec![busy.clone(), busy, refusal(503, "")], |_| {
        asked::reply("{}")
    });
    let server = asked::server(handler);
    let llm = asked::llm(&server);
    for (n_calls, retry) in [after(3), after(3), after(1), after(3)]
        .into_iter()
        .enumerate()
    {
        let error = llm.complete(&asked::request()).await.unwrap_err();
        assert_eq!((error.kind(), error.retry()), (Unavailable, retry));
        assert_eq!(server.n_received(), n_calls + 1);
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_reached() {
    let server = asked::server(|_| asked::reply("{}"));
    let llm = asked::llm(&server);
    drop(server);
    let error = llm.complete(&asked::request()).await.unwrap_err();
    assert_eq!((error.kind(), error.retry()), (Unavailable, after(1)));
    tells_no_secret(&error);
}

#[tokio::test]
async fn a_redirect_takes_the_key_nowhere() {
    let other = asked::server(|_| asked::reply("{}"));
    let place = other.url("/v1/chat/completions");
    let server = asked::server(move |_| {
        Answer::new("text/plain", "")
            .with_status(307)
            .with_header("location", place.as_str())
    });
    let error = asked::llm(&server)
        .complete(&asked::request())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), Invalid);
    assert_eq!((server.n_received(), other.n_received()), (1, 0));
}
