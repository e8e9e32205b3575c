//! Limits: kept before a request is sent, and held by nobody who waits.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use atlas_core::llm::Role;
use atlas_core::llm::router::EndpointSettings;
use atlas_core::model::{Fingerprint, Timestamp};
use atlas_core::ports::{
    Clock, Completion, CompletionRequest, CompletionStream, FinishReason, LlmProvider, ModelChoice,
    Usage,
};
use atlas_core::{ErrorKind, Result, Retry, async_trait};
use atlas_testkit::double::Reply;
use futures::FutureExt;
use futures::executor::block_on;
use futures::future::join_all;

use super::{answering, at, clock, noon, question, reply, router};

/// A clock on which whoever waits waits for ever.
#[derive(Clone, Copy, Debug)]
struct Stopped;

#[async_trait]
impl Clock for Stopped {
    fn now(&self) -> Timestamp {
        noon()
    }

    async fn sleep_until(&self, _at: Timestamp) {
        pending::<()>().await;
    }
}

/// A provider that counts how many ask at the same time.
#[derive(Clone, Debug, Default)]
struct Counting {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

#[async_trait]
impl LlmProvider for Counting {
    fn fingerprint(&self, _role: Role, _choice: &ModelChoice) -> Fingerprint {
        Fingerprint::new("counting")
    }

    async fn complete(&self, _request: &CompletionRequest) -> Result<Completion> {
        let n = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(n, Ordering::SeqCst);
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        self.now.fetch_sub(1, Ordering::SeqCst);
        Ok(Completion {
            text: "{}".to_owned(),
            finish: FinishReason::Stop,
            usage: None,
        })
    }

    async fn stream<'a>(&'a self, _request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        pending().await
    }
}

#[test]
fn only_so_many_ask_at_the_same_time() {
    for (limit, most) in [(None, 10), (Some(3), 3), (Some(1), 1), (Some(0), 1)] {
        let provider = Counting::default();
        let endpoint = EndpointSettings {
            max_concurrent: limit,
            ..EndpointSettings::default()
        };
        let settings = at(&["a"]).with_endpoint("a", endpoint);
        let router = router(&[("a", provider.clone())], clock(), settings);
        let request = question("?");
        let calls = (0..10).map(|_| router.complete(&request));
        let all = block_on(join_all(calls));
        assert!(all.iter().all(Result::is_ok));
        assert_eq!(provider.most.load(Ordering::SeqCst), most, "{limit:?}");
        // A call that is dropped gives its place back.
        for _ in 0..5 {
            drop(router.complete(&request).now_or_never());
        }
        provider.now.store(0, Ordering::SeqCst);
        assert!(block_on(router.complete(&request)).is_ok());
    }
}

#[test]
fn requests_are_spread_over_the_minute() {
    let provider = answering(vec![reply(); 13]);
    let endpoint = EndpointSettings {
        requests_per_minute: Some(6),
        ..EndpointSettings::default()
    };
    let clock = clock();
    let settings = at(&["a"]).with_endpoint("a", endpoint);
    let router = router(&[("a", provider)], clock.clone(), settings);
    let mut sent = Vec::new();
    for _ in 0..13 {
        block_on(router.complete(&question("?"))).unwrap();
        sent.push(clock.now().duration_since(noon()).as_secs());
    }
    assert_eq!(sent, [0, 0, 0, 0, 0, 0, 10, 20, 30, 40, 50, 60, 70]);
}

#[test]
fn tokens_are_guessed_before_and_counted_after() {
    let used = |input_tokens, output_tokens| Usage {
        input_tokens,
        output_tokens,
    };
    let replies = [used(2_000, 7_000), used(1_000, 0)].map(|it| reply().with_usage(it));
    let endpoint = EndpointSettings {
        tokens_per_minute: Some(6_000),
        ..EndpointSettings::default()
    };
    let clock = clock();
    let settings = at(&["a"]).with_endpoint("a", endpoint);
    let router = router(&[("a", answering(replies))], clock.clone(), settings);
    block_on(router.complete(&question("?"))).unwrap();
    // 9,000 of 6,000 were used: what is overdrawn fills in half a minute, then the next guess.
    block_on(router.complete(&question("?"))).unwrap();
    let waited = clock.now().duration_since(noon());
    assert!(waited > Duration::from_secs(30), "{waited:?}");
    assert!(waited < Duration::from_mins(1), "{waited:?}");
}

#[test]
fn whoever_waits_for_tokens_keeps_nobody_from_being_served() {
    let endpoint = EndpointSettings {
        tokens_per_minute: Some(20_000),
        max_concurrent: Some(1),
        ..EndpointSettings::default()
    };
    let settings = at(&["a"]).with_endpoint("a", endpoint);
    let provider = answering(vec![reply(); 3]);
    let router = router(&[("a", provider)], Stopped, settings);
    let (large, small) = (question(&"word ".repeat(20_000)), question("?"));
    assert!(router.complete(&small).now_or_never().is_some());
    let mut waiting = Box::pin(router.complete(&large));
    assert!(waiting.as_mut().now_or_never().is_none());
    assert!(router.complete(&small).now_or_never().unwrap().is_ok());
}

#[test]
fn whoever_waits_to_try_again_keeps_nobody_from_being_served() {
    let endpoint = EndpointSettings {
        max_concurrent: Some(1),
        ..EndpointSettings::default()
    };
    let settings = at(&["a"]).with_endpoint("a", endpoint);
    let storm = Retry::After(Duration::from_secs(5));
    let fails = Reply::fails(ErrorKind::Unavailable).with_retry(storm);
    let router = router(&[("a", answering([fails, reply()]))], Stopped, settings);
    let request = question("?");
    let mut waiting = Box::pin(router.complete(&request));
    assert!(waiting.as_mut().now_or_never().is_none());
    assert!(router.complete(&request).now_or_never().unwrap().is_ok());
}
