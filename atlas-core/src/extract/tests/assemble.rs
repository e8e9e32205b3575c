//! Facts as folds over outcomes.

use proptest::prelude::*;
use serde_json::json;

use crate::extract::assemble::{assemble, facts_of};
use crate::model::{
    AdmittedClaim, Attribution, Author, AuthorId, ChannelId, Claim, ContentHash, Extraction,
    Fingerprint, MessageId, MessageOutcome, NativeId, OutcomeStage, SourceId, Timestamp,
};

fn claim(text: &str) -> Claim {
    serde_json::from_value(json!({
        "text": text, "span": {"start": 0, "end": text.len()}, "quote": text,
        "kind": "observation", "slot": null, "action": null, "importance": "medium",
        "quality": 0.9, "topic_tags": [], "action_tags": [], "mentions": [], "language": "en",
        "occurred_at": "2026-03-09T10:00:00Z", "valid_until": null, "rationale": null,
        "alternatives": [], "consequences": [], "numbers": [], "sentiment": null,
        "glossary": [], "links": [], "answers": null,
    }))
    .unwrap()
}

fn outcome(second: i64, texts: &[&str]) -> MessageOutcome {
    let id = MessageId::new(
        SourceId::new("s"),
        ChannelId::new("c"),
        NativeId::new(second.to_string()),
    );
    MessageOutcome {
        message: id.clone(),
        version: ContentHash::of(b"v"),
        conversation: id,
        author: Author {
            id: AuthorId::new("u"),
            name: format!("Author {second}"),
        },
        sent_at: Timestamp::from_micros(second * 1_000_000).unwrap(),
        media: Vec::new(),
        stage: OutcomeStage::Extracted,
        extraction: Some(Extraction {
            extractor: Fingerprint::new("x"),
            recorded_at: Timestamp::from_micros(second).unwrap(),
        }),
        claims: texts
            .iter()
            .map(|text| AdmittedClaim {
                claim: claim(text),
                attribution: Attribution::Exact,
            })
            .collect(),
        entities: Vec::new(),
        relations: Vec::new(),
        refusals: Vec::new(),
    }
}

#[test]
fn the_same_claim_of_ten_messages_is_one_fact_with_ten_witnesses() {
    let channel = ChannelId::new("c");
    let outcomes: Vec<MessageOutcome> = (0..10)
        .map(|second| outcome(second, &["We ship on Friday."]))
        .collect();
    let ids = facts_of(&channel, &outcomes[0]);
    assert_eq!(ids.len(), 1);
    let all: Vec<&MessageOutcome> = outcomes.iter().collect();
    let fact = assemble(&channel, &ids[0], &all).unwrap();
    assert_eq!(fact.evidence.len(), 10);
    assert_eq!(fact.first().unwrap().author.name, "Author 0");
}

#[test]
fn a_fact_that_nothing_says_is_none() {
    let channel = ChannelId::new("c");
    let said = outcome(1, &["We ship on Friday."]);
    let id = facts_of(&channel, &said).remove(0);
    let silent = outcome(1, &[]);
    assert_eq!(assemble(&channel, &id, &[&silent]), None);
    assert_eq!(assemble(&channel, &id, &[]), None);
}

proptest! {
    #[test]
    fn the_order_of_outcomes_does_not_matter(
        seconds in prop::collection::btree_set(0_i64..50, 1..8),
        turn in 0_usize..8,
    ) {
        let channel = ChannelId::new("c");
        let outcomes: Vec<MessageOutcome> =
            seconds.iter().map(|second| outcome(*second, &["We ship", "we ship!"])).collect();
        let id = facts_of(&channel, &outcomes[0]).remove(0);
        let mut all: Vec<&MessageOutcome> = outcomes.iter().collect();
        let before = assemble(&channel, &id, &all);
        prop_assert!(before.is_some());
        let by = turn % all.len();
        all.rotate_left(by);
        prop_assert_eq!(assemble(&channel, &id, &all), before);
    }
}
