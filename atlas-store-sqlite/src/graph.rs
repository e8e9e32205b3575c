//! The graph of one channel in SQL.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use atlas_core::model::{ChannelId, EntityId, GraphEntity, GraphRelation, Timestamp, UnitScore};
use atlas_core::ports::{
    ChannelScope, Cursor, Epoch, GraphEntry, GraphItem, GraphStats, Key, NameQuery, Neighbour,
    Residue, Revision, Walk,
};
use atlas_core::{Error, ErrorKind, Result};
use atlas_index::Progress;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{QueryBuilder, Row, Sqlite};

use crate::batches::batches;
use crate::failure::{corrupt, failed};
use crate::number::{place, read, stored};

/// Only the node that counts where several records are of one entity: the first by its key.
const FIRST: &str = " AND NOT EXISTS (SELECT 1 FROM entity f WHERE f.graph = e.graph \
     AND f.id = e.id AND (f.collection, f.origin) < (e.collection, e.origin))";

/// The graph of a channel, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pk: i64,
    pub(crate) progress: Progress,
}

/// Where an edge stands in walking order, over all channels.
pub(crate) type EdgePlace = (Reverse<UnitScore>, Vec<u8>, Vec<u8>, Vec<u8>);

/// Finds the graph of a channel; a channel that nobody wrote to has none.
pub(crate) async fn find(
    on: &mut SqliteConnection,
    channel: &ChannelId,
    op: &'static str,
) -> Result<Option<Graph>> {
    let row = sqlx::query(
        "SELECT pk, epoch, revision, digest FROM graph WHERE channel = ? AND doomed = 0",
    )
    .bind(channel.as_str().as_bytes())
    .fetch_optional(on)
    .await
    .map_err(failed(op))?;
    row.map(|row| {
        let number = |column| read(&row, column).map_err(failed(op));
        let digest: Option<&str> = row.try_get(3).map_err(failed(op))?;
        let applied = match digest {
            Some(digest) => Cursor {
                revision: Revision(number(2)?),
                digest: digest.parse()?,
            },
            None => Cursor::start(),
        };
        Ok(Graph {
            pk: row.try_get(0).map_err(failed(op))?,
            progress: Progress::at(Epoch(number(1)?), applied),
        })
    })
    .transpose()
}

/// Finds the graph of a channel to write to it, or begins it.
pub(crate) async fn open(
    on: &mut SqliteConnection,
    channel: &ChannelScope,
    op: &'static str,
) -> Result<Graph> {
    if let Some(graph) = find(on, channel.channel(), op).await? {
        return Ok(graph);
    }
    let made = sqlx::query("INSERT INTO graph (channel) VALUES (?)")
        .bind(channel.channel().as_str().as_bytes())
        .execute(on)
        .await
        .map_err(failed(op))?;
    Ok(Graph {
        pk: made.last_insert_rowid(),
        progress: Progress::default(),
    })
}

/// Writes where the graph stands.
pub(crate) async fn keep_progress(on: &mut SqliteConnection, graph: &Graph) -> sqlx::Result<()> {
    let applied = graph.progress.applied();
    let digest = (*applied != Cursor::start()).then(|| applied.digest.as_str());
    sqlx::query("UPDATE graph SET epoch = ?, revision = ?, digest = ? WHERE pk = ?")
        .bind(stored(graph.progress.epoch().0))
        .bind(stored(applied.revision.0))
        .bind(digest)
        .bind(graph.pk)
        .execute(on)
        .await
        .map(|_| ())
}

/// Empties the graph.
pub(crate) async fn clear(on: &mut SqliteConnection, graph: &Graph) -> sqlx::Result<()> {
    for delete in [
        "DELETE FROM entity WHERE graph = ?",
        "DELETE FROM relation WHERE graph = ?",
    ] {
        sqlx::query(delete).bind(graph.pk).execute(&mut *on).await?;
    }
    Ok(())
}

/// Puts each entry's item in the place of what its origin had. The last entry of an origin counts.
pub(crate) async fn put(
    on: &mut SqliteConnection,
    graph: &Graph,
    entries: &[GraphEntry],
    op: &'static str,
) -> Result<()> {
    let last: BTreeMap<&Key, Option<&GraphItem>> = entries
        .iter()
        .map(|entry| (&entry.origin, entry.item.as_ref()))
        .collect();
    let origins: Vec<&Key> = last.keys().copied().collect();
    remove(on, graph, &origins).await.map_err(failed(op))?;
    let mut entities: Vec<(&Key, &GraphEntity)> = Vec::new();
    let mut relations: Vec<(&Key, &GraphRelation)> = Vec::new();
    for (origin, item) in last {
        match item {
            Some(GraphItem::Entity(entity)) => entities.push((origin, entity)),
            Some(GraphItem::Relation(relation)) => relations.push((origin, relation)),
            None => {}
        }
    }
    put_entities(on, graph, &entities, op).await?;
    put_relations(on, graph, &relations, op).await
}

