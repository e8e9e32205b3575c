//! The endpoints of the dialect as they speak: each recording is written after the endpoint's public
//! documentation and answers, shortened, with names and keys of our own.

use std::time::Duration;

use atlas_core::ports::{FinishReason, LlmProvider, ModelParameters, Usage};
use atlas_core::{ErrorKind, Retry};
use atlas_llm_openai::{Dialect, Endpoint, OpenAiLlm, ReplyFormat};
use atlas_testkit::loopback::Replay;

use super::asked::{self, KEY, tells_no_secret};

/// What comes of a call: text, end and usage, or an error.
enum Call {
    Ends(&'static str, FinishReason, Option<(u64, u64)>),
    Fails(ErrorKind, Retry),
}

use Call::{Ends, Fails};
use ErrorKind::{Denied, Invalid, Unavailable};
use FinishReason::{Length, Refused, Stop};

const NEVER: Retry = Retry::Never;
const NOW: Retry = Retry::Now;

fn after(seconds: u64) -> Retry {
    Retry::After(Duration::from_secs(seconds))
}

/// Calls side by side with the recording: one after the other, until it is used up.
async fn check(recording: &str, connect: impl FnOnce(String) -> OpenAiLlm, calls: Vec<Call>) {
    let replay = Replay::read(recording).unwrap();
    let answering = replay.clone();
    let server = asked::server(move |received| answering.answer(received));
    let llm = connect(server.url(""));
    let request = asked::request_with(ModelParameters {
        temperature: Some(0.0),
        seed: Some(7),
        max_output_tokens: Some(64),
        ..ModelParameters::default()
    });
    for (place, expected) in calls.into_iter().enumerate() {
        match (llm.complete(&request).await, expected) {
            (Ok(completion), Ends(text, finish, usage)) => {
                let usage = usage.map(|(input_tokens, output_tokens)| Usage {
                    input_tokens,
                    output_tokens,
                });
                let seen = (
                    completion.text.as_str(),
                    completion.finish,
                    completion.usage,
                );
                assert_eq!(seen, (text, finish, usage), "call {place}");
            }
            (Err(error), Fails(kind, retry)) => {
                let seen = (error.kind(), error.retry());
                assert_eq!(seen, (kind, retry), "call {place}: {error}");
                tells_no_secret(&error);
            }
            (Ok(completion), Fails(..)) => panic!("call {place}: {completion:?}"),
            (Err(error), Ends(..)) => panic!("call {place}: {}", asked::told(&error)),
        }
    }
    replay.assert_complete();
}

fn plain(url: String) -> OpenAiLlm {
    OpenAiLlm::new(&Endpoint::new(&(url + "/v1")).unwrap(), "m").unwrap()
}

#[tokio::test]
async fn openai() {
    let connect = |url: String| {
        let endpoint = Endpoint::new(&(url + "/v1")).unwrap().with_key(KEY);
        OpenAiLlm::new(&endpoint, "m").unwrap()
    };
    let calls = vec![
        Ends("{\"a\": 1}", Stop, Some((31, 9))),
        Fails(Unavailable, after(360)),
        Ends("", Refused, Some((31, 8))),
    ];
    check(include_str!("exchanges/openai.json"), connect, calls).await;
}

#[tokio::test]
async fn azure() {
    let connect = |url: String| {
        let endpoint = Endpoint::new(&(url + "/openai/deployments/d")).unwrap();
        let endpoint = endpoint
            .with_api_key(KEY)
            .with_query("api-version", "2024-10-21");
        OpenAiLlm::new(&endpoint, "m").unwrap()
    };
    let calls = vec![
        Ends("{}", Stop, Some((30, 2))),
        Ends("", Refused, None),
        Fails(Denied, NEVER),
    ];
    check(include_str!("exchanges/azure.json"), connect, calls).await;
}

#[tokio::test]
async fn llama_cpp() {
    let calls = vec![
        Ends("{\"a\": 1}", Stop, Some((22, 6))),
        Ends("{\"a\"", Length, Some((22, 64))),
        Fails(Invalid, NEVER),
        Fails(Unavailable, after(1)),
    ];
    check(include_str!("exchanges/llama_cpp.json"), plain, calls).await;
}

#[tokio::test]
async fn vllm() {
    let calls = vec![
        Ends("{}", Stop, Some((25, 12))),
        Fails(Invalid, NEVER),
        Fails(Invalid, NEVER),
        Fails(Unavailable, NOW),
    ];
    check(include_str!("exchanges/vllm.json"), plain, calls).await;
}

#[tokio::test]
async fn mistral() {
    let calls = vec![
        Ends("{}", Stop, Some((20, 3))),
        Ends("{", Length, Some((20, 64))),
    ];
    check(include_str!("exchanges/mistral.json"), plain, calls).await;
}

#[tokio::test]
async fn deepseek() {
    let calls = vec![
        Ends("{}", Stop, Some((18, 5))),
        Fails(Unavailable, NOW),
        Fails(Denied, NEVER),
    ];
    check(include_str!("exchanges/deepseek.json"), plain, calls).await;
}

#[tokio::test]
async fn ollama() {
    let calls = vec![Ends("{}", Stop, None), Fails(Invalid, NEVER)];
    check(include_str!("exchanges/ollama.json"), plain, calls).await;
}

#[tokio::test]
async fn openrouter() {
    let connect = |url: String| {
        let endpoint = Endpoint::new(&(url + "/api/v1")).unwrap();
        OpenAiLlm::new(&endpoint.with_header("x-title", "Atlas"), "m").unwrap()
    };
    let calls = vec![
        Ends("{}", Stop, Some((12, 4))),
        Fails(Unavailable, NOW),
        Fails(Denied, NEVER),
    ];
    check(include_str!("exchanges/openrouter.json"), connect, calls).await;
}

#[tokio::test]
async fn groq() {
    let connect =
        |url: String| OpenAiLlm::new(&Endpoint::new(&(url + "/openai/v1")).unwrap(), "m").unwrap();
    let calls = vec![
        Ends("{}", Stop, Some((11, 2))),
        Fails(Unavailable, NOW),
        Fails(Unavailable, after(2)),
    ];
    check(include_str!("exchanges/groq.json"), connect, calls).await;
}

#[tokio::test]
async fn an_endpoint_that_is_asked_by_a_tool() {
    let connect = |url| plain(url).with_dialect(Dialect::new(ReplyFormat::Tool));
    let calls = vec![Ends("{\"a\": 1}", Stop, Some((40, 8)))];
    check(include_str!("exchanges/tools.json"), connect, calls).await;
}
