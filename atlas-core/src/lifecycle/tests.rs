//! The fold, by rows and by properties.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::fold::fold;
use crate::model::{
    AtomicFact, Attribution, Author, AuthorId, ChannelId, Claim, ContentHash, Evidence, FactId,
    FactKind, FactState, Fingerprint, Importance, Interval, Judge, Judged, Judgement, Language,
    MessageId, NativeId, PrincipalId, SourceId, Span, Standing, Timestamp, UnitScore, Verdict,
};

fn at(second: i64) -> Timestamp {
    Timestamp::from_micros(second * 1_000_000).unwrap()
}

fn fact(name: &str, said_at: &[i64]) -> AtomicFact {
    let channel = ChannelId::new("c");
    let evidence = said_at.iter().map(|second| Evidence {
        message: MessageId::new(
            SourceId::new("s"),
            channel.clone(),
            NativeId::new(format!("{name}{second}")),
        ),
        version: ContentHash::of(name.as_bytes()),
        span: Span { start: 0, end: 1 },
        quote: name.to_owned(),
        author: Author {
            id: AuthorId::new("u"),
            name: "U".to_owned(),
        },
        sent_at: at(*second),
        attribution: Attribution::Exact,
    });
    AtomicFact {
        id: FactId::new(name),
        channel: channel.clone(),
        claim: Claim {
            text: name.to_owned(),
            span: Span { start: 0, end: 1 },
            quote: name.to_owned(),
            kind: FactKind::Observation,
            slot: None,
            action: None,
            importance: Importance::Medium,
            quality: UnitScore::ONE,
            topic_tags: Vec::new(),
            action_tags: Vec::new(),
            mentions: Vec::new(),
            language: Language::new("en"),
            occurred_at: at(0),
            valid_until: None,
            rationale: None,
            alternatives: Vec::new(),
            consequences: Vec::new(),
            numbers: Vec::new(),
            sentiment: None,
            glossary: Vec::new(),
            links: Vec::new(),
            answers: None,
        },
        evidence: evidence.collect(),
        thread: None,
        media: Vec::new(),
        recorded_at: at(0),
        extractor: Fingerprint::new("x"),
    }
}

fn judgement(judged: Judged, verdict: Verdict, judge: Judge, second: i64) -> Judgement {
    Judgement {
        id: Judgement::id_of(&judged, &verdict, &judge, at(second)),
        judged,
        verdict,
        confidence: UnitScore::ONE,
        reason: "because".to_owned(),
        evidence: Vec::new(),
        judge,
        recorded_at: at(second),
    }
}

fn detector() -> Judge {
    Judge::Detector(Fingerprint::new("d"))
}

fn person() -> Judge {
    Judge::Person(PrincipalId::new("p"))
}

fn pair(a: &str, b: &str, verdict: Verdict) -> Judgement {
    let judged = Judged::pair(&FactId::new(a), &FactId::new(b)).unwrap();
    judgement(judged, verdict, detector(), 0)
}

fn single(a: &str, verdict: Verdict, second: i64) -> Judgement {
    judgement(Judged::Fact(FactId::new(a)), verdict, person(), second)
}

#[track_caller]
fn standings(facts: &[AtomicFact], judgements: &[Judgement]) -> BTreeMap<String, Standing> {
    let facts: Vec<&AtomicFact> = facts.iter().collect();
    let judgements: Vec<&Judgement> = judgements.iter().collect();
    let fingerprint = Fingerprint::new("d");
    fold(&facts, &judgements, Some(&fingerprint))
        .into_iter()
        .map(|it| (it.fact.to_string(), it))
        .collect()
}

#[track_caller]
fn check(facts: &[AtomicFact], judgements: &[Judgement], expected: &[(&str, FactState)]) {
    let found = standings(facts, judgements);
    let found: Vec<(&str, FactState)> = found
        .iter()
        .map(|(id, it)| (id.as_str(), it.state.clone()))
        .collect();
    assert_eq!(found, expected);
}

fn superseded(by: &str) -> FactState {
    FactState::Superseded {
        by: FactId::new(by),
    }
}

#[test]
fn what_was_said_later_stands_whichever_arrived_first() {
    let judgements = [pair("a", "b", Verdict::Supersede)];
    check(
        &[fact("a", &[1]), fact("b", &[2])],
        &judgements,
        &[("a", superseded("b")), ("b", FactState::Live)],
    );
    check(
        &[fact("a", &[3]), fact("b", &[2])],
        &judgements,
        &[("a", FactState::Live), ("b", superseded("a"))],
    );
}

#[test]
fn restating_an_old_claim_revives_it() {
    let facts = [fact("a", &[1, 5]), fact("b", &[3])];
    let judgements = [pair("a", "b", Verdict::Supersede)];
    check(
        &facts,
        &judgements,
        &[("a", FactState::Live), ("b", superseded("a"))],
    );
    let found = standings(&facts, &judgements);
    let span = |start, end: Option<i64>| Interval {
        start: at(start),
        end: end.map(at),
    };
    assert_eq!(found["a"].validity, [span(1, Some(3)), span(5, None)]);
    assert_eq!(found["b"].validity, [span(3, Some(5))]);
}

#[test]
fn a_chain_ends_at_the_one_that_stands() {
    check(
        &[fact("a", &[1]), fact("b", &[2]), fact("c", &[3])],
        &[
            pair("a", "b", Verdict::Supersede),
            pair("b", "c", Verdict::Supersede),
        ],
        &[
            ("a", superseded("c")),
            ("b", superseded("c")),
            ("c", FactState::Live),
        ],
    );
}

