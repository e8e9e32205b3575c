//! Counting, fencing and purging.

use atlas_core::ErrorKind;
use atlas_core::ports::{
    Batch, Cursor, Document, Epoch, FactIndex, FactIndexStats, IndexEntry, Residue, Scope,
};

use super::documents::{document, entry, fill, from_origin, offered, picture, request};
use crate::conformance::Checked;
use crate::conformance::batches::{batch, cursor};
use crate::conformance::corpus::channel;
use crate::conformance::seen::{refused, same};

fn two(index: &impl FactIndex) -> Vec<Document> {
    ["1", "2"].map(|id| document(index, id, "launch")).to_vec()
}

pub(super) async fn fi_13_lower_epochs_are_fenced(index: impl FactIndex) -> Checked {
    let (here, there) = (channel("here"), channel("there"));
    fill(&index, &here, two(&index)).await?;
    index.fence(&here, Epoch(2)).await?;
    index.fence(&here, Epoch(2)).await?;
    let before = picture(&index, &here).await?;
    let (start, one, to_two) = (Cursor::start(), cursor(1), cursor(2));
    let entries = [entry(document(&index, "3", "launch"))];
    let of = |epoch, from| Batch {
        epoch,
        ..batch(from, &to_two, &entries)
    };
    for low in [Epoch(0), Epoch(1)] {
        for from in [&one, &start] {
            let answer = index.apply(&here, of(low, from)).await;
            refused("a batch of a lower epoch", answer, ErrorKind::Fenced)?;
        }
        refused(
            "purge of a lower epoch",
            index.purge(&here, low).await,
            ErrorKind::Fenced,
        )?;
        refused(
            "a lower fence",
            index.fence(&here, low).await,
            ErrorKind::Fenced,
        )?;
        same(
            "after a lower epoch",
            &picture(&index, &here).await?,
            &before,
        )?;
    }
    index.apply(&here, of(Epoch(2), &one)).await?;
    fill(&index, &there, two(&index)).await
}

pub(super) async fn fi_14_purge_leaves_no_residue(index: impl FactIndex) -> Checked {
    let (here, there) = (channel("here"), channel("there"));
    fill(&index, &here, two(&index)).await?;
    fill(&index, &there, two(&index)).await?;
    let untouched = picture(&index, &there).await?;
    let full = index.residue(&here).await?;
    require!(full.items > 0, "an index with documents counts {full:?}");

    index.fence(&here, Epoch(3)).await?;
    // A purge that is done again, since nobody knows whether it was done, is no error.
    for _ in 0..2 {
        index.purge(&here, Epoch(3)).await?;
        let empty = (
            Cursor::start(),
            FactIndexStats::default(),
            Residue::default(),
            Vec::new(),
        );
        same("the channel", &picture(&index, &here).await?, &empty)?;
        for leg in offered(&index, "launch") {
            let what = format!("found by {leg:?}");
            let hits = index.search(&Scope::from(&here), &request(leg, 5)).await?;
            same(&what, &hits, &Vec::new())?;
        }
    }
    same(
        "the other channel",
        &picture(&index, &there).await?,
        &untouched,
    )?;
    let (start, one) = (Cursor::start(), cursor(1));
    let entries = [entry(document(&index, "1", "launch"))];
    let of = |epoch| Batch {
        epoch,
        ..batch(&start, &one, &entries)
    };
    let late = index.apply(&here, of(Epoch(2))).await;
    refused("a batch of the old epoch", late, ErrorKind::Fenced)?;
    index.apply(&here, of(Epoch(3))).await?;
    same(
        "what is applied after the purge",
        &index.applied(&here).await?,
        &one,
    )
}

pub(super) async fn fi_16_stats_count_one_channel(index: impl FactIndex) -> Checked {
    let (here, there) = (channel("here"), channel("there"));
    let is_dense = index.capabilities().dense;
    // An index that offers no dense leg need not keep vectors.
    let stats = |n_documents, n_vectors| {
        FactIndexStats::new(n_documents, if is_dense { n_vectors } else { 0 })
    };
    let of = |seen: FactIndexStats| stats(seen.n_documents, seen.n_vectors);
    let blind = |id: &str| Document {
        vector: None,
        ..document(&index, id, "launch")
    };
    same(
        "an empty index",
        &of(index.stats(&here).await?),
        &stats(0, 0),
    )?;
    let mut documents = two(&index);
    documents.push(blind("3"));
    fill(&index, &here, documents).await?;
    same(
        "three documents, two vectors",
        &of(index.stats(&here).await?),
        &stats(3, 2),
    )?;
    same(
        "the other channel",
        &of(index.stats(&there).await?),
        &stats(0, 0),
    )?;
    fill(&index, &there, two(&index)).await?;

    let cursors = [1, 2, 3].map(cursor);
    let [one, two, three] = &cursors;
    let entries: [IndexEntry; 3] = [
        entry(document(&index, "1", "said again")),
        entry(blind("2")),
        from_origin("page", vec![document(&index, "4", "launch"), blind("5")]),
    ];
    index.apply(&here, batch(one, two, &entries)).await?;
    same(
        "five documents, two vectors",
        &of(index.stats(&here).await?),
        &stats(5, 2),
    )?;
    let gone = ["1", "page", "never"].map(|id| from_origin(id, Vec::new()));
    index.apply(&here, batch(two, three, &gone)).await?;
    same(
        "two documents, no vector",
        &of(index.stats(&here).await?),
        &stats(2, 0),
    )?;
    same(
        "the other channel in the end",
        &of(index.stats(&there).await?),
        &stats(2, 2),
    )
}
