//! The records of one partition in SQL.

use atlas_core::model::{ChannelId, ContentHash, PrincipalId};
use atlas_core::ports::{
    Change, Collection, Commit, Cursor, Epoch, Expect, Feed, GoneReason, Head, Key, Listing,
    Partition, PartitionKind, Record, Residue, Revision, check,
};
use atlas_core::{Error, ErrorKind, Result};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{QueryBuilder, Row, Sqlite};

use crate::batches::batches;
use crate::failure::failed;
use crate::number::{place, read, stored};

/// Where a partition stands. The default is one that nobody wrote to, whose key no row has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shelf {
    pk: i64,
    pub(crate) epoch: Epoch,
    pub(crate) last: Revision,
    /// The last commit that wrote projected records; nought if there is none.
    feed: Revision,
}

/// The number of a kind of partition in its column.
fn number_of(kind: PartitionKind) -> i64 {
    match kind {
        PartitionKind::Channel => 0,
        PartitionKind::Principal => 1,
        PartitionKind::Installation => 2,
    }
}

/// The id of a partition in its column.
pub(crate) fn id_of(partition: &Partition) -> &[u8] {
    partition.id().as_bytes()
}

/// Finds a partition; one that nobody wrote to is not there.
pub(crate) async fn find(
    on: &mut SqliteConnection,
    partition: &Partition,
) -> sqlx::Result<Option<Shelf>> {
    sqlx::query(
        "SELECT pk, epoch, revision, feed FROM partition \
         WHERE kind = ? AND id = ? AND doomed = 0",
    )
    .bind(number_of(partition.kind()))
    .bind(id_of(partition))
    .fetch_optional(on)
    .await?
    .map(|row| {
        Ok(Shelf {
            pk: row.try_get(0)?,
            epoch: Epoch(read(&row, 1)?),
            last: Revision(read(&row, 2)?),
            feed: Revision(read(&row, 3)?),
        })
    })
    .transpose()
}

/// Finds a partition to write to it, or begins it.
pub(crate) async fn open(on: &mut SqliteConnection, partition: &Partition) -> sqlx::Result<Shelf> {
    if let Some(shelf) = find(on, partition).await? {
        return Ok(shelf);
    }
    let made = sqlx::query("INSERT INTO partition (kind, id) VALUES (?, ?)")
        .bind(number_of(partition.kind()))
        .bind(id_of(partition))
        .execute(on)
        .await?;
    Ok(Shelf {
        pk: made.last_insert_rowid(),
        epoch: Epoch(0),
        last: Revision(0),
        feed: Revision(0),
    })
}

/// Reads records: one slot a key, in the order given.
pub(crate) async fn get(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    keys: &[Key],
    op: &'static str,
) -> Result<Vec<Option<Record>>> {
    let mut slots = Vec::with_capacity(keys.len());
    let names: Vec<&Key> = keys.iter().collect();
    for batch in batches(&names) {
        let mut query = looked_up(shelf, batch, "r.revision, r.value");
        let rows = query
            .build()
            .fetch_all(&mut *on)
            .await
            .map_err(failed(op))?;
        for (row, key) in rows.iter().zip(batch) {
            let value: Option<Vec<u8>> = row.try_get(1).map_err(failed(op))?;
            let revision = Revision(read_or_nought(row)?);
            slots.push(value.map(|value| Record {
                key: (*key).clone(),
                revision,
                value,
            }));
        }
    }
    Ok(slots)
}

/// Begins a query that looks up live records by key: the columns of each, in the order of the keys,
/// null where there is none.
fn looked_up(shelf: &Shelf, keys: &[&Key], columns: &str) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::<Sqlite>::new("WITH k (n, collection, id) AS (");
    query.push_values(keys.iter().enumerate(), |mut row, (n, key)| {
        row.push_bind(place(n))
            .push_bind(key.collection.as_str().as_bytes())
            .push_bind(key.id.as_bytes());
    });
    query
        .push(format_args!(
            ") SELECT {columns} FROM k LEFT JOIN record r \
             ON r.collection = k.collection AND r.id = k.id AND r.value IS NOT NULL AND r.part = "
        ))
        .push_bind(shelf.pk)
        .push(" ORDER BY k.n");
    query
}

/// The first column, which is null where nothing was found.
fn read_or_nought(row: &SqliteRow) -> Result<u64> {
    let number: Option<i64> = row.try_get(0).map_err(failed("RecordStore::get"))?;
    Ok(number
        .and_then(|number| u64::try_from(number).ok())
        .unwrap_or_default())
}

