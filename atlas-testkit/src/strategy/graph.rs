//! Entities and relations, claimed and admitted.

use atlas_core::model::{
    EntityClaim, EntityType, FactEntities, GraphEntity, GraphRelation, Mentioned, Property,
    RelationClaim, Sighting,
};
use proptest::prelude::*;
use proptest::sample::select;

use super::claim::arb_polarity;
use super::{
    arb_author_id, arb_channel_id, arb_entity_id, arb_fact_id, arb_interval, arb_message_id,
    arb_name, arb_relation_id, arb_span, arb_text, arb_timestamp, arb_unit_score, at_least_one,
    in_order, maybe, some_of,
};

/// Any type of entity.
pub fn arb_entity_type() -> impl Strategy<Value = EntityType> {
    select(vec![
        EntityType::Person,
        EntityType::Team,
        EntityType::Organization,
        EntityType::Project,
        EntityType::Product,
        EntityType::Technology,
        EntityType::Place,
        EntityType::Event,
        EntityType::Document,
        EntityType::Concept,
    ])
}

/// Where something was said.
pub fn arb_sighting() -> impl Strategy<Value = Sighting> {
    (arb_message_id(), arb_span(), arb_timestamp()).prop_map(|(message, span, sent_at)| Sighting {
        message,
        span,
        sent_at,
    })
}

/// A name that an extractor saw.
pub fn arb_entity_claim() -> impl Strategy<Value = EntityClaim> {
    (
        arb_name(),
        arb_entity_type(),
        some_of(arb_name()),
        maybe(arb_author_id()),
        arb_span(),
        some_of((arb_name(), arb_text())),
    )
        .prop_map(
            |(name, kind, aliases, author, span, properties)| EntityClaim {
                name,
                kind,
                aliases,
                author,
                span,
                properties,
            },
        )
}

/// A relation that an extractor saw.
pub fn arb_relation_claim() -> impl Strategy<Value = RelationClaim> {
    let end = || (arb_name(), arb_entity_type()).prop_map(|(name, kind)| Mentioned { name, kind });
    (
        end(),
        arb_name(),
        arb_text(),
        end(),
        arb_polarity(),
        arb_unit_score(),
        arb_span(),
    )
        .prop_map(
            |(source, family, verb, target, polarity, confidence, span)| RelationClaim {
                source,
                family,
                verb,
                target,
                polarity,
                confidence,
                span,
            },
        )
}

fn arb_property() -> impl Strategy<Value = Property> {
    (arb_name(), arb_text(), arb_sighting()).prop_map(|(name, value, sighting)| Property {
        name,
        value,
        sighting,
    })
}

/// An entity in which every field may say something; its lists are in order.
pub fn arb_entity() -> impl Strategy<Value = GraphEntity> {
    (
        arb_entity_id(),
        arb_channel_id(),
        arb_entity_type(),
        arb_name(),
        at_least_one(arb_name()),
        some_of(arb_author_id()),
        some_of(arb_property()),
        some_of(arb_fact_id()),
        some_of(arb_sighting()),
    )
        .prop_map(
            |(id, channel, kind, name, aliases, authors, properties, facts, sightings)| {
                GraphEntity {
                    id,
                    channel,
                    kind,
                    name,
                    aliases: in_order(aliases),
                    authors: in_order(authors),
                    properties: in_order(properties),
                    facts: in_order(facts),
                    sightings: in_order(sightings),
                }
            },
        )
}

/// A relation in which every field may say something; it was sighted at least once.
pub fn arb_relation() -> impl Strategy<Value = GraphRelation> {
    (
        arb_relation_id(),
        arb_entity_id(),
        arb_name(),
        some_of(arb_text()),
        arb_entity_id(),
        arb_polarity(),
        arb_unit_score(),
        arb_interval(),
        at_least_one(arb_sighting()),
    )
        .prop_map(
            |(id, source, family, verbs, target, polarity, confidence, valid, sightings)| {
                GraphRelation {
                    id,
                    source,
                    family,
                    verbs: in_order(verbs),
                    target,
                    polarity,
                    confidence,
                    valid,
                    sightings: in_order(sightings),
                }
            },
        )
}

/// The entities of a fact, never none.
pub fn arb_fact_entities() -> impl Strategy<Value = FactEntities> {
    (arb_fact_id(), at_least_one(arb_entity_id())).prop_map(|(fact, entities)| FactEntities {
        fact,
        entities: in_order(entities),
    })
}
