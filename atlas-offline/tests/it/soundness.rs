use std::collections::BTreeMap;

use atlas_core::grounding::ungrounded;
use atlas_core::llm::{
    AnswererInput, ContradictionInput, EntityExtractionInput, FactExtractionInput,
    FactExtractionOutput, LabelledEvidence, LabelledFact, PromptMessage, ProposedEntity,
    ProposedFact, ProposedRelation, Role, Task, TopicSummarizerInput, serve,
};
use atlas_core::model::{FactKind, Importance};
use atlas_core::ports::{CompletionEvent, FinishReason, LlmProvider, ModelChoice};
use atlas_offline::OfflineLlm;
use futures::StreamExt;
use futures::executor::block_on;
use proptest::prelude::*;

use crate::conversation::{message, proposed};

/// Texts of words that rules look for, marks that trip rules up, and anything else.
fn any_text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("we decided to use ".to_owned()),
        Just("I'll send ".to_owned()),
        Just("@Dana can you ".to_owned()),
        Just("the launch is on ".to_owned()),
        Just("moved to ".to_owned()),
        Just("tomorrow ".to_owned()),
        Just("12 May ".to_owned()),
        Just("Postgres ".to_owned()),
        Just("because ".to_owned()),
        Just("我们决定用".to_owned()),
        Just("5月26日".to_owned()),
        Just("https://a.io/x ".to_owned()),
        Just("`code` ".to_owned()),
        Just("instead of ".to_owned()),
        Just("$5,000 ".to_owned()),
        Just("No longer ".to_owned()),
        Just("<@U1|dana> ".to_owned()),
        Just("\n- [x] ".to_owned()),
        "[a-zA-Z]{1,9} ",
        "[.!?,;:\n>*_`'\"()]",
        "\\PC",
        "(?s).",
    ];
    prop::collection::vec(word, 0..18).prop_map(|words| words.concat())
}

fn conversation() -> impl Strategy<Value = Vec<(String, String, Option<usize>)>> {
    prop::collection::vec(
        (
            "[A-Z][a-z]{2,6}( [A-Z][a-z]{2,6})?",
            any_text(),
            prop::option::of(0..4_usize),
        ),
        1..8,
    )
}

fn messages(raw: &[(String, String, Option<usize>)]) -> Vec<PromptMessage> {
    raw.iter()
        .enumerate()
        .map(|(at, (author, text, root))| PromptMessage {
            thread_root: root
                .filter(|root| *root < at && raw[*root].2.is_none())
                .map(|root| format!("m{root}")),
            ..message(&format!("m{at}"), author, text)
        })
        .collect()
}

proptest! {
    // A case is a whole chat, which takes tens of milliseconds without optimisation.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn statements_rest_on_their_messages(raw in conversation()) {
        let messages = messages(&raw);
        let of: BTreeMap<&str, &PromptMessage> = messages.iter().map(|it| (it.label.as_str(), it)).collect();
        let found = proposed(messages.clone());
        for fact in &found {
            let said = of[fact.message.as_str()];
            prop_assert!(said.text.contains(&fact.quote) && !fact.quote.is_empty());
            prop_assert!((0.0..=1.0).contains(&fact.quality));
            prop_assert!(fact.text.chars().any(char::is_alphanumeric));
            let times = atlas_core::extract::when::find(&said.text, said.sent_at, 0);
            let days: Vec<String> = times.iter().flat_map(|it| [it.start.date(), it.end.saturating_add_micros(-1).date()]).collect();
            let root = said.thread_root.as_ref().map_or("", |root| of[root.as_str()].text.as_str());
            let mut sources = vec![said.text.as_str(), said.author.as_str(), root];
            sources.extend(days.iter().map(String::as_str));
            let extra = ungrounded(&fact.text, &sources);
            prop_assert!(extra.is_empty(), "{:?} of {:?} from {:?}", extra, fact.text, said.text);
            for words in fact.rationale.iter().chain(&fact.alternatives).chain(&fact.consequences) {
                prop_assert!(said.text.contains(words.as_str()), "{words:?}");
            }
        }
        prop_assert_eq!(found, proposed(messages));
    }

    #[test]
    fn conversations_do_not_touch_each_other(raw in conversation(), order in any::<prop::sample::Index>()) {
        let messages = messages(&raw);
        let root_of = |it: &PromptMessage| it.thread_root.clone().unwrap_or_else(|| it.label.clone());
        let mut roots: Vec<String> = messages.iter().map(root_of).collect();
        roots.dedup();
        let alone = |facts: Vec<ProposedFact>| {
            let mut by_message: BTreeMap<String, Vec<ProposedFact>> = BTreeMap::new();
            for fact in facts {
                by_message.entry(fact.message.clone()).or_default().push(fact);
            }
            by_message
        };
        let all = alone(proposed(messages.clone()));
        let chosen = root_of(order.get(&messages));
        let members: Vec<PromptMessage> = messages.iter().filter(|it| root_of(it) == chosen).cloned().collect();
        let own = alone(proposed(members.clone()));
        for member in &members {
            prop_assert_eq!(all.get(&member.label), own.get(&member.label));
        }
        // Whole conversations in another order give the same.
        let mut turned: Vec<PromptMessage> = messages.iter().filter(|it| root_of(it) != chosen).cloned().collect();
        turned.extend(members);
        prop_assert_eq!(alone(proposed(turned)), all);
    }

    #[test]
    fn names_stand_in_their_messages(raw in conversation()) {
        let messages = messages(&raw);
        let output = block_on(serve(&OfflineLlm::new(), &EntityExtractionInput { messages: messages.clone() })).unwrap();
        let of: BTreeMap<&str, &PromptMessage> = messages.iter().map(|it| (it.label.as_str(), it)).collect();
        for entity in output.entities {
            let entity: ProposedEntity = serde_json::from_value(entity).unwrap();
            let said = of[entity.message.as_str()];
            prop_assert!(said.text.contains(&entity.name) || said.author == entity.name, "{:?}", entity);
        }
        for relation in output.relations {
            let relation: ProposedRelation = serde_json::from_value(relation).unwrap();
            prop_assert!(of[relation.message.as_str()].text.contains(&relation.quote));
            prop_assert!((0.0..=1.0).contains(&relation.confidence));
        }
    }

    #[test]
    fn every_role_takes_any_text(texts in prop::collection::vec(any_text(), 1..6), question in any_text()) {
        let facts: Vec<LabelledFact> = texts.iter().enumerate().map(|(at, text)| LabelledFact {
            label: format!("f{at}"),
            text: text.clone(),
            quote: text.clone(),
            author: "Bo".to_owned(),
            said_at: crate::conversation::SAID.parse().unwrap(),
            kind: FactKind::Observation,
            importance: Importance::Medium,
            slot: None,
            tags: vec!["launch".to_owned()],
            mentions: Vec::new(),
            answers: None,
            is_disputed: false,
        }).collect();
        let evidence: Vec<LabelledEvidence> = facts.iter().map(|fact| LabelledEvidence {
            label: fact.label.clone(),
            text: fact.text.clone(),
            quote: fact.quote.clone(),
            author: fact.author.clone(),
            said_at: fact.said_at,
            kind: None,
            is_superseded: false,
            answers: None,
        }).collect();
        let llm = OfflineLlm::new();
        let judged = block_on(serve(&llm, &ContradictionInput { fact: facts[0].clone(), candidates: facts[1..].to_vec() })).unwrap();
        prop_assert!(judged.verdicts.iter().all(|it| (0.0..=1.0).contains(&it.confidence) && !it.reason.is_empty()));
        let told = block_on(serve(&llm, &TopicSummarizerInput { facts: facts.clone(), other_titles: vec!["Launch".to_owned()] })).unwrap();
        prop_assert!(told.summary.iter().all(|it| !it.cites.is_empty()));
        let answered = block_on(serve(&llm, &AnswererInput {
            question,
            asked_at: facts[0].said_at,
            evidence,
            max_sentences: 2,
        })).unwrap();
        prop_assert!(answered.sentences.len() <= 2 && answered.sentences.iter().all(|it| !it.cites.is_empty()));
    }
}

