//! The adapter keeps the contracts of both ports, over HTTP, in both ways of replying.

use atlas_core::Result;
use atlas_core::llm::{FactExtractionInput, PromptMessage, Task};
use atlas_core::ports::LlmProvider;
use atlas_llm_openai::{
    Dialect, EmbedderSettings, Endpoint, Field, OpenAiEmbedder, OpenAiLlm, ReplyFormat,
};
use atlas_offline::{OfflineEmbedder, OfflineLlm};
use atlas_testkit::conformance::Harness;
use atlas_testkit::conformance::llm_provider::{FAIL, REFUSE};
use atlas_testkit::loopback::{Answer, LoopbackServer, Model, Received};
use serde_json::json;

use super::asked;

/// An endpoint that plays what the suite asks for, and otherwise answers by rules.
fn play(model: &Model, received: &Received) -> Answer {
    let said = String::from_utf8_lossy(&received.body);
    if said.contains(FAIL) {
        return Answer::failure(503, "overloaded", "not now");
    }
    if said.contains(REFUSE) {
        let usage = json!({"prompt_tokens": 9, "completion_tokens": 1});
        let message = json!({"content": null, "refusal": "I will not."});
        let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
        return Answer::json(&json!({"choices": [choice], "usage": usage}));
    }
    model.answer(received)
}

fn served() -> LoopbackServer {
    let model = Model::new(OfflineLlm::new()).with_embedder(OfflineEmbedder::new());
    asked::server(move |received| play(&model, received))
}

/// Makes a provider of an endpoint.
struct Served(fn(&Endpoint) -> Result<OpenAiLlm>);

impl Harness for Served {
    type Store = OpenAiLlm;
    type Place = LoopbackServer;

    async fn fresh_place(&self) -> LoopbackServer {
        served()
    }

    async fn open(&self, server: &LoopbackServer) -> Result<OpenAiLlm> {
        (self.0)(&asked::endpoint(server))
    }
}

mod streamed {
    use super::{OpenAiLlm, Served};

    atlas_testkit::llm_provider_conformance!(Served(|endpoint| OpenAiLlm::new(endpoint, "m")));
}

mod whole {
    use super::{Dialect, OpenAiLlm, ReplyFormat, Served};

    atlas_testkit::llm_provider_conformance!(Served(|endpoint| {
        let llm = OpenAiLlm::new(endpoint, "m")?.without_streaming();
        Ok(llm.with_dialect(Dialect::new(ReplyFormat::JsonSchema)))
    }));
}

/// A provider behind an endpoint says what it says in front of it, in whatever form it is asked.
#[tokio::test]
async fn what_is_served_is_what_the_provider_says() {
    let said = PromptMessage {
        label: "m1".to_owned(),
        author: "Ana".to_owned(),
        sent_at: "2026-03-02T09:00:00Z".parse().unwrap(),
        text: "We decided to use <b>Postgres</b> for the billing service.".to_owned(),
        thread_root: None,
        mentions: Vec::new(),
        links: Vec::new(),
    };
    let task = FactExtractionInput {
        context: Vec::new(),
        messages: vec![said],
        max_facts_per_message: 3,
    };
    let request = task.request().unwrap();
    let direct = OfflineLlm::new().complete(&request).await.unwrap();
    assert!(direct.text.contains("Postgres"), "{direct:?}");
    let server = served();
    for dialect in [
        Dialect::default(),
        Dialect::new(ReplyFormat::Tool),
        Dialect::new(ReplyFormat::Stated).without(Field::SystemRole),
    ] {
        let llm = asked::llm(&server).with_dialect(dialect.clone());
        let over_http = llm.complete(&request).await.unwrap();
        assert_eq!(over_http.text, direct.text, "{dialect}");
    }
}

struct ServedVectors;

impl Harness for ServedVectors {
    type Store = OpenAiEmbedder;
    type Place = LoopbackServer;

    async fn fresh_place(&self) -> LoopbackServer {
        served()
    }

    async fn open(&self, server: &LoopbackServer) -> Result<OpenAiEmbedder> {
        let settings = EmbedderSettings {
            max_batch: 4,
            max_request_bytes: 100,
            query_prefix: "query: ".to_owned(),
            ..EmbedderSettings::default()
        };
        OpenAiEmbedder::connect(&asked::endpoint(server), "e", settings).await
    }
}

atlas_testkit::embedder_conformance!(ServedVectors);
