//! What the settings say of a role is what reaches the wire.

use std::collections::BTreeMap;
use std::sync::Arc;

use atlas_core::llm::Role;
use atlas_core::llm::router::{ModelSettings, Router, Target};
use atlas_core::ports::{LlmProvider, ModelParameters};
use atlas_llm_openai::{Endpoint, OpenAiLlm};
use atlas_testkit::double::FixedClock;
use atlas_testkit::loopback::LoopbackServer;
use serde_json::json;

use super::asked;

fn key(role: Role) -> String {
    format!("sk-test-{role:?}")
}

/// What no two roles share.
fn target(role: Role, place: u32) -> Target {
    let parameters = ModelParameters {
        temperature: Some(0.25),
        top_p: Some(0.5),
        seed: Some(u64::from(place)),
        max_output_tokens: Some(100 + place),
        reasoning_effort: Some(format!("effort-{place}")),
    };
    Target::new(role.as_str())
        .with_model(format!("model-{place}"))
        .with_parameters(parameters)
}

#[tokio::test]
async fn endpoint_key_model_and_parameters_of_every_role_reach_the_wire() {
    let servers: BTreeMap<Role, LoopbackServer> = Role::ALL
        .map(|role| (role, asked::server(|_| asked::reply("{}"))))
        .into();
    let mut settings = ModelSettings::default();
    let mut providers: BTreeMap<String, Arc<dyn LlmProvider>> = BTreeMap::new();
    for (place, role) in (0..).zip(Role::ALL) {
        settings = settings.with_role(role, target(role, place).into());
        let endpoint = Endpoint::new(&servers[&role].url("/v1")).unwrap();
        let llm = OpenAiLlm::new(&endpoint.with_key(key(role)), "not this").unwrap();
        providers.insert(role.as_str().to_owned(), Arc::new(llm));
    }
    // Roles that are not set are served by the first.
    settings.default = target(Role::ALL[0], 0).into();
    let clock = Arc::new(FixedClock::at("2026-03-02T09:00:00Z".parse().unwrap()));
    let router = Router::new(&providers, clock, settings).unwrap();
    for role in Role::ALL {
        let mut request = asked::request();
        request.role = role;
        router.complete(&request).await.unwrap();
    }
    for (place, role) in (0..).zip(Role::ALL) {
        let received = servers[&role].received();
        assert_eq!(received.len(), 1, "{role:?}");
        let bearer = format!("Bearer {}", key(role));
        assert_eq!(received[0].header("authorization"), Some(bearer.as_str()));
        let body = received[0].json();
        let expected = json!({
            "model": format!("model-{place}"),
            "temperature": 0.25,
            "top_p": 0.5,
            "seed": place,
            "max_tokens": 100 + place,
            "reasoning_effort": format!("effort-{place}"),
        });
        for (field, value) in expected.as_object().unwrap() {
            assert_eq!(&body[field], value, "{role:?} {field}");
        }
        let schema = &body["response_format"]["json_schema"];
        assert_eq!(schema["name"], role.as_str());
    }
}
