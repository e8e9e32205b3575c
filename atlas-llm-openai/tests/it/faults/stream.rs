//! Streams, as they should be and as they should not.

use atlas_core::ErrorKind::{Invalid, Unavailable};
use atlas_core::llm::{EntityExtractionOutput, reply};
use atlas_core::ports::{FinishReason, LlmProvider, Usage};
use atlas_testkit::loopback::{Answer, Framing};
use serde_json::{Value, json};

use super::Outcome::{Ends, Fails};
use super::{NEVER, NOW, after, check};
use crate::asked::{self, KEY};

fn chunk(delta: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn events(texts: &[&str], finish: &str) -> Vec<Value> {
    let contents = texts.iter().map(|text| chunk(&json!({"content": text})));
    let mut events: Vec<Value> = contents.collect();
    events.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}));
    events
}

/// A body of events as it stands here, of which the last byte is the last one sent.
fn raw(body: &str) -> Answer {
    Answer::new("text/event-stream", body).framed(Framing::Close)
}

#[tokio::test]
async fn what_a_stream_does_wrong_is_not_taken_for_its_end() {
    let whole = || Answer::events(&events(&["{\"a\"", ": 1}"], "stop"));
    let middle = whole().body_length() / 2;
    let error = json!({"error": {"message": format!("by {KEY}"), "code": 503}});
    let limited = json!({"error": {"message": KEY, "code": "rate_limit_exceeded"}});
    let null = chunk(&json!({"role": "assistant", "content": null}));
    let done = json!({"choices": []});
    let nonsense = format!("data: nonsense {KEY}\n\n");
    for (name, answer, expected) in [
        ("hung up", whole().hung_up(), Fails(Unavailable, NOW)),
        ("cut at once", whole().cut_at(0), Fails(Unavailable, NOW)),
        (
            "cut in the middle",
            whole().cut_at(middle),
            Fails(Unavailable, NOW),
        ),
        (
            "cut, and looks as if it ended",
            whole().framed(Framing::Close).cut_at(middle),
            Fails(Unavailable, NOW),
        ),
        (
            "cut after the end",
            whole().cut_at(whole().body_length() - 14),
            Ends("{\"a\": 1}", FinishReason::Stop),
        ),
        ("nothing", raw(""), Fails(Unavailable, NOW)),
        ("nonsense", raw(&nonsense), Fails(Unavailable, NOW)),
        (
            "no text",
            raw("data: \u{fffd}\n\n"),
            Fails(Unavailable, NOW),
        ),
        (
            "bytes that are no text",
            Answer::new("text/event-stream", b"data: \xff\xfe\n\n".to_vec()),
            Fails(Unavailable, NOW),
        ),
        (
            "a page",
            Answer::new("text/html", format!("<html>{KEY}</html>")),
            Fails(Unavailable, NEVER),
        ),
        (
            "no choice",
            Answer::events(&[done]),
            Fails(Unavailable, NOW),
        ),
        (
            "an empty reply",
            Answer::events(&events(&[], "stop")),
            Fails(Unavailable, NOW),
        ),
        (
            "an end that is none",
            Answer::events(&events(&["{"], "insufficient_system_resource")),
            Fails(Unavailable, NOW),
        ),
        (
            "an error in the stream",
            Answer::events(&[null.clone(), error]),
            Fails(Unavailable, after(1)),
        ),
        (
            "a limit in the stream",
            Answer::events(&[limited]),
            Fails(Unavailable, after(1)),
        ),
    ] {
        check(name, answer, expected).await;
    }
}

