//! Messages to proposed names and relations.

use std::collections::{BTreeMap, BTreeSet};

use atlas_core::llm::{
    EntityExtractionInput, EntityExtractionOutput, PromptMessage, ProposedEntity, ProposedProperty,
    ProposedRelation,
};
use atlas_core::model::EntityType;
use atlas_core::text::normalise_name;

use super::relation::relations;
use super::spot::{Spotted, spot};
use crate::text::cue::{Cue, group};
use crate::text::sentence::sentences;

static SPEAKER: Cue = Cue::new(
    r"(?i)^(?P<i>I|I'm|I’m|We|we)\b(?P<verb>\s+(?:also |now |currently |mostly )?(?:work on|work at|work for|lead|own|maintain|use|manage|joined|live in|moved to|report to|prefer|built|wrote|am on|am working on|am responsible for)|\s+working on)\s",
);
static ROLE: Cue = Cue::new(
    r"^,?\s+(?:is|joined as|joins as|will be|becomes)\s+(?:now\s+)?(?:our |the |a |an )?(?:new |next )?(?P<role>(?:[A-Za-z-]+ ){0,3}(?i:engineer|designer|manager|lead|director|developer|analyst|architect|scientist|researcher|intern|cto|ceo|cfo|coo|officer|founder|consultant|writer|recruiter|president|chair|owner|scrum master))\b",
);
static ALIAS: Cue =
    Cue::new(r"^\s*\((?:aka |a\.k\.a\. |also )?(?P<alias>[\p{L}\p{N}][\p{L}\p{N} .-]{1,30})\)");

/// Proposes names and relations. What one conversation yields depends on no other.
pub(crate) fn extract(input: &EntityExtractionInput) -> EntityExtractionOutput {
    let people = people_by_conversation(&input.messages);
    let nobody = BTreeSet::new();
    let mut output = EntityExtractionOutput::default();
    for message in &input.messages {
        let known = people.get(conversation(message)).unwrap_or(&nobody);
        of_message(message, known, &mut output);
    }
    output
}

fn conversation(message: &PromptMessage) -> &str {
    message.thread_root.as_deref().unwrap_or(&message.label)
}

/// The names by which the people of each conversation go: in full, and by their first name where
/// only one of them has it.
fn people_by_conversation(messages: &[PromptMessage]) -> BTreeMap<&str, BTreeSet<String>> {
    let mut people: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for message in messages {
        let known = people.entry(conversation(message)).or_default();
        known.insert(message.author.clone());
        known.extend(message.mentions.iter().cloned());
    }
    for known in people.values_mut() {
        known.extend(first_names(known));
    }
    people
}

/// The first names that only one of the people has.
pub(crate) fn first_names(people: &BTreeSet<String>) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in people {
        let mut words = name.split_whitespace();
        if let (Some(first), Some(_)) = (words.next(), words.next()) {
            *counts.entry(first).or_insert(0) += 1;
        }
    }
    counts
        .into_iter()
        .filter(|(name, count)| *count == 1 && name.chars().count() > 2)
        .map(|(name, _)| name.to_owned())
        .collect()
}

fn of_message(
    message: &PromptMessage,
    people: &BTreeSet<String>,
    output: &mut EntityExtractionOutput,
) {
    let mut entities: BTreeMap<String, ProposedEntity> = BTreeMap::new();
    let mut related: Vec<ProposedRelation> = Vec::new();
    let mut add = |name: &str, kind: EntityType| {
        let entity = entities
            .entry(normalise_name(name))
            .or_insert_with(|| ProposedEntity {
                message: message.label.clone(),
                name: name.to_owned(),
                kind,
                aliases: Vec::new(),
                properties: Vec::new(),
            });
        // What says more than that something has a name wins.
        if entity.kind == EntityType::Concept {
            entity.kind = kind;
        }
    };
    let mut properties: Vec<(String, String, String)> = Vec::new();
    for sentence in sentences(&message.text) {
        let Some(quote) = sentence.span.of(&message.text) else {
            continue;
        };
        let names = spot(quote, people);
        for it in &names {
            add(&it.name, it.kind);
            let after = quote.get(it.span.end..).unwrap_or_default();
            if it.kind == EntityType::Person
                && let Some(role) = ROLE.captures(after)
            {
                properties.push((
                    normalise_name(&it.name),
                    "role".to_owned(),
                    group(&role, "role").to_owned(),
                ));
            }
            if let Some(alias) = ALIAS.captures(after) {
                properties.push((
                    normalise_name(&it.name),
                    String::new(),
                    group(&alias, "alias").to_owned(),
                ));
            }
        }
        for it in relations(quote, &names) {
            related.push(ProposedRelation {
                message: message.label.clone(),
                quote: quote.to_owned(),
                source: it.source,
                verb: it.verb,
                target: it.target,
                polarity: it.polarity,
                confidence: it.confidence,
            });
        }
        if let Some((verb, target)) = of_speaker(quote, &names) {
            add(&message.author, EntityType::Person);
            related.push(ProposedRelation {
                message: message.label.clone(),
                quote: quote.to_owned(),
                source: message.author.clone(),
                verb,
                target: target.name.clone(),
                polarity: atlas_core::model::Polarity::Positive,
                confidence: 0.85,
            });
        }
    }
    for (name, property, value) in properties {
        if let Some(entity) = entities.get_mut(&name) {
            if property.is_empty() {
                entity.aliases.push(value);
            } else {
                entity.properties.push(ProposedProperty {
                    name: property,
                    value,
                });
            }
        }
    }
    output.entities.extend(
        entities
            .values()
            .filter_map(|it| serde_json::to_value(it).ok()),
    );
    output.relations.extend(
        related
            .iter()
            .filter_map(|it| serde_json::to_value(it).ok()),
    );
}

/// What the speaker says of themselves and the first name that follows.
fn of_speaker<'n>(quote: &str, names: &'n [Spotted]) -> Option<(String, &'n Spotted)> {
    let captures = SPEAKER.captures(quote)?;
    if group(&captures, "i").eq_ignore_ascii_case("we") {
        return None;
    }
    let end = captures.get(0)?.end();
    let target = names
        .iter()
        .find(|it| it.span.start >= end && it.span.start < end + 20)?;
    Some((group(&captures, "verb").to_owned(), target))
}
