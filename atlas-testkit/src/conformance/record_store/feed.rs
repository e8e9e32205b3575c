//! What the feed holds.

use atlas_core::ErrorKind;
use atlas_core::model::ContentHash;
use atlas_core::ports::{
    Collection, Commit, Cursor, Feed, GoneReason, Key, Partition, RecordStore, Revision,
};

use super::wire::{
    FACT, QUEUE, brief, deletes, expecting, follow, key, listing, of_epoch, page, partition, puts,
    takes, values, writes,
};
use crate::conformance::corpus::{ids, shuffled};
use crate::conformance::seen::{refused, same};
use crate::conformance::{Checked, Seen};
use atlas_core::ports::{Epoch, Expect};

pub(super) async fn rs_12_changes_gives_last_writes_by_revision_then_key(
    store: impl RecordStore,
) -> Checked {
    let here = partition("c");
    let empty = page(&store, &here, &Cursor::start(), 10).await?;
    same(
        "the feed of an empty partition",
        &empty,
        &(Vec::new(), Cursor::start(), false),
    )?;

    let ids = ids();
    let topic = Collection::literal("topic");
    let mut keys: Vec<Key> = ids.iter().map(|id| key(id)).collect();
    keys.extend(["a", "\u{10ffff}"].map(|id| Key::new(topic.clone(), id)));
    let first = writes(shuffled(&keys).into_iter().map(|key| {
        let value = key.id.clone().into_bytes();
        (key, value)
    }));
    takes(&store, &here, &first, 1).await?;
    let middle = store.head(&here).await?.cursor;
    takes(&store, &here, &writes([(key("a"), b"second".to_vec())]), 2).await?;
    let later = store.head(&here).await?.cursor;
    takes(
        &store,
        &here,
        &writes([(key("9"), b"third".to_vec()), (key("10"), Vec::new())]),
        3,
    )
    .await?;

    let changed = ["a", "9", "10"];
    let first = |key: &&Key| key.collection != FACT || !changed.contains(&key.id.as_str());
    keys.sort();
    let mut expected: Vec<_> = keys
        .iter()
        .filter(first)
        .map(|key| (1, key.to_string(), Some(key.id.clone().into_bytes())))
        .collect();
    let tail = [
        (2, "fact/a".to_owned(), Some(b"second".to_vec())),
        (3, "fact/10".to_owned(), Some(Vec::new())),
        (3, "fact/9".to_owned(), Some(b"third".to_vec())),
    ];
    expected.extend(tail.clone());
    let (whole, _) = follow(&store, &here, &Cursor::start(), 1_000).await?;
    same("the whole feed", &brief(&whole), &expected)?;
    let (rest, _) = follow(&store, &here, &middle, 1_000).await?;
    same(
        "the feed after the first commit",
        &brief(&rest),
        &tail.to_vec(),
    )?;
    let (rest, _) = follow(&store, &here, &later, 1_000).await?;
    same(
        "the feed after the second commit",
        &brief(&rest).as_slice(),
        &&tail[1..],
    )
}

