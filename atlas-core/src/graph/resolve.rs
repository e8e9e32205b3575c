//! What was said in all messages to nodes and edges.
//!
//! The graph is a fold over every outcome of the channel, so it does not depend on which message
//! came first. A person is one platform id, whatever names it had; two ids are two people, though
//! their names be one. A name without an id is the person of that name if there is one only, or
//! whose first name it is if there is one only. Everything else is its type and normalised name.

use std::collections::{BTreeMap, BTreeSet};

use crate::extract::assemble::facts_of;
use crate::model::{
    AuthorId, ChannelId, EntityClaim, EntityId, EntityType, FactEntities, FactId, GraphEntity,
    GraphRelation, Interval, Mentioned, MessageOutcome, Property, RelationId, Sighting, SourceId,
};
use crate::text::{normalise_claim, normalise_name};

/// The nodes and edges of a channel, and which facts mention which nodes; each in order of id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The nodes.
    pub entities: Vec<GraphEntity>,
    /// The edges.
    pub relations: Vec<GraphRelation>,
    /// The pointers from facts.
    pub mentions: Vec<FactEntities>,
}

/// What identifies an entity before it has an id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    Author(SourceId, AuthorId),
    Name(EntityType, String),
}

impl Identity {
    fn id(&self, channel: &ChannelId) -> EntityId {
        match self {
            Self::Author(source, author) => {
                // No normalised name begins with `@`.
                let name = format!("@{source}:{author}");
                GraphEntity::id_of(channel, EntityType::Person, &name)
            }
            Self::Name(kind, name) => GraphEntity::id_of(channel, *kind, name),
        }
    }
}

/// The people whom platform ids name, and the names that lead to one of them only.
struct People {
    by_name: BTreeMap<String, Option<Identity>>,
}

impl People {
    fn of(outcomes: &[&MessageOutcome]) -> Self {
        let mut names: BTreeMap<Identity, BTreeSet<String>> = BTreeMap::new();
        for outcome in outcomes {
            let source = &outcome.message.source;
            let mut add = |author: &AuthorId, name: &str| {
                let identity = Identity::Author(source.clone(), author.clone());
                names
                    .entry(identity)
                    .or_default()
                    .insert(normalise_name(name));
            };
            if !outcome.claims.is_empty() {
                add(&outcome.author.id, &outcome.author.name);
            }
            for claim in outcome
                .entities
                .iter()
                .filter(|it| it.kind == EntityType::Person)
            {
                if let Some(author) = &claim.author {
                    add(author, &claim.name);
                    claim.aliases.iter().for_each(|alias| add(author, alias));
                }
            }
        }
        let mut by_name: BTreeMap<String, Option<Identity>> = BTreeMap::new();
        let mut add = |name: &str, identity: &Identity| {
            by_name
                .entry(name.to_owned())
                .and_modify(|held| {
                    if held.as_ref() != Some(identity) {
                        // The name leads to two people, so it leads to none.
                        *held = None;
                    }
                })
                .or_insert_with(|| Some(identity.clone()));
        };
        for (identity, names) in &names {
            for name in names.iter().filter(|name| !name.is_empty()) {
                add(name, identity);
                if let Some((first, _)) = name.split_once(' ') {
                    add(first, identity);
                }
            }
        }
        Self { by_name }
    }

    fn find(&self, name: &str) -> Option<&Identity> {
        self.by_name.get(name)?.as_ref()
    }
}

fn identity(claim: &EntityClaim, source: &SourceId, people: &People) -> Option<Identity> {
    let name = normalise_name(&claim.name);
    if claim.kind == EntityType::Person {
        if let Some(author) = &claim.author {
            return Some(Identity::Author(source.clone(), author.clone()));
        }
        if let Some(person) = people.find(&name) {
            return Some(person.clone());
        }
    }
    (!name.is_empty()).then_some(Identity::Name(claim.kind, name))
}

/// What was said of one entity.
#[derive(Default)]
struct Node {
    kind: Option<EntityType>,
    names: BTreeMap<String, usize>,
    aliases: BTreeSet<String>,
    authors: BTreeSet<AuthorId>,
    properties: BTreeSet<Property>,
    facts: BTreeSet<FactId>,
    sightings: BTreeSet<(crate::model::Timestamp, Sighting)>,
}

