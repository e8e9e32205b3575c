//! Reading.

use atlas_core::ErrorKind;
use atlas_core::model::{Message, MessageId, NativeId, SourceId};
use atlas_core::ports::{ChannelScope, Epoch, MessageStore, ReadCursor, Sequence, StoredMessage};

use super::writing::edit;
use crate::conformance::corpus::{at, channel, full_message, ids, message, message_id, shuffled};
use crate::conformance::seen::{refused, same};
use crate::conformance::{Checked, Seen};

const E0: Epoch = Epoch(0);
/// More pages than any check has.
const MOST_PAGES: usize = 200;

fn place(stored: &StoredMessage) -> ReadCursor {
    (stored.message.sent_at, stored.message.id.clone())
}

fn native(stored: &[StoredMessage]) -> Vec<String> {
    let names = stored.iter().map(|it| it.message.id.record_id());
    names.collect()
}

/// Reads to the end, page by page.
async fn read_all(
    store: &impl MessageStore,
    channel: &ChannelScope,
    root: Option<&MessageId>,
    limit: usize,
) -> Result<Vec<StoredMessage>, Seen> {
    let mut all: Vec<StoredMessage> = Vec::new();
    for _ in 0..MOST_PAGES {
        let after = all.last().map(place);
        let page = match root {
            Some(root) => store.thread(channel, root, after.as_ref(), limit).await?,
            None => store.read(channel, after.as_ref(), limit).await?,
        };
        require!(
            page.len() <= limit,
            "a page of {} for a limit of {limit}",
            page.len()
        );
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
    Err(Seen::new(format!(
        "{MOST_PAGES} pages of {limit} have no end: {:?}",
        native(&all)
    )))
}

pub(super) async fn ms_5_get_keeps_order_and_gaps(store: impl MessageStore) -> Checked {
    let channel = channel("c");
    let batch = ["1", "2", "3"].map(|id| message(&channel, id, at(0), id));
    store.append(&channel, E0, &batch).await?;
    let asked = ["3", "none", "1", "3", "0", "2"].map(|id| message_id(&channel, id));
    let slots = store.get(&channel, &asked).await?;
    let seen: Vec<Option<&str>> = slots
        .iter()
        .map(|slot| slot.as_ref().map(|it| it.message.text.as_str()))
        .collect();
    let expected = vec![Some("3"), None, Some("1"), Some("3"), None, Some("2")];
    same("asked for 3, none, 1, 3, 0, 2", &seen, &expected)?;
    same(
        "asked for nothing",
        &store.get(&channel, &[]).await?,
        &Vec::new(),
    )
}

pub(super) async fn ms_6_read_goes_by_time_then_id(store: impl MessageStore) -> Checked {
    let channel = channel("c");
    // Three instants, each of many messages: ties are the rule, and pages end within them.
    let mut all: Vec<Message> = ids()
        .iter()
        .enumerate()
        .map(|(n, id)| {
            let sent_at = at(i64::try_from(n % 3).unwrap_or(0));
            message(&channel, id, sent_at, id)
        })
        .collect();
    for text in ["a", "b"] {
        let mut other = message(&channel, "1", at(1), text);
        other.id.source = SourceId::new(text);
        all.push(other);
    }
    store.append(&channel, E0, &shuffled(&all)).await?;
    // An edit that moves a message in time moves it, and leaves nothing behind.
    if let Some(moved) = all.first_mut() {
        *moved = edit(moved, Some(99), "moved");
        moved.sent_at = at(50);
        store
            .append(&channel, E0, std::slice::from_ref(moved))
            .await?;
    }
    all.sort_by(|a, b| (a.sent_at, &a.id).cmp(&(b.sent_at, &b.id)));
    let expected: Vec<String> = all.iter().map(|it| it.id.record_id()).collect();
    for limit in [1, 2, 7, 1_000] {
        let seen = native(&read_all(&store, &channel, None, limit).await?);
        same(&format!("read by pages of {limit}"), &seen, &expected)?;
    }
    // A place that no message holds is a place all the same.
    let nobody = (at(1), message_id(&channel, ""));
    let seen = native(&store.read(&channel, Some(&nobody), 1_000).await?);
    let expected: Vec<String> = all
        .iter()
        .filter(|it| (it.sent_at, &it.id) > (nobody.0, &nobody.1))
        .map(|it| it.id.record_id())
        .collect();
    same("read after a place between messages", &seen, &expected)
}

pub(super) async fn ms_7_thread_gives_root_and_replies(store: impl MessageStore) -> Checked {
    let channel = channel("c");
    let reply = |native: &str, root: &str, seconds| Message {
        thread_root: Some(NativeId::new(root)),
        ..message(&channel, native, at(seconds), native)
    };
    let mut elsewhere = reply("7", "root", 3);
    elsewhere.id.source = SourceId::new("other");
    let all = [
        reply("10", "root", 5),
        reply("9", "root", 5),
        reply("other", "another root", 4),
        message(&channel, "root", at(2), "root"),
        message(&channel, "alone", at(3), "alone"),
        // A clock that goes wrong puts a reply before its root.
        reply("early", "root", 1),
        reply("orphan", "lost", 6),
        elsewhere,
        Message {
            thread_root: Some(NativeId::new("root")),
            ..full_message(&channel, "full", at(9), "w")
        },
    ];
    store.append(&channel, E0, &all).await?;
    let rows: [(&str, &[&str]); 5] = [
        ("root", &["early", "root", "10", "9", "full"]),
        ("another root", &["other"]),
        ("alone", &["alone"]),
        ("lost", &["orphan"]),
        ("nothing", &[]),
    ];
    for (root, expected) in rows {
        let expected: Vec<String> = expected.iter().map(|it| format!("chat/{it}")).collect();
        for limit in [1, 2, 100] {
            let root = message_id(&channel, root);
            let seen = native(&read_all(&store, &channel, Some(&root), limit).await?);
            same(
                &format!("thread {root} by pages of {limit}"),
                &seen,
                &expected,
            )?;
        }
    }
    Ok(())
}

pub(super) async fn ms_15_a_limit_of_nought_is_invalid(store: impl MessageStore) -> Checked {
    let channel = channel("c");
    for _ in 0..2 {
        let root = message_id(&channel, "1");
        let kind = ErrorKind::Invalid;
        refused("read", store.read(&channel, None, 0).await, kind)?;
        refused("thread", store.thread(&channel, &root, None, 0).await, kind)?;
        refused(
            "changes",
            store.changes(&channel, Sequence(0), 0).await,
            kind,
        )?;
        // Once for an empty channel, once for one with a message.
        let known = message(&channel, "1", at(0), "known");
        store.append(&channel, E0, &[known]).await?;
    }
    Ok(())
}
