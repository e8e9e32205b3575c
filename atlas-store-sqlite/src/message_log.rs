//! The log of one channel in SQL.

use std::collections::BTreeMap;

use atlas_core::model::{ChannelId, ContentHash, Message, MessageId};
use atlas_core::ports::{
    Appended, Arrival, ChannelScope, Epoch, Held, ReadCursor, Residue, Sequence, StoredMessage,
    check,
};
use atlas_core::{Error, ErrorKind, Result};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{QueryBuilder, Row, Sqlite};

use crate::batches::batches;
use crate::failure::{corrupt, failed};
use crate::number::{place, read, stored};

/// The columns of a stored message, in the order in which [`decode`] reads them.
const CURRENT: &str = "SELECT v.body, v.hash, m.sequence FROM message m \
     JOIN version v ON v.message = m.pk AND v.hash = m.version ";

/// Where the log of a channel stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Log {
    pk: i64,
    pub(crate) epoch: Epoch,
    last: u64,
}

/// Finds the log of a channel; a channel that nobody wrote to has none.
pub(crate) async fn find(
    on: &mut SqliteConnection,
    channel: &ChannelScope,
) -> sqlx::Result<Option<Log>> {
    sqlx::query("SELECT pk, epoch, sequence FROM log WHERE channel = ? AND doomed = 0")
        .bind(channel.channel().as_str().as_bytes())
        .fetch_optional(on)
        .await?
        .map(|row| {
            Ok(Log {
                pk: row.try_get(0)?,
                epoch: Epoch(read(&row, 1)?),
                last: read(&row, 2)?,
            })
        })
        .transpose()
}

/// Finds the log of a channel to write to it, or begins it, unless the epoch is over.
pub(crate) async fn open(
    on: &mut SqliteConnection,
    (channel, epoch): (&ChannelScope, Epoch),
    op: &'static str,
) -> Result<Log> {
    if let Some(log) = find(on, channel).await.map_err(failed(op))? {
        check::epoch(log.epoch, epoch, op)?;
        return Ok(log);
    }
    let made = sqlx::query("INSERT INTO log (channel) VALUES (?)")
        .bind(channel.channel().as_str().as_bytes())
        .execute(on)
        .await
        .map_err(failed(op))?;
    Ok(Log {
        pk: made.last_insert_rowid(),
        epoch: Epoch(0),
        last: 0,
    })
}

/// What the log holds of a message, while a batch is taken in.
struct Known {
    current: Message,
    version: ContentHash,
    sequence: u64,
    is_forgotten: bool,
    /// Every version that was kept, with its place in the order of arrival.
    versions: BTreeMap<ContentHash, i64>,
    /// Whether the batch changed what is current.
    is_moved: bool,
}

/// A version that is kept.
struct Kept<'a> {
    message: &'a Message,
    version: ContentHash,
    sequence: u64,
    ordinal: i64,
}

/// Takes in messages in the order given.
pub(crate) async fn append(
    on: &mut SqliteConnection,
    log: &Log,
    messages: &[Message],
    op: &'static str,
) -> Result<Vec<Appended>> {
    let mut known = known(on, log, messages, op).await?;
    let mut kept: Vec<Kept<'_>> = Vec::new();
    let mut last = log.last;
    let mut outcomes = Vec::with_capacity(messages.len());
    for message in messages {
        let version = message.version();
        let entry = known.get_mut(&message.id);
        let held = entry.as_ref().map(|entry| Held {
            current: &entry.current,
            version: &entry.version,
            has_arrived: entry.versions.contains_key(&version),
            is_forgotten: entry.is_forgotten,
        });
        let arrival = Arrival::of(message, &version, held);
        outcomes.push(arrival.outcome());
        if arrival == Arrival::Known {
            continue;
        }
        last = last.saturating_add(1);
        let ordinal = match entry {
            None => {
                let entry = Known {
                    current: message.clone(),
                    version: version.clone(),
                    sequence: last,
                    is_forgotten: false,
                    versions: BTreeMap::from([(version.clone(), 0)]),
                    is_moved: true,
                };
                known.insert(message.id.clone(), entry);
                0
            }
            Some(entry) => {
                let next = place(entry.versions.len());
                if arrival == Arrival::Replaces {
                    entry.current = message.clone();
                    entry.version = version.clone();
                    entry.sequence = last;
                    entry.is_moved = true;
                }
                *entry.versions.entry(version.clone()).or_insert(next)
            }
        };
        kept.push(Kept {
            message,
            version,
            sequence: last,
            ordinal,
        });
    }
    let moved: Vec<&Known> = known.values().filter(|entry| entry.is_moved).collect();
    write(on, log, &moved, &kept, op).await?;
    advance(on, log, last).await.map_err(failed(op))?;
    Ok(outcomes)
}

