//! Proposed names and relations to claims, each checked against the message that it names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::offer::Offer;
use super::verb::family;
use crate::llm::{EntityExtractionOutput, ProposedEntity, ProposedRelation};
use crate::model::{
    EntityClaim, EntityType, Mentioned, Message, RefusalReason, RefusedClaim, RelationClaim, Span,
    UnitScore,
};
use crate::text::normalise_name;

/// The names and relations of one message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Names {
    /// The names, in order of place.
    pub entities: Vec<EntityClaim>,
    /// The relations, in order of place.
    pub relations: Vec<RelationClaim>,
    /// What was refused.
    pub refusals: Vec<RefusedClaim>,
}

/// Checks each proposal by itself; one result for each offered message, in order.
///
/// A proposal that names no offered message is dropped and counted in the second value.
pub fn admit_names(
    offer: &Offer<'_>,
    proposed: &EntityExtractionOutput,
    min_confidence: UnitScore,
) -> (Vec<Names>, usize) {
    let mut names: Vec<Names> = offer.messages().map(|_| Names::default()).collect();
    let mut n_stray = 0;
    for value in &proposed.entities {
        match placed(offer, value) {
            Some((place, message)) => {
                let Some(of_message) = names.get_mut(place) else {
                    continue;
                };
                match entity(message, value) {
                    Ok(claim) => of_message.entities.push(claim),
                    Err(refused) => of_message.refusals.push(refused),
                }
            }
            None => n_stray += 1,
        }
    }
    for value in &proposed.relations {
        match placed(offer, value) {
            Some((place, message)) => {
                let Some(of_message) = names.get_mut(place) else {
                    continue;
                };
                match relation(message, &of_message.entities, value, min_confidence) {
                    Ok(claim) => of_message.relations.push(claim),
                    Err(refused) => of_message.refusals.push(refused),
                }
            }
            None => n_stray += 1,
        }
    }
    for of_message in &mut names {
        of_message
            .entities
            .sort_by(|a, b| (a.span, a).cmp(&(b.span, b)));
        of_message.entities.dedup();
        of_message
            .relations
            .sort_by(|a, b| (a.span, a).cmp(&(b.span, b)));
        of_message.relations.dedup();
    }
    (names, n_stray)
}

fn placed<'a>(offer: &Offer<'a>, value: &Value) -> Option<(usize, &'a Message)> {
    offer.find(value.get("message")?.as_str()?)
}

fn refuse(value: &Value, reason: RefusalReason) -> RefusedClaim {
    let text = value
        .get("name")
        .or_else(|| value.get("quote"))
        .and_then(Value::as_str);
    RefusedClaim {
        text: text.map_or_else(|| value.to_string(), str::to_owned),
        reason,
    }
}

fn entity(message: &Message, value: &Value) -> Result<EntityClaim, RefusedClaim> {
    let proposed: ProposedEntity = serde_json::from_value(value.clone())
        .map_err(|cause| refuse(value, RefusalReason::Malformed(cause.to_string())))?;
    if normalise_name(&proposed.name).is_empty() {
        return Err(refuse(value, RefusalReason::Empty));
    }
    let is_author = proposed.kind == EntityType::Person && proposed.name == message.author.name;
    let span = match Span::find(&message.text, &proposed.name, 0) {
        Some(span) => span,
        // An author speaks in the whole message without being named in it.
        None if is_author => Span {
            start: 0,
            end: message.text.len(),
        },
        None => return Err(refuse(value, RefusalReason::QuoteNotFound)),
    };
    let author = if is_author {
        Some(message.author.id.clone())
    } else {
        let is_meant = |name: &str| normalise_name(name) == normalise_name(&proposed.name);
        message
            .mentions
            .iter()
            .find(|it| is_meant(&it.name))
            .map(|it| it.id.clone())
    };
    let aliases = proposed
        .aliases
        .into_iter()
        .filter(|it| message.text.contains(it.as_str()));
    let properties = proposed
        .properties
        .into_iter()
        .filter(|it| !it.name.is_empty() && message.text.contains(it.value.as_str()))
        .map(|it| (it.name, it.value));
    Ok(EntityClaim {
        name: proposed.name,
        kind: proposed.kind,
        aliases: aliases.collect(),
        author,
        span,
        properties: properties.collect(),
    })
}

fn relation(
    message: &Message,
    entities: &[EntityClaim],
    value: &Value,
    min_confidence: UnitScore,
) -> Result<RelationClaim, RefusedClaim> {
    let proposed: ProposedRelation = serde_json::from_value(value.clone())
        .map_err(|cause| refuse(value, RefusalReason::Malformed(cause.to_string())))?;
    let span = Span::find(&message.text, &proposed.quote, 0)
        .ok_or_else(|| refuse(value, RefusalReason::QuoteNotFound))?;
    let confidence = UnitScore::new(proposed.confidence)
        .map_err(|error| refuse(value, RefusalReason::Malformed(error.to_string())))?;
    if confidence < min_confidence {
        return Err(refuse(value, RefusalReason::LowConfidence));
    }
    let known: BTreeMap<String, &EntityClaim> = entities
        .iter()
        .map(|it| (normalise_name(&it.name), it))
        .collect();
    let end = |name: &str| {
        known
            .get(&normalise_name(name))
            .map(|it| Mentioned {
                name: it.name.clone(),
                kind: it.kind,
            })
            .ok_or_else(|| refuse(value, RefusalReason::NotGrounded))
    };
    Ok(RelationClaim {
        source: end(&proposed.source)?,
        family: family(&proposed.verb).to_owned(),
        verb: proposed.verb,
        target: end(&proposed.target)?,
        polarity: proposed.polarity,
        confidence,
        span,
    })
}
