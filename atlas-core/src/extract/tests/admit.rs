//! Whatever a model says: admitted, or refused with its reason, and nothing else touched.

use serde_json::{Value, json};

use crate::extract::admit::{Admissions, admit};
use crate::extract::batch::{Budget, batches};
use crate::extract::names::admit_names;
use crate::extract::{ExtractSettings, Offer};
use crate::llm::EntityExtractionOutput;
use crate::model::{
    Author, AuthorId, ChannelId, Message, MessageId, NativeId, RefusalReason, SourceId, Timestamp,
    UnitScore,
};

fn message(native: &str, author: &str, text: &str) -> Message {
    let id = MessageId::new(
        SourceId::new("s"),
        ChannelId::new("c"),
        NativeId::new(native),
    );
    let author = Author {
        id: AuthorId::new(author),
        name: author.to_owned(),
    };
    let sent_at: Timestamp = "2026-03-09T10:00:00Z".parse().unwrap();
    Message::new(id, author, sent_at, text)
}

fn messages() -> Vec<Message> {
    vec![
        message(
            "1",
            "Ana",
            "We decided to use Postgres for billing because it is cheap.",
        ),
        message(
            "2",
            "Bo",
            "The launch is on 12 May 2026. Jack told me he hates football.",
        ),
    ]
}

fn admitted(proposals: &[Value]) -> Admissions {
    let messages = messages();
    let conversations: Vec<Vec<&Message>> = messages.iter().map(|it| vec![it]).collect();
    let budget = Budget {
        tokens: 10_000,
        messages: 10,
    };
    let batch = batches(&conversations, budget).remove(0);
    let offer = Offer::new(&conversations, &batch, |_| true);
    admit(&offer, proposals, &ExtractSettings::default())
}

fn proposal(change: impl FnOnce(&mut Value)) -> Value {
    let mut value = json!({
        "message": "m1",
        "quote": "We decided to use Postgres for billing",
        "text": "We decided to use Postgres for billing.",
        "kind": "decision",
        "quality": 0.9,
    });
    change(&mut value);
    value
}

#[track_caller]
fn check(change: impl FnOnce(&mut Value), expected: Option<&RefusalReason>) {
    let found = admitted(&[proposal(change)]);
    let refusals: Vec<&RefusalReason> = found
        .by_message
        .iter()
        .flat_map(|it| &it.refusals)
        .chain(&found.stray)
        .map(|it| &it.reason)
        .collect();
    let n_admitted: usize = found.by_message.iter().map(|it| it.claims.len()).sum();
    match expected {
        None => assert_eq!((n_admitted, refusals.len()), (1, 0), "{refusals:?}"),
        Some(expected) => {
            assert_eq!(n_admitted, 0);
            let is_expected = match (expected, refusals.as_slice()) {
                (RefusalReason::Malformed(_), [RefusalReason::Malformed(_)]) => true,
                (expected, [seen]) => expected == *seen,
                _ => false,
            };
            assert!(is_expected, "{expected:?}, {refusals:?}");
        }
    }
}

#[test]
fn a_sound_proposal_is_admitted() {
    check(|_| (), None);
    check(
        |it| it["text"] = json!("Ana decided to use Postgres for billing."),
        None,
    );
}

#[test]
fn every_bad_proposal_is_refused_with_its_reason() {
    use RefusalReason as R;
    let malformed = R::Malformed(String::new());
    check(|it| it["message"] = json!("m9"), Some(&R::UnknownMessage));
    check(|it| it["message"] = json!(""), Some(&R::UnknownMessage));
    check(|it| it["message"] = json!(12), Some(&malformed));
    check(
        |it| it["quote"] = json!("We decided to use MySQL"),
        Some(&R::QuoteNotFound),
    );
    check(|it| it["quote"] = json!(""), Some(&R::QuoteNotFound));
    check(
        |it| it["text"] = json!("They use MongoDB for billing."),
        Some(&R::NotGrounded),
    );
    check(
        |it| it["text"] = json!("Postgres costs 900 a month."),
        Some(&R::NotGrounded),
    );
    check(
        |it| it["text"] = json!("We did not decide to use Postgres."),
        Some(&R::NotGrounded),
    );
    check(|it| it["text"] = json!(" … "), Some(&R::Empty));
    check(
        |it| it["text"] = json!("Ana shared a link"),
        Some(&R::Narration),
    );
    check(|it| it["quality"] = json!(0.3), Some(&R::LowQuality));
    check(|it| it["quality"] = json!(7), Some(&malformed));
    check(|it| it["quality"] = json!("high"), Some(&malformed));
    check(|it| it["kind"] = json!("gossip"), Some(&malformed));
    check(|it| *it = json!("just a string"), Some(&malformed));
    check(
        |it| *it = json!({"$defs": {}, "facts": []}),
        Some(&malformed),
    );
}