async fn remove(on: &mut SqliteConnection, graph: &Graph, origins: &[&Key]) -> sqlx::Result<()> {
    for table in ["entity", "relation"] {
        for batch in batches(origins) {
            let mut query =
                QueryBuilder::<Sqlite>::new(format!("DELETE FROM {table} WHERE graph = "));
            query
                .push_bind(graph.pk)
                .push(" AND (collection, origin) IN (")
                .push_values(batch, |mut row, key| {
                    row.push_bind(key.collection.as_str().as_bytes())
                        .push_bind(key.id.as_bytes());
                })
                .push(")");
            query.build().execute(&mut *on).await?;
        }
    }
    Ok(())
}

async fn put_entities(
    on: &mut SqliteConnection,
    graph: &Graph,
    entities: &[(&Key, &GraphEntity)],
    op: &'static str,
) -> Result<()> {
    let mut names: Vec<(&Key, String)> = Vec::new();
    for batch in batches(entities) {
        let mut rows = Vec::with_capacity(batch.len());
        for (origin, entity) in batch {
            rows.push((*origin, *entity, encode(*entity, op)?));
            names.extend(entity.names().into_iter().map(|name| (*origin, name)));
        }
        let mut query = QueryBuilder::<Sqlite>::new(
            "INSERT INTO entity (graph, collection, origin, id, kind, body) ",
        );
        query.push_values(rows, |mut row, (origin, entity, body)| {
            row.push_bind(graph.pk)
                .push_bind(origin.collection.as_str().as_bytes())
                .push_bind(origin.id.as_bytes())
                .push_bind(entity.id.as_str().as_bytes())
                .push_bind(entity.kind.as_str())
                .push_bind(body);
        });
        query.build().execute(&mut *on).await.map_err(failed(op))?;
    }
    for batch in batches(&names) {
        let mut query = QueryBuilder::<Sqlite>::new("WITH k (collection, origin, name) AS (");
        query.push_values(batch, |mut row, (origin, name)| {
            row.push_bind(origin.collection.as_str().as_bytes())
                .push_bind(origin.id.as_bytes())
                .push_bind(name.as_bytes());
        });
        query
            .push(
                ") INSERT INTO alias (entity, graph, name) SELECT e.pk, e.graph, k.name FROM k \
                 JOIN entity e ON e.collection = k.collection AND e.origin = k.origin \
                 AND e.graph = ",
            )
            .push_bind(graph.pk);
        query.build().execute(&mut *on).await.map_err(failed(op))?;
    }
    Ok(())
}

async fn put_relations(
    on: &mut SqliteConnection,
    graph: &Graph,
    relations: &[(&Key, &GraphRelation)],
    op: &'static str,
) -> Result<()> {
    for batch in batches(relations) {
        let mut rows = Vec::with_capacity(batch.len());
        for (origin, relation) in batch {
            rows.push((*origin, *relation, encode(*relation, op)?));
        }
        let mut query = QueryBuilder::<Sqlite>::new(
            "INSERT INTO relation (graph, collection, origin, id, source, target, confidence, \
             start, \"end\", body) ",
        );
        query.push_values(rows, |mut row, (origin, relation, body)| {
            row.push_bind(graph.pk)
                .push_bind(origin.collection.as_str().as_bytes())
                .push_bind(origin.id.as_bytes())
                .push_bind(relation.id.as_str().as_bytes())
                .push_bind(relation.source.as_str().as_bytes())
                .push_bind(relation.target.as_str().as_bytes())
                .push_bind(f64::from(relation.confidence.get()))
                .push_bind(relation.valid.start.as_micros())
                .push_bind(relation.valid.end.map(Timestamp::as_micros))
                .push_bind(body);
        });
        query.build().execute(&mut *on).await.map_err(failed(op))?;
    }
    Ok(())
}

/// The nodes of a name, in order of id.
pub(crate) async fn find_named(
    on: &mut SqliteConnection,
    graph: &Graph,
    name: &NameQuery,
    op: &'static str,
) -> Result<Vec<GraphEntity>> {
    let mut query = QueryBuilder::<Sqlite>::new(
        "SELECT e.body FROM alias a JOIN entity e ON e.pk = a.entity WHERE a.graph = ",
    );
    query
        .push_bind(graph.pk)
        .push(" AND a.name = ")
        .push_bind(name.name.as_bytes());
    if let Some(kind) = name.kind {
        query.push(" AND e.kind = ").push_bind(kind.as_str());
    }
    query.push(FIRST).push(" ORDER BY e.id");
    let rows = query.build().fetch_all(on).await.map_err(failed(op))?;
    rows.iter().map(|row| decode(row, 0, op)).collect()
}

