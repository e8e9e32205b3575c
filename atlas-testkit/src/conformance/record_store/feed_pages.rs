//! How the feed is cut into pages.

use std::collections::BTreeMap;

use atlas_core::ports::{Change, Cursor, Key, RecordStore, Revision};
use futures::join;

use super::wire::{FACT, QUEUE, follow, key, listing, page, partition, puts, writes};
use crate::conformance::Checked;
use crate::conformance::seen::same;

pub(super) async fn rs_15_pages_hold_whole_commits(store: impl RecordStore) -> Checked {
    let here = partition("c");
    let private = writes([(Key::new(QUEUE, "job"), b"job".to_vec())]);
    let commits = [
        puts(&["a1", "a2", "a3"]),
        private.clone(),
        private.clone(),
        private.clone(),
        puts(&["b1"]),
        puts(&["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"]),
        private.clone(),
        puts(&["d1", "d2"]),
        private,
    ];
    for commit in &commits {
        store.commit(&here, commit).await?;
    }
    let (whole, _) = follow(&store, &here, &Cursor::start(), 1_000).await?;
    same("the entries of the whole feed", &whole.len(), &15)?;
    for limit in [1, 2, 3, 4, 5, 12, 13, 14, 15, 1_000] {
        let mut all: Vec<Change> = Vec::new();
        let mut at = Cursor::start();
        loop {
            let (entries, to, has_more) = page(&store, &here, &at, limit).await?;
            let what = format!("a page of {limit} from {}", at.revision);
            let last = entries.last().map(|it| it.revision);
            let is_cut = |it: &Change| Some(it.revision) == last && !entries.contains(it);
            require!(
                !whole.iter().any(is_cut),
                "{what} cuts a commit: {entries:?}"
            );
            let needless = entries
                .iter()
                .filter(|it| Some(it.revision) != last)
                .count();
            require!(
                needless < limit,
                "{what} holds more than it must: {entries:?}"
            );
            require!(
                last.is_none_or(|last| last <= to.revision),
                "{what} ends at {} before its entries: {entries:?}",
                to.revision
            );
            require!(
                to.revision >= at.revision,
                "{what} goes back to {}",
                to.revision
            );
            let is_empty = entries.is_empty();
            all.extend(entries);
            at = to;
            if !has_more {
                break;
            }
            require!(!is_empty, "{what} is empty, and there is more");
        }
        same(&format!("the feed by pages of {limit}"), &all, &whole)?;
    }
    Ok(())
}

pub(super) async fn rs_16_nothing_appears_at_or_below_a_shown_cursor(
    store: impl RecordStore,
) -> Checked {
    let here = partition("c");
    let mut known: BTreeMap<Key, (Revision, Vec<u8>)> = BTreeMap::new();
    let mut at = Cursor::start();
    let mut take = |entries: Vec<Change>, after: &Cursor| -> Checked {
        for change in entries {
            require!(
                change.revision > after.revision,
                "{} of {} after a page that ended at {}",
                change.revision,
                change.key,
                after.revision
            );
            match change.value {
                Some(value) => known.insert(change.key, (change.revision, value)),
                None => known.remove(&change.key),
            };
        }
        Ok(())
    };
    for round in 0..6_u8 {
        let new = format!("new {round}");
        let left = writes([(key("always"), vec![round]), (key(&new), vec![round])]);
        let mut right = writes([
            (key("other"), vec![round]),
            (Key::new(QUEUE, "job"), vec![round]),
        ]);
        right.deletes = vec![key(&format!("new {}", round / 2))];
        right.deletes.retain(|key| key.id != new);
        let (wrote_left, seen, wrote_right) = join!(
            store.commit(&here, &left),
            page(&store, &here, &at, 1),
            store.commit(&here, &right),
        );
        wrote_left?;
        wrote_right?;
        let (entries, to, _) = seen?;
        take(entries, &at)?;
        at = to;
    }
    let (entries, end) = follow(&store, &here, &at, 2).await?;
    take(entries, &at)?;
    let listed = store.list(&here, &listing(FACT, "", 1_000)).await?;
    let expected: BTreeMap<_, _> = listed
        .into_iter()
        .map(|record| (record.key, (record.revision, record.value)))
        .collect();
    same(
        "what a reader of the feed knows in the end",
        &known,
        &expected,
    )?;

    store.commit(&here, &puts(&["always", "last"])).await?;
    let (entries, _) = follow(&store, &here, &end, 10).await?;
    let mut seen: Vec<String> = entries.iter().map(|it| it.key.to_string()).collect();
    seen.sort();
    let expected = vec!["fact/always".to_owned(), "fact/last".to_owned()];
    same("what one more commit adds", &seen, &expected)
}