pub(crate) async fn list(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    listing: &Listing,
) -> sqlx::Result<Vec<Record>> {
    let prefix = listing.prefix.as_bytes();
    // No id holds the byte 255, so this is above every id that begins with the prefix.
    let above = [prefix, &[u8::MAX]].concat();
    let (from, word) = match &listing.after {
        Some(after) if after.as_bytes() >= prefix => (after.as_bytes(), ">"),
        Some(_) | None => (prefix, ">="),
    };
    let mut query =
        QueryBuilder::<Sqlite>::new("SELECT id, revision, value FROM record WHERE part = ");
    query
        .push_bind(shelf.pk)
        .push(" AND collection = ")
        .push_bind(listing.collection.as_str().as_bytes())
        .push(format_args!(" AND id {word} "))
        .push_bind(from)
        .push(" AND id < ")
        .push_bind(above)
        .push(" AND value IS NOT NULL ORDER BY id LIMIT ")
        .push_bind(place(listing.limit));
    query
        .build()
        .fetch_all(on)
        .await?
        .iter()
        .map(|row| {
            Ok(Record {
                key: Key::new(listing.collection.clone(), text(row, 0)?),
                revision: Revision(read(row, 1)?),
                value: row.try_get(2)?,
            })
        })
        .collect()
}

/// Writes the commit, which names no key twice, whole or not at all.
pub(crate) async fn commit(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    commit: &Commit,
    op: &'static str,
) -> Result<Revision> {
    if commit.epoch != shelf.epoch {
        return Err(check::fenced(shelf.epoch, commit.epoch, op));
    }
    hold(on, shelf, &commit.expects, op).await?;
    if commit.is_empty() {
        return Ok(shelf.last);
    }
    let revision = Revision(shelf.last.0.saturating_add(1));
    let write = async {
        put(on, shelf, revision, &commit.puts).await?;
        delete(on, shelf, revision, &commit.deletes).await
    };
    write.await.map_err(failed(op))?;
    let feed = if commit.is_projected() {
        let before = digest(on, shelf, op).await?;
        let after = commit.digest_after(&before, revision);
        sqlx::query("INSERT INTO digest (part, revision, digest) VALUES (?, ?, ?)")
            .bind(shelf.pk)
            .bind(stored(revision.0))
            .bind(after.as_str())
            .execute(&mut *on)
            .await
            .map_err(failed(op))?;
        revision
    } else {
        shelf.feed
    };
    sqlx::query("UPDATE partition SET revision = ?, feed = ? WHERE pk = ?")
        .bind(stored(revision.0))
        .bind(stored(feed.0))
        .bind(shelf.pk)
        .execute(&mut *on)
        .await
        .map_err(failed(op))?;
    Ok(revision)
}

/// Refuses to go on unless every record is as the commit expects.
async fn hold(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    expects: &[Expect],
    op: &'static str,
) -> Result<()> {
    for batch in batches(expects) {
        let keys: Vec<&Key> = batch.iter().map(Expect::key).collect();
        let rows = looked_up(shelf, &keys, "r.revision")
            .build()
            .fetch_all(&mut *on)
            .await
            .map_err(failed(op))?;
        for (row, expect) in rows.iter().zip(batch) {
            let is: Option<i64> = row.try_get(0).map_err(failed(op))?;
            let expected = match expect {
                Expect::At(_, revision) => Some(stored(revision.0)),
                Expect::Absent(_) => None,
            };
            if is != expected {
                return Err(
                    Error::new(ErrorKind::Conflict, op, "a record is not as it was read")
                        .with("key", expect.key()),
                );
            }
        }
    }
    Ok(())
}

async fn put(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    revision: Revision,
    puts: &[(Key, Vec<u8>)],
) -> sqlx::Result<()> {
    for batch in batches(puts) {
        let mut query = QueryBuilder::<Sqlite>::new(
            "INSERT INTO record (part, collection, id, revision, projected, value) ",
        );
        query.push_values(batch, |mut row, (key, value)| {
            row.push_bind(shelf.pk)
                .push_bind(key.collection.as_str().as_bytes())
                .push_bind(key.id.as_bytes())
                .push_bind(stored(revision.0))
                .push_bind(!key.collection.is_private())
                .push_bind(value.as_slice());
        });
        query.push(
            " ON CONFLICT (part, collection, id) \
             DO UPDATE SET revision = excluded.revision, value = excluded.value",
        );
        query.build().execute(&mut *on).await?;
    }
    Ok(())
}