/// The edges of a node in walking order, as many as the walk asks for.
pub(crate) async fn neighbours(
    on: &mut SqliteConnection,
    graph: &Graph,
    entity: &EntityId,
    walk: Walk,
    op: &'static str,
) -> Result<Vec<(EdgePlace, Neighbour)>> {
    let id = entity.as_str().as_bytes();
    let mut query = QueryBuilder::<Sqlite>::new(
        "SELECT r.body, e.body, r.id, r.collection, r.origin FROM relation r \
         JOIN entity e ON e.graph = r.graph AND e.id = CASE WHEN r.source = ",
    );
    query
        .push_bind(id)
        .push(" THEN r.target ELSE r.source END WHERE r.pk IN (");
    for (n, end) in ["source", "target"].into_iter().enumerate() {
        if n > 0 {
            query.push(" UNION ");
        }
        query
            .push("SELECT pk FROM relation WHERE graph = ")
            .push_bind(graph.pk)
            .push(format_args!(" AND {end} = "))
            .push_bind(id);
    }
    query
        .push(") AND EXISTS (SELECT 1 FROM entity WHERE graph = ")
        .push_bind(graph.pk)
        .push(" AND id = ")
        .push_bind(id)
        .push(")");
    if let Some(at) = walk.as_of {
        query
            .push(" AND r.start <= ")
            .push_bind(at.as_micros())
            .push(" AND (r.\"end\" IS NULL OR r.\"end\" > ")
            .push_bind(at.as_micros())
            .push(")");
    }
    query
        .push(FIRST)
        .push(" ORDER BY r.confidence DESC, r.id, r.collection, r.origin LIMIT ")
        .push_bind(place(walk.limit));
    let rows = query.build().fetch_all(on).await.map_err(failed(op))?;
    rows.iter()
        .map(|row| {
            let bytes = |column| row.try_get::<Vec<u8>, _>(column).map_err(failed(op));
            let relation: GraphRelation = decode(row, 0, op)?;
            let place = (
                Reverse(relation.confidence),
                bytes(2)?,
                bytes(3)?,
                bytes(4)?,
            );
            let entity = decode(row, 1, op)?;
            Ok((place, Neighbour { relation, entity }))
        })
        .collect()
}

pub(crate) async fn stats(on: &mut SqliteConnection, graph: &Graph) -> sqlx::Result<GraphStats> {
    let row = sqlx::query(
        "SELECT (SELECT count(DISTINCT id) FROM entity WHERE graph = ?1), \
         (SELECT count(*) FROM relation WHERE graph = ?1)",
    )
    .bind(graph.pk)
    .fetch_one(on)
    .await?;
    Ok(GraphStats::new(read(&row, 0)?, read(&row, 1)?))
}

/// Dooms what the graph holds and begins it again with its epoch.
pub(crate) async fn doom(
    on: &mut SqliteConnection,
    channel: &ChannelScope,
    graph: &Graph,
) -> sqlx::Result<()> {
    sqlx::query("UPDATE graph SET doomed = 1 WHERE pk = ?")
        .bind(graph.pk)
        .execute(&mut *on)
        .await?;
    sqlx::query("INSERT INTO graph (channel, epoch) VALUES (?, ?)")
        .bind(channel.channel().as_str().as_bytes())
        .bind(stored(graph.progress.epoch().0))
        .execute(on)
        .await
        .map(|_| ())
}

/// Counts nodes and edges as items, and as a mark whether anything was applied. What is doomed
/// counts.
pub(crate) async fn residue(
    on: &mut SqliteConnection,
    channel: &ChannelId,
) -> sqlx::Result<Residue> {
    let row = sqlx::query(
        "SELECT (SELECT count(*) FROM entity WHERE graph IN (SELECT pk FROM graph WHERE channel = ?1)) \
         + (SELECT count(*) FROM relation WHERE graph IN (SELECT pk FROM graph WHERE channel = ?1)), \
         (SELECT count(digest) FROM graph WHERE channel = ?1)",
    )
    .bind(channel.as_str().as_bytes())
    .fetch_one(on)
    .await?;
    Ok(Residue {
        items: read(&row, 0)?,
        marks: read(&row, 1)?,
    })
}

fn encode<T: Serialize>(item: &T, op: &'static str) -> Result<Vec<u8>> {
    serde_json::to_vec(item).map_err(|cause| {
        Error::new(
            ErrorKind::Unexpected,
            op,
            "an item of the graph cannot be written",
        )
        .caused_by(cause)
    })
}

fn decode<T: DeserializeOwned>(row: &SqliteRow, column: usize, op: &'static str) -> Result<T> {
    let body: &[u8] = row.try_get(column).map_err(failed(op))?;
    serde_json::from_slice(body).map_err(corrupt(op, "an item of the graph cannot be read"))
}
