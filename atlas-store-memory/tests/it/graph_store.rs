//! Names, neighbours and batches: GS-3 to GS-13.

use atlas_core::ErrorKind;
use atlas_core::Result;
use atlas_core::model::{
    ChannelId, ContentHash, EntityId, EntityType, GraphEntity, GraphRelation, Interval, Polarity,
    PrincipalId, RelationId, UnitScore,
};
use atlas_core::ports::{
    Access, AllowAll, Authorizer, Batch, Collection, Cursor, Epoch, GraphEntry, GraphItem,
    GraphStore, Key, NameQuery, Residue, Revision, Scope, Walk,
};
use atlas_store_memory::MemoryStore;
use futures::executor::block_on;

use super::setup::{channel, refused, second, store};

fn entry(origin: &str, item: Option<GraphItem>) -> GraphEntry {
    GraphEntry {
        origin: Key::new(Collection::literal("entity"), origin),
        item,
    }
}

fn entity(channel: &str, id: &str, aliases: &[&str]) -> GraphEntry {
    let item = GraphEntity {
        id: EntityId::new(id),
        channel: ChannelId::new(channel),
        kind: EntityType::Person,
        name: id.to_uppercase(),
        aliases: aliases.iter().map(|&alias| alias.to_owned()).collect(),
        authors: Vec::new(),
        properties: Vec::new(),
        facts: Vec::new(),
        sightings: Vec::new(),
    };
    entry(id, Some(GraphItem::Entity(item)))
}

fn relation(id: &str, source: &str, target: &str, confidence: f32) -> GraphEntry {
    let item = GraphRelation {
        id: RelationId::new(id),
        source: EntityId::new(source),
        family: "knows".to_owned(),
        verbs: Vec::new(),
        target: EntityId::new(target),
        polarity: Polarity::Positive,
        confidence: UnitScore::new(confidence).unwrap(),
        valid: Interval {
            start: second(0),
            end: (confidence > 0.8).then(|| second(10)),
        },
        sightings: Vec::new(),
    };
    entry(id, Some(GraphItem::Relation(item)))
}

fn cursor(revision: u64) -> Cursor {
    if revision == 0 {
        return Cursor::start();
    }
    Cursor {
        revision: Revision(revision),
        digest: ContentHash::of(&revision.to_le_bytes()),
    }
}

fn apply(
    store: &MemoryStore,
    name: &str,
    (from, to): (u64, u64),
    entries: &[GraphEntry],
) -> Result<()> {
    let (from, to) = (cursor(from), cursor(to));
    block_on(GraphStore::apply(
        store,
        &channel(name),
        Batch {
            epoch: Epoch(0),
            from: &from,
            to: &to,
            entries,
        },
    ))
}

fn across(names: &[&str]) -> Scope {
    let authorizer = Authorizer::new(AllowAll);
    let user = authorizer.principal(PrincipalId::new("u"));
    let channels: Vec<ChannelId> = names.iter().map(|name| ChannelId::new(*name)).collect();
    block_on(authorizer.scope(&user, &channels, Access::Read)).unwrap()
}

fn find(store: &MemoryStore, names: &[&str], name: &str) -> Vec<String> {
    let query = NameQuery {
        name: name.to_owned(),
        kind: Some(EntityType::Person),
    };
    let found = block_on(store.find(&across(names), &[query])).unwrap();
    found[0]
        .iter()
        .map(|it| format!("{}/{}", it.channel, it.id))
        .collect()
}

fn walk(
    store: &MemoryStore,
    names: &[&str],
    from: &str,
    as_of: Option<i64>,
    limit: usize,
) -> Vec<String> {
    let walk = Walk {
        as_of: as_of.map(second),
        limit,
    };
    let found = block_on(store.neighbours(&across(names), &[EntityId::new(from)], walk)).unwrap();
    found[0]
        .iter()
        .map(|it| format!("{}>{}", it.relation.id, it.entity.id))
        .collect()
}