pub(super) async fn rs_13_private_collections_stay_out_of_changes(
    store: impl RecordStore,
) -> Checked {
    let here = partition("c");
    let private = |id: &str| Key::new(QUEUE, id);
    let jobs = |ids: &[&str]| writes(ids.iter().map(|id| (private(id), b"job".to_vec())));
    takes(&store, &here, &jobs(&["1", "2", "3"]), 1).await?;
    let empty = page(&store, &here, &Cursor::start(), 10).await?;
    same(
        "the feed of what is private",
        &empty,
        &(Vec::new(), Cursor::start(), false),
    )?;
    let mut mixed = puts(&["a"]);
    mixed.puts.push((private("1"), b"again".to_vec()));
    mixed
        .puts
        .push((Key::new(Collection::new(".fact"), "a"), b"private".to_vec()));
    takes(&store, &here, &mixed, 2).await?;
    let gone = Commit {
        deletes: vec![private("2")],
        ..Commit::default()
    };
    takes(&store, &here, &gone, 3).await?;
    takes(&store, &here, &jobs(&["4"]), 4).await?;
    for limit in [1, 2, 100] {
        let (feed, _) = follow(&store, &here, &Cursor::start(), limit).await?;
        let expected = vec![(2, "fact/a".to_owned(), Some(b"a".to_vec()))];
        same(
            &format!("the feed by pages of {limit}"),
            &brief(&feed),
            &expected,
        )?;
    }
    // The second commit alone wrote what enters the feed, so that the feed ends at it.
    let end = store.head(&here).await?.cursor;
    same(
        "the commit at the end of the feed",
        &end.revision,
        &Revision(2),
    )?;
    takes(&store, &here, &jobs(&["5"]), 5).await?;
    let head = store.head(&here).await?;
    same(
        "the last commit and the end of the feed",
        &(head.revision, head.cursor),
        &(Revision(5), end.clone()),
    )?;
    let after = page(&store, &here, &end, 10).await?;
    same("the feed after its end", &after, &(Vec::new(), end, false))?;
    // Out of the feed is not out of the store.
    let asked = ["1", "2", "3"].map(private);
    let found = values(&store, &here, &asked).await?;
    let expected = vec![Some(b"again".to_vec()), None, Some(b"job".to_vec())];
    same("the private records 1, 2, 3", &found, &expected)
}

async fn visible(store: &impl RecordStore, partition: &Partition) -> Result<Vec<String>, Seen> {
    let listed = store.list(partition, &listing(FACT, "", 100)).await?;
    Ok(listed.into_iter().map(|record| record.key.id).collect())
}

pub(super) async fn rs_14_deleted_records_are_tombstones(store: impl RecordStore) -> Checked {
    let here = partition("c");
    takes(&store, &here, &puts(&["a", "b", "c"]), 1).await?;
    let before = store.head(&here).await?.cursor;
    takes(&store, &here, &deletes(&["b"]), 2).await?;
    same(
        "get of what is deleted",
        &values(&store, &here, &[key("b")]).await?,
        &vec![None],
    )?;
    same(
        "the list",
        &visible(&store, &here).await?,
        &vec!["a".to_owned(), "c".to_owned()],
    )?;
    let tombstone = (2, "fact/b".to_owned(), None);
    let (feed, _) = follow(&store, &here, &before, 100).await?;
    same(
        "the feed after the commit before",
        &brief(&feed),
        &vec![tombstone.clone()],
    )?;
    let (feed, _) = follow(&store, &here, &Cursor::start(), 100).await?;
    same(
        "the end of the whole feed",
        &brief(&feed).last(),
        &Some(&tombstone),
    )?;

    takes(&store, &here, &puts(&["b"]), 3).await?;
    let (feed, _) = follow(&store, &here, &before, 100).await?;
    let back = (3, "fact/b".to_owned(), Some(b"b".to_vec()));
    same(
        "the feed after it is written again",
        &brief(&feed),
        &vec![back],
    )?;
    same(
        "the list after it is written again",
        &visible(&store, &here).await?.len(),
        &3,
    )
}

pub(super) async fn rs_17_a_diverged_cursor_is_gone(store: impl RecordStore) -> Checked {
    let here = partition("c");
    let other = ContentHash::of(b"another history");
    let start = Cursor::start();
    let cursor = |revision, digest: &ContentHash| Cursor {
        revision: Revision(revision),
        digest: digest.clone(),
    };
    let diverged = |what: &str, answer: Feed| match answer {
        Feed::Gone {
            reason: GoneReason::Diverged,
        } => Ok(()),
        answer @ (Feed::Page { .. } | Feed::Gone { .. }) => {
            Err(Seen::new(format!("{what}: {answer:?}")))
        }
    };
    let ahead = cursor(1, &other);
    diverged(
        "ahead of an empty partition",
        store.changes(&here, &ahead, 10).await?,
    )?;
    page(&store, &here, &start, 10).await?;

    store.commit(&here, &puts(&["a"])).await?;
    let first = store.head(&here).await?.cursor;
    store.commit(&here, &puts(&["a", "b"])).await?;
    let second = store.head(&here).await?.cursor;
    let rows = [
        ("ahead", cursor(3, &second.digest)),
        ("far ahead", cursor(u64::MAX, &second.digest)),
        ("the head's number with another digest", cursor(2, &other)),
        (
            "the head's number with an earlier digest",
            cursor(2, &first.digest),
        ),
        ("an earlier number with another digest", cursor(1, &other)),
        ("number nought with another digest", cursor(0, &other)),
    ];
    for (what, cursor) in rows {
        diverged(what, store.changes(&here, &cursor, 10).await?)?;
    }
    for known in [&start, &first, &second] {
        page(&store, &here, known, 10).await?;
    }

    // The same number of another life of the partition is another history.
    store.purge(&here, Epoch(1)).await?;
    let again = Commit {
        epoch: Epoch(1),
        ..puts(&["x"])
    };
    for _ in 0..3 {
        store.commit(&here, &again).await?;
    }
    diverged(
        "a cursor from before a purge",
        store.changes(&here, &second, 10).await?,
    )?;
    page(&store, &here, &start, 10).await?;
    Ok(())
}

