//! The embedder: what is asked, what is checked, what is never sent.

use atlas_core::ports::{Embedder, EmbeddingSpace, Purpose};
use atlas_core::{ErrorKind, Result, Retry};
use atlas_llm_openai::{EmbedderSettings, OpenAiEmbedder};
use atlas_testkit::loopback::{Answer, LoopbackServer, Received};
use serde_json::{Value, json};

use super::asked::{self, KEY, tells_no_secret};

fn space(dimensions: usize) -> EmbeddingSpace {
    EmbeddingSpace {
        model: "e".to_owned(),
        revision: "1".to_owned(),
        dimensions,
        is_normalised: false,
    }
}

/// Vectors that tell the length of their text, the last one first.
fn lengths(received: &Received) -> Answer {
    let body = received.json();
    let texts = body["input"].as_array().cloned().unwrap_or_default();
    let item = |(index, text): (usize, &Value)| {
        let length = text.as_str().unwrap_or_default().len();
        json!({"object": "embedding", "index": index, "embedding": [length, 1]})
    };
    let data: Vec<Value> = texts.iter().enumerate().map(item).rev().collect();
    Answer::json(&json!({"object": "list", "model": "e", "data": data}))
}

fn embedder(server: &LoopbackServer, settings: EmbedderSettings) -> OpenAiEmbedder {
    OpenAiEmbedder::new(&asked::endpoint(server), space(2), settings).unwrap()
}

fn inputs(server: &LoopbackServer) -> Vec<Value> {
    let received = server.received();
    received
        .iter()
        .map(|it| it.json()["input"].clone())
        .collect()
}

