//! Appending.

use atlas_core::ErrorKind;
use atlas_core::model::{Message, SourceId};
use atlas_core::ports::{
    Appended, ChannelScope, Epoch, MessageStore, MessageStoreExt, Residue, Sequence, StoredMessage,
};

use crate::conformance::corpus::{at, channel, full_message, message, texts};
use crate::conformance::seen::{refused, same};
use crate::conformance::{Checked, Seen};

const E0: Epoch = Epoch(0);

/// All that a channel holds, as its store tells it.
pub(super) async fn picture(
    store: &impl MessageStore,
    channel: &ChannelScope,
) -> Result<(Vec<StoredMessage>, Vec<StoredMessage>, Residue), Seen> {
    let changes = store.changes(channel, Sequence(0), 1_000).await?;
    let mut versions = Vec::new();
    for change in &changes {
        versions.extend(store.versions(channel, &change.message.id).await?);
    }
    Ok((changes, versions, store.residue(channel).await?))
}

/// The same message, said otherwise in an edit of that time.
pub(super) fn edit(message: &Message, edited_at: Option<i64>, text: &str) -> Message {
    Message {
        text: text.to_owned(),
        edited_at: edited_at.map(at),
        ..message.clone()
    }
}

pub(super) async fn ms_1_append_answers_in_order_and_keeps_every_field(
    store: impl MessageStore,
) -> Checked {
    let channel = channel("c");
    let mut all: Vec<Message> = texts()
        .iter()
        .enumerate()
        .map(|(n, text)| message(&channel, &n.to_string(), at(0), text))
        .collect();
    all.push(full_message(&channel, "full", at(1), "w"));
    let mut gone = message(&channel, "gone", at(2), "");
    gone.is_deleted = true;
    all.push(gone);

    let outcomes = store.append(&channel, E0, &all).await?;
    same(
        "outcomes of unknown messages",
        &outcomes,
        &vec![Appended::New; all.len()],
    )?;
    for given in &all {
        let stored = store.get_one(&channel, &given.id).await?;
        let stored = stored.ok_or_else(|| Seen::new(format!("{} is not there", given.id)))?;
        same("a message", &stored.message, given)?;
        same("the name of its version", &stored.version, &given.version())?;
    }

    let first = message(&channel, "mixed", at(3), "one");
    let batch = [
        edit(
            &full_message(&channel, "full", at(1), "w"),
            Some(9),
            "other",
        ),
        message(&channel, "0", at(0), ""),
        first.clone(),
        edit(&first, Some(4), "two"),
        first,
    ];
    let outcomes = store.append(&channel, E0, &batch).await?;
    same(
        "outcomes of an edit, a repetition, an unknown message, its edit, and it again",
        &outcomes,
        &vec![
            Appended::Changed,
            Appended::Unchanged,
            Appended::New,
            Appended::Changed,
            Appended::Unchanged,
        ],
    )?;
    same(
        "outcomes of no message",
        &store.append(&channel, E0, &[]).await?,
        &Vec::new(),
    )
}

pub(super) async fn ms_2_the_current_version_again_is_unchanged(
    store: impl MessageStore,
) -> Checked {
    let channel = channel("c");
    let batch = [
        full_message(&channel, "1", at(0), "w"),
        message(&channel, "2", at(0), "plain"),
    ];
    store.append(&channel, E0, &batch).await?;
    let before = picture(&store, &channel).await?;
    let again = store.append(&channel, E0, &batch).await?;
    same(
        "outcomes of what is current",
        &again,
        &vec![Appended::Unchanged; 2],
    )?;
    same(
        "the channel afterwards",
        &picture(&store, &channel).await?,
        &before,
    )
}

