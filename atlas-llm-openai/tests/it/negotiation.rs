//! The dialect is found out, once, and nothing is left out that was not refused.

use atlas_core::ErrorKind;
use atlas_core::ports::{LlmProvider, ModelChoice, ModelParameters};
use atlas_llm_openai::{Dialect, Field, OpenAiLlm, ReplyFormat};
use atlas_testkit::loopback::{Answer, LoopbackServer, Received};
use serde_json::Value;

use super::asked;

/// An endpoint that refuses these fields, one at a time, and the types of reply.
fn refusing(fields: &'static [&'static str]) -> LoopbackServer {
    asked::server(move |received: &Received| {
        let body = received.json();
        let format = body
            .pointer("/response_format/type")
            .and_then(Value::as_str);
        let has = |field: &&&str| body.get(**field).is_some() || format == Some(**field);
        match fields.iter().find(has) {
            Some(field) => {
                let message = format!("Unsupported parameter: '{field}' is not supported.");
                Answer::failure(400, "unsupported_parameter", &message)
            }
            None => asked::reply("{}"),
        }
    })
}

fn parameters() -> ModelParameters {
    ModelParameters {
        temperature: Some(0.2),
        top_p: Some(0.9),
        seed: Some(7),
        max_output_tokens: Some(64),
        reasoning_effort: Some("low".to_owned()),
    }
}

#[tokio::test]
async fn what_is_refused_is_left_out_once_and_for_ever() {
    for (refused, n_requests, dialect) in [
        (&[][..], 1, "json_schema"),
        (&["max_tokens"], 2, "json_schema-max_tokens"),
        (&["temperature", "seed"], 3, "json_schema-temperature-seed"),
        (&["stream_options"], 2, "json_schema-stream_options"),
        (&["json_schema"], 2, "json_object"),
        (&["response_format"], 3, "stated"),
        (
            &["json_schema", "top_p", "reasoning_effort", "max_tokens"],
            5,
            "json_object-max_tokens-top_p-reasoning_effort",
        ),
    ] {
        let server = refusing(refused);
        let llm = asked::llm(&server);
        let request = asked::request_with(parameters());
        assert_eq!(llm.complete(&request).await.unwrap().text, "{}");
        assert_eq!(server.n_received(), n_requests, "{refused:?}");
        assert_eq!(llm.dialect("m").to_string(), dialect);
        llm.complete(&request).await.unwrap();
        assert_eq!(server.n_received(), n_requests + 1, "{refused:?}: again");
        assert_eq!(llm.n_requests(), n_requests as u64 + 1);
        // The limit is sent, by one name or the other.
        let last = server.received().pop().unwrap().json();
        let limits = [&last["max_tokens"], &last["max_completion_tokens"]];
        assert_eq!(
            limits.into_iter().filter(|it| **it == 64).count(),
            1,
            "{last}"
        );
    }
}

#[tokio::test]
async fn another_model_is_asked_for_itself() {
    let server = refusing(&["seed"]);
    let llm = asked::llm(&server);
    let mut request = asked::request_with(parameters());
    llm.complete(&request).await.unwrap();
    request.choice.model = Some("other".to_owned());
    llm.complete(&request).await.unwrap();
    assert_eq!(server.n_received(), 4);
    assert_eq!(llm.dialect("other"), llm.dialect("m"));
    assert_eq!(llm.dialect("third"), Dialect::default());
}

#[tokio::test]
async fn a_limit_that_is_not_taken_by_any_name_is_an_error() {
    let server = refusing(&["max_tokens", "max_completion_tokens"]);
    let request = asked::request_with(parameters());
    let error = asked::llm(&server).complete(&request).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(server.n_received(), 2);
}

#[tokio::test]
async fn a_dialect_that_was_set_is_not_found_out() {
    let server = refusing(&["seed"]);
    let set = |dialect: Dialect| asked::llm(&server).with_dialect(dialect);
    let request = asked::request_with(parameters());
    let error = set(Dialect::default())
        .complete(&request)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(server.n_received(), 1);
    let llm = set(Dialect::new(ReplyFormat::Tool).without(Field::Seed));
    llm.complete(&request).await.unwrap();
    assert_eq!(server.n_received(), 2);
    let last = server.received().pop().unwrap().json();
    assert_eq!(last["tools"][0]["function"]["name"], "entity_extractor");
}

#[tokio::test]
async fn calls_side_by_side_find_out_together() {
    let server = refusing(&["seed", "json_schema", "top_p"]);
    let llm = asked::llm(&server);
    let request = asked::request_with(parameters());
    let calls = (0..4).map(|_| llm.complete(&request));
    for result in futures::future::join_all(calls).await {
        assert_eq!(result.unwrap().text, "{}");
    }
    assert_eq!(llm.dialect("m").to_string(), "json_object-top_p-seed");
    // No call steps down more often than there is something to leave out.
    assert!(server.n_received() <= 4 * 4, "{}", server.n_received());
}

#[tokio::test]
async fn the_fingerprint_names_what_was_chosen_and_not_what_was_found_out() {
    let role = asked::request().role;
    let server = refusing(&["seed"]);
    let llm = asked::llm(&server);
    let request = asked::request_with(parameters());
    let before = llm.fingerprint(role, &request.choice);
    llm.complete(&request).await.unwrap();
    assert_eq!(llm.fingerprint(role, &request.choice), before);
    assert_eq!(
        before.as_str(),
        "openai@1/m;temperature=0.2;top_p=0.9;seed=7;max_tokens=64;effort=low"
    );
    let elsewhere = refusing(&[]);
    let llms: [OpenAiLlm; 4] = [
        asked::llm(&server),
        asked::llm(&server).with_parameters(parameters()),
        asked::llm(&server).with_dialect(Dialect::new(ReplyFormat::Stated)),
        asked::llm(&server).with_stated_schema(),
    ];
    let own = ModelChoice::default();
    for (place, llm) in llms.iter().enumerate() {
        let name = llm.fingerprint(role, &own);
        let others = llms.iter().filter(|it| it.fingerprint(role, &own) == name);
        assert_eq!(others.count(), 1, "{place}: {name:?}");
    }
    let same = asked::llm(&elsewhere).fingerprint(role, &own);
    assert_eq!(same, llms[0].fingerprint(role, &own));
}
