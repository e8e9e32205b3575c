//! Opening again.

use atlas_core::ErrorKind;
use atlas_core::ports::{
    Cursor, Epoch, Expect, Key, Partition, PartitionKind, RecordStore, Residue, Revision,
};

use super::wire::{
    QUEUE, deletes, expecting, follow, key, of_epoch, page, partition, picture, puts, takes, writes,
};
use crate::conformance::corpus::ids;
use crate::conformance::seen::{refused, same};
use crate::conformance::{Checked, Fixture, Harness};

pub(super) async fn rs_23_what_was_acknowledged_is_there_again<H>(store: Fixture<H>) -> Checked
where
    H: Harness<Store: RecordStore>,
{
    if !store.capabilities().durable {
        return Ok(());
    }
    let (here, fenced, purged) = (partition("here"), partition("fenced"), partition("purged"));
    let ids = ids();
    let every: Vec<&str> = ids.iter().map(String::as_str).collect();
    takes(&store, &here, &puts(&every), 1).await?;
    takes(&store, &here, &deletes(&["a"]), 2).await?;
    let middle = store.head(&here).await?.cursor;
    takes(&store, &here, &writes([(key("b"), vec![0, 255, 10])]), 3).await?;
    let private = writes([(Key::new(QUEUE, "job"), b"job".to_vec())]);
    takes(&store, &here, &private, 4).await?;
    for partition in [&fenced, &purged, &Partition::Installation] {
        takes(&store, partition, &puts(&["x"]), 1).await?;
    }
    store.fence(&fenced, Epoch(4)).await?;
    store.purge(&purged, Epoch(2)).await?;

    let before = picture(&store, &here).await?;
    let (rest, _) = follow(&store, &here, &middle, 100).await?;
    for _ in 0..2 {
        store.reopen().await?;
        same("what was written", &picture(&store, &here).await?, &before)?;
        let (seen, _) = follow(&store, &here, &middle, 100).await?;
        same("the feed after a cursor of before", &seen, &rest)?;
        for (partition, epoch) in [(&here, 0), (&fenced, 4), (&purged, 2)] {
            let what = format!("the epoch of {}", partition.id());
            let head = store.head(partition).await?;
            same(&what, &head.epoch, &Epoch(epoch))?;
        }
        let residue = store.residue(&purged).await?;
        same("residue of a purge", &residue, &Residue::default())?;
        let listed = store.partitions(PartitionKind::Channel, None, 10).await?;
        let expected = vec![fenced.clone(), here.clone()];
        same("the partitions", &listed, &expected)?;
    }

    // What was told to the store that was closed binds the one that was opened, which is written
    // to before it is read.
    store.reopen().await?;
    let late = store.commit(&fenced, &of_epoch(puts(&["y"]), 3)).await;
    refused("a commit of a lower epoch", late, ErrorKind::Fenced)?;
    let broken = expecting(puts(&["n"]), &[Expect::At(key("b"), Revision(1))]);
    let answer = store.commit(&here, &broken).await;
    refused("an expect of before", answer, ErrorKind::Conflict)?;
    let held = [Expect::At(key("b"), Revision(3)), Expect::Absent(key("a"))];
    let next = expecting(puts(&["a"]), &held);
    takes(&store, &here, &next, 5).await?;
    let digest = next.digest_after(&before.0.cursor.digest, Revision(5));
    let end = store.head(&here).await?.cursor;
    let expected = Cursor {
        revision: Revision(5),
        digest,
    };
    same("the end of the feed", &end, &expected)?;
    let (entries, ..) = page(&store, &here, &before.0.cursor, 100).await?;
    same("what follows the end of before", &entries.len(), &1)?;
    takes(&store, &fenced, &of_epoch(puts(&["y"]), 4), 2).await
}
