//! Endpoints that fail: again, elsewhere, or left alone.

use std::time::Duration;

use atlas_core::llm::Role;
use atlas_core::llm::router::{ModelSettings, Router};
use atlas_core::ports::{CompletionEvent, FinishReason, LlmProvider, Usage};
use atlas_core::{ErrorKind, Retry};
use atlas_testkit::double::{Reply, ScriptedLlm};
use futures::executor::block_on;
use futures::{FutureExt, StreamExt};

use super::{answering, at, clock, noon, question, reply, router};

const DOWN: ErrorKind = ErrorKind::Unavailable;

fn n(provider: &ScriptedLlm) -> usize {
    provider.n_requests(Role::Answerer)
}

fn asked(router: &Router) -> Result<FinishReason, ErrorKind> {
    let completion = block_on(router.complete(&question("?")));
    completion.map(|it| it.finish).map_err(|it| it.kind())
}

/// Asks once, with what `a` and then `b` answer in turn; how often each was asked.
#[track_caller]
fn check(
    (a, b): (Vec<Reply>, Vec<Reply>),
    expected: Result<FinishReason, ErrorKind>,
    n_asked: (usize, usize),
) {
    let has_other = !b.is_empty();
    let names = if has_other { &["a", "b"][..] } else { &["a"] };
    let (a, b) = (answering(a), answering(b));
    let router = router(&[("a", a.clone()), ("b", b.clone())], clock(), at(names));
    assert_eq!(asked(&router), expected);
    assert_eq!((n(&a), n(&b)), n_asked);
    let total = router.bill().total();
    let n_attempts = u64::try_from(n_asked.0 + n_asked.1).unwrap();
    assert_eq!((total.calls, total.attempts), (1, n_attempts));
}

fn after(seconds: u64) -> Reply {
    Reply::fails(DOWN).with_retry(Retry::After(Duration::from_secs(seconds)))
}

#[test]
fn a_call_is_tried_again_and_elsewhere_and_never_beyond_its_tries() {
    let fails = Reply::fails;
    let stop = Ok(FinishReason::Stop);
    let one = |replies| (replies, Vec::new());
    check(one(vec![reply()]), stop, (1, 0));
    check(one(vec![fails(DOWN), reply()]), stop, (2, 0));
    check(one(vec![fails(DOWN), after(2), reply()]), stop, (3, 0));
    check(one(vec![fails(DOWN); 9]), Err(DOWN), (3, 0));
    check(one(vec![after(61), reply()]), Err(DOWN), (1, 0));
    for kind in [
        ErrorKind::Invalid,
        ErrorKind::Denied,
        ErrorKind::Unsupported,
    ] {
        check(one(vec![fails(kind), reply()]), Err(kind), (1, 0));
    }
    let two = |a, b| (a, b);
    check(
        two(vec![fails(DOWN), fails(DOWN)], vec![reply()]),
        stop,
        (2, 1),
    );
    check(two(vec![after(2)], vec![reply()]), stop, (1, 1));
    check(
        two(vec![fails(DOWN); 9], vec![fails(DOWN); 9]),
        Err(DOWN),
        (2, 1),
    );
    check(two(vec![after(2)], vec![fails(DOWN); 9]), Err(DOWN), (1, 2));
    check(
        two(vec![fails(ErrorKind::Invalid)], vec![reply()]),
        Err(ErrorKind::Invalid),
        (1, 0),
    );
    for kind in [
        ErrorKind::Denied,
        ErrorKind::Unsupported,
        ErrorKind::NotFound,
    ] {
        check(two(vec![fails(kind)], vec![reply()]), stop, (1, 1));
    }
}

#[test]
fn a_refusal_is_taken_elsewhere_and_stands_where_nobody_answers() {
    let refused = Ok(FinishReason::Refused);
    check((vec![Reply::refused()], Vec::new()), refused, (1, 0));
    check(
        (vec![Reply::refused()], vec![reply()]),
        Ok(FinishReason::Stop),
        (1, 1),
    );
    check(
        (vec![Reply::refused()], vec![Reply::refused()]),
        refused,
        (1, 1),
    );
    check(
        (vec![Reply::refused()], vec![Reply::fails(DOWN); 2]),
        refused,
        (1, 2),
    );
    // What was cut off would be cut off elsewhere too.
    check(
        (vec![Reply::cut_off("{")], vec![reply()]),
        Ok(FinishReason::Length),
        (1, 0),
    );
}

#[test]
fn what_was_asked_to_wait_is_waited_for() {
    let provider = answering([after(7), reply()]);
    let clock = clock();
    let router = router(&[("a", provider)], clock.clone(), at(&["a"]));
    assert_eq!(asked(&router), Ok(FinishReason::Stop));
    assert_eq!(
        clock.advance(Duration::ZERO).duration_since(noon()),
        Duration::from_secs(7)
    );
}

