//! Short ways to write and to read in checks.

use atlas_core::model::ChannelId;
use atlas_core::ports::{
    Change, Collection, Commit, Cursor, Epoch, Expect, Feed, Head, Key, Listing, Partition, Record,
    RecordStore, Residue, Revision,
};

use crate::conformance::{Checked, Seen};

/// A collection that enters the feed.
pub(super) const FACT: Collection = Collection::literal("fact");
/// A collection that does not.
pub(super) const QUEUE: Collection = Collection::literal(".queue");
/// More pages than any check has.
const MOST_PAGES: usize = 200;

pub(super) fn partition(name: &str) -> Partition {
    Partition::Channel(ChannelId::new(name))
}

/// The key of a fact.
pub(super) fn key(id: &str) -> Key {
    Key::new(FACT, id)
}

/// A commit of epoch nought that writes each id's own bytes as its value.
pub(super) fn puts(ids: &[&str]) -> Commit {
    writes(ids.iter().map(|id| (key(id), id.as_bytes().to_vec())))
}

/// A commit of epoch nought that writes.
pub(super) fn writes(puts: impl IntoIterator<Item = (Key, Vec<u8>)>) -> Commit {
    Commit {
        puts: puts.into_iter().collect(),
        ..Commit::default()
    }
}

/// A commit of epoch nought that deletes facts.
pub(super) fn deletes(ids: &[&str]) -> Commit {
    Commit {
        deletes: ids.iter().map(|id| key(id)).collect(),
        ..Commit::default()
    }
}

/// The same commit with expectations.
pub(super) fn expecting(commit: Commit, expects: &[Expect]) -> Commit {
    Commit {
        expects: expects.to_vec(),
        ..commit
    }
}

/// The same commit of another epoch.
pub(super) fn of_epoch(commit: Commit, epoch: u64) -> Commit {
    Commit {
        epoch: Epoch(epoch),
        ..commit
    }
}

/// What a collection is listed with, from its beginning.
pub(super) fn listing(collection: Collection, prefix: &str, limit: usize) -> Listing {
    Listing {
        collection,
        prefix: prefix.to_owned(),
        after: None,
        limit,
    }
}

/// The values under the keys.
pub(super) async fn values(
    store: &impl RecordStore,
    partition: &Partition,
    keys: &[Key],
) -> Result<Vec<Option<Vec<u8>>>, Seen> {
    let slots = store.get(partition, keys).await?;
    Ok(slots
        .into_iter()
        .map(|slot| slot.map(|record| record.value))
        .collect())
}

/// All that a partition holds, as its store tells it: where it stands, records, feed, residue.
pub(super) type Picture = (Head, Vec<Record>, Vec<Change>, Residue);

pub(super) async fn picture(
    store: &impl RecordStore,
    partition: &Partition,
) -> Result<Picture, Seen> {
    let mut records = Vec::new();
    for collection in [FACT, QUEUE] {
        let whole = listing(collection, "", 1_000);
        records.extend(store.list(partition, &whole).await?);
    }
    let (feed, _) = follow(store, partition, &Cursor::start(), 1_000).await?;
    Ok((
        store.head(partition).await?,
        records,
        feed,
        store.residue(partition).await?,
    ))
}

/// A page of the feed that must not be gone: its entries, its end, whether there is more.
pub(super) async fn page(
    store: &impl RecordStore,
    partition: &Partition,
    since: &Cursor,
    limit: usize,
) -> Result<(Vec<Change>, Cursor, bool), Seen> {
    match store.changes(partition, since, limit).await? {
        Feed::Page {
            entries,
            to,
            has_more,
        } => Ok((entries, to, has_more)),
        Feed::Gone { reason } => Err(Seen::new(format!(
            "the feed is gone as {reason:?} from {since:?}"
        ))),
    }
}

/// Follows the feed to its end, page by page.
pub(super) async fn follow(
    store: &impl RecordStore,
    partition: &Partition,
    since: &Cursor,
    limit: usize,
) -> Result<(Vec<Change>, Cursor), Seen> {
    let mut all = Vec::new();
    let mut at = since.clone();
    for _ in 0..MOST_PAGES {
        let (entries, to, has_more) = page(store, partition, &at, limit).await?;
        all.extend(entries);
        at = to;
        if !has_more {
            return Ok((all, at));
        }
    }
    Err(Seen::new(format!(
        "{MOST_PAGES} pages of {limit} have no end"
    )))
}

/// Entries in short: revision, key, value.
pub(super) fn brief(entries: &[Change]) -> Vec<(u64, String, Option<Vec<u8>>)> {
    entries
        .iter()
        .map(|it| (it.revision.0, it.key.to_string(), it.value.clone()))
        .collect()
}

/// Demands that a commit is taken, and under that number.
pub(super) async fn takes(
    store: &impl RecordStore,
    partition: &Partition,
    commit: &Commit,
    number: u64,
) -> Checked {
    let revision = store.commit(partition, commit).await?;
    require!(
        revision == Revision(number),
        "a commit was to be number {number} and became {revision}"
    );
    Ok(())
}
