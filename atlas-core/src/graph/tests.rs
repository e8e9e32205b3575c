//! Names to people and things, by rows.

use proptest::prelude::*;

use super::resolve::{Graph, resolve};
use crate::model::{
    Author, AuthorId, ChannelId, ContentHash, EntityClaim, EntityType, Mentioned, MessageId,
    MessageOutcome, NativeId, OutcomeStage, Polarity, RelationClaim, SourceId, Span, Timestamp,
    UnitScore,
};

const SPAN: Span = Span { start: 0, end: 4 };

fn name(name: &str, kind: EntityType, author: Option<&str>) -> EntityClaim {
    EntityClaim {
        name: name.to_owned(),
        kind,
        aliases: Vec::new(),
        author: author.map(AuthorId::new),
        span: SPAN,
        properties: Vec::new(),
    }
}

fn person(text: &str, author: Option<&str>) -> EntityClaim {
    name(text, EntityType::Person, author)
}

fn said(native: i64, entities: Vec<EntityClaim>) -> MessageOutcome {
    let id = MessageId::new(
        SourceId::new("s"),
        ChannelId::new("c"),
        NativeId::new(native.to_string()),
    );
    MessageOutcome {
        message: id.clone(),
        version: ContentHash::of(b"v"),
        conversation: id,
        author: Author {
            id: AuthorId::new("u0"),
            name: "Writer".to_owned(),
        },
        sent_at: Timestamp::from_micros(native).unwrap(),
        media: Vec::new(),
        stage: OutcomeStage::Extracted,
        extraction: None,
        claims: Vec::new(),
        entities,
        relations: Vec::new(),
        refusals: Vec::new(),
    }
}

fn graph(outcomes: &[MessageOutcome]) -> Graph {
    let outcomes: Vec<&MessageOutcome> = outcomes.iter().collect();
    resolve(&ChannelId::new("c"), &outcomes, 50)
}

#[track_caller]
fn check(claims: Vec<EntityClaim>, expected: &[&str]) {
    let outcomes: Vec<MessageOutcome> = claims
        .into_iter()
        .zip(1..)
        .map(|(claim, at)| said(at, vec![claim]))
        .collect();
    let mut names: Vec<String> = graph(&outcomes)
        .entities
        .into_iter()
        .map(|it| it.name)
        .collect();
    names.sort();
    assert_eq!(names, expected);
}

#[test]
fn two_people_of_one_name_stay_apart_and_a_bare_name_is_neither() {
    check(
        vec![
            person("Alex", Some("u1")),
            person("Alex", Some("u2")),
            person("Alex", None),
        ],
        &["Alex", "Alex", "Alex"],
    );
}

#[test]
fn a_renamed_person_stays_one() {
    check(
        vec![person("Sam", Some("u1")), person("Sam Lee", Some("u1"))],
        &["Sam"],
    );
}

#[test]
fn a_first_name_leads_to_the_only_person_who_has_it() {
    check(
        vec![person("Maria Lopez", Some("u1")), person("Maria", None)],
        &["Maria"],
    );
    check(
        vec![
            person("Maria Lopez", Some("u1")),
            person("Maria Cruz", Some("u2")),
            person("Maria", None),
        ],
        &["Maria", "Maria Cruz", "Maria Lopez"],
    );
}

#[test]
fn names_that_look_alike_are_not_one_thing() {
    let chip = |text| name(text, EntityType::Product, None);
    check(
        vec![chip("ASR1603"), chip("ASR1605")],
        &["ASR1603", "ASR1605"],
    );
}

#[test]
fn one_name_of_two_types_is_two_things_and_form_does_not_count() {
    check(
        vec![
            name("Mercury", EntityType::Project, None),
            name("mercury", EntityType::Project, None),
            name("Mercury", EntityType::Team, None),
        ],
        &["Mercury", "Mercury"],
    );
}

#[test]
fn opposite_polarities_are_two_relations() {
    let ends = |polarity, at| {
        let mut outcome = said(
            at,
            vec![
                person("Ana", Some("u1")),
                name("Atlas", EntityType::Project, None),
            ],
        );
        let end = |name: &str, kind| Mentioned {
            name: name.to_owned(),
            kind,
        };
        outcome.relations.push(RelationClaim {
            source: end("Ana", EntityType::Person),
            family: "works_on".to_owned(),
            verb: "works on".to_owned(),
            target: end("Atlas", EntityType::Project),
            polarity,
            confidence: UnitScore::ONE,
            span: SPAN,
        });
        outcome
    };
    let found = graph(&[
        ends(Polarity::Positive, 1),
        ends(Polarity::Negative, 2),
        ends(Polarity::Positive, 3),
    ]);
    let mut counts: Vec<usize> = found
        .relations
        .iter()
        .map(|it| it.sightings.len())
        .collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 2]);
    assert_eq!(found.entities.len(), 2);
}

proptest! {
    #[test]
    fn the_order_of_messages_does_not_matter(
        claims in prop::collection::vec((0..6_usize, prop::option::of(0..3_usize)), 1..12),
        turn in 0..12_usize,
    ) {
        let names = ["Alex", "Alex Kim", "Sam", "alex", "Kim", "Sam Poe"];
        let ids = ["u1", "u2", "u3"];
        let mut outcomes: Vec<MessageOutcome> = claims
            .iter()
            .zip(1..)
            .map(|((at, id), native)| {
                said(native, vec![person(names[*at], id.map(|id| ids[id]))])
            })
            .collect();
        let before = graph(&outcomes);
        let by = turn % outcomes.len();
        outcomes.rotate_left(by);
        prop_assert_eq!(graph(&outcomes), before);
    }
}
