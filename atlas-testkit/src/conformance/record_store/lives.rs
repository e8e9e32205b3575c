//! Fencing and purging.

use atlas_core::ErrorKind;
use atlas_core::ports::{Commit, Cursor, Epoch, Feed, Head, Key, RecordStore, Residue};

use super::wire::{QUEUE, deletes, key, of_epoch, partition, picture, puts};
use crate::conformance::Checked;
use crate::conformance::seen::{refused, same};

pub(super) async fn rs_8_other_epochs_are_fenced(store: impl RecordStore) -> Checked {
    let (here, there) = (partition("here"), partition("there"));
    store.commit(&here, &puts(&["a"])).await?;
    let kind = ErrorKind::Fenced;
    let ahead = of_epoch(puts(&["b"]), 1);
    refused(
        "an epoch that is not yet",
        store.commit(&here, &ahead).await,
        kind,
    )?;
    store.fence(&here, Epoch(5)).await?;
    store.fence(&here, Epoch(5)).await?;
    let before = picture(&store, &here).await?;
    same("the epoch after the fence", &before.0.epoch, &Epoch(5))?;
    same(
        "the epoch of another partition",
        &store.head(&there).await?.epoch,
        &Epoch(0),
    )?;

    for epoch in [0, 4, 6, u64::MAX] {
        let what = format!("epoch {epoch} where 5 is");
        for commit in [puts(&["b"]), deletes(&["a"]), Commit::default()] {
            let answer = store.commit(&here, &of_epoch(commit, epoch)).await;
            refused(&what, answer, kind)?;
        }
        same(&what, &picture(&store, &here).await?, &before)?;
    }
    for low in [Epoch(0), Epoch(4)] {
        refused(
            "purge of a lower epoch",
            store.purge(&here, low).await,
            kind,
        )?;
        refused(
            "a lower fence",
            store.fence(&here, low).await,
            ErrorKind::Fenced,
        )?;
        same(
            "after a lower fence and purge",
            &picture(&store, &here).await?,
            &before,
        )?;
    }
    store.commit(&here, &of_epoch(puts(&["b"]), 5)).await?;
    store.commit(&there, &puts(&["a"])).await?;
    Ok(())
}

pub(super) async fn rs_20_purge_leaves_no_residue(store: impl RecordStore) -> Checked {
    let (here, there) = (partition("here"), partition("there"));
    for partition in [&here, &there] {
        let mut commit = puts(&["a", "b", "gone"]);
        commit.puts.push((Key::new(QUEUE, "job"), b"job".to_vec()));
        store.commit(partition, &commit).await?;
        store.commit(partition, &deletes(&["gone"])).await?;
    }
    let untouched = picture(&store, &there).await?;
    let full = store.residue(&here).await?;
    require!(full.items > 0, "a partition with records counts {full:?}");

    store.fence(&here, Epoch(3)).await?;
    // A purge that is done again, since nobody knows whether it was done, is no error.
    for _ in 0..2 {
        store.purge(&here, Epoch(3)).await?;
        let (head, records, feed, residue) = picture(&store, &here).await?;
        same("residue", &residue, &Residue::default())?;
        same(
            "records and feed",
            &(records, feed),
            &(Vec::new(), Vec::new()),
        )?;
        same("the epoch", &head.epoch, &Epoch(3))?;
        let asked = [key("a"), key("gone"), Key::new(QUEUE, "job")];
        same("get", &store.get(&here, &asked).await?, &vec![None; 3])?;
    }
    same(
        "the other partition",
        &picture(&store, &there).await?,
        &untouched,
    )?;
    let late = store.commit(&here, &of_epoch(puts(&["a"]), 2)).await;
    refused("a commit of the old epoch", late, ErrorKind::Fenced)?;
    store.commit(&here, &of_epoch(puts(&["a"]), 3)).await?;
    let Head { epoch, .. } = store.head(&here).await?;
    same("the epoch after a commit", &epoch, &Epoch(3))?;
    let feed = store.changes(&here, &Cursor::start(), 10).await?;
    let n_entries = match &feed {
        Feed::Page { entries, .. } => entries.len(),
        Feed::Gone { .. } => 0,
    };
    same("entries of the feed after the purge", &n_entries, &1)
}
