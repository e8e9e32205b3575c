//! Reading by key and by collection.

use atlas_core::ErrorKind;
use atlas_core::ports::{Collection, Cursor, Key, Listing, Partition, PartitionKind, RecordStore};

use super::wire::{FACT, QUEUE, key, listing, partition, puts, values, writes};
use crate::conformance::corpus::{ids, shuffled, texts};
use crate::conformance::seen::{refused, same};
use crate::conformance::{Checked, Seen};

/// More pages than any check has.
const MOST_PAGES: usize = 200;

pub(super) async fn rs_1_get_keeps_order_and_gaps(store: impl RecordStore) -> Checked {
    let here = partition("c");
    store.commit(&here, &puts(&["1", "2", "3"])).await?;
    let asked = ["3", "none", "1", "3", "0", "2"].map(key);
    let slots = store.get(&here, &asked).await?;
    let seen: Vec<Option<&str>> = slots
        .iter()
        .map(|slot| slot.as_ref().map(|record| record.key.id.as_str()))
        .collect();
    let expected = vec![Some("3"), None, Some("1"), Some("3"), None, Some("2")];
    same("asked for 3, none, 1, 3, 0, 2", &seen, &expected)?;
    let elsewhere = Key::new(Collection::new("facts"), "1");
    same(
        "another collection",
        &store.get(&here, &[elsewhere]).await?,
        &vec![None],
    )?;
    same(
        "asked for nothing",
        &store.get(&here, &[]).await?,
        &Vec::new(),
    )
}

pub(super) async fn rs_2_bytes_and_ids_are_kept_exactly(store: impl RecordStore) -> Checked {
    let here = partition("c");
    let mut bytes: Vec<Vec<u8>> = texts().into_iter().map(String::into_bytes).collect();
    bytes.push((0..=u8::MAX).collect());
    bytes.push(vec![0; 3]);
    bytes.push(vec![0xff, 0xfe, 0x00, 0xc3, 0x28]);
    // Every id has a value, and every value an id, whichever are more.
    let n = bytes.len().max(ids().len());
    for collection in [FACT, QUEUE] {
        let all: Vec<(Key, Vec<u8>)> = ids()
            .into_iter()
            .chain((0..).map(|n| format!("more {n}")))
            .zip(bytes.iter().cycle().cloned())
            .take(n)
            .map(|(id, value)| (Key::new(collection.clone(), id), value))
            .collect();
        store.commit(&here, &writes(all.clone())).await?;
        for (key, value) in &all {
            let found = values(&store, &here, std::slice::from_ref(key)).await?;
            same(
                &format!("the bytes of {key}"),
                &found,
                &vec![Some(value.clone())],
            )?;
        }
        let listed = store.list(&here, &listing(collection, "", 1_000)).await?;
        let mut seen: Vec<_> = listed.into_iter().map(|it| (it.key, it.value)).collect();
        let mut expected = all;
        seen.sort();
        expected.sort();
        same("keys and bytes in a list", &seen, &expected)?;
    }
    Ok(())
}

/// Lists to the end, page by page.
async fn list_all(
    store: &impl RecordStore,
    partition: &Partition,
    mut listing: Listing,
) -> Result<Vec<String>, Seen> {
    let mut all: Vec<String> = Vec::new();
    for _ in 0..MOST_PAGES {
        let page = store.list(partition, &listing).await?;
        require!(
            page.len() <= listing.limit,
            "a page of {} for a limit of {}",
            page.len(),
            listing.limit
        );
        let Some(last) = page.last() else {
            return Ok(all);
        };
        listing.after = Some(last.key.id.clone());
        all.extend(page.into_iter().map(|record| record.key.id));
    }
    Err(Seen::new(format!(
        "{MOST_PAGES} pages have no end: {all:?}"
    )))
}

pub(super) async fn rs_11_list_goes_by_bytes_under_the_prefix(store: impl RecordStore) -> Checked {
    let here = partition("c");
    let ids = ids();
    let mixed = shuffled(&ids);
    let (early, late) = mixed.split_at(mixed.len() / 2);
    for half in [early, late] {
        let half: Vec<&str> = half.iter().map(String::as_str).collect();
        store.commit(&here, &puts(&half)).await?;
    }
    for neighbour in ["fac", "fact.", "facts", "Fact", "fact%"] {
        let stray = Key::new(Collection::new(neighbour), "a stray");
        store.commit(&here, &writes([(stray, Vec::new())])).await?;
    }
    let prefixes = [
        "",
        "a",
        "a%",
        "a_",
        "a\0",
        "1",
        "ß",
        "é",
        "e",
        "👍",
        "\u{10ffff}",
        "none",
    ];
    let places = [
        None,
        Some(""),
        Some("a"),
        Some("a%"),
        Some("a'"),
        Some("9"),
        Some("\u{10ffff}z"),
    ];
    for prefix in prefixes {
        for after in places {
            let expected: Vec<String> = ids
                .iter()
                .filter(|id| {
                    id.starts_with(prefix) && after.is_none_or(|after| id.as_str() > after)
                })
                .cloned()
                .collect();
            for limit in [1, 3, 1_000] {
                let mut listing = listing(FACT, prefix, limit);
                listing.after = after.map(str::to_owned);
                let seen = list_all(&store, &here, listing).await?;
                let what = format!("under {prefix:?} after {after:?} by pages of {limit}");
                same(&what, &seen, &expected)?;
            }
        }
    }
    Ok(())
}

pub(super) async fn rs_21_a_limit_of_nought_is_invalid(store: impl RecordStore) -> Checked {
    let here = partition("c");
    let kind = ErrorKind::Invalid;
    for _ in 0..2 {
        refused("list", store.list(&here, &listing(FACT, "", 0)).await, kind)?;
        refused(
            "changes",
            store.changes(&here, &Cursor::start(), 0).await,
            kind,
        )?;
        let channels = store.partitions(PartitionKind::Channel, None, 0).await;
        refused("partitions", channels, kind)?;
        // Once for an empty partition, once for one with a record.
        store.commit(&here, &puts(&["1"])).await?;
    }
    Ok(())
}
