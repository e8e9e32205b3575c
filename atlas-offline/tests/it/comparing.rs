use atlas_core::llm::{ContradictionInput, FactRelation, LabelledFact, ProposedFact, serve};
use atlas_core::model::{Slot, Timestamp};
use atlas_core::text::{fold, normalise_claim};
use atlas_offline::OfflineLlm;
use futures::executor::block_on;

use crate::conversation::{facts, message};

/// A fact as the core would offer it, said so many days after the first.
pub(crate) fn labelled(label: &str, author: &str, text: &str, day: i64) -> LabelledFact {
    let said_at: Timestamp = crate::conversation::SAID.parse().unwrap();
    let said_at = said_at.saturating_add_days(day);
    let mut said = message("m0", author, text);
    said.sent_at = said_at;
    let fact: ProposedFact = facts(vec![said])
        .into_iter()
        .next()
        .unwrap_or_else(|| panic!("{text}"));
    LabelledFact {
        label: label.to_owned(),
        text: fact.text,
        quote: fact.quote,
        author: author.to_owned(),
        said_at,
        kind: fact.kind,
        importance: fact.importance,
        slot: fact.slot.map(|slot| Slot {
            subject: normalise_claim(&slot.subject),
            family: slot.family,
            value: fold(&slot.value),
            polarity: slot.polarity,
            modality: slot.modality,
        }),
        tags: fact.topic_tags,
        mentions: fact.mentions.into_iter().map(|it| it.name).collect(),
        answers: None,
        is_disputed: false,
    }
}

fn judge(first: &str, second: &str) -> Option<(FactRelation, f32)> {
    let task = ContradictionInput {
        fact: labelled("f1", "Priya Shah", second, 3),
        candidates: vec![labelled("f0", "Priya Shah", first, 0)],
    };
    let output = block_on(serve(&OfflineLlm::new(), &task)).unwrap();
    output.verdicts.first().map(|it| {
        assert_eq!(it.candidate, "f0");
        assert!(!it.reason.is_empty());
        (it.relation, it.confidence)
    })
}

#[test]
fn changed_values_supersede() {
    for (first, second) in [
        ("I love Chinese food", "I hate Chinese food"),
        ("The launch is on 12 May", "We moved the launch to 26 May"),
        (
            "The launch is on 12 May",
            "The launch slips to 26 May because QA is late",
        ),
        (
            "We decided to use Postgres for billing",
            "We're going back to MySQL for billing",
        ),
        (
            "We decided to use Postgres",
            "Scrap Postgres, we use MySQL instead",
        ),
        (
            "We decided to use Postgres for billing",
            "We no longer use Postgres for billing",
        ),
        (
            "Kiran is on project Atlas",
            "Kiran moved to project Borealis",
        ),
        ("Core infra owns ranking", "Search quality owns ranking now"),
        ("The budget is $5,000", "The budget is $8,000"),
        ("The staging server is up", "The staging server is down"),
        ("I'll send the deck tomorrow", "I sent the deck"),
        ("发布定在5月12日", "发布改到5月26日"),
    ] {
        let found = judge(first, second);
        assert!(
            matches!(found, Some((FactRelation::Contradicts, sure)) if sure >= 0.8),
            "{first} / {second}: {found:?}"
        );
    }
}

#[test]
fn what_may_both_be_so_is_left_alone() {
    for (first, second) in [
        (
            "Ana is Staff Engineer at Acme",
            "Ana administers Acme's GitHub org",
        ),
        (
            "Ana is Staff Engineer at Acme",
            "Ana set the audit rule for all vendors in March",
        ),
        ("The launch is on 12 May", "The picnic is on 26 May"),
        ("We use Postgres", "We use Slack"),
        ("I love Chinese food", "I love Italian food"),
        ("The launch is on 12 May", "Maybe the launch is on 26 May"),
        (
            "We decided to use Postgres for billing",
            "We decided to use Kafka for events",
        ),
        (
            "The staging server is fixed",
            "The staging server is deployed",
        ),
    ] {
        let found = judge(first, second);
        assert!(
            !matches!(found, Some((FactRelation::Contradicts, _))),
            "{first} / {second}: {found:?}"
        );
    }
}

#[test]
fn the_same_said_again_is_a_duplicate() {
    for (first, second) in [
        (
            "We decided to use Postgres for billing",
            "For billing we decided to use Postgres!",
        ),
        ("The launch is on 12 May", "the launch is on 12 May."),
    ] {
        let found = judge(first, second);
        assert!(
            matches!(found, Some((FactRelation::Duplicates, _))),
            "{first} / {second}: {found:?}"
        );
    }
}
