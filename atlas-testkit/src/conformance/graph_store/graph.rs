//! Nodes, edges, and all that a graph holds.

use atlas_core::model::{
    AuthorId, EntityId, EntityType, FactId, GraphEntity, GraphRelation, Interval, Polarity,
    Property, RelationId, Sighting, Span, Timestamp, UnitScore,
};
use atlas_core::ports::{
    ChannelScope, Collection, Cursor, GraphEntry, GraphItem, GraphStats, GraphStore, Key,
    NameQuery, Residue, Scope, Walk,
};

use crate::conformance::Seen;
use crate::conformance::batches::{batch, cursor};
use crate::conformance::corpus::{at, message_id};

/// The id of a node in a channel.
pub(super) fn id(channel: &ChannelScope, name: &str) -> EntityId {
    EntityId::new(format!("{}:{name}", channel.channel()))
}

fn sighting(channel: &ChannelScope, native: &str) -> Sighting {
    Sighting {
        message: message_id(channel, native),
        span: Span { start: 1, end: 9 },
        sent_at: at(7),
    }
}

/// A node in which every field says something.
pub(super) fn node(channel: &ChannelScope, name: &str) -> GraphEntity {
    GraphEntity {
        id: id(channel, name),
        channel: channel.channel().clone(),
        kind: EntityType::Person,
        name: name.to_owned(),
        aliases: vec![name.to_owned()],
        authors: vec![AuthorId::new("U1"), AuthorId::new("U2")],
        properties: vec![Property {
            name: "role".to_owned(),
            value: "Größe 👩🏽‍💻 'n' \0".to_owned(),
            sighting: sighting(channel, "p"),
        }],
        facts: vec![FactId::new("f1"), FactId::new("f2")],
        sightings: vec![sighting(channel, "1"), sighting(channel, "2")],
    }
}

/// A node that also goes by other names.
pub(super) fn named(channel: &ChannelScope, name: &str, aliases: &[&str]) -> GraphEntity {
    let mut node = node(channel, name);
    node.aliases.extend(aliases.iter().map(|&it| it.to_owned()));
    node.aliases.sort();
    node
}

/// An edge in which every field says something; it holds for ever.
pub(super) fn edge(
    channel: &ChannelScope,
    edge: &str,
    (source, target): (&str, &str),
    confidence: f32,
) -> GraphRelation {
    GraphRelation {
        id: RelationId::new(edge),
        source: id(channel, source),
        family: "works_on".to_owned(),
        verbs: vec!["is on".to_owned(), "works on".to_owned()],
        target: id(channel, target),
        polarity: Polarity::Negative,
        confidence: UnitScore::clamped(confidence),
        valid: Interval::since(Timestamp::MIN),
        sightings: vec![sighting(channel, "e")],
    }
}

/// The entry of a node, from the record of its id.
pub(super) fn of_node(node: GraphEntity) -> GraphEntry {
    GraphEntry {
        origin: Key::new(Collection::literal("entity"), node.id.as_str()),
        item: Some(GraphItem::Entity(node)),
    }
}

/// The entry of an edge, from the record of its id.
pub(super) fn of_edge(edge: GraphRelation) -> GraphEntry {
    GraphEntry {
        origin: Key::new(Collection::literal("relation"), edge.id.as_str()),
        item: Some(GraphItem::Relation(edge)),
    }
}

/// The entry of a record that is gone.
pub(super) fn gone(entry: &GraphEntry) -> GraphEntry {
    GraphEntry {
        origin: entry.origin.clone(),
        item: None,
    }
}

/// Writes entries as the whole graph of a channel.
pub(super) async fn fill(
    store: &impl GraphStore,
    channel: &ChannelScope,
    entries: &[GraphEntry],
) -> Result<(), Seen> {
    let to = cursor(1);
    Ok(store
        .apply(channel, batch(&Cursor::start(), &to, entries))
        .await?)
}

/// A query for entities of any type.
pub(super) fn by_name(name: &str) -> NameQuery {
    NameQuery {
        name: name.to_owned(),
        kind: None,
    }
}

/// A walk over whatever holds.
pub(super) fn walk(limit: usize) -> Walk {
    Walk { as_of: None, limit }
}

/// The ids of the edges of a node.
pub(super) async fn edges_of(
    store: &impl GraphStore,
    scope: &Scope,
    entity: &EntityId,
    walk: Walk,
) -> Result<Vec<String>, Seen> {
    let lists = store
        .neighbours(scope, std::slice::from_ref(entity), walk)
        .await?;
    require!(
        lists.len() == 1,
        "asked for one entity, got {} lists",
        lists.len()
    );
    Ok(lists
        .into_iter()
        .flatten()
        .map(|it| it.relation.id.to_string())
        .collect())
}

/// The names of what is found under a name.
pub(super) async fn found(
    store: &impl GraphStore,
    scope: &Scope,
    name: &str,
) -> Result<Vec<String>, Seen> {
    let lists = store.find(scope, &[by_name(name)]).await?;
    require!(
        lists.len() == 1,
        "asked for one name, got {} lists",
        lists.len()
    );
    Ok(lists.into_iter().flatten().map(|it| it.name).collect())
}

/// What a channel's graph holds of some nodes, as its store tells it.
pub(super) async fn picture(
    store: &impl GraphStore,
    channel: &ChannelScope,
    names: &[&str],
) -> Result<(Cursor, GraphStats, Residue, Vec<Vec<String>>), Seen> {
    let scope = Scope::from(channel);
    let mut lists = Vec::new();
    for name in names {
        lists.push(found(store, &scope, name).await?);
        lists.push(edges_of(store, &scope, &id(channel, name), walk(100)).await?);
    }
    Ok((
        store.applied(channel).await?,
        store.stats(channel).await?,
        store.residue(channel).await?,
        lists,
    ))
}