/// Folds all outcomes of a channel into its graph.
pub fn resolve(channel: &ChannelId, outcomes: &[&MessageOutcome], max_sightings: usize) -> Graph {
    let people = People::of(outcomes);
    let mut nodes: BTreeMap<Identity, Node> = BTreeMap::new();
    let mut edges: BTreeMap<RelationId, GraphRelation> = BTreeMap::new();
    for outcome in outcomes {
        let source = &outcome.message.source;
        let mut in_message: BTreeMap<Mentioned, Identity> = BTreeMap::new();
        for claim in &outcome.entities {
            let Some(identity) = identity(claim, source, &people) else {
                continue;
            };
            let named = Mentioned {
                name: claim.name.clone(),
                kind: claim.kind,
            };
            in_message.insert(named, identity.clone());
            let node = nodes.entry(identity).or_default();
            add_claim(channel, node, claim, outcome);
        }
        for claim in &outcome.relations {
            let ends = in_message
                .get(&claim.source)
                .zip(in_message.get(&claim.target));
            let Some((from, to)) = ends.filter(|(from, to)| from != to) else {
                continue;
            };
            let (from, to) = (from.id(channel), to.id(channel));
            let id = GraphRelation::id_of(&from, &claim.family, claim.polarity, &to);
            let sighting = Sighting {
                message: outcome.message.clone(),
                span: claim.span,
                sent_at: outcome.sent_at,
            };
            let edge = edges.entry(id.clone()).or_insert_with(|| GraphRelation {
                id,
                source: from,
                family: claim.family.clone(),
                verbs: Vec::new(),
                target: to,
                polarity: claim.polarity,
                confidence: claim.confidence,
                valid: Interval::since(outcome.sent_at),
                sightings: Vec::new(),
            });
            edge.verbs.push(claim.verb.clone());
            edge.confidence = edge.confidence.max(claim.confidence);
            edge.valid.start = edge.valid.start.min(outcome.sent_at);
            edge.sightings.push(sighting);
        }
    }
    let mut graph = Graph::default();
    let mut mentions: BTreeMap<FactId, BTreeSet<EntityId>> = BTreeMap::new();
    for (identity, node) in nodes {
        let entity = entity(channel, &identity, node, max_sightings);
        for fact in &entity.facts {
            mentions
                .entry(fact.clone())
                .or_default()
                .insert(entity.id.clone());
        }
        graph.entities.push(entity);
    }
    graph.entities.sort_by(|a, b| a.id.cmp(&b.id));
    graph.relations = edges
        .into_values()
        .map(|edge| tidy(edge, max_sightings))
        .collect();
    graph.mentions = mentions
        .into_iter()
        .map(|(fact, entities)| FactEntities {
            fact,
            entities: entities.into_iter().collect(),
        })
        .collect();
    graph
}

fn add_claim(channel: &ChannelId, node: &mut Node, claim: &EntityClaim, outcome: &MessageOutcome) {
    let sighting = Sighting {
        message: outcome.message.clone(),
        span: claim.span,
        sent_at: outcome.sent_at,
    };
    node.kind = Some(claim.kind);
    let name = claim.name.trim_start_matches('@').to_owned();
    *node.names.entry(name).or_default() += 1;
    node.aliases.insert(normalise_name(&claim.name));
    node.aliases
        .extend(claim.aliases.iter().map(|it| normalise_name(it)));
    node.authors.extend(claim.author.clone());
    node.properties
        .extend(claim.properties.iter().map(|(name, value)| Property {
            name: name.clone(),
            value: value.clone(),
            sighting: sighting.clone(),
        }));
    node.sightings.insert((outcome.sent_at, sighting));
    let name = normalise_name(&claim.name);
    let facts = facts_of(channel, outcome);
    let mentioning = outcome.claims.iter().filter(|it| {
        let is_inside =
            it.claim.span.start <= claim.span.start && claim.span.end <= it.claim.span.end;
        is_inside
            || it
                .claim
                .mentions
                .iter()
                .any(|mention| normalise_name(&mention.name) == name)
    });
    let mentioning: BTreeSet<FactId> = mentioning
        .map(|it| FactId::of(channel, &normalise_claim(&it.claim.text)))
        .collect();
    node.facts
        .extend(facts.into_iter().filter(|id| mentioning.contains(id)));
}

fn entity(
    channel: &ChannelId,
    identity: &Identity,
    node: Node,
    max_sightings: usize,
) -> GraphEntity {
    let most_used = node
        .names
        .iter()
        .max_by(|(a, n), (b, m)| n.cmp(m).then_with(|| b.cmp(a)));
    let name = most_used.map_or_else(String::new, |(name, _)| name.clone());
    let authors = match identity {
        Identity::Author(_, author) => BTreeSet::from([author.clone()]),
        Identity::Name(..) => node.authors,
    };
    let sightings: Vec<Sighting> = node.sightings.into_iter().map(|(_, it)| it).collect();
    GraphEntity {
        id: identity.id(channel),
        channel: channel.clone(),
        kind: node.kind.unwrap_or(EntityType::Concept),
        name,
        aliases: node
            .aliases
            .into_iter()
            .filter(|it| !it.is_empty())
            .collect(),
        authors: authors.into_iter().collect(),
        properties: node.properties.into_iter().collect(),
        facts: node.facts.into_iter().collect(),
        sightings: bounded(sightings, max_sightings),
    }
}

fn tidy(mut edge: GraphRelation, max_sightings: usize) -> GraphRelation {
    edge.verbs.sort();
    edge.verbs.dedup();
    edge.sightings
        .sort_by(|a, b| (a.sent_at, a).cmp(&(b.sent_at, b)));
    edge.sightings.dedup();
    edge.sightings = bounded(edge.sightings, max_sightings);
    edge
}

/// Keeps the first and the last half of too many.
fn bounded(mut sightings: Vec<Sighting>, limit: usize) -> Vec<Sighting> {
    if sightings.len() > limit {
        let first = limit.div_ceil(2);
        let cut = sightings.len() - (limit - first);
        sightings.drain(first..cut);
    }
    sightings
}
