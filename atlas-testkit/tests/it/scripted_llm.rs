//! The scripted model answers by its rules and by nothing else.

use atlas_core::ErrorKind;
use atlas_core::llm::{
    EntityExtractionInput, FactExtractionInput, FactExtractionOutput, PromptMessage, Role, Task,
    serve,
};
use atlas_core::model::Timestamp;
use atlas_core::ports::{CompletionEvent, FinishReason, LlmProvider, ModelChoice, Usage};
use atlas_testkit::double::{Reply, Rule, ScriptedLlm};
use futures::StreamExt;
use futures::executor::block_on;
use serde_json::json;

fn task(words: &str) -> FactExtractionInput {
    FactExtractionInput {
        context: Vec::new(),
        messages: vec![PromptMessage {
            label: "m1".to_owned(),
            author: "Ada".to_owned(),
            sent_at: Timestamp::MIN,
            text: words.to_owned(),
            thread_root: None,
            mentions: Vec::new(),
            links: Vec::new(),
        }],
        max_facts_per_message: 2,
    }
}

fn output(word: &str) -> FactExtractionOutput {
    FactExtractionOutput {
        facts: vec![json!({ "word": word })],
    }
}

fn ask(llm: &ScriptedLlm, words: &str) -> Result<FactExtractionOutput, ErrorKind> {
    block_on(serve(llm, &task(words))).map_err(|error| error.kind())
}

#[test]
fn the_first_rule_that_fits_answers() {
    let role = Role::FactExtractor;
    let reply = |word: &str| Reply::json(&output(word));
    let llm = ScriptedLlm::new([
        Rule::once(role, reply("launch")).saying("launch"),
        Rule::in_turn(role, [reply("one"), reply("two")])
            .when(|it| it.role.as_str().contains("fact")),
        Rule::always(Role::Answerer, Reply::refused()),
        Rule::answering(role, |it| {
            Reply::text(format!("{{\"facts\": [{}]}}", it.prompt.user.len()))
        }),
    ]);
    assert_eq!(ask(&llm, "the launch"), Ok(output("launch")));
    assert_eq!(ask(&llm, "the launch"), Ok(output("one")));
    assert_eq!(ask(&llm, "the pad"), Ok(output("two")));
    assert_ne!(ask(&llm, "a"), ask(&llm, "a longer one"));
    assert_eq!(llm.n_requests(role), 5);
    assert_eq!(llm.requests()[2].input, task("the pad").into_input());
    let unused = llm.unused();
    assert_eq!(unused.len(), 1, "{unused:?}");
    assert!(unused[0].contains("Answerer"));
}

#[test]
fn what_no_rule_fits_fails_and_is_told() {
    let llm = ScriptedLlm::new([Rule::once(Role::FactExtractor, Reply::json(&output("a")))]);
    let input = EntityExtractionInput {
        messages: task("strange words").messages,
    };
    let error = block_on(serve(&llm, &input)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unexpected);
    assert!(error.to_string().contains("entity_extractor"), "{error}");
    assert!(error.to_string().contains("strange words"), "{error}");
    ask(&llm, "").unwrap();
    assert_eq!(ask(&llm, ""), Err(ErrorKind::Unexpected));
    let failure = std::panic::catch_unwind(|| llm.assert_exhausted()).unwrap_err();
    let report = failure.downcast_ref::<String>().unwrap();
    assert!(report.contains("strange words"), "{report}");
}

#[test]
fn a_script_that_is_used_up_is_exhausted() {
    let llm = ScriptedLlm::new([]);
    llm.add(Rule::in_turn(
        Role::FactExtractor,
        [
            Reply::fails(ErrorKind::Unavailable),
            Reply::cut_off("{\"fac"),
            Reply::refused(),
        ],
    ));
    assert!(std::panic::catch_unwind(|| llm.assert_exhausted()).is_err());
    assert_eq!(ask(&llm, ""), Err(ErrorKind::Unavailable));
    assert_eq!(ask(&llm, ""), Err(ErrorKind::Invalid));
    assert_eq!(ask(&llm, ""), Err(ErrorKind::Invalid));
    llm.assert_exhausted();
}

#[test]
fn a_stream_gives_the_same_text_and_ends_once() {
    let usage = Usage {
        input_tokens: 7,
        output_tokens: 3,
    };
    let text = "a longer text with 👩🏽‍💻 in it";
    let reply = Reply::cut_off(text).with_usage(usage);
    let llm = ScriptedLlm::new([Rule::always(Role::FactExtractor, reply)]);
    let request = task("").request().unwrap();
    let events: Vec<CompletionEvent> = block_on(async {
        let stream = llm.stream(&request).await.unwrap();
        stream.map(Result::unwrap).collect().await
    });
    let (end, parts) = events.split_last().unwrap();
    let expected = CompletionEvent::Finished {
        finish: FinishReason::Length,
        usage: Some(usage),
    };
    assert_eq!(*end, expected);
    assert!(parts.len() > 3);
    let joined: String = parts
        .iter()
        .map(|part| match part {
            CompletionEvent::Text(text) => text.as_str(),
            CompletionEvent::Finished { .. } => "a second end",
        })
        .collect();
    assert_eq!(joined, text);
    let whole = block_on(llm.complete(&request)).unwrap();
    assert_eq!((whole.text.as_str(), whole.usage), (text, Some(usage)));
}

#[test]
fn another_fingerprint_is_another_model() {
    let llm = ScriptedLlm::new([]);
    let other = llm.clone().with_fingerprint("scripted-2");
    let role = Role::FactExtractor;
    assert_ne!(
        llm.fingerprint(role, &ModelChoice::default()),
        other.fingerprint(role, &ModelChoice::default())
    );
    assert_ne!(
        llm.fingerprint(role, &ModelChoice::default()),
        llm.fingerprint(Role::Answerer, &ModelChoice::default())
    );
}
