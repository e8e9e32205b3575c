//! What is sent along, and which way requests go.

use atlas_core::ErrorKind;
use atlas_core::ports::{EmbeddingSpace, LlmProvider};
use atlas_llm_openai::{EmbedderSettings, Endpoint, OpenAiEmbedder, OpenAiLlm};
use atlas_testkit::loopback::{Answer, LoopbackServer};

use super::asked::{self, KEY};

async fn call(endpoint: &Endpoint) {
    let llm = OpenAiLlm::new(endpoint, "m").unwrap();
    llm.complete(&asked::request()).await.unwrap();
}

fn at(server: &LoopbackServer, path: &str) -> Endpoint {
    Endpoint::new(&server.url(path)).unwrap()
}

#[tokio::test]
async fn headers_and_queries_reach_the_wire() {
    let server = asked::server(|_| asked::reply("{}"));
    let azure = at(&server, "/openai/deployments/d")
        .with_api_key(KEY)
        .with_query("api-version", "2024-10-21");
    call(&azure).await;
    let openai = at(&server, "/v1/")
        .with_key(KEY)
        .with_organization("org-1")
        .with_project("proj-1")
        .with_header("x-title", "Atlas");
    call(&openai).await;
    call(&at(&server, "")).await;
    let received = server.received();
    let [azure, openai, bare] = received.as_slice() else {
        panic!("three requests, not {}", received.len());
    };
    let target = "/openai/deployments/d/chat/completions?api-version=2024-10-21";
    assert_eq!(azure.target, target);
    assert_eq!(azure.header("api-key"), Some(KEY));
    assert_eq!(azure.header("authorization"), None);
    assert_eq!(openai.target, "/v1/chat/completions");
    assert_eq!(
        openai.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    for (name, value) in [
        ("openai-organization", "org-1"),
        ("openai-project", "proj-1"),
        ("x-title", "Atlas"),
        ("content-type", "application/json"),
    ] {
        assert_eq!(openai.header(name), Some(value), "{name}");
    }
    assert_eq!(bare.target, "/chat/completions");
    assert_eq!(bare.header("authorization"), None);
}

#[tokio::test]
async fn everything_goes_through_the_proxy_that_is_set() {
    let proxy = asked::server(|_| asked::reply("{}"));
    let endpoint = Endpoint::new("http://model.invalid/v1").unwrap();
    call(&endpoint.with_proxy(proxy.url(""))).await;
    let received = proxy.received();
    assert_eq!(
        received[0].target,
        "http://model.invalid/v1/chat/completions"
    );
}

#[tokio::test]
async fn nothing_that_is_sent_along_is_told() {
    let server = asked::server(|received| {
        // It sends back what it got.
        let headers = ["authorization", "x-auth"].map(|name| received.header(name));
        Answer::failure(400, &received.target, &format!("{headers:?}"))
    });
    let proxy = server
        .url("")
        .replace("http://", "http://hush-user:hush-password@");
    let endpoint = Endpoint::new("http://model.invalid/v1?base=hush-base")
        .unwrap()
        .with_key("hush-key")
        .with_header("x-auth", "hush-header")
        .with_query("sig", "hush/query")
        .with_proxy(proxy);
    let llm = OpenAiLlm::new(&endpoint, "m").unwrap();
    let settings = EmbedderSettings::default();
    let connected = OpenAiEmbedder::connect(&endpoint, "e", settings.clone()).await;
    let space = EmbeddingSpace {
        model: "e".to_owned(),
        revision: "1".to_owned(),
        dimensions: 2,
        is_normalised: true,
    };
    let embedder = OpenAiEmbedder::new(&endpoint, space, settings).unwrap();
    let error = llm.complete(&asked::request()).await.unwrap_err();
    let told = [
        format!("{endpoint:?} {llm:?} {embedder:?}"),
        asked::told(&error),
        asked::told(&connected.unwrap_err()),
    ];
    for told in told {
        assert!(!told.contains("hush"), "{told}");
    }
    let received = format!("{:?}", server.received());
    for sent in ["hush-base", "hush-key", "hush-header", "hush%2Fquery"] {
        assert!(received.contains(sent), "{sent} was not sent: {received}");
    }
}

#[test]
fn what_cannot_be_sent_is_refused_before_it_is_and_without_telling_it() {
    let endpoint = || Endpoint::new("http://127.0.0.1:1/v1").unwrap();
    for endpoint in [
        endpoint().with_key("hush\nhush"),
        endpoint().with_api_key("hush\nhush"),
        endpoint().with_header("x-auth", "hush\nhush"),
        endpoint().with_header("x auth", "hush\nhush"),
        endpoint().with_proxy("http://hush hush"),
    ] {
        let error = OpenAiLlm::new(&endpoint, "m").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error:?}");
        let told = asked::told(&error);
        assert!(!told.contains("hush"), "{told}");
    }
}

#[test]
fn an_endpoint_of_https_is_set_up_where_the_system_trusts_somebody() {
    let endpoint = Endpoint::new("https://127.0.0.1:1/v1").unwrap();
    match OpenAiLlm::new(&endpoint, "m") {
        Ok(llm) => assert_eq!(llm.n_requests(), 0),
        Err(error) => assert_eq!(error.kind(), ErrorKind::Unavailable),
    }
}
