//! Opening again.

use atlas_core::ErrorKind;
use atlas_core::ports::{Batch, Cursor, Epoch, FactIndex, IndexHit, Residue, Scope};

use super::documents::{document, entry, fill, from_origin, ids, offered, picture, request};
use crate::conformance::batches::{batch, cursor, cursor_of};
use crate::conformance::corpus::channel;
use crate::conformance::seen::{refused, same};
use crate::conformance::{Checked, Fixture, Harness, Seen};

/// What each leg that is offered finds.
async fn hits(
    index: &impl FactIndex,
    scope: &Scope,
    word: &str,
) -> Result<Vec<Vec<IndexHit>>, Seen> {
    let mut found = Vec::new();
    for leg in offered(index, word) {
        found.push(index.search(scope, &request(leg, 100)).await?);
    }
    Ok(found)
}

pub(super) async fn fi_18_what_was_acknowledged_is_there_again<H>(index: Fixture<H>) -> Checked
where
    H: Harness<Store: FactIndex>,
{
    if !index.capabilities().durable {
        return Ok(());
    }
    let (here, fenced, purged) = (channel("here"), channel("fenced"), channel("purged"));
    let scope = Scope::from(&here);
    let of = |ids: &[&str]| {
        ids.iter()
            .map(|id| document(&index, id, "launch"))
            .collect()
    };
    for channel in [&here, &fenced, &purged] {
        fill(&index, channel, of(&["1", "2", "3"])).await?;
    }
    let start = Cursor::start();
    let cursors = [1, 2, 3].map(cursor);
    let [one, two, three] = &cursors;
    let entries = [
        from_origin("2", Vec::new()),
        entry(document(&index, "3", "said otherwise")),
        entry(document(&index, "4", "launch")),
    ];
    index.apply(&here, batch(one, two, &entries)).await?;
    index.fence(&fenced, Epoch(4)).await?;
    index.purge(&purged, Epoch(2)).await?;

    let before = picture(&index, &here).await?;
    let found = hits(&index, &scope, "launch").await?;
    for _ in 0..2 {
        index.reopen().await?;
        same("what was applied", &picture(&index, &here).await?, &before)?;
        let again = hits(&index, &scope, "launch").await?;
        same("what each leg finds", &again, &found)?;
        let residue = index.residue(&purged).await?;
        same("residue of a purge", &residue, &Residue::default())?;
        let applied = index.applied(&purged).await?;
        same("what is applied after a purge", &applied, &Cursor::start())?;
    }

    // What was told to the index that was closed binds the one that was opened, which is written
    // to before it is read.
    index.reopen().await?;
    let fifth = [entry(document(&index, "5", "launch"))];
    for (channel, low) in [(&fenced, Epoch(3)), (&purged, Epoch(1))] {
        let late = Batch {
            epoch: low,
            ..batch(&start, three, &fifth)
        };
        let answer = index.apply(channel, late).await;
        refused("a batch of a lower epoch", answer, ErrorKind::Fenced)?;
    }
    let elsewhere = cursor_of(2, "another history");
    let answer = index.apply(&here, batch(&elsewhere, three, &fifth)).await;
    refused("a batch from elsewhere", answer, ErrorKind::Conflict)?;
    index.apply(&here, batch(two, three, &fifth)).await?;
    let (applied, _, _, recent) = picture(&index, &here).await?;
    same("what was applied last", &applied, three)?;
    same("all documents", &ids(&recent), &vec!["1", "3", "4", "5"])
}