#[test]
fn an_endpoint_that_is_dead_is_left_alone_until_one_probe_finds_it_alive() {
    let mut replies = vec![Reply::fails(DOWN); 4];
    replies.extend([reply(), reply()]);
    let (provider, clock) = (answering(replies), clock());
    let router = router(&[("a", provider.clone())], clock.clone(), at(&["a"]));
    let state = || router.ledger().endpoints["a"];
    assert_eq!(asked(&router), Err(DOWN));
    assert_eq!((n(&provider), state().opened), (3, 1));
    // It is not asked, and says for how long.
    clock.advance(Duration::from_secs(10));
    let refusal = block_on(router.complete(&question("?"))).unwrap_err();
    assert_eq!(refusal.kind(), DOWN);
    assert_eq!(refusal.retry(), Retry::After(Duration::from_secs(50)));
    assert!(refusal.to_string().contains("endpoint=a"), "{refusal}");
    let stream = block_on(router.stream(&question("?"))).map(drop);
    assert_eq!(stream.unwrap_err().kind(), DOWN);
    assert_eq!(n(&provider), 3);
    assert_eq!(router.bill().total().turned_away, 2);
    // The probe fails: another minute, from which on it is not tried again.
    clock.advance(Duration::from_secs(50));
    let refusal = block_on(router.complete(&question("?"))).unwrap_err();
    assert_eq!(refusal.retry(), Retry::After(Duration::from_millis(59_750)));
    assert!(std::error::Error::source(&refusal).is_some());
    assert_eq!((n(&provider), state().opened, state().closed), (4, 2, 0));
    assert_eq!(state().left_alone_for, Some(Duration::from_millis(59_750)));
    clock.advance(Duration::from_mins(1));
    assert_eq!(asked(&router), Ok(FinishReason::Stop));
    assert_eq!(asked(&router), Ok(FinishReason::Stop));
    assert_eq!((n(&provider), state().opened, state().closed), (6, 2, 1));
    assert_eq!(state().left_alone_for, None);
}

#[test]
fn while_an_endpoint_is_left_alone_the_next_one_serves_at_once() {
    let mut denied = vec![Reply::fails(ErrorKind::Denied); 3];
    denied.push(reply());
    let (a, b) = (answering(denied), answering(vec![reply(); 4]));
    let clock = clock();
    let router = router(
        &[("a", a.clone()), ("b", b.clone())],
        clock.clone(),
        at(&["a", "b"]),
    );
    for _ in 0..4 {
        assert_eq!(asked(&router), Ok(FinishReason::Stop));
    }
    assert_eq!((n(&a), n(&b)), (3, 4));
    clock.advance(Duration::from_mins(1));
    assert_eq!(asked(&router), Ok(FinishReason::Stop));
    assert_eq!((n(&a), n(&b)), (4, 4));
}

#[test]
fn a_stream_is_opened_elsewhere_only_before_it_has_begun() {
    let usage = Usage {
        input_tokens: 5,
        output_tokens: 2,
    };
    let (a, b) = (
        answering([Reply::fails(ErrorKind::Denied)]),
        answering([reply().with_usage(usage)]),
    );
    let router = router(&[("a", a), ("b", b)], clock(), at(&["a", "b"]));
    let request = question("?");
    let events: Vec<_> = block_on(async {
        let stream = router.stream(&request).await.unwrap();
        stream.map(Result::unwrap).collect().await
    });
    let end = CompletionEvent::Finished {
        finish: FinishReason::Stop,
        usage: Some(usage),
    };
    assert_eq!(events.last(), Some(&end));
    let total = router.bill().total();
    assert_eq!((total.calls, total.attempts, total.failures), (1, 2, 1));
    assert_eq!((total.input_tokens, total.output_tokens), (5, 2));
}

#[test]
fn a_stream_that_nobody_reads_on_is_on_the_bill_and_blocks_nothing() {
    let provider = answering(vec![reply(); 2]);
    let router = router(&[("a", provider)], clock(), at(&["a"]));
    let request = question("?");
    drop(router.stream(&request).now_or_never().unwrap().unwrap());
    let total = router.bill().total();
    assert_eq!((total.calls, total.attempts, total.uncounted), (1, 1, 1));
    assert_eq!(asked(&router), Ok(FinishReason::Stop));
}

#[test]
fn one_try_is_the_least() {
    let provider = answering([Reply::fails(DOWN), reply()]);
    let settings: ModelSettings = at(&["a"]).with_attempts(0);
    let router = router(&[("a", provider.clone())], clock(), settings);
    assert_eq!(asked(&router), Err(DOWN));
    assert_eq!(n(&provider), 1);
}