#[test]
fn names_follow_their_entities() {
    let store = store();
    apply(&store, "d", (0, 1), &[entity("d", "ann", &["annie"])]).unwrap();
    apply(
        &store,
        "c",
        (0, 1),
        &[
            entity("c", "ann", &["annie"]),
            entity("c", "bob", &["annie"]),
        ],
    )
    .unwrap();
    assert_eq!(
        find(&store, &["d", "c"], "annie"),
        ["c/ann", "c/bob", "d/ann"]
    );
    assert_eq!(find(&store, &["d", "c"], "bob"), ["c/bob"]);
    assert_eq!(find(&store, &["d"], "bob"), [""; 0]);
    apply(
        &store,
        "c",
        (1, 2),
        &[entity("c", "ann", &["anna"]), entry("bob", None)],
    )
    .unwrap();
    assert_eq!(find(&store, &["c"], "annie"), [""; 0]);
    assert_eq!(find(&store, &["c"], "anna"), ["c/ann"]);
}

#[test]
fn edges_wait_for_their_ends() {
    let store = store();
    let edges = [
        relation("r1", "a", "b", 0.5),
        relation("r0", "b", "a", 0.5),
        relation("r9", "a", "b", 0.9),
        relation("self", "a", "a", 0.1),
    ];
    apply(&store, "c", (0, 1), &edges).unwrap();
    apply(&store, "c", (1, 2), &[entity("c", "a", &[])]).unwrap();
    assert_eq!(walk(&store, &["c"], "a", None, 9), ["self>a"]);
    assert_eq!(walk(&store, &["c"], "b", None, 9), [""; 0]);
    apply(&store, "c", (2, 3), &[entity("c", "b", &[])]).unwrap();
    assert_eq!(
        walk(&store, &["c"], "a", None, 9),
        ["r9>b", "r0>b", "r1>b", "self>a"]
    );
    assert_eq!(walk(&store, &["c"], "b", None, 1), ["r9>a"]);
    // What held until then does not take the place of what holds.
    assert_eq!(walk(&store, &["c"], "a", Some(10), 1), ["r0>b"]);
    apply(
        &store,
        "d",
        (0, 1),
        &[entity("d", "a", &[]), relation("r5", "a", "a", 0.6)],
    )
    .unwrap();
    assert_eq!(walk(&store, &["c", "d"], "a", None, 2), ["r9>b", "r5>a"]);
    assert_eq!(walk(&store, &["d"], "a", None, 9), ["r5>a"]);
}

#[test]
fn batches_follow_one_another_or_begin_anew() {
    let store = store();
    let all = [entity("c", "a", &[]), relation("r", "a", "a", 0.5)];
    apply(&store, "c", (0, 5), &all).unwrap();
    refused(apply(&store, "c", (4, 6), &[]), ErrorKind::Conflict);
    refused(apply(&store, "c", (5, 5), &all), ErrorKind::Invalid);
    refused(
        apply(&store, "c", (5, 6), &[entity("d", "x", &[])]),
        ErrorKind::Invalid,
    );
    refused(
        block_on(store.neighbours(
            &across(&["c"]),
            &[],
            Walk {
                as_of: None,
                limit: 0,
            },
        )),
        ErrorKind::Invalid,
    );
    let stats = block_on(GraphStore::stats(&store, &channel("c"))).unwrap();
    assert_eq!((stats.n_entities, stats.n_relations), (1, 1));
    apply(&store, "c", (0, 1), &[entity("c", "b", &[])]).unwrap();
    assert_eq!(find(&store, &["c"], "a"), [""; 0]);
    assert_eq!(
        block_on(GraphStore::applied(&store, &channel("c"))).unwrap(),
        cursor(1)
    );
    block_on(GraphStore::purge(&store, &channel("c"), Epoch(1))).unwrap();
    let residue = block_on(GraphStore::residue(&store, &channel("c"))).unwrap();
    assert_eq!(residue, Residue::default());
    refused(apply(&store, "c", (0, 1), &[]), ErrorKind::Fenced);
}
