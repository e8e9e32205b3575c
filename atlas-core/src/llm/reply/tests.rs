//! What models reply, and what is made of it.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use super::*;
use crate::llm::{
    AnswererOutput, ContradictionOutput, EntityExtractionOutput, FactExtractionOutput,
    FactRelation, LabelledSentence, ProposedFact, ProposedVerdict, TopicSummarizerOutput,
    WikiWriterOutput, WrittenSection,
};
use crate::model::{FactKind, Importance};

fn sentence(text: &str, cites: &[&str]) -> LabelledSentence {
    LabelledSentence {
        text: text.to_owned(),
        cites: cites.iter().map(|it| (*it).to_owned()).collect(),
    }
}

/// The texts of the sentences that an answer was read to have; none if it was not read.
fn answer(text: &str) -> Option<Vec<String>> {
    let read = read::<AnswererOutput>(text).ok()?;
    Some(read.sentences.into_iter().map(|it| it.text).collect())
}

#[track_caller]
fn check_answer(text: &str, expected: Option<&[&str]>) {
    let expected = expected.map(|it| it.iter().map(|it| (*it).to_owned()).collect());
    assert_eq!(answer(text), expected, "{text}");
}

#[test]
fn a_value_is_found_whatever_stands_around_it() {
    let value = r#"{"sentences": [{"text": "It is on Friday.", "cites": ["e1"]}]}"#;
    let found: Option<&[&str]> = Some(&["It is on Friday."]);
    check_answer(value, found);
    check_answer(&format!("\u{feff}  {value}\n\n"), found);
    check_answer(&format!("```json\n{value}\n```"), found);
    check_answer(
        &format!("Sure, {{here}} it is [1]: {value} Anything else?"),
        found,
    );
    check_answer(
        &format!("<think>Is it {{\"sentences\": []}}?</think>\n{value}"),
        found,
    );
    check_answer(&format!("<thinking>no</thinking>{value}"), found);
    check_answer(&format!("It must be so.</think>{value}"), found);
    check_answer(&format!("[{value}]"), found);
    check_answer(r#"{"sentences": []}"#, Some(&[]));
    for nothing in [
        "",
        "no",
        "{",
        "[",
        "{}",
        "null",
        "\"sentences\"",
        "{\"n\": 1}",
        "<think>{}",
    ] {
        check_answer(nothing, None);
    }
}

#[test]
fn fences_and_brackets_within_the_text_end_nothing() {
    check_answer(
        "```json\n{\"sentences\": [{\"text\": \"Run ```sh\\nmake ]}``` first.\", \"cites\": []}]}\n```",
        Some(&["Run ```sh\nmake ]}``` first."]),
    );
}

#[test]
fn a_schema_is_no_reply_but_a_reply_may_look_like_one() {
    let echoed = schema::strict::<AnswererOutput>();
    check_answer(&echoed.to_string(), None);
    check_answer(
        &json!({"$defs": {"A": {}}, "properties": {"sentences": {"type": "array"}}}).to_string(),
        None,
    );
    let sentences = json!([{"text": "Yes.", "cites": ["e1"]}]);
    for reply in [
        json!({"$defs": {"A": {"type": "object"}}, "sentences": sentences}),
        json!({"type": "object", "properties": {"sentences": sentences}}),
        json!({"$schema": "x", "properties": {"sentences": sentences}, "title": "A"}),
    ] {
        check_answer(&reply.to_string(), Some(&["Yes."]));
    }
    let both = format!("{echoed}\n\n{}", json!({"sentences": sentences}));
    check_answer(&both, Some(&["Yes."]));
    // A title is a field of some replies and a word of every schema.
    let echoed = schema::shape::<TopicSummarizerOutput>();
    assert!(read::<TopicSummarizerOutput>(&echoed.to_string()).is_err());
}

#[test]
fn a_list_may_come_bare_renamed_or_wrapped() {
    let items = json!([{"text": "Yes.", "cites": ["e1"]}, {"text": "No.", "cites": "e2"}]);
    let found: Option<&[&str]> = Some(&["Yes.", "No."]);
    for reply in [
        items.clone(),
        json!({"answer": items}),
        json!({"Sentences": items}),
        json!({"result": {"sentences": items}}),
        json!({"role": "answerer", "data": {"reply": items}}),
    ] {
        check_answer(&reply.to_string(), found);
    }
    check_answer(&json!({"a": items, "b": items}).to_string(), None);
    check_answer("[]", Some(&[]));
    check_answer("[1, 2]", None);
    let names = json!([{"message": "m1", "name": "Ada", "kind": "person"}]);
    let ties = json!([{"message": "m1", "quote": "Ada leads", "source": "Ada", "verb": "leads",
        "target": "Apollo", "confidence": 0.9}]);
    let extracted = json!({"extracted_relations": ties, "extracted_entities": names});
    let read = read::<EntityExtractionOutput>(&extracted.to_string()).unwrap();
    assert_eq!((read.entities.len(), read.relations.len()), (1, 1));
    assert_eq!(read.entities[0]["name"], "Ada");
}

/// The verdicts of a reply, as candidate and relation, and how many could not be read.
fn verdicts(reply: &Value) -> (Vec<(String, FactRelation)>, usize) {
    let read = read_partial::<ContradictionOutput>(&reply.to_string()).unwrap();
    let verdicts = read.value.verdicts.into_iter();
    let pairs = verdicts.map(|it| (it.candidate, it.relation)).collect();
    (pairs, read.n_unreadable)
}

#[test]
fn words_numbers_and_lists_are_taken_in_other_spellings() {
    let reply = json!({"verdicts": [
        {"candidate": "f1", "relation": "Contradicts", "confidence": "0.9", "reason": "r"},
        {"Candidate": "f2", "relation": "DUPLICATES", "confidence": 1, "reason": null},
        {"candidate": 3, "relation": "refines", "confidence": 0.5, "reason": "r"},
    ]});
    let expected = vec![
        ("f1".to_owned(), FactRelation::Contradicts),
        ("3".to_owned(), FactRelation::Refines),
    ];
    assert_eq!(verdicts(&reply), (expected, 1));
    let one = json!({"verdicts":
        {"candidate": "f1", "relation": "un related", "confidence": 0.1, "reason": "r"}});
    assert_eq!(
        verdicts(&one).0,
        [("f1".to_owned(), FactRelation::Unrelated)]
    );
    assert_eq!(verdicts(&json!({"verdicts": null})), (Vec::new(), 0));
}

#[test]
fn an_item_that_cannot_be_meant_costs_no_other() {
    let reply = json!({"verdicts": [
        "f1 contradicts it",
        {"candidate": "f2", "relation": "replaces", "confidence": 0.9, "reason": "r"},
        {"candidate": "f3", "relation": "refines", "confidence": "high", "reason": "r"},
        {"candidate": "f4", "relation": "refines", "confidence": 0.9, "reason": "r"},
        42,
    ]});
    let expected = vec![("f4".to_owned(), FactRelation::Refines)];
    assert_eq!(verdicts(&reply), (expected, 4));
}

#[test]
fn text_stands_for_an_object_that_needs_nothing_else() {
    let reply = json!({"sentences": ["Yes.", {"text": "No.", "cites": ["e1"]}]});
    check_answer(&reply.to_string(), Some(&["Yes.", "No."]));
}

#[test]
fn a_proposed_fact_is_read_whatever_is_wrong_within_it() {
    let reply = json!({"facts": [{
        "message": "m1", "quote": "q", "text": "t", "kind": "Action Item", "quality": "0.8",
        "topicTags": "launch", "mentions": ["Ada", {"name": "Bo", "kind": "PERSON"}],
        "importance": null, "slot": {"family": "date"}, "numbers": null, "sentiment": "angry",
        "status": "in progress", "scope": "another channel",
    }, "Postgres is used."]});
    let read = read_partial::<FactExtractionOutput>(&reply.to_string()).unwrap();
    assert_eq!((read.is_cut, read.n_unreadable), (false, 0));
    let [first, second] = read.value.facts.as_slice() else {
        panic!("{:?}", read.value);
    };
    let fact: ProposedFact = serde_json::from_value(first.clone()).unwrap();
    assert_eq!(fact.kind, FactKind::ActionItem);
    assert_eq!(fact.importance, Importance::Medium);
    assert_eq!(fact.topic_tags, ["launch"]);
    assert_eq!(fact.mentions.len(), 1);
    assert_eq!((fact.slot, fact.sentiment), (None, None));
    assert!((fact.quality - 0.8).abs() < 1e-6);
    assert!(first.get("scope").is_none());
    // It is refused later, with its reason.
    assert_eq!(*second, json!("Postgres is used."));
}

#[test]
fn what_broke_off_is_no_whole_reply_but_a_part() {
    let text = r#"{"sentences": [{"text": "Yes.", "cites": ["e1"]}, {"text": "No"#;
    assert_eq!(
        read::<AnswererOutput>(text).unwrap_err().kind(),
        ErrorKind::Invalid
    );
    let part = read_partial::<AnswererOutput>(text).unwrap();
    assert!(part.is_cut);
    assert_eq!(part.value.sentences, [sentence("Yes.", &["e1"])]);
    for (text, n_whole) in [
        // Gone wrong rather than cut off.
        (
            r#"{"sentences": [{"text": "Yes.", "cites": []}, {"text": Yes}]}"#,
            1,
        ),
        (r#"{"sentences": [{"text": "Yes.", "cites": []},]}"#, 1),
        (
            "```json\n{\"sentences\": [{\"text\": \"Yes.\", \"cites\": []}, {",
            1,
        ),
        (r#"See [above]: {"sentences": ["Yes.", "No.", "Perh"#, 2),
        (r#"[{"text": "Yes.", "cites": []}, {"te"#, 1),
        (r#"{"answer": [{"text": "Yes.", "cites": []}, {"te"#, 1),
        (r#"{"sentences": ["#, 0),
    ] {
        let part = read_partial::<AnswererOutput>(text).unwrap();
        assert_eq!(
            (part.is_cut, part.value.sentences.len()),
            (true, n_whole),
            "{text}"
        );
    }
}

fn arb_words() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z ]{0,12}",
        1 => any::<String>(),
        1 => Just("\"},{\\ ]}``` 😀".to_owned()),
    ]
}

fn arb_sentences() -> impl Strategy<Value = Vec<LabelledSentence>> {
    let cites = prop::collection::vec("e[0-9]", 0..3);
    let one = (arb_words(), cites).prop_map(|(text, cites)| LabelledSentence { text, cites });
    prop::collection::vec(one, 0..4)
}

fn arb_verdict() -> impl Strategy<Value = ProposedVerdict> {
    let relations = [FactRelation::Contradicts, FactRelation::Unrelated];
    (
        arb_words(),
        prop::sample::select(relations.to_vec()),
        0.0..1.0_f32,
        arb_words(),
    )
        .prop_map(
            |(candidate, relation, confidence, reason)| ProposedVerdict {
                candidate,
                relation,
                confidence,
                reason,
            },
        )
}

/// Reads every part of a reply that is cut at a byte, and demands a first part of its items; how
/// many parts had some of the items, but not all.
fn check_cuts<T, I>(
    whole: &T,
    items: impl Fn(&T) -> Vec<I>,
) -> std::result::Result<usize, TestCaseError>
where
    T: DeserializeOwned + JsonSchema + serde::Serialize,
    I: PartialEq + std::fmt::Debug,
{
    let text = serde_json::to_string(whole).unwrap();
    let all = items(whole);
    let shape = schema::shape::<T>();
    let (mut longest, mut n_parts) = (0, 0);
    for end in 0..=text.len() {
        let part = String::from_utf8_lossy(&text.as_bytes()[..end]).into_owned();
        let Ok(read) = read_by::<T>(&part, &shape) else {
            continue;
        };
        let read_items = items(&read.value);
        prop_assert_eq!(&read_items[..], &all[..read_items.len()], "{}", part);
        prop_assert_eq!(read.is_cut, end < text.len(), "{}", part);
        prop_assert!(read_items.len() >= longest, "{}", part);
        longest = read_items.len();
        n_parts += usize::from(longest > 0 && longest < all.len());
    }
    prop_assert_eq!(longest, all.len(), "{}", text);
    Ok(n_parts)
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "what was exercised is part of the result"
)]
fn cut_at_any_byte_a_reply_is_its_first_items_or_nothing() {
    let mut runner = TestRunner::new(Config {
        cases: 24,
        ..Config::default()
    });
    let n_parts = Cell::new(0);
    let strategy = (
        arb_sentences(),
        prop::collection::vec(arb_verdict(), 0..4),
        prop::collection::vec(arb_words(), 0..4),
    );
    runner
        .run(&strategy, |(sentences, verdicts, texts)| {
            let answer = AnswererOutput {
                sentences: sentences.clone(),
            };
            let mut n = check_cuts(&answer, |it| it.sentences.clone())?;
            n += check_cuts(&ContradictionOutput { verdicts }, |it| it.verdicts.clone())?;
            let section = |id: usize| WrittenSection {
                id: format!("s{id}"),
                sentences: sentences.clone(),
            };
            let page = WikiWriterOutput {
                sections: vec![section(1), section(2)],
            };
            n += check_cuts(&page, |it| it.sections.clone())?;
            let facts = texts.iter().map(|text| {
                json!({
                    "message": "m1", "quote": text, "text": text, "kind": "decision",
                    "quality": 0.5,
                })
            });
            let output = FactExtractionOutput {
                facts: facts.collect(),
            };
            n += check_cuts(&output, |it| {
                it.facts.iter().map(|it| it["text"].to_string()).collect()
            })?;
            n_parts.set(n_parts.get() + n);
            Ok(())
        })
        .unwrap();
    let n_parts = n_parts.get();
    println!("{n_parts} replies that broke off between two items or within one");
    assert!(n_parts >= 2_000, "{n_parts}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_too_strange(text in any::<String>(), brackets in "[\\[\\]{}\",:a1 \\\\]{0,40}") {
        for text in [&text, &brackets, &format!("{{\"sentences\":{brackets}")] {
            let _unread = read_partial::<AnswererOutput>(text);
        }
    }
}
