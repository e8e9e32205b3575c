use atlas_core::llm::{PromptMessage, ProposedEntity, ProposedProperty, ProposedRelation};
use atlas_core::model::{EntityType, Polarity};

use crate::conversation::{message, names};

fn of(text: &str) -> (Vec<ProposedEntity>, Vec<ProposedRelation>) {
    let output = names(vec![PromptMessage {
        mentions: vec!["Dana Wu".to_owned()],
        ..message("m0", "Priya Shah", text)
    }]);
    let read = |values: Vec<serde_json::Value>| values.into_iter();
    (
        read(output.entities)
            .map(|it| serde_json::from_value(it).unwrap())
            .collect(),
        read(output.relations)
            .map(|it| serde_json::from_value(it).unwrap())
            .collect(),
    )
}

#[test]
fn names_are_found_with_their_types() {
    use EntityType::{Document, Organization, Person, Place, Project, Technology};
    for (text, name, kind) in [
        ("Kiran is on project Borealis", "Borealis", Project),
        ("Kiran is on project Borealis", "Kiran", Person),
        ("We signed with Hooli Labs", "Hooli Labs", Organization),
        ("The workshop is in Berlin", "Berlin", Place),
        ("billing runs on postgres", "postgres", Technology),
        ("The numbers are in budget.xlsx", "budget.xlsx", Document),
        ("Please ask Dana Wu about it", "Dana Wu", Person),
        ("The importer uses FastGraph", "FastGraph", Technology),
    ] {
        let (entities, _) = of(text);
        let found = entities.iter().find(|it| it.name == name).map(|it| it.kind);
        assert_eq!(found, Some(kind), "{text}: {entities:?}");
    }
}

#[test]
fn names_that_look_alike_stay_apart() {
    let (entities, _) = of("The ASR1603 chip and the ASR1605 chip differ");
    let found: Vec<&str> = entities.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(found, ["ASR1603", "ASR1605"]);
}

#[test]
fn relations_are_stated_between_names() {
    for (text, source, verb, target, polarity) in [
        (
            "Kiran is on project Borealis",
            "Kiran",
            "is on",
            "Borealis",
            Polarity::Positive,
        ),
        (
            "FastGraph depends on Postgres",
            "FastGraph",
            "depends on",
            "Postgres",
            Polarity::Positive,
        ),
        (
            "Hooli Labs no longer uses Redis",
            "Hooli Labs",
            "uses",
            "Redis",
            Polarity::Negative,
        ),
        (
            "I work on FastGraph",
            "Priya Shah",
            "work on",
            "FastGraph",
            Polarity::Positive,
        ),
    ] {
        let (entities, relations) = of(text);
        let found = relations
            .first()
            .unwrap_or_else(|| panic!("{text}: {entities:?}"));
        let read = (
            found.source.as_str(),
            found.verb.as_str(),
            found.target.as_str(),
            found.polarity,
        );
        assert_eq!(read, (source, verb, target, polarity), "{text}");
        assert!(found.confidence >= 0.6);
        for end in [source, target] {
            assert!(
                entities.iter().any(|it| it.name == end),
                "{text}: {entities:?}"
            );
        }
    }
}

#[test]
fn roles_are_properties() {
    let (entities, _) = of("Kiran is our new data engineer");
    let kiran = entities.iter().find(|it| it.name == "Kiran").unwrap();
    assert_eq!(
        kiran.properties,
        [ProposedProperty {
            name: "role".to_owned(),
            value: "data engineer".to_owned(),
        }]
    );
}