pub(super) async fn ms_3_a_replacing_version_is_changed_and_a_late_edit_is_not(
    store: impl MessageStore,
) -> Checked {
    let channel = channel("c");
    let first = message(&channel, "1", at(0), "first");
    let gone = Message {
        is_deleted: true,
        ..edit(&first, Some(20), "")
    };
    let row = |what: &'static str, version: &Message, outcome, current: &Message| {
        (what, version.clone(), outcome, current.clone())
    };
    let second = edit(&first, Some(20), "second");
    let third = edit(&first, Some(30), "third");
    let same_time = edit(&first, Some(30), "third, said otherwise");
    let late = edit(&first, Some(25), "late");
    let rows = [
        row("the first version", &first, Appended::New, &first),
        row("an edit", &second, Appended::Changed, &second),
        row("a later edit", &third, Appended::Changed, &third),
        row("an earlier edit", &late, Appended::Unchanged, &third),
        row("the unedited version", &first, Appended::Unchanged, &third),
        row(
            "an edit of the same time",
            &same_time,
            Appended::Changed,
            &same_time,
        ),
        row("a deletion", &gone, Appended::Changed, &gone),
        row(
            "an edit of what is deleted",
            &third,
            Appended::Unchanged,
            &gone,
        ),
    ];
    for (what, version, outcome, current) in rows {
        let outcomes = store.append(&channel, E0, &[version]).await?;
        same(what, &outcomes, &vec![outcome])?;
        let now = store.get_one(&channel, &current.id).await?;
        same(what, &now.map(|it| it.message), &Some(current))?;
    }
    Ok(())
}

pub(super) async fn ms_4_every_version_is_kept_in_the_order_of_arrival(
    store: impl MessageStore,
) -> Checked {
    let channel = channel("c");
    let first = full_message(&channel, "1", at(0), "w");
    let versions = [
        first.clone(),
        edit(&first, Some(30), "the last edit"),
        edit(&first, Some(20), "an earlier edit that arrives late"),
        edit(&first, Some(40), ""),
    ];
    store.append(&channel, E0, &versions[..2]).await?;
    for version in &versions[2..] {
        store
            .append(&channel, E0, std::slice::from_ref(version))
            .await?;
    }
    let neighbour = message(&channel, "2", at(0), "another");
    store.append(&channel, E0, &[neighbour]).await?;

    let kept = store.versions(&channel, &first.id).await?;
    for stored in &kept {
        same(
            "the name of a version",
            &stored.version,
            &stored.message.version(),
        )?;
    }
    let kept: Vec<Message> = kept.into_iter().map(|it| it.message).collect();
    same("the versions", &kept, &versions.to_vec())?;
    let unknown = message(&channel, "3", at(0), "").id;
    same(
        "versions of an unknown message",
        &store.versions(&channel, &unknown).await?,
        &Vec::new(),
    )
}

pub(super) async fn ms_10_a_foreign_message_refuses_its_batch(store: impl MessageStore) -> Checked {
    let (here, there) = (channel("here"), channel("there"));
    let known = message(&here, "1", at(0), "known");
    store
        .append(&here, E0, std::slice::from_ref(&known))
        .await?;
    let before = picture(&store, &here).await?;
    let batch = [
        edit(&known, Some(9), "an edit before it"),
        message(&there, "2", at(0), "foreign"),
        message(&here, "3", at(0), "after it"),
    ];
    let answer = store.append(&here, E0, &batch).await;
    refused("append with a foreign message", answer, ErrorKind::Invalid)?;
    same(
        "the channel afterwards",
        &picture(&store, &here).await?,
        &before,
    )?;
    let (changes, _, residue) = picture(&store, &there).await?;
    same(
        "the other channel",
        &(changes, residue),
        &(Vec::new(), Residue::default()),
    )
}

pub(super) async fn ms_17_a_message_without_an_id_refuses_its_batch(
    store: impl MessageStore,
) -> Checked {
    let here = channel("c");
    let known = message(&here, "1", at(0), "known");
    store
        .append(&here, E0, std::slice::from_ref(&known))
        .await?;
    let before = picture(&store, &here).await?;
    let mut sourceless = message(&here, "2", at(0), "of nobody");
    sourceless.id.source = SourceId::new("");
    for nameless in [message(&here, "", at(0), "nameless"), sourceless] {
        let batch = [
            edit(&known, Some(9), "an edit before it"),
            nameless,
            message(&here, "3", at(0), "after it"),
        ];
        let answer = store.append(&here, E0, &batch).await;
        refused("append of what has no id", answer, ErrorKind::Invalid)?;
        let after = picture(&store, &here).await?;
        same("the channel afterwards", &after, &before)?;
    }
    Ok(())
}