#[test]
fn a_rejected_fact_takes_nobody_s_place() {
    check(
        &[fact("a", &[1]), fact("b", &[2])],
        &[
            pair("a", "b", Verdict::Supersede),
            single("b", Verdict::Reject, 9),
        ],
        &[("a", FactState::Live), ("b", FactState::Rejected)],
    );
}

#[test]
fn a_restored_fact_counts_again_beside_the_other() {
    check(
        &[fact("a", &[1]), fact("b", &[2])],
        &[
            pair("a", "b", Verdict::Supersede),
            single("a", Verdict::Restore, 9),
        ],
        &[("a", FactState::Live), ("b", FactState::Live)],
    );
}

#[test]
fn a_person_s_rejection_of_a_pair_binds_for_ever() {
    let judged = Judged::pair(&FactId::new("a"), &FactId::new("b")).unwrap();
    check(
        &[fact("a", &[1]), fact("b", &[2])],
        &[
            pair("a", "b", Verdict::Supersede),
            judgement(judged.clone(), Verdict::Reject, person(), 1),
            judgement(
                judged,
                Verdict::Supersede,
                Judge::Detector(Fingerprint::new("e")),
                7,
            ),
        ],
        &[("a", FactState::Live), ("b", FactState::Live)],
    );
}

#[test]
fn the_evidence_of_a_duplicate_counts_for_the_earlier() {
    check(
        &[fact("a", &[1]), fact("b", &[2]), fact("c", &[3])],
        &[
            pair("a", "c", Verdict::Duplicate),
            pair("a", "b", Verdict::Supersede),
        ],
        &[
            ("a", FactState::Live),
            ("b", superseded("a")),
            (
                "c",
                FactState::Duplicate {
                    of: FactId::new("a"),
                },
            ),
        ],
    );
}

#[test]
fn a_dispute_flags_both_and_ends_with_either() {
    let facts = [fact("a", &[1]), fact("b", &[2]), fact("c", &[3])];
    let disputed = |with: &str| FactState::Disputed {
        with: vec![FactId::new(with)],
    };
    check(
        &facts,
        &[pair("a", "b", Verdict::Dispute)],
        &[
            ("a", disputed("b")),
            ("b", disputed("a")),
            ("c", FactState::Live),
        ],
    );
    check(
        &facts,
        &[
            pair("a", "b", Verdict::Dispute),
            pair("b", "c", Verdict::Supersede),
        ],
        &[
            ("a", FactState::Live),
            ("b", superseded("c")),
            ("c", FactState::Live),
        ],
    );
}

fn arb_history() -> impl Strategy<Value = (Vec<AtomicFact>, Vec<Judgement>)> {
    let names = ["a", "b", "c", "d", "e", "f"];
    let said = prop::collection::vec(prop::collection::btree_set(0_i64..40, 1..4), names.len());
    let pairs = prop::collection::vec((0..names.len(), 0..names.len(), 0..4_usize), 0..12);
    let singles = prop::collection::vec((0..names.len(), 0..3_usize, 1_i64..9), 0..3);
    (said, pairs, singles).prop_map(move |(said, pairs, singles)| {
        let facts = names
            .iter()
            .zip(said)
            .map(|(name, said)| fact(name, &said.into_iter().collect::<Vec<_>>()))
            .collect();
        let verdicts = [
            Verdict::Supersede,
            Verdict::Supersede,
            Verdict::Duplicate,
            Verdict::Dispute,
        ];
        let mut judgements: Vec<Judgement> = pairs
            .into_iter()
            .filter(|(a, b, _)| a != b)
            .map(|(a, b, verdict)| pair(names[a], names[b], verdicts[verdict].clone()))
            .collect();
        judgements.sort_by(|a, b| a.id.cmp(&b.id));
        judgements.dedup_by(|a, b| a.id == b.id);
        let marks = [Verdict::Reject, Verdict::Restore, Verdict::Confirm];
        judgements.extend(
            singles
                .into_iter()
                .map(|(a, mark, at)| single(names[a], marks[mark].clone(), at)),
        );
        (facts, judgements)
    })
}

proptest! {
    #[test]
    fn standings_agree_with_each_other((facts, judgements) in arb_history(), seed: u64) {
        let found = standings(&facts, &judgements);
        for (id, standing) in &found {
            match &standing.state {
                // LC-1, LC-2: the chain ends at a fact that nothing supersedes.
                FactState::Superseded { by } => {
                    let end = &found[by.as_str()].state;
                    prop_assert!(end.is_visible() || *end == FactState::Expired, "{id}: {end:?}");
                }
                FactState::Duplicate { of } => {
                    let end = &found[of.as_str()].state;
                    prop_assert!(!matches!(end, FactState::Duplicate { .. }), "{id}: {end:?}");
                }
                FactState::Disputed { with } => {
                    for other in with {
                        let back = &found[other.as_str()].state;
                        let is_mutual = matches!(
                            back,
                            FactState::Disputed { with } if with.iter().any(|it| it.as_str() == id)
                        );
                        prop_assert!(is_mutual, "{id} and {other}");
                    }
                }
                FactState::Live
                | FactState::Expired
                | FactState::Withdrawn
                | FactState::Rejected
                | FactState::Retracted => {}
            }
            // LC-4: a fact's own spans are in order and apart.
            for pair in standing.validity.windows(2) {
                prop_assert!(pair[0].end.is_some_and(|end| end <= pair[1].start));
            }
        }
        // LC-8: the order of the ledger and of the facts does not matter.
        let mut judgements = judgements;
        let mut facts = facts;
        let turn = usize::try_from(seed % 7).unwrap();
        if !judgements.is_empty() {
            let by = turn % judgements.len();
            judgements.rotate_left(by);
        }
        facts.rotate_left(turn % 6);
        prop_assert_eq!(standings(&facts, &judgements), found);
    }
}
