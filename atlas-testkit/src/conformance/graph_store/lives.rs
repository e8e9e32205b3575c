//! Counting, fencing and purging.

use atlas_core::ErrorKind;
use atlas_core::ports::{Batch, ChannelScope, Cursor, Epoch, GraphStats, GraphStore, Residue};

use super::graph::{edge, fill, gone, node, of_edge, of_node, picture};
use crate::conformance::batches::{batch, cursor};
use crate::conformance::corpus::channel;
use crate::conformance::seen::{refused, same};
use crate::conformance::{Checked, Seen};

const NAMES: [&str; 3] = ["ada", "bea", "cyd"];

async fn fill_three(store: &impl GraphStore, channel: &ChannelScope) -> Result<(), Seen> {
    let entries = [
        of_node(node(channel, "ada")),
        of_node(node(channel, "bea")),
        of_node(node(channel, "cyd")),
        of_edge(edge(channel, "knows", ("ada", "bea"), 0.5)),
        of_edge(edge(channel, "leads", ("bea", "cyd"), 0.6)),
    ];
    fill(store, channel, &entries).await
}

pub(super) async fn gs_10_lower_epochs_are_fenced(store: impl GraphStore) -> Checked {
    let (here, there) = (channel("here"), channel("there"));
    fill_three(&store, &here).await?;
    store.fence(&here, Epoch(2)).await?;
    store.fence(&here, Epoch(2)).await?;
    let before = picture(&store, &here, &NAMES).await?;
    let (start, one, two) = (Cursor::start(), cursor(1), cursor(2));
    let entries = [of_node(node(&here, "new"))];
    let of = |epoch, from| Batch {
        epoch,
        ..batch(from, &two, &entries)
    };
    for low in [Epoch(0), Epoch(1)] {
        for from in [&one, &start] {
            let answer = store.apply(&here, of(low, from)).await;
            refused("a batch of a lower epoch", answer, ErrorKind::Fenced)?;
        }
        refused(
            "purge of a lower epoch",
            store.purge(&here, low).await,
            ErrorKind::Fenced,
        )?;
        refused(
            "a lower fence",
            store.fence(&here, low).await,
            ErrorKind::Fenced,
        )?;
        same(
            "after a lower epoch",
            &picture(&store, &here, &NAMES).await?,
            &before,
        )?;
    }
    store.apply(&here, of(Epoch(2), &one)).await?;
    fill_three(&store, &there).await
}

pub(super) async fn gs_11_purge_leaves_no_residue(store: impl GraphStore) -> Checked {
    let (here, there) = (channel("here"), channel("there"));
    fill_three(&store, &here).await?;
    fill_three(&store, &there).await?;
    let untouched = picture(&store, &there, &NAMES).await?;
    let full = store.residue(&here).await?;
    require!(full.items > 0, "a graph with nodes counts {full:?}");

    store.fence(&here, Epoch(3)).await?;
    // A purge that is done again, since nobody knows whether it was done, is no error.
    for _ in 0..2 {
        store.purge(&here, Epoch(3)).await?;
        let empty = (
            Cursor::start(),
            GraphStats::default(),
            Residue::default(),
            vec![Vec::new(); 2 * NAMES.len()],
        );
        same(
            "the channel",
            &picture(&store, &here, &NAMES).await?,
            &empty,
        )?;
    }
    same(
        "the other channel",
        &picture(&store, &there, &NAMES).await?,
        &untouched,
    )?;
    let (start, one) = (Cursor::start(), cursor(1));
    let entries = [of_node(node(&here, "ada"))];
    let of = |epoch| Batch {
        epoch,
        ..batch(&start, &one, &entries)
    };
    let late = store.apply(&here, of(Epoch(2))).await;
    refused("a batch of the old epoch", late, ErrorKind::Fenced)?;
    store.apply(&here, of(Epoch(3))).await?;
    same(
        "what is applied after the purge",
        &store.applied(&here).await?,
        &one,
    )
}

pub(super) async fn gs_13_stats_count_one_channel(store: impl GraphStore) -> Checked {
    let (here, there) = (channel("here"), channel("there"));
    same(
        "an empty graph",
        &store.stats(&here).await?,
        &GraphStats::default(),
    )?;
    fill_three(&store, &here).await?;
    same(
        "three nodes and two edges",
        &store.stats(&here).await?,
        &GraphStats::new(3, 2),
    )?;
    same(
        "the other channel",
        &store.stats(&there).await?,
        &GraphStats::default(),
    )?;
    fill_three(&store, &there).await?;
    let again = [
        of_node(node(&here, "ada")),
        gone(&of_edge(edge(&here, "leads", ("bea", "cyd"), 0.6))),
        gone(&of_node(node(&here, "cyd"))),
        gone(&of_node(node(&here, "never"))),
        of_node(node(&here, "dan")),
        of_node(node(&here, "eve")),
    ];
    store
        .apply(&here, batch(&cursor(1), &cursor(2), &again))
        .await?;
    same(
        "four nodes and an edge",
        &store.stats(&here).await?,
        &GraphStats::new(4, 1),
    )?;
    same(
        "the other channel in the end",
        &store.stats(&there).await?,
        &GraphStats::new(3, 2),
    )
}
