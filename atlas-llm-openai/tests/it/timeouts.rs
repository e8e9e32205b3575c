//! What takes too long. The clock stands still until the endpoint is where it stalls.

use std::sync::Arc;

use atlas_core::ports::LlmProvider;
use atlas_core::{ErrorKind, Retry};
use atlas_testkit::loopback::{Answer, LoopbackServer};
use tokio::task::spawn_blocking;

use super::asked;

/// Waits until the `n`th answer stalls. The clock does not move before, since a blocking thread
/// runs.
async fn until_waiting(server: &Arc<LoopbackServer>, n: usize) {
    let server = Arc::clone(server);
    spawn_blocking(move || server.wait_for_waiting(n))
        .await
        .unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_says_no_more_is_given_up_once() {
    let whole = || asked::reply("{\"a\": 1}");
    for (name, answer) in [
        ("no first byte", whole().silent()),
        ("no body", whole().stalled_at(0)),
        ("half an event", whole().stalled_at(20)),
        ("no end", whole().stalled_at(whole().body_length() / 2)),
        (
            "a refusal without its body",
            Answer::failure(503, "", "").silent(),
        ),
    ] {
        let server = Arc::new(asked::server(move |_| answer.clone()));
        let llm = asked::llm(&server);
        let request = asked::request();
        let (result, ()) = tokio::join!(llm.complete(&request), until_waiting(&server, 1));
        let error = result.unwrap_err();
        let seen = (error.kind(), error.retry());
        assert_eq!(
            seen,
            (ErrorKind::Unavailable, Retry::Now),
            "{name}: {error}"
        );
        assert!(error.message().contains("too long"), "{name}: {error}");
        asked::tells_no_secret(&error);
        assert_eq!(server.n_received(), 1, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stall_after_the_end_takes_nothing_of_the_reply() {
    let answer = asked::reply("{\"a\": 1}");
    let answer = answer.clone().stalled_at(answer.body_length() - 14);
    let server = Arc::new(asked::server(move |_| answer.clone()));
    let llm = asked::llm(&server);
    let request = asked::request();
    let (result, ()) = tokio::join!(llm.complete(&request), until_waiting(&server, 1));
    assert_eq!(result.unwrap().text, "{\"a\": 1}");
}

#[tokio::test]
async fn a_first_byte_that_is_late_is_waited_for() {
    let server = Arc::new(asked::server(|_| asked::reply("{}").held()));
    let llm = asked::llm(&server);
    let request = asked::request();
    let letting_go = async {
        until_waiting(&server, 1).await;
        server.release();
    };
    let (result, ()) = tokio::join!(llm.complete(&request), letting_go);
    assert_eq!(result.unwrap().text, "{}");
}