#[tokio::test]
async fn what_a_stream_may_do_is_read() {
    let whole = |texts: &[&str], finish: &str| Answer::events(&events(texts, finish));
    let body = |end: &str| {
        let lines: Vec<String> = events(&["{}"], "stop")
            .iter()
            .map(|event| format!("data: {event}{end}{end}"))
            .collect();
        lines.concat()
    };
    let call = |arguments: &str| {
        let function = json!({"name": "entity_extractor", "arguments": arguments});
        chunk(&json!({"content": null, "tool_calls": [{"index": 0, "function": function}]}))
    };
    let mut called = vec![call("{\"a\""), call(": 1}")];
    called.extend(events(&[], "tool_calls"));
    let message = json!({"role": "assistant", "content": "{}"});
    let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
    let stop = |text| Ends(text, FinishReason::Stop);
    for (name, answer, expected) in [
        (
            "pieces of one byte",
            whole(&["{\"a\": \"東京 👍\"}"], "stop").in_pieces_of(1),
            stop("{\"a\": \"東京 👍\"}"),
        ),
        ("no last word", raw(&body("\n")), stop("{}")),
        ("lines of the other sort", raw(&body("\r\n")), stop("{}")),
        (
            "keep-alives",
            raw(&format!(": wait\n\n: wait\n\n{}", body("\n"))),
            stop("{}"),
        ),
        ("an open last line", raw(body("\n").trim_end()), stop("{}")),
        (
            "as a whole",
            Answer::json(&json!({"choices": [choice]})),
            stop("{}"),
        ),
        ("by a tool", Answer::events(&called), stop("{\"a\": 1}")),
        (
            "thoughts",
            whole(&["<thi", "nk>{</think>{}"], "stop"),
            stop("{}"),
        ),
        (
            "thoughts without end",
            whole(&["<think>{"], "length"),
            Ends("", FinishReason::Length),
        ),
        (
            "the limit",
            whole(&["{\"a\""], "length"),
            Ends("{\"a\"", FinishReason::Length),
        ),
        (
            "a filter",
            whole(&["{"], "content_filter"),
            Ends("{", FinishReason::Refused),
        ),
        (
            "a refusal",
            Answer::events(
                &[
                    &[chunk(&json!({"refusal": "No."}))][..],
                    &events(&[], "stop"),
                ]
                .concat(),
            ),
            Ends("", FinishReason::Refused),
        ),
    ] {
        check(name, answer, expected).await;
    }
}

/// A reply that is not of the schema is a reply: whoever reads it finds nothing in it.
#[tokio::test]
async fn a_reply_of_another_shape_is_never_read_as_an_empty_one() {
    const SCHEMA: &str = r#"{"$defs": {}, "properties": {"entities": {"type": "array"}}}"#;
    for text in [SCHEMA, "Sorry, no.", "{\"entities\""] {
        let server = asked::server(move |_| asked::reply(text));
        let completion = asked::llm(&server)
            .complete(&asked::request())
            .await
            .unwrap();
        assert_eq!(
            (completion.text.as_str(), completion.finish),
            (text, FinishReason::Stop)
        );
        let read = reply::read::<EntityExtractionOutput>(&completion.text);
        assert!(
            matches!(&read, Err(error) if error.kind() == Invalid),
            "{text}: {read:?}"
        );
    }
}

#[tokio::test]
async fn a_reply_without_end_is_not_read_to_it() {
    let long = "x".repeat(5_000);
    let streamed = asked::reply(&long);
    let message = json!({"content": long});
    let whole = json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]});
    for answer in [streamed, Answer::json(&whole)] {
        let server = asked::server(move |_| answer.clone());
        let llm = asked::llm(&server).with_max_reply_bytes(4_000);
        let error = llm.complete(&asked::request()).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.retry()),
            (Unavailable, NEVER),
            "{error}"
        );
        assert_eq!(server.n_received(), 1);
    }
}

#[tokio::test]
async fn usage_is_what_the_endpoint_says_or_nothing() {
    let counted = json!({"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 3}});
    let usage = Usage {
        input_tokens: 12,
        output_tokens: 3,
    };
    for (last, expected) in [(Some(counted), Some(usage)), (None, None)] {
        let mut events = events(&["{}"], "stop");
        events.extend(last);
        let server = asked::server(move |_| Answer::events(&events));
        let completion = asked::llm(&server)
            .complete(&asked::request())
            .await
            .unwrap();
        assert_eq!(completion.usage, expected);
    }
}
