//! The feed of writes.

use std::collections::BTreeMap;

use atlas_core::model::{ContentHash, MessageId};
use atlas_core::ports::{ChannelScope, Epoch, MessageStore, Sequence, StoredMessage};
use futures::join;

use super::writing::edit;
use crate::conformance::corpus::{at, channel, message};
use crate::conformance::seen::same;
use crate::conformance::{Checked, Seen};

const E0: Epoch = Epoch(0);
/// More pages than any check has.
const MOST_PAGES: usize = 200;

/// Follows the feed to its end, page by page, and demands that it only goes up.
async fn follow(
    store: &impl MessageStore,
    channel: &ChannelScope,
    since: Sequence,
    limit: usize,
) -> Result<Vec<StoredMessage>, Seen> {
    let mut all: Vec<StoredMessage> = Vec::new();
    let mut last = since;
    for _ in 0..MOST_PAGES {
        let page = store.changes(channel, last, limit).await?;
        require!(
            page.len() <= limit,
            "a page of {} for a limit of {limit}",
            page.len()
        );
        if page.is_empty() {
            return Ok(all);
        }
        for stored in page {
            require!(
                stored.sequence > last,
                "{:?} of {} after {last:?}",
                stored.sequence,
                stored.message.id
            );
            last = stored.sequence;
            all.push(stored);
        }
    }
    Err(Seen::new(format!(
        "{MOST_PAGES} pages of {limit} have no end"
    )))
}

pub(super) async fn ms_8_changes_gives_last_writes_in_order(store: impl MessageStore) -> Checked {
    let channel = channel("c");
    same(
        "changes of an empty channel",
        &store.changes(&channel, Sequence(0), 10).await?,
        &Vec::new(),
    )?;
    let batch = ["10", "9", "b", "a", "2"].map(|id| message(&channel, id, at(0), id));
    let [ten, .., two] = &batch;
    store.append(&channel, E0, &batch).await?;
    store
        .append(&channel, E0, &[edit(ten, Some(9), "ten, edited")])
        .await?;
    let expected = ["9", "b", "a", "2", "ten, edited"]
        .map(str::to_owned)
        .to_vec();
    for limit in [1, 2, 100] {
        let feed = follow(&store, &channel, Sequence(0), limit).await?;
        let seen: Vec<String> = feed.into_iter().map(|it| it.message.text).collect();
        same(&format!("the feed by pages of {limit}"), &seen, &expected)?;
    }
    let whole = follow(&store, &channel, Sequence(0), 100).await?;
    let Some(of_two) = whole.iter().find(|it| it.message.id == two.id) else {
        return Err(Seen::new("a message left the feed"));
    };
    let rest = follow(&store, &channel, of_two.sequence, 100).await?;
    let seen: Vec<String> = rest.into_iter().map(|it| it.message.text).collect();
    same(
        "what follows the fourth write",
        &seen,
        &vec!["ten, edited".to_owned()],
    )
}

pub(super) async fn ms_9_nothing_appears_at_or_below_a_shown_sequence(
    store: impl MessageStore,
) -> Checked {
    let channel = channel("c");
    let of = |round: i64, n: i64| {
        let first = message(&channel, &n.to_string(), at(n), "first");
        edit(&first, Some(round), &format!("round {round}"))
    };
    let mut known: BTreeMap<MessageId, ContentHash> = BTreeMap::new();
    let mut shown = Sequence(0);
    for round in 0..6 {
        let left = [of(round, 1), of(round, 2), of(round, 10 + round)];
        let right = [of(round, 3), of(round, 20 + round)];
        let (wrote_left, page, wrote_right) = join!(
            store.append(&channel, E0, &left),
            store.changes(&channel, shown, 2),
            store.append(&channel, E0, &right),
        );
        wrote_left?;
        wrote_right?;
        for stored in page? {
            require!(
                stored.sequence > shown,
                "{:?} after {shown:?} was shown",
                stored.sequence
            );
            shown = stored.sequence;
            known.insert(stored.message.id, stored.version);
        }
    }
    let forgotten = of(0, 1).id;
    store.forget(&channel, E0, &[forgotten]).await?;
    for stored in follow(&store, &channel, shown, 3).await? {
        shown = stored.sequence;
        known.insert(stored.message.id, stored.version);
    }
    let whole = store.read(&channel, None, 1_000).await?;
    let expected: BTreeMap<_, _> = whole
        .into_iter()
        .map(|it| (it.message.id, it.version))
        .collect();
    same(
        "what a reader of the feed knows in the end",
        &known,
        &expected,
    )?;

    // A number that was shown is not given again, whatever is erased in between.
    store.purge(&channel, Epoch(1)).await?;
    store.append(&channel, Epoch(1), &[of(9, 1)]).await?;
    let after = store.changes(&channel, shown, 10).await?;
    same("writes after a purge that a reader sees", &after.len(), &1)
}
