//! What is known after the sample was read: what its authors planted, found again.

use atlas_core::maintain::FactTrace;
use atlas_core::model::{
    AtomicFact, AuthorId, EntityType, FactState, GraphEntity, MessageId, Verdict,
};
use atlas_core::ports::{ChannelScope, Partition, RecordStoreExt};

use crate::sample::{CHANNELS, sample, wait};

/// The facts of the earlier message that a fact of the later one has replaced, with that fact.
fn replaced(earlier: &MessageId, later: &MessageId) -> Vec<(FactTrace, AtomicFact)> {
    let successors = sample().facts_of(later);
    let channel = sample().atlas.channel(earlier.channel.clone());
    let mut found = Vec::new();
    for (fact, state) in sample().facts_of(earlier) {
        let FactState::Superseded { by } = state else {
            continue;
        };
        let successor = successors.iter().find(|(it, _)| it.id == by);
        let Some((successor, state)) = successor else {
            continue;
        };
        assert!(state.is_visible(), "{state:?}");
        let trace = wait(channel.trace(&fact.id)).unwrap().unwrap();
        found.push((trace, successor.clone()));
    }
    found
}

#[track_caller]
fn check_replaced(channel: &str, earlier: &str, later: &str, words: (&str, &str)) {
    let earlier = sample().message(channel, earlier);
    let later = sample().message(channel, later);
    let found = replaced(&earlier, &later);
    let about = found.iter().find(|(trace, successor)| {
        trace.fact.value.text().contains(words.0) && successor.text().contains(words.1)
    });
    let told = || {
        let facts = |message| -> Vec<String> {
            let facts = sample().facts_of(message).into_iter();
            facts
                .map(|(fact, state)| format!("{}: {state:?}", fact.text()))
                .collect()
        };
        format!("{:#?} then {:#?}", facts(&earlier), facts(&later))
    };
    let Some((trace, successor)) = about else {
        panic!("{} is not replaced by {}: {}", words.0, words.1, told());
    };
    let reasons = trace.judgements.iter().filter(|(judgement, others)| {
        judgement.verdict == Verdict::Supersede && others.iter().any(|it| it.id == successor.id)
    });
    let mut reasons = reasons.map(|(judgement, _)| judgement);
    let judgement = reasons.next().unwrap();
    assert!(!judgement.reason.trim().is_empty());
    assert!(judgement.confidence.get() >= 0.8);
}

#[test]
fn the_reversed_decision_is_replaced_with_a_reason() {
    let words = ("Elasticsearch", "Postgres");
    check_replaced(
        "engineering",
        "1773309746.378973",
        "1776159744.988736",
        words,
    );
}

#[test]
fn the_launch_that_moved_is_replaced_with_a_reason() {
    let words = ("12 May", "26 May");
    check_replaced("product", "1773222005.842465", "1776758543.365119", words);
}

/// What was decided and never reversed.
#[test]
fn decisions_that_stay_are_live() {
    for (channel, ts, word) in [
        ("product", "1772785864.692004", "€39"),
        ("product", "1773908113.953331", "14"),
        ("product", "1775032220.095873", "Android"),
        ("engineering", "1773928936.513596", "last write"),
        ("random", "1774438809.778435", "Ghent"),
    ] {
        let facts = sample().facts_of(&sample().message(channel, ts));
        let live: Vec<&str> = facts
            .iter()
            .filter(|(_, state)| state.is_visible())
            .map(|(fact, _)| fact.text())
            .collect();
        let says = |text: &&&str| text.to_lowercase().contains(&word.to_lowercase());
        assert!(live.iter().any(|it| says(&it)), "{ts} {word}: {live:#?}");
    }
}

#[test]
fn a_chinese_thread_says_a_fact() {
    let root = sample().message("engineering", "1774515744.624462");
    let decision = sample().message("engineering", "1774516811.671976");
    let facts = sample().facts_of(&decision);
    let says = |word: &str| {
        facts
            .iter()
            .any(|(fact, state)| state.is_visible() && fact.text().contains(word))
    };
    assert!(says("10 MB"), "{facts:#?}");
    assert!(
        facts
            .iter()
            .all(|(fact, _)| fact.claim.language.as_str() == "zh")
    );
    assert!(
        facts
            .iter()
            .all(|(fact, _)| fact.thread.as_ref() == Some(&root))
    );
}

fn people(channel: &str) -> Vec<GraphEntity> {
    let partition = Partition::of(&ChannelScope::new(sample().id(channel)));
    let records = &sample().atlas.components().records;
    let all = wait(records.load_all::<GraphEntity>(&partition)).unwrap();
    all.into_iter()
        .map(|it| it.value)
        .filter(|it| it.kind == EntityType::Person)
        .collect()
}

#[test]
fn two_people_of_similar_names_are_two_people() {
    let park = sample().message("random", "1776852561.944734");
    let parker = sample().message("random", "1775729412.865544");
    let author = |id: &MessageId| -> AuthorId {
        let messages = sample().messages("random").iter();
        let mut found = messages.filter(|it| it.id == *id);
        found.next().unwrap().author.id.clone()
    };
    let (park, parker) = (author(&park), author(&parker));
    assert_ne!(park, parker);
    let mut together = 0;
    for channel in CHANNELS {
        let people = people(channel);
        let of = |id: &AuthorId| -> Vec<&GraphEntity> {
            people.iter().filter(|it| it.authors.contains(id)).collect()
        };
        let (parks, parkers) = (of(&park), of(&parker));
        assert!(parks.len() <= 1 && parkers.len() <= 1, "{channel}");
        let (Some(one), Some(other)) = (parks.first(), parkers.first()) else {
            continue;
        };
        together += 1;
        assert_ne!(one.id, other.id, "{channel}");
        assert!(!one.aliases.iter().any(|it| it == "john parker"), "{one:?}");
        assert!(
            !other.aliases.iter().any(|it| it == "jon park"),
            "{other:?}"
        );
    }
    assert!(together > 0, "they never meet");
}
