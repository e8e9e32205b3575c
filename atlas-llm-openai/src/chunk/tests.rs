//! Events to replies, by rows.

use serde_json::json;

use super::*;

/// The text, end and usage of a reply that came as these events.
fn folded(asks_by_tool: bool, events: &[Value]) -> Tried<End> {
    let mut fold = Fold::new(asks_by_tool);
    let mut told = String::new();
    for event in events {
        let event = event
            .as_str()
            .map_or_else(|| event.to_string(), str::to_owned);
        match fold.push(&event)? {
            Step::Text(text) => told.push_str(&text),
            Step::Done => break,
        }
    }
    let end = fold.end()?;
    told.push_str(&end.text);
    Ok(End { text: told, ..end })
}

fn delta(delta: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn content(text: &str) -> Value {
    delta(&json!({"content": text}))
}

fn finish(word: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": word}]})
}

#[track_caller]
fn check(events: &[Value], text: &str, expected: FinishReason) {
    for asks_by_tool in [false, true] {
        let end = folded(asks_by_tool, events).unwrap();
        assert_eq!(
            (end.text.as_str(), end.finish),
            (text, expected),
            "{events:?}"
        );
    }
}

#[test]
fn replies_are_joined_from_their_events() {
    use FinishReason::{Length, Refused, Stop};
    let null = delta(&json!({"role": "assistant", "content": null}));
    let done = json!("[DONE]");
    let ab = [content("{\"a\""), content(":1}")];
    check(
        &[&[null.clone()][..], &ab, &[finish("stop"), done.clone()]].concat(),
        "{\"a\":1}",
        Stop,
    );
    check(&[&ab[..], &[finish("stop")]].concat(), "{\"a\":1}", Stop);
    check(
        &[&ab[..], std::slice::from_ref(&done)].concat(),
        "{\"a\":1}",
        Stop,
    );
    check(&[content("{"), finish("length")], "{", Length);
    check(&[finish("length")], "", Length);
    check(&[content("{"), finish("content_filter")], "{", Refused);
    check(
        &[
            delta(&json!({"refusal": "No"})),
            delta(&json!({"refusal": "."})),
            finish("stop"),
        ],
        "",
        Refused,
    );
    let thoughts = delta(&json!({"reasoning_content": "so", "reasoning": "so", "content": null}));
    check(&[thoughts, content("{}"), finish("stop")], "{}", Stop);
    check(
        &[
            content("<thi"),
            content("nk>{</think"),
            content(">{}"),
            finish("stop"),
        ],
        "{}",
        Stop,
    );
    check(&[content("<think>so"), finish("length")], "", Length);
    let parts = json!([{"type": "thinking", "thinking": []}, {"type": "text", "text": "{}"}]);
    check(
        &[delta(&json!({"content": parts})), finish("stop")],
        "{}",
        Stop,
    );
    let other = json!({"choices": [{"index": 1, "delta": {"content": "no"}}]});
    check(&[other, content("{}"), finish("EOS")], "{}", Stop);
    check(&[json!(""), content("{}"), finish("stop")], "{}", Stop);
    check(
        &[
            json!({"choices": [{"text": "x", "message": {"content": "{}"}, "finish_reason": "stop"}]}),
        ],
        "{}",
        Stop,
    );
}

#[test]
fn fragments_of_tools_are_joined_by_index() {
    let call = |index: u64, arguments: Value| {
        let call = json!({"index": index, "function": {"arguments": arguments}});
        delta(&json!({"tool_calls": [call]}))
    };
    let named = json!({"index": 0, "id": "1", "function": {"name": "f", "arguments": ""}});
    let events = [
        delta(&json!({"tool_calls": [named]})),
        call(1, json!("{\"other\"")),
        call(0, json!("{\"a\"")),
        call(1, json!(":2}")),
        call(0, json!(":1}")),
        finish("tool_calls"),
    ];
    check(&events, "{\"a\":1}", FinishReason::Stop);
    check(
        &[call(0, json!({"a": 1})), finish("stop")],
        "{\"a\":1}",
        FinishReason::Stop,
    );
    check(
        &[call(0, json!(null)), content("{}"), finish("stop")],
        "{}",
        FinishReason::Stop,
    );
    let both = [
        content("I call it."),
        call(0, json!("{}")),
        finish("tool_calls"),
    ];
    assert_eq!(folded(true, &both).unwrap().text, "{}");
    assert_eq!(folded(false, &both).unwrap().text, "I call it.");
}

#[test]
fn usage_is_what_the_endpoint_counts_last() {
    let with = |usage: Value| json!({"choices": [], "usage": usage});
    let counted =
        |input: u64, output: u64| json!({"prompt_tokens": input, "completion_tokens": output});
    let of = |usages: &[Value]| {
        let mut events = vec![content("{}"), finish("stop")];
        events.extend(usages.iter().cloned().map(with));
        folded(false, &events).unwrap().usage
    };
    let expected = |input_tokens, output_tokens| {
        Some(Usage {
            input_tokens,
            output_tokens,
        })
    };
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[Value::Null]), None);
    assert_eq!(
        of(&[counted(3, 1), counted(3, 2), Value::Null]),
        expected(3, 2)
    );
    assert_eq!(of(&[json!({"prompt_tokens": 3})]), None);
    assert_eq!(
        of(&[json!({"prompt_tokens": -3, "completion_tokens": 1.5})]),
        None
    );
}

#[test]
fn what_is_no_reply_is_a_failure() {
    let failure = |events: &[Value]| folded(false, events).unwrap_err();
    assert!(matches!(failure(&[]), Failure::Cut));
    assert!(matches!(failure(&[content("{}")]), Failure::Cut));
    assert!(matches!(failure(&[json!("[DONE]")]), Failure::Empty));
    assert!(matches!(
        failure(&[json!({"choices": []}), json!("[DONE]")]),
        Failure::Empty
    ));
    assert!(matches!(
        failure(&[content(" "), finish("stop")]),
        Failure::Empty
    ));
    assert!(matches!(
        failure(&[content("<think>"), finish("stop")]),
        Failure::Empty
    ));
    assert!(matches!(
        failure(&[content("{}"), finish("abort")]),
        Failure::Ended(_)
    ));
    assert!(matches!(failure(&[json!("nonsense")]), Failure::Garbage(_)));
    assert!(matches!(failure(&[json!([1])]), Failure::Garbage(_)));
    assert!(matches!(
        failure(&[json!({"choices": 1})]),
        Failure::Garbage(_)
    ));
    for error in [
        json!({"error": {"message": "m", "code": 503}}),
        json!({"object": "error", "message": "m", "code": 503}),
    ] {
        let Failure::Refused(refusal) = failure(&[content("{"), error]) else {
            panic!("an error in a stream is a refusal");
        };
        assert_eq!((refusal.status, refusal.message.as_str()), (503, "m"));
    }
}