#[test]
fn a_bad_item_costs_no_other() {
    let good = proposal(|_| ());
    let bad = [
        json!(null),
        json!([1]),
        proposal(|it| it["message"] = json!("x")),
    ];
    let found = admitted(&[bad[0].clone(), good, bad[1].clone(), bad[2].clone()]);
    assert_eq!(found.by_message[0].claims.len(), 1);
    assert_eq!(found.stray.len(), 3);
}

#[test]
fn only_so_many_statements_of_a_message_are_admitted_the_best_first() {
    let of_quality = |quality: f32, quote: &str| {
        proposal(|it| {
            it["quality"] = json!(quality);
            it["quote"] = json!(quote);
            it["text"] = json!(quote);
        })
    };
    let found = admitted(&[
        of_quality(0.6, "We decided"),
        of_quality(0.9, "use Postgres for billing"),
        of_quality(0.8, "because it is cheap"),
        of_quality(0.7, "Because it is cheap".trim_start_matches("Because ")),
        of_quality(0.5, "use Postgres for billing"),
    ]);
    let admission = &found.by_message[0];
    let texts: Vec<&str> = admission
        .claims
        .iter()
        .map(|it| it.claim.text.as_str())
        .collect();
    assert_eq!(texts, ["use Postgres for billing", "because it is cheap"]);
    let reasons: Vec<&RefusalReason> = admission.refusals.iter().map(|it| &it.reason).collect();
    assert_eq!(admission.claims.len() + reasons.len(), 5);
    assert!(reasons.contains(&&RefusalReason::TooMany));
    assert!(reasons.contains(&&RefusalReason::Repeated));
}

#[test]
fn words_of_another_message_are_tied_to_the_one_that_says_them() {
    let found = admitted(&[proposal(|it| {
        it["quote"] = json!("The launch is on 12 May 2026.");
        it["text"] = json!("The launch is on 12 May 2026.");
    })]);
    assert!(found.by_message[0].claims.is_empty());
    assert_eq!(found.by_message[1].claims.len(), 1);
}

#[test]
fn an_invented_field_of_a_sound_proposal_is_left_out() {
    let found = admitted(&[proposal(|it| {
        it["rationale"] = json!("because the boss said so");
        it["alternatives"] = json!(["MySQL"]);
        it["numbers"] = json!([{"number": "900", "unit": "EUR"}]);
        it["mentions"] = json!([{"name": "Oracle", "kind": "technology"}]);
        it["author"] = json!("Mallory");
        it["channel"] = json!("other");
    })]);
    let claim = &found.by_message[0].claims[0].claim;
    assert_eq!(claim.rationale, None);
    assert!(claim.alternatives.is_empty() && claim.numbers.is_empty() && claim.mentions.is_empty());
}

#[test]
fn names_and_relations_stand_in_the_message_or_are_refused() {
    let messages = messages();
    let conversations: Vec<Vec<&Message>> = messages.iter().map(|it| vec![it]).collect();
    let batch = batches(
        &conversations,
        Budget {
            tokens: 10_000,
            messages: 10,
        },
    )
    .remove(0);
    let offer = Offer::new(&conversations, &batch, |_| true);
    let proposed = EntityExtractionOutput {
        entities: vec![
            json!({"message": "m1", "name": "Postgres", "kind": "technology"}),
            json!({"message": "m1", "name": "Ana", "kind": "person"}),
            json!({"message": "m1", "name": "MongoDB", "kind": "technology"}),
            json!({"message": "m7", "name": "Postgres", "kind": "technology"}),
        ],
        relations: vec![
            json!({"message": "m1", "quote": "use Postgres", "source": "Ana", "verb": "uses",
                "target": "Postgres", "confidence": 0.9}),
            json!({"message": "m1", "quote": "use Postgres", "source": "Ana", "verb": "uses",
                "target": "Postgres", "confidence": 0.2}),
            json!({"message": "m1", "quote": "use Postgres", "source": "Ana", "verb": "uses",
                "target": "MongoDB", "confidence": 0.9}),
        ],
    };
    let (names, n_stray) = admit_names(&offer, &proposed, UnitScore::clamped(0.6));
    assert_eq!(n_stray, 1);
    assert_eq!(names[0].entities.len(), 2);
    assert_eq!(names[0].relations.len(), 1);
    let reasons: Vec<&RefusalReason> = names[0].refusals.iter().map(|it| &it.reason).collect();
    assert_eq!(
        reasons,
        [
            &RefusalReason::QuoteNotFound,
            &RefusalReason::LowConfidence,
            &RefusalReason::NotGrounded
        ]
    );
}
