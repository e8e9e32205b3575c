//! Opening again.

use atlas_core::ErrorKind;
use atlas_core::ports::{Appended, Epoch, MessageStore, Residue, Sequence};

use super::writing::{edit, picture};
use crate::conformance::corpus::{at, channel, full_message, message, message_id, texts};
use crate::conformance::seen::{refused, same};
use crate::conformance::{Checked, Fixture, Harness};

const E0: Epoch = Epoch(0);

pub(super) async fn ms_16_what_was_acknowledged_is_there_again<H>(store: Fixture<H>) -> Checked
where
    H: Harness<Store: MessageStore>,
{
    if !store.capabilities().durable {
        return Ok(());
    }
    let (here, fenced, purged) = (channel("here"), channel("fenced"), channel("purged"));
    let first = full_message(&here, "full", at(0), "w");
    let mut batch: Vec<_> = texts()
        .iter()
        .enumerate()
        .map(|(n, text)| message(&here, &n.to_string(), at(1), text))
        .collect();
    batch.extend([first.clone(), edit(&first, Some(9), "edited")]);
    store.append(&here, E0, &batch).await?;
    store.forget(&here, E0, &[message_id(&here, "3")]).await?;
    for channel in [&fenced, &purged] {
        let said = message(channel, "1", at(0), "said");
        store.append(channel, E0, &[said]).await?;
    }
    store.fence(&fenced, Epoch(4)).await?;
    let shown = store.changes(&purged, Sequence(0), 10).await?;
    store.purge(&purged, Epoch(2)).await?;

    let before = picture(&store, &here).await?;
    let read = store.read(&here, None, 100).await?;
    for _ in 0..2 {
        store.reopen().await?;
        same("what was written", &picture(&store, &here).await?, &before)?;
        same("what is read", &store.read(&here, None, 100).await?, &read)?;
        for (channel, epoch) in [(&here, 0), (&fenced, 4), (&purged, 2)] {
            let what = format!("the epoch of {}", channel.channel());
            same(&what, &store.epoch(channel).await?, &Epoch(epoch))?;
        }
        let residue = store.residue(&purged).await?;
        same("residue of a purge", &residue, &Residue::default())?;
    }

    // What was told to the store that was closed binds the one that was opened, which is written
    // to before it is read.
    store.reopen().await?;
    let more = [message(&fenced, "2", at(1), "more")];
    let late = store.append(&fenced, Epoch(3), &more).await;
    refused("append of a lower epoch", late, ErrorKind::Fenced)?;
    let again = store.append(&here, E0, &batch).await?;
    let expected = vec![Appended::Unchanged; batch.len()];
    same("outcomes of all of it again", &again, &expected)?;
    let newest = before.0.last().map(|it| it.sequence).unwrap_or_default();
    store
        .append(&here, E0, &[message(&here, "new", at(2), "new")])
        .await?;
    let seen = store.changes(&here, newest, 100).await?;
    same("writes after the newest that was shown", &seen.len(), &1)?;
    let newest = shown.last().map(|it| it.sequence).unwrap_or_default();
    let said = [message(&purged, "1", at(0), "said again")];
    store.append(&purged, Epoch(2), &said).await?;
    let seen = store.changes(&purged, newest, 100).await?;
    same("writes after what a purge erased", &seen.len(), &1)
}