/// Reads what the log holds of messages.
async fn known(
    on: &mut SqliteConnection,
    log: &Log,
    messages: &[Message],
    op: &'static str,
) -> Result<BTreeMap<MessageId, Known>> {
    let mut ids: Vec<&MessageId> = messages.iter().map(|it| &it.id).collect();
    ids.sort();
    ids.dedup();
    let mut known: BTreeMap<MessageId, Known> = BTreeMap::new();
    for batch in batches(&ids) {
        let mut query = named(batch);
        query.push(
            " SELECT v.body, v.hash, m.sequence, m.forgotten, v.ordinal, v.hash = m.version \
             FROM k JOIN message m ON m.source = k.source AND m.native = k.native AND m.log = ",
        );
        query.push_bind(log.pk);
        query.push(" JOIN version v ON v.message = m.pk ORDER BY k.n, v.ordinal");
        let rows = query
            .build()
            .fetch_all(&mut *on)
            .await
            .map_err(failed(op))?;
        for row in rows {
            let stored = decode(&row, op)?;
            let column = |at| row.try_get::<i64, _>(at).map_err(failed(op));
            let (forgotten, ordinal, is_current) = (column(3)?, column(4)?, column(5)? != 0);
            let entry = known
                .entry(stored.message.id.clone())
                .or_insert_with(|| Known {
                    current: stored.message.clone(),
                    version: stored.version.clone(),
                    sequence: stored.sequence.0,
                    is_forgotten: forgotten != 0,
                    versions: BTreeMap::new(),
                    is_moved: false,
                });
            entry.versions.insert(stored.version.clone(), ordinal);
            if is_current {
                entry.current = stored.message;
                entry.version = stored.version;
            }
        }
    }
    Ok(known)
}