/// Deletes records. What is projected leaves a tombstone where a record was.
async fn delete(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    revision: Revision,
    keys: &[Key],
) -> sqlx::Result<()> {
    let (private, projected): (Vec<&Key>, Vec<&Key>) =
        keys.iter().partition(|key| key.collection.is_private());
    for batch in batches(&private) {
        let mut query = QueryBuilder::<Sqlite>::new("DELETE FROM record WHERE part = ");
        query.push_bind(shelf.pk).push(" AND ");
        among(&mut query, batch);
        query.build().execute(&mut *on).await?;
    }
    for batch in batches(&projected) {
        let mut query = QueryBuilder::<Sqlite>::new("UPDATE record SET value = NULL, revision = ");
        query
            .push_bind(stored(revision.0))
            .push(" WHERE part = ")
            .push_bind(shelf.pk)
            .push(" AND value IS NOT NULL AND ");
        among(&mut query, batch);
        query.build().execute(&mut *on).await?;
    }
    Ok(())
}

/// Ends a query: only the records of these keys.
fn among(query: &mut QueryBuilder<Sqlite>, keys: &[&Key]) {
    query.push("(collection, id) IN (");
    query.push_values(keys, |mut row, key| {
        row.push_bind(key.collection.as_str().as_bytes())
            .push_bind(key.id.as_bytes());
    });
    query.push(")");
}

/// Reads a page of the feed: whole commits, at least one entry if there is any.
pub(crate) async fn changes(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    since: &Cursor,
    limit: usize,
    op: &'static str,
) -> Result<Feed> {
    if *since != Cursor::start() {
        let known = digest_at(on, shelf, since.revision, op).await?;
        if known.as_ref() != Some(&since.digest) {
            return Ok(Feed::Gone {
                reason: GoneReason::Diverged,
            });
        }
    }
    let last = page_end(on, shelf, since, limit)
        .await
        .map_err(failed(op))?;
    let entries = entries(on, shelf, since.revision, last)
        .await
        .map_err(failed(op))?;
    let has_more = match last {
        Some(last) => has_after(on, shelf, last).await.map_err(failed(op))?,
        None => false,
    };
    let to = match last {
        Some(last) if has_more => Cursor {
            revision: last,
            digest: digest_at(on, shelf, last, op)
                .await?
                .ok_or_else(|| Error::new(ErrorKind::Corrupt, op, "a commit has no digest"))?,
        },
        Some(_) | None => cursor(on, shelf, op).await?,
    };
    Ok(Feed::Page {
        entries,
        to,
        has_more,
    })
}

/// The commit that a page of so many entries ends with; none if all that is left fits.
async fn page_end(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    since: &Cursor,
    limit: usize,
) -> sqlx::Result<Option<Revision>> {
    sqlx::query(
        "SELECT revision FROM record WHERE part = ? AND projected = 1 AND revision > ? \
         ORDER BY revision, collection, id LIMIT 1 OFFSET ?",
    )
    .bind(shelf.pk)
    .bind(stored(since.revision.0))
    .bind(place(limit.saturating_sub(1)))
    .fetch_optional(on)
    .await?
    .map(|row| read(&row, 0).map(Revision))
    .transpose()
}

async fn entries(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    since: Revision,
    last: Option<Revision>,
) -> sqlx::Result<Vec<Change>> {
    sqlx::query(
        "SELECT collection, id, revision, value FROM record \
         WHERE part = ? AND projected = 1 AND revision > ? AND revision <= ? \
         ORDER BY revision, collection, id",
    )
    .bind(shelf.pk)
    .bind(stored(since.0))
    .bind(last.map_or(i64::MAX, |last| stored(last.0)))
    .fetch_all(on)
    .await?
    .iter()
    .map(|row| {
        Ok(Change {
            key: Key::new(Collection::new(text(row, 0)?), text(row, 1)?),
            revision: Revision(read(row, 2)?),
            value: row.try_get(3)?,
        })
    })
    .collect()
}

async fn has_after(on: &mut SqliteConnection, shelf: &Shelf, last: Revision) -> sqlx::Result<bool> {
    sqlx::query(
        "SELECT EXISTS (SELECT 1 FROM record WHERE part = ? AND projected = 1 AND revision > ?)",
    )
    .bind(shelf.pk)
    .bind(stored(last.0))
    .fetch_one(on)
    .await?
    .try_get(0)
}

/// Where the partition stands.
pub(crate) async fn head(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    op: &'static str,
) -> Result<Head> {
    Ok(Head {
        epoch: shelf.epoch,
        revision: shelf.last,
        cursor: cursor(on, shelf, op).await?,
    })
}

/// The end of the feed.
async fn cursor(on: &mut SqliteConnection, shelf: &Shelf, op: &'static str) -> Result<Cursor> {
    Ok(Cursor {
        revision: shelf.feed,
        digest: digest(on, shelf, op).await?,
    })
}

/// The digest at the end of the feed.
async fn digest(on: &mut SqliteConnection, shelf: &Shelf, op: &'static str) -> Result<ContentHash> {
    if shelf.feed == Revision(0) {
        return Ok(Cursor::start().digest);
    }
    digest_at(on, shelf, shelf.feed, op)
        .await?
        .ok_or_else(|| Error::new(ErrorKind::Corrupt, op, "the feed has no digest"))
}