fn request() -> atlas_core::ports::CompletionRequest {
    FactExtractionInput {
        context: Vec::new(),
        messages: vec![message("m0", "Bo", "We decided to use Kafka for events.")],
        max_facts_per_message: 2,
    }
    .request()
    .unwrap()
}

#[test]
fn a_stream_gives_the_same_text_and_one_end() {
    let llm = OfflineLlm::new();
    let whole = block_on(llm.complete(&request())).unwrap();
    let request = request();
    let events: Vec<CompletionEvent> = block_on(async {
        llm.stream(&request)
            .await
            .unwrap()
            .map(Result::unwrap)
            .collect()
            .await
    });
    let mut text = String::new();
    let mut n_ends = 0;
    for event in &events {
        match event {
            CompletionEvent::Text(part) => text.push_str(part),
            CompletionEvent::Finished { finish, .. } => {
                assert_eq!(*finish, FinishReason::Stop);
                n_ends += 1;
            }
        }
    }
    assert_eq!((text, n_ends), (whole.text, 1));
    assert!(matches!(
        events.last(),
        Some(CompletionEvent::Finished { .. })
    ));
}

#[test]
fn a_reply_that_is_cut_off_says_so() {
    let mut request = request();
    request.choice.parameters.max_output_tokens = Some(3);
    let cut = block_on(OfflineLlm::new().complete(&request)).unwrap();
    assert_eq!(cut.finish, FinishReason::Length);
    assert!(cut.text.len() <= 12);
}

#[test]
fn fingerprints_tell_roles_and_zones_apart() {
    let llm = OfflineLlm::new();
    assert_eq!(
        llm.fingerprint(Role::Answerer, &ModelChoice::default())
            .as_str(),
        "offline/answerer@1"
    );
    let moved = llm.with_utc_offset_seconds(3_600);
    assert_ne!(
        moved.fingerprint(Role::FactExtractor, &ModelChoice::default()),
        llm.fingerprint(Role::FactExtractor, &ModelChoice::default())
    );
    assert_eq!(
        moved.fingerprint(Role::Answerer, &ModelChoice::default()),
        llm.fingerprint(Role::Answerer, &ModelChoice::default())
    );
    assert!(llm.capabilities().model_free && llm.capabilities().schema);
}

#[test]
fn the_zone_decides_what_tomorrow_is() {
    let mut late = message("m0", "Bo", "I'll send the deck tomorrow");
    late.sent_at = "2026-03-09T23:30:00Z".parse().unwrap();
    let task = FactExtractionInput {
        context: Vec::new(),
        messages: vec![late],
        max_facts_per_message: 2,
    };
    let told = |llm: OfflineLlm| {
        let output: FactExtractionOutput = block_on(serve(&llm, &task)).unwrap();
        output.facts[0]["text"].as_str().unwrap().to_owned()
    };
    assert!(told(OfflineLlm::new()).contains("2026-03-10"));
    assert!(told(OfflineLlm::new().with_utc_offset_seconds(3_600)).contains("2026-03-11"));
}