/// Writes what an append came to.
async fn write(
    on: &mut SqliteConnection,
    log: &Log,
    moved: &[&Known],
    kept: &[Kept<'_>],
    op: &'static str,
) -> Result<()> {
    for batch in batches(moved) {
        let mut query = QueryBuilder::<Sqlite>::new(
            "INSERT INTO message (log, source, native, root, sent_at, sequence, version) ",
        );
        query.push_values(batch, |mut row, entry| {
            let id = &entry.current.id;
            row.push_bind(log.pk)
                .push_bind(id.source.as_str().as_bytes())
                .push_bind(id.native.as_str().as_bytes())
                .push_bind(entry.current.conversation().native.as_str().as_bytes())
                .push_bind(entry.current.sent_at.as_micros())
                .push_bind(stored(entry.sequence))
                .push_bind(entry.version.as_str());
        });
        query.push(
            " ON CONFLICT (log, source, native) DO UPDATE SET root = excluded.root, \
             sent_at = excluded.sent_at, sequence = excluded.sequence, version = excluded.version",
        );
        query.build().execute(&mut *on).await.map_err(failed(op))?;
    }
    for batch in batches(kept) {
        let mut bodies = Vec::with_capacity(batch.len());
        for it in batch {
            bodies.push((it, encode(it.message, op)?));
        }
        let mut query = QueryBuilder::<Sqlite>::new(
            "WITH k (source, native, hash, sequence, ordinal, body) AS (",
        );
        query.push_values(bodies, |mut row, (it, body)| {
            row.push_bind(it.message.id.source.as_str().as_bytes())
                .push_bind(it.message.id.native.as_str().as_bytes())
                .push_bind(it.version.as_str())
                .push_bind(stored(it.sequence))
                .push_bind(it.ordinal)
                .push_bind(body);
        });
        query.push(
            ") INSERT INTO version (message, hash, sequence, ordinal, body) \
             SELECT m.pk, k.hash, k.sequence, k.ordinal, k.body FROM k JOIN message m \
             ON m.source = k.source AND m.native = k.native AND m.log = ",
        );
        query.push_bind(log.pk);
        query.push(
            " WHERE true ON CONFLICT (message, hash) DO UPDATE SET sequence = excluded.sequence",
        );
        query.build().execute(&mut *on).await.map_err(failed(op))?;
    }
    Ok(())
}

/// Erases the words of messages in every version. Answers how many were there.
pub(crate) async fn forget(
    on: &mut SqliteConnection,
    log: &Log,
    ids: &[MessageId],
    op: &'static str,
) -> Result<usize> {
    let mut ids: Vec<&MessageId> = ids.iter().collect();
    ids.sort();
    ids.dedup();
    let mut last = log.last;
    let mut n_there = 0_usize;
    for id in ids {
        let row = sqlx::query(
            "SELECT v.body, v.hash, m.sequence, m.pk, m.forgotten FROM message m \
             JOIN version v ON v.message = m.pk AND v.hash = m.version \
             WHERE m.log = ? AND m.source = ? AND m.native = ?",
        )
        .bind(log.pk)
        .bind(id.source.as_str().as_bytes())
        .bind(id.native.as_str().as_bytes())
        .fetch_optional(&mut *on)
        .await
        .map_err(failed(op))?;
        let Some(row) = row else {
            continue;
        };
        n_there = n_there.saturating_add(1);
        let pk: i64 = row.try_get(3).map_err(failed(op))?;
        if row.try_get::<i64, _>(4).map_err(failed(op))? != 0 {
            continue;
        }
        last = last.saturating_add(1);
        let bare = decode(&row, op)?.message.without_words();
        bury(on, pk, &bare, last, op).await?;
    }
    advance(on, log, last).await.map_err(failed(op))?;
    Ok(n_there)
}

/// Puts a message without words in the place of every version.
async fn bury(
    on: &mut SqliteConnection,
    pk: i64,
    bare: &Message,
    sequence: u64,
    op: &'static str,
) -> Result<()> {
    let version = bare.version();
    let body = encode(bare, op)?;
    let bury = async {
        sqlx::query("DELETE FROM version WHERE message = ?")
            .bind(pk)
            .execute(&mut *on)
            .await?;
        sqlx::query(
            "INSERT INTO version (message, hash, sequence, ordinal, body) VALUES (?, ?, ?, 0, ?)",
        )
        .bind(pk)
        .bind(version.as_str())
        .bind(stored(sequence))
        .bind(body)
        .execute(&mut *on)
        .await?;
        sqlx::query(
            "UPDATE message SET root = ?, sent_at = ?, sequence = ?, version = ?, forgotten = 1 \
             WHERE pk = ?",
        )
        .bind(bare.conversation().native.as_str().as_bytes())
        .bind(bare.sent_at.as_micros())
        .bind(stored(sequence))
        .bind(version.as_str())
        .bind(pk)
        .execute(&mut *on)
        .await
    };
    bury.await.map(|_| ()).map_err(failed(op))
}

pub(crate) async fn get(
    on: &mut SqliteConnection,
    log: &Log,
    ids: &[MessageId],
    op: &'static str,
) -> Result<Vec<Option<StoredMessage>>> {
    let mut slots: Vec<Option<StoredMessage>> = Vec::with_capacity(ids.len());
    let ids: Vec<&MessageId> = ids.iter().collect();
    for batch in batches(&ids) {
        let mut query = named(batch);
        query.push(
            " SELECT v.body, v.hash, m.sequence FROM k \
             LEFT JOIN message m ON m.source = k.source AND m.native = k.native AND m.log = ",
        );
        query.push_bind(log.pk);
        query.push(" LEFT JOIN version v ON v.message = m.pk AND v.hash = m.version ORDER BY k.n");
        let rows = query
            .build()
            .fetch_all(&mut *on)
            .await
            .map_err(failed(op))?;
        for row in rows {
            let is_there = row
                .try_get::<Option<i64>, _>(2)
                .map_err(failed(op))?
                .is_some();
            slots.push(is_there.then(|| decode(&row, op)).transpose()?);
        }
    }
    Ok(slots)
}

pub(crate) async fn versions(
    on: &mut SqliteConnection,
    log: &Log,
    id: &MessageId,
    op: &'static str,
) -> Result<Vec<StoredMessage>> {
    let rows = sqlx::query(
        "SELECT v.body, v.hash, v.sequence FROM message m JOIN version v ON v.message = m.pk \
         WHERE m.log = ? AND m.source = ? AND m.native = ? ORDER BY v.ordinal",
    )
    .bind(log.pk)
    .bind(id.source.as_str().as_bytes())
    .bind(id.native.as_str().as_bytes())
    .fetch_all(on)
    .await;
    decode_all(rows, op)
}

pub(crate) async fn page(
    on: &mut SqliteConnection,
    log: &Log,
    after: Option<&ReadCursor>,
    limit: usize,
    op: &'static str,
) -> Result<Vec<StoredMessage>> {
    let mut query = QueryBuilder::<Sqlite>::new(CURRENT);
    query.push("WHERE m.log = ").push_bind(log.pk);
    in_reading_order(&mut query, after, limit);
    decode_all(query.build().fetch_all(on).await, op)
}

/// The root, wherever it stands itself, and what was said under it.
pub(crate) async fn thread(
    on: &mut SqliteConnection,
    log: &Log,
    root: &MessageId,
    (after, limit): (Option<&ReadCursor>, usize),
    op: &'static str,
) -> Result<Vec<StoredMessage>> {
    let mut query = QueryBuilder::<Sqlite>::new(CURRENT);
    query.push("WHERE m.pk IN (");
    for (n, member) in ["root", "native"].into_iter().enumerate() {
        if n > 0 {
            query.push(" UNION ");
        }
        query
            .push("SELECT pk FROM message WHERE log = ")
            .push_bind(log.pk)
            .push(" AND source = ")
            .push_bind(root.source.as_str().as_bytes())
            .push(format_args!(" AND {member} = "))
            .push_bind(root.native.as_str().as_bytes());
    }
    query.push(")");
    in_reading_order(&mut query, after, limit);
    decode_all(query.build().fetch_all(on).await, op)
}

pub(crate) async fn changes(
    on: &mut SqliteConnection,
    log: &Log,
    since: Sequence,
    limit: usize,
    op: &'static str,
) -> Result<Vec<StoredMessage>> {
    let mut query = QueryBuilder::<Sqlite>::new(CURRENT);
    query
        .push("WHERE m.log = ")
        .push_bind(log.pk)
        .push(" AND m.sequence > ")
        .push_bind(stored(since.0))
        .push(" ORDER BY m.sequence LIMIT ")
        .push_bind(place(limit));
    decode_all(query.build().fetch_all(on).await, op)
}

pub(crate) async fn fence(on: &mut SqliteConnection, log: &Log, epoch: Epoch) -> sqlx::Result<()> {
    sqlx::query("UPDATE log SET epoch = ? WHERE pk = ?")
        .bind(stored(epoch.0))
        .bind(log.pk)
        .execute(on)
        .await
        .map(|_| ())
}

/// Dooms what the log holds and begins it again with its epoch, and with its count of writes, so
/// that no number is ever shown twice.
pub(crate) async fn doom(
    on: &mut SqliteConnection,
    channel: &ChannelScope,
    log: &Log,
    epoch: Epoch,
) -> sqlx::Result<()> {
    sqlx::query("UPDATE log SET doomed = 1 WHERE pk = ?")
        .bind(log.pk)
        .execute(&mut *on)
        .await?;
    sqlx::query("INSERT INTO log (channel, epoch, sequence) VALUES (?, ?, ?)")
        .bind(channel.channel().as_str().as_bytes())
        .bind(stored(epoch.0))
        .bind(stored(log.last))
        .execute(on)
        .await
        .map(|_| ())
}

/// Counts versions: with words as items, what was forgotten as marks. What is doomed counts.
pub(crate) async fn residue(
    on: &mut SqliteConnection,
    channel: &ChannelId,
) -> sqlx::Result<Residue> {
    let row = sqlx::query(
        "SELECT count(*) FILTER (WHERE m.forgotten = 0), count(*) FILTER (WHERE m.forgotten = 1) \
         FROM log l JOIN message m ON m.log = l.pk JOIN version v ON v.message = m.pk \
         WHERE l.channel = ?",
    )
    .bind(channel.as_str().as_bytes())
    .fetch_one(on)
    .await?;
    Ok(Residue {
        items: read(&row, 0)?,
        marks: read(&row, 1)?,
    })
}

async fn advance(on: &mut SqliteConnection, log: &Log, last: u64) -> sqlx::Result<()> {
    if last == log.last {
        return Ok(());
    }
    sqlx::query("UPDATE log SET sequence = ? WHERE pk = ?")
        .bind(stored(last))
        .bind(log.pk)
        .execute(on)
        .await
        .map(|_| ())
}

/// Ends a query of messages: those after a place, in reading order, as many as the limit.
fn in_reading_order(query: &mut QueryBuilder<Sqlite>, after: Option<&ReadCursor>, limit: usize) {
    if let Some((sent_at, id)) = after {
        query
            .push(" AND (m.sent_at, m.source, m.native) > (")
            .push_bind(sent_at.as_micros())
            .push(", ")
            .push_bind(id.source.as_str().as_bytes())
            .push(", ")
            .push_bind(id.native.as_str().as_bytes())
            .push(")");
    }
    query
        .push(" ORDER BY m.sent_at, m.source, m.native LIMIT ")
        .push_bind(place(limit));
}

/// Begins a query over ids: `k` holds their place, source and native id.
fn named(ids: &[&MessageId]) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::<Sqlite>::new("WITH k (n, source, native) AS (");
    query.push_values(ids.iter().enumerate(), |mut row, (n, id)| {
        row.push_bind(place(n))
            .push_bind(id.source.as_str().as_bytes())
            .push_bind(id.native.as_str().as_bytes());
    });
    query.push(")");
    query
}

fn encode(message: &Message, op: &'static str) -> Result<Vec<u8>> {
    serde_json::to_vec(message).map_err(|cause| {
        Error::new(ErrorKind::Unexpected, op, "a message cannot be written").caused_by(cause)
    })
}

/// Reads a body, the name of its version, and a sequence.
fn decode(row: &SqliteRow, op: &'static str) -> Result<StoredMessage> {
    let body: &[u8] = row.try_get(0).map_err(failed(op))?;
    let version: &str = row.try_get(1).map_err(failed(op))?;
    Ok(StoredMessage {
        message: serde_json::from_slice(body).map_err(corrupt(op, "a message cannot be read"))?,
        version: version.parse()?,
        sequence: Sequence(read(row, 2).map_err(failed(op))?),
    })
}

fn decode_all(rows: sqlx::Result<Vec<SqliteRow>>, op: &'static str) -> Result<Vec<StoredMessage>> {
    rows.map_err(failed(op))?
        .iter()
        .map(|row| decode(row, op))
        .collect()
}