async fn digest_at(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    revision: Revision,
    op: &'static str,
) -> Result<Option<ContentHash>> {
    sqlx::query("SELECT digest FROM digest WHERE part = ? AND revision = ?")
        .bind(shelf.pk)
        .bind(stored(revision.0))
        .fetch_optional(on)
        .await
        .map_err(failed(op))?
        .map(|row| row.try_get::<&str, _>(0).map_err(failed(op))?.parse())
        .transpose()
}

/// Lists the partitions of a kind that hold records, after an id.
pub(crate) async fn partitions(
    on: &mut SqliteConnection,
    kind: PartitionKind,
    after: Option<&str>,
    limit: usize,
) -> sqlx::Result<Vec<Partition>> {
    let mut query = QueryBuilder::<Sqlite>::new("SELECT p.id FROM partition p WHERE p.kind = ");
    query.push_bind(number_of(kind)).push(" AND p.doomed = 0");
    if let Some(after) = after {
        query.push(" AND p.id > ").push_bind(after.as_bytes());
    }
    query
        .push(
            " AND EXISTS (SELECT 1 FROM record r WHERE r.part = p.pk AND r.value IS NOT NULL) \
             ORDER BY p.id LIMIT ",
        )
        .push_bind(place(limit));
    query
        .build()
        .fetch_all(on)
        .await?
        .iter()
        .map(|row| {
            let id = text(row, 0)?;
            Ok(match kind {
                PartitionKind::Channel => Partition::Channel(ChannelId::new(id)),
                PartitionKind::Principal => Partition::Principal(PrincipalId::new(id)),
                PartitionKind::Installation => Partition::Installation,
            })
        })
        .collect()
}

pub(crate) async fn fence(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    epoch: Epoch,
) -> sqlx::Result<()> {
    sqlx::query("UPDATE partition SET epoch = ? WHERE pk = ?")
        .bind(stored(epoch.0))
        .bind(shelf.pk)
        .execute(on)
        .await
        .map(|_| ())
}

/// Dooms what the partition holds and begins it again with its epoch.
pub(crate) async fn doom(
    on: &mut SqliteConnection,
    partition: &Partition,
    shelf: &Shelf,
    epoch: Epoch,
) -> sqlx::Result<()> {
    sqlx::query("UPDATE partition SET doomed = 1 WHERE pk = ?")
        .bind(shelf.pk)
        .execute(&mut *on)
        .await?;
    sqlx::query("INSERT INTO partition (kind, id, epoch) VALUES (?, ?, ?)")
        .bind(number_of(partition.kind()))
        .bind(id_of(partition))
        .bind(stored(epoch.0))
        .execute(on)
        .await
        .map(|_| ())
}

/// Counts records as items and tombstones as marks. What is doomed counts.
pub(crate) async fn residue(
    on: &mut SqliteConnection,
    partition: &Partition,
) -> sqlx::Result<Residue> {
    let row = sqlx::query(
        "SELECT count(r.value), count(*) - count(r.value) FROM partition p \
         JOIN record r ON r.part = p.pk WHERE p.kind = ? AND p.id = ?",
    )
    .bind(number_of(partition.kind()))
    .bind(id_of(partition))
    .fetch_one(on)
    .await?;
    Ok(Residue {
        items: read(&row, 0)?,
        marks: read(&row, 1)?,
    })
}

/// A column of bytes that are a text.
fn text(row: &SqliteRow, column: usize) -> sqlx::Result<String> {
    let bytes: Vec<u8> = row.try_get(column)?;
    String::from_utf8(bytes).map_err(|cause| sqlx::Error::Decode(Box::new(cause)))
}

/// When a record was last written, and whether it is there since.
pub(crate) struct LastWrite {
    pub(crate) revision: Revision,
    pub(crate) is_live: bool,
}

/// The last writes of records: one slot a key, in the order given.
pub(crate) async fn last_writes(
    on: &mut SqliteConnection,
    shelf: &Shelf,
    keys: &[Key],
) -> sqlx::Result<Vec<Option<LastWrite>>> {
    let mut slots = Vec::with_capacity(keys.len());
    for key in keys {
        let row = sqlx::query(
            "SELECT revision, value IS NOT NULL FROM record \
             WHERE part = ? AND collection = ? AND id = ?",
        )
        .bind(shelf.pk)
        .bind(key.collection.as_str().as_bytes())
        .bind(key.id.as_bytes())
        .fetch_optional(&mut *on)
        .await?;
        slots.push(match row {
            Some(row) => Some(LastWrite {
                revision: Revision(read(&row, 0)?),
                is_live: row.try_get(1)?,
            }),
            None => None,
        });
    }
    Ok(slots)
}