pub(super) async fn rs_18_digests_are_chained(store: impl RecordStore) -> Checked {
    let here = partition("c");
    let mut mixed = puts(&["b", "a", "\u{10ffff}"]);
    mixed.puts.push((Key::new(QUEUE, "job"), b"job".to_vec()));
    mixed
        .puts
        .push((Key::new(Collection::new("Topic"), "a"), vec![0, 255]));
    let private = writes([(Key::new(QUEUE, "other"), b"job".to_vec())]);
    let commits = [
        puts(&["a"]),
        mixed,
        private,
        deletes(&["b", "a"]),
        deletes(&["none"]),
        puts(&["a"]),
    ];
    let mut expected = Cursor::start();
    let mut known = vec![expected.clone()];
    for commit in &commits {
        let revision = store.commit(&here, commit).await?;
        if commit.is_projected() {
            expected = Cursor {
                revision,
                digest: commit.digest_after(&expected.digest, revision),
            };
            known.push(expected.clone());
        }
        let what = format!("the head after commit {revision}");
        let head = store.head(&here).await?;
        same(&what, &head.cursor, &expected)?;
        same(&what, &head.revision, &revision)?;
        // A refused commit leaves no trace in the chain.
        let refusal = expecting(puts(&["q"]), &[Expect::At(key("q"), Revision(9))]);
        refused(
            "commit",
            store.commit(&here, &refusal).await,
            ErrorKind::Conflict,
        )?;
    }
    let mut at = Cursor::start();
    loop {
        let (_, to, has_more) = page(&store, &here, &at, 1).await?;
        require!(
            known.contains(&to),
            "a page ends at {to:?}, which no commit made"
        );
        at = to;
        if !has_more {
            break;
        }
    }
    // Two lives of a partition that hold the same are two histories.
    store.purge(&here, Epoch(3)).await?;
    let again = of_epoch(puts(&["a"]), 3);
    let revision = store.commit(&here, &again).await?;
    let expected = again.digest_after(&Cursor::start().digest, revision);
    let head = store.head(&here).await?.cursor;
    same("the digest after a purge", &head.digest, &expected)
}

pub(super) async fn rs_22_deleting_what_is_not_there_is_no_error(
    store: impl RecordStore,
) -> Checked {
    let here = partition("c");
    takes(&store, &here, &deletes(&["never", "neither"]), 1).await?;
    let (feed, _) = follow(&store, &here, &Cursor::start(), 100).await?;
    same("the feed after deleting what never was", &feed, &Vec::new())?;
    takes(&store, &here, &puts(&["a"]), 2).await?;
    takes(&store, &here, &deletes(&["a", "never"]), 3).await?;
    takes(&store, &here, &deletes(&["a"]), 4).await?;
    let (feed, _) = follow(&store, &here, &Cursor::start(), 100).await?;
    let keys: Vec<String> = feed.iter().map(|it| it.key.to_string()).collect();
    same("the tombstones", &keys, &vec!["fact/a".to_owned()])?;
    require!(
        feed.iter().all(|it| it.value.is_none()),
        "what is deleted twice has a value: {feed:?}"
    );
    Ok(())
}