#[tokio::test]
async fn a_batch_is_split_in_order_and_its_vectors_come_in_order() {
    let server = asked::server(lengths);
    let settings = EmbedderSettings {
        document_prefix: "d: ".to_owned(),
        query_prefix: "q: ".to_owned(),
        max_request_bytes: 12,
        max_text_bytes: 9,
        ..EmbedderSettings::default()
    };
    let embedder = embedder(&server, settings);
    let texts = ["aa", "", "bbb", " \n", "a text that is too long", "ééééé"];
    let vectors = embedder.embed(&texts, Purpose::Document).await.unwrap();
    let firsts: Vec<f32> = vectors.iter().map(|vector| vector[0]).collect();
    assert_eq!(firsts, [5.0, 0.0, 6.0, 0.0, 9.0, 9.0]);
    assert_eq!(vectors[1], [0.0, 0.0]);
    assert_eq!(
        inputs(&server),
        [
            json!(["d: aa", "d: bbb"]),
            json!(["d: a text"]),
            json!(["d: ééé"])
        ]
    );
    embedder.embed(&["x"], Purpose::Query).await.unwrap();
    let received = server.received().pop().unwrap();
    assert_eq!(received.target, "/v1/embeddings");
    assert_eq!(
        received.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    let body = json!({"model": "e", "input": ["q: x"], "encoding_format": "float"});
    assert_eq!(received.json(), body);
    assert_eq!(embedder.n_requests(), 4);
    assert!(!format!("{embedder:?}").contains(KEY));
}

#[tokio::test]
async fn nothing_is_sent_for_texts_that_say_nothing() {
    let server = asked::server(lengths);
    let embedder = embedder(&server, EmbedderSettings::default());
    let vectors = embedder.embed(&["", " "], Purpose::Query).await.unwrap();
    assert_eq!(vectors, [[0.0, 0.0], [0.0, 0.0]]);
    assert_eq!(server.n_received(), 0);
}

#[tokio::test]
async fn the_width_is_found_out_or_asked_for() {
    let server = asked::server(lengths);
    let connect = async |settings: EmbedderSettings| {
        OpenAiEmbedder::connect(&asked::endpoint(&server), "e", settings).await
    };
    let found = connect(EmbedderSettings::default()).await.unwrap();
    let expected = EmbeddingSpace {
        is_normalised: true,
        ..space(2)
    };
    assert_eq!(found.space(), expected);
    let vectors = found.embed(&["xxx"], Purpose::Document).await.unwrap();
    assert!(
        (vectors[0][0] - 3.0 / 10.0_f32.sqrt()).abs() < 1e-6,
        "{vectors:?}"
    );
    let asked = |dimensions| EmbedderSettings {
        dimensions: Some(dimensions),
        is_encoded: true,
        ..EmbedderSettings::default()
    };
    connect(asked(2)).await.unwrap();
    let body = server.received().pop().unwrap().json();
    assert_eq!(
        (&body["dimensions"], &body["encoding_format"]),
        (&json!(2), &json!("base64"))
    );
    // An endpoint that ignores the width is found out before anything is kept.
    let error = connect(asked(3)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
    let prefixed = connect(EmbedderSettings {
        query_prefix: "q: ".to_owned(),
        ..EmbedderSettings::default()
    });
    assert_ne!(prefixed.await.unwrap().space(), found.space());
}

async fn embed(answer: Answer) -> (Result<Vec<Vec<f32>>>, usize) {
    let server = asked::server(move |_| answer.clone());
    let embedder = embedder(&server, EmbedderSettings::default());
    let result = embedder.embed(&["a", "b"], Purpose::Document).await;
    (result, server.n_received())
}

fn data(embeddings: &[Value]) -> Answer {
    let items = embeddings.iter().enumerate();
    let items = items.map(|(index, embedding)| json!({"index": index, "embedding": embedding}));
    Answer::json(&json!({"data": items.collect::<Vec<_>>()}))
}

#[tokio::test]
async fn what_is_wrong_with_vectors_is_found_before_any_is_answered() {
    use ErrorKind::{Denied, Invalid, Unavailable, Unsupported};
    let good = json!([1, 2]);
    let three = json!([1, 2, 3]);
    let never = Retry::Never;
    for (name, answer, kind, retry) in [
        (
            "another width",
            data(&[good.clone(), three]),
            Invalid,
            never,
        ),
        ("no width", data(&[good.clone(), json!([])]), Invalid, never),
        (
            "no number",
            data(&[good.clone(), json!([1, null])]),
            Invalid,
            never,
        ),
        (
            "too few",
            data(std::slice::from_ref(&good)),
            Unavailable,
            Retry::Now,
        ),
        ("none", data(&[]), Unavailable, Retry::Now),
        (
            "nonsense",
            Answer::new("application/json", "{"),
            Unavailable,
            Retry::Now,
        ),
        (
            "a page",
            Answer::new("text/html", "<html>"),
            Unavailable,
            never,
        ),
        (
            "cut",
            data(&[good.clone(), good.clone()]).cut_at(20),
            Unavailable,
            Retry::Now,
        ),
        ("denied", Answer::failure(401, "", KEY), Denied, never),
        (
            "a chat server",
            Answer::failure(501, "", KEY),
            Unsupported,
            never,
        ),
        (
            "too long",
            Answer::failure(400, "context_length_exceeded", KEY),
            Invalid,
            never,
        ),
        (
            "limited",
            Answer::failure(429, "", KEY).with_header("retry-after", "2"),
            Unavailable,
            Retry::After(std::time::Duration::from_secs(2)),
        ),
    ] {
        let (result, n_received) = embed(answer).await;
        let error = result.unwrap_err();
        assert_eq!(
            (error.kind(), error.retry()),
            (kind, retry),
            "{name}: {error}"
        );
        assert_eq!(n_received, 1, "{name}");
        tells_no_secret(&error);
    }
    let (result, _) = embed(data(&[json!([1, 2, 3]), json!([1, 2, 3])])).await;
    let told = result.unwrap_err().to_string();
    assert!(
        told.contains("expected=2 found=3") && told.contains("space=e@1/2"),
        "{told}"
    );
    let (result, _) = embed(data(&[good.clone(), good])).await;
    assert_eq!(result.unwrap(), [[1.0, 2.0], [1.0, 2.0]]);
}

#[tokio::test]
async fn more_texts_than_a_batch_are_refused_and_not_sent() {
    let server = asked::server(lengths);
    let settings = EmbedderSettings {
        max_batch: 2,
        ..EmbedderSettings::default()
    };
    let embedder = embedder(&server, settings);
    let error = embedder
        .embed(&["a", "b", "c"], Purpose::Query)
        .await
        .unwrap_err();
    assert_eq!((error.kind(), server.n_received()), (ErrorKind::Invalid, 0));
}
