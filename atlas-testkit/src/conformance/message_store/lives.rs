//! Forgetting, fencing and purging.

use atlas_core::ErrorKind;
use atlas_core::model::Message;
use atlas_core::ports::{
    Appended, ChannelScope, Epoch, MessageStore, MessageStoreExt, Residue, Sequence,
};

use super::writing::{edit, picture};
use crate::conformance::corpus::{at, channel, full_message, message, message_id};
use crate::conformance::seen::{refused, same};
use crate::conformance::{Checked, Seen};

const E0: Epoch = Epoch(0);
/// Begins every word of a message that is to be forgotten.
const MARK: &str = "zyxw";

/// Demands that no way of reading shows a word of the forgotten.
async fn wordless(
    store: &impl MessageStore,
    channel: &ChannelScope,
    forgotten: &Message,
) -> Checked {
    let id = &forgotten.id;
    let root = forgotten.conversation();
    let ways = [
        (
            "get",
            store.get_one(channel, id).await?.into_iter().collect(),
        ),
        ("versions", store.versions(channel, id).await?),
        ("read", store.read(channel, None, 100).await?),
        ("thread", store.thread(channel, &root, None, 100).await?),
        ("changes", store.changes(channel, Sequence(0), 100).await?),
    ];
    let bare = forgotten.without_words();
    for (way, stored) in ways {
        let of_it = stored.into_iter().filter(|it| it.message.id == *id);
        let messages: Vec<_> = of_it.collect();
        require!(!messages.is_empty(), "{way} lost the place of the message");
        for it in messages {
            same(&format!("the message by {way}"), &it.message, &bare)?;
            let names_words = it.version == forgotten.version();
            require!(!names_words, "{way} names the version that held the words");
        }
    }
    Ok(())
}

pub(super) async fn ms_12_forget_erases_words_and_keeps_places(
    store: impl MessageStore,
) -> Checked {
    let channel = channel("c");
    let first = full_message(&channel, "1", at(5), MARK);
    let second = edit(&first, Some(60), "zyxw again");
    let before = message(&channel, "0", at(4), "before");
    let after = message(&channel, "2", at(6), "after");
    let batch = [before.clone(), first.clone(), second.clone(), after.clone()];
    store.append(&channel, E0, &batch).await?;
    let shown = store.changes(&channel, Sequence(0), 100).await?;
    let newest = shown.last().map(|it| it.sequence).unwrap_or_default();

    let ids = [message_id(&channel, "none"), first.id.clone()];
    same(
        "how many were there",
        &store.forget(&channel, E0, &ids).await?,
        &1,
    )?;
    wordless(&store, &channel, &second).await?;
    let order: Vec<_> = store
        .read(&channel, None, 100)
        .await?
        .into_iter()
        .map(|it| it.message)
        .collect();
    let expected = vec![before, second.without_words(), after];
    same("the channel in reading order", &order, &expected)?;
    let changes = store.changes(&channel, newest, 100).await?;
    let moved: Vec<_> = changes.iter().map(|it| &it.message.id).collect();
    same("what changes shows afterwards", &moved, &vec![&first.id])?;

    // An import that is read again does not bring the words back.
    store.append(&channel, E0, &[first, second.clone()]).await?;
    wordless(&store, &channel, &second).await
}

pub(super) async fn ms_13_lower_epochs_are_fenced(store: impl MessageStore) -> Checked {
    let (here, there) = (channel("here"), channel("there"));
    let known = message(&here, "1", at(0), "known");
    store
        .append(&here, E0, std::slice::from_ref(&known))
        .await?;
    same(
        "the epoch of a channel that was never fenced",
        &store.epoch(&here).await?,
        &E0,
    )?;
    store.fence(&here, Epoch(2)).await?;
    store.fence(&here, Epoch(2)).await?;
    same(
        "the epoch after the fence",
        &store.epoch(&here).await?,
        &Epoch(2),
    )?;
    same(
        "the epoch of another channel",
        &store.epoch(&there).await?,
        &E0,
    )?;
    let before = picture(&store, &here).await?;

    let more = [message(&here, "2", at(0), "more")];
    let kind = ErrorKind::Fenced;
    for low in [E0, Epoch(1)] {
        refused("append", store.append(&here, low, &more).await, kind)?;
        let ids = std::slice::from_ref(&known.id);
        refused("forget", store.forget(&here, low, ids).await, kind)?;
        refused("purge", store.purge(&here, low).await, kind)?;
        refused(
            "a lower fence",
            store.fence(&here, low).await,
            ErrorKind::Fenced,
        )?;
        same(
            "the epoch after a lower fence",
            &store.epoch(&here).await?,
            &Epoch(2),
        )?;
    }
    same(
        "the channel afterwards",
        &picture(&store, &here).await?,
        &before,
    )?;
    let outcomes = store.append(&here, Epoch(2), &more).await?;
    same("an append of the epoch", &outcomes, &vec![Appended::New])?;
    store
        .append(&there, E0, &[message(&there, "1", at(0), "there")])
        .await?;
    Ok(())
}

pub(super) async fn ms_14_purge_leaves_no_residue(store: impl MessageStore) -> Checked {
    let (here, there) = (channel("here"), channel("there"));
    for channel in [&here, &there] {
        let first = full_message(channel, "1", at(0), "w");
        let batch = [
            edit(&first, Some(9), "edited"),
            first,
            message(channel, "2", at(1), "forgotten"),
        ];
        store.append(channel, E0, &batch).await?;
        store
            .forget(channel, E0, &[message_id(channel, "2")])
            .await?;
    }
    let untouched = picture(&store, &there).await?;
    let full = store.residue(&here).await?;
    require!(full.items > 0, "a channel with messages counts {full:?}");

    store.fence(&here, Epoch(3)).await?;
    // A purge that is done again, since nobody knows whether it was done, is no error.
    for _ in 0..2 {
        store.purge(&here, Epoch(3)).await?;
        same("residue", &store.residue(&here).await?, &Residue::default())?;
        let (changes, ..) = picture(&store, &here).await?;
        same("changes", &changes, &Vec::new())?;
        same("read", &store.read(&here, None, 10).await?, &Vec::new())?;
        for native in ["1", "2", "root"] {
            let id = message_id(&here, native);
            same("get", &store.get_one(&here, &id).await?, &None)?;
            same("versions", &store.versions(&here, &id).await?, &Vec::new())?;
            same(
                "thread",
                &store.thread(&here, &id, None, 10).await?,
                &Vec::new(),
            )?;
        }
        same("the epoch", &store.epoch(&here).await?, &Epoch(3))?;
    }
    same(
        "the other channel",
        &picture(&store, &there).await?,
        &untouched,
    )?;
    let said = [message(&here, "1", at(0), "said again")];
    let late = store.append(&here, Epoch(2), &said).await;
    refused("append of the old epoch", late, ErrorKind::Fenced)?;
    let outcomes = store.append(&here, Epoch(3), &said).await?;
    if outcomes != [Appended::New] {
        return Err(Seen::new(format!(
            "said again after the purge: {outcomes:?}"
        )));
    }
    Ok(())
}
