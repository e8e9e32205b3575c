//! Partitions and their walls.

use atlas_core::model::{ChannelId, PrincipalId};
use atlas_core::ports::{Collection, Cursor, Epoch, Key, Partition, PartitionKind, RecordStore};

use super::wire::{
    FACT, QUEUE, deletes, follow, key, listing, of_epoch, partition, puts, takes, values, writes,
};
use crate::conformance::corpus::{confusable_names, ids, shuffled};
use crate::conformance::seen::same;
use crate::conformance::{Checked, Seen};

fn channel(name: &str) -> Partition {
    Partition::Channel(ChannelId::new(name))
}

fn principal(name: &str) -> Partition {
    Partition::Principal(PrincipalId::new(name))
}

pub(super) async fn rs_3_partitions_do_not_see_each_other(store: impl RecordStore) -> Checked {
    let names = confusable_names();
    let mut all: Vec<Partition> = names.iter().map(|name| channel(name)).collect();
    all.extend(names.iter().map(|name| principal(name)));
    all.push(Partition::Installation);

    // What only one of them holds is seen in none of the others.
    for owner in [channel("c"), principal("c"), Partition::Installation] {
        let only = format!("only of {owner:?}");
        let before = store.head(&owner).await?.revision;
        takes(&store, &owner, &puts(&[&only]), before.0 + 1).await?;
        for other in all.iter().filter(|other| **other != owner) {
            let what = |call: &str| format!("what {owner:?} holds, by {call} of {other:?}");
            let found = values(&store, other, &[key(&only)]).await?;
            same(&what("get"), &found, &vec![None])?;
            let listed = store.list(other, &listing(FACT, &only, 10)).await?;
            same(&what("list"), &listed, &Vec::new())?;
            let (feed, _) = follow(&store, other, &Cursor::start(), 10).await?;
            let leak = feed
                .iter()
                .find(|it| it.key.id == only && it.value.is_some());
            same(&what("changes"), &leak, &None)?;
            // Deleting it there does not touch it here.
            store.commit(other, &deletes(&[&only])).await?;
            let residue = store.residue(other).await?.items;
            let n_own = store.list(other, &listing(FACT, "", 10)).await?.len();
            same(&what("residue"), &residue, &(n_own as u64))?;
        }
        let kept = values(&store, &owner, &[key(&only)]).await?;
        same("the record", &kept, &vec![Some(only.into_bytes())])?;
    }

    // Each of them under the same key keeps its own.
    let own = |partition: &Partition| format!("{partition:?}").into_bytes();
    for partition in &all {
        store
            .commit(partition, &writes([(key("same"), own(partition))]))
            .await?;
    }
    for partition in &all {
        let found = values(&store, partition, &[key("same")]).await?;
        same(
            &format!("the record of {partition:?}"),
            &found,
            &vec![Some(own(partition))],
        )?;
    }
    Ok(())
}

async fn names_of(
    store: &impl RecordStore,
    kind: PartitionKind,
    limit: usize,
) -> Result<Vec<String>, Seen> {
    const MOST_PAGES: usize = 200;
    let mut all: Vec<String> = Vec::new();
    for _ in 0..MOST_PAGES {
        let after = all.last().map(String::as_str);
        let page = store.partitions(kind, after, limit).await?;
        require!(
            page.len() <= limit,
            "a page of {} for a limit of {limit}",
            page.len()
        );
        if let Some(stray) = page.iter().find(|it| it.kind() != kind) {
            return Err(Seen::new(format!("{stray:?} among {kind:?}")));
        }
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page.iter().map(|it| it.id().to_owned()));
    }
    Err(Seen::new(format!(
        "{MOST_PAGES} pages have no end: {all:?}"
    )))
}

pub(super) async fn rs_19_partitions_lists_those_that_hold_records(
    store: impl RecordStore,
) -> Checked {
    use PartitionKind::{Channel, Installation, Principal};
    for kind in [Channel, Principal, Installation] {
        same(
            "partitions of an empty store",
            &names_of(&store, kind, 5).await?,
            &Vec::new(),
        )?;
    }
    let ids = ids();
    for id in shuffled(&ids) {
        store.commit(&channel(&id), &puts(&["a", "b"])).await?;
    }
    let private = writes([(Key::new(QUEUE, "job"), Vec::new())]);
    store.commit(&principal("private"), &private).await?;
    let other = writes([(Key::new(Collection::new("turn"), "1"), Vec::new())]);
    store.commit(&principal("10"), &other).await?;

    // None of these holds a record.
    store.fence(&channel("fenced"), Epoch(1)).await?;
    store.commit(&channel("deleted"), &puts(&["a"])).await?;
    store.commit(&channel("deleted"), &deletes(&["a"])).await?;
    store.commit(&channel("purged"), &puts(&["a"])).await?;
    store.purge(&channel("purged"), Epoch(1)).await?;
    store.commit(&partition("never"), &deletes(&["a"])).await?;
    store.commit(&channel("again"), &puts(&["a"])).await?;
    store.purge(&channel("again"), Epoch(1)).await?;
    store
        .commit(&channel("again"), &of_epoch(puts(&["a"]), 1))
        .await?;

    let mut channels = ids;
    channels.push("again".to_owned());
    channels.sort();
    let principals = vec!["10".to_owned(), "private".to_owned()];
    for limit in [1, 3, 1_000] {
        let what = |of: &str| format!("{of} by pages of {limit}");
        same(
            &what("channels"),
            &names_of(&store, Channel, limit).await?,
            &channels,
        )?;
        same(
            &what("principals"),
            &names_of(&store, Principal, limit).await?,
            &principals,
        )?;
        same(
            &what("installation"),
            &names_of(&store, Installation, limit).await?,
            &Vec::new(),
        )?;
    }
    let after = store.partitions(Channel, Some("a$"), 2).await?;
    let seen: Vec<&str> = after.iter().map(Partition::id).collect();
    same("channels after a$", &seen, &vec!["a%", "a'b"])?;

    store
        .commit(&Partition::Installation, &puts(&["a"]))
        .await?;
    let found = store.partitions(Installation, None, 5).await?;
    same("the installation", &found, &vec![Partition::Installation])?;
    let after = store.partitions(Installation, Some(""), 5).await?;
    same("after the installation", &after, &Vec::new())
}
