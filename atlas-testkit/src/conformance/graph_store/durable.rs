//! Opening again.

use atlas_core::ErrorKind;
use atlas_core::ports::{Batch, Cursor, Epoch, GraphStore, Residue, Scope};

use super::graph::{by_name, edge, fill, gone, id, named, node, of_edge, of_node, picture, walk};
use crate::conformance::batches::{batch, cursor, cursor_of};
use crate::conformance::corpus::channel;
use crate::conformance::seen::{refused, same};
use crate::conformance::{Checked, Fixture, Harness};

const NAMES: [&str; 4] = ["ada", "countess", "bea", "cyd"];

pub(super) async fn gs_14_what_was_acknowledged_is_there_again<H>(store: Fixture<H>) -> Checked
where
    H: Harness<Store: GraphStore>,
{
    if !store.capabilities().durable {
        return Ok(());
    }
    let (here, fenced, purged) = (channel("here"), channel("fenced"), channel("purged"));
    let scope = Scope::from(&here);
    for channel in [&here, &fenced, &purged] {
        let entries = [
            of_node(named(channel, "ada", &["countess"])),
            of_node(node(channel, "bea")),
            of_edge(edge(channel, "knows", ("ada", "bea"), 0.5)),
            // Its end comes after the store was opened again.
            of_edge(edge(channel, "leads", ("bea", "cyd"), 0.6)),
            of_edge(edge(channel, "left", ("ada", "bea"), 0.7)),
        ];
        fill(&store, channel, &entries).await?;
    }
    let start = Cursor::start();
    let cursors = [1, 2, 3].map(cursor);
    let [one, two, three] = &cursors;
    let without = [gone(&of_edge(edge(&here, "left", ("ada", "bea"), 0.7)))];
    store.apply(&here, batch(one, two, &without)).await?;
    store.fence(&fenced, Epoch(4)).await?;
    store.purge(&purged, Epoch(2)).await?;

    let before = picture(&store, &here, &NAMES).await?;
    let asked = [by_name("countess"), by_name("bea")];
    let found = store.find(&scope, &asked).await?;
    let ends = ["ada", "bea"].map(|name| id(&here, name));
    let walked = store.neighbours(&scope, &ends, walk(10)).await?;
    for _ in 0..2 {
        store.reopen().await?;
        let again = picture(&store, &here, &NAMES).await?;
        same("what was applied", &again, &before)?;
        let again = store.find(&scope, &asked).await?;
        same("what is found", &again, &found)?;
        let again = store.neighbours(&scope, &ends, walk(10)).await?;
        same("what is walked to", &again, &walked)?;
        let residue = store.residue(&purged).await?;
        same("residue of a purge", &residue, &Residue::default())?;
        let applied = store.applied(&purged).await?;
        same("what is applied after a purge", &applied, &Cursor::start())?;
    }

    // What was told to the store that was closed binds the one that was opened, which is written
    // to before it is read.
    store.reopen().await?;
    let third = [of_node(node(&here, "cyd"))];
    for (channel, low) in [(&fenced, Epoch(3)), (&purged, Epoch(1))] {
        let late = Batch {
            epoch: low,
            ..batch(&start, three, &[])
        };
        let answer = store.apply(channel, late).await;
        refused("a batch of a lower epoch", answer, ErrorKind::Fenced)?;
    }
    let elsewhere = cursor_of(2, "another history");
    let answer = store.apply(&here, batch(&elsewhere, three, &third)).await;
    refused("a batch from elsewhere", answer, ErrorKind::Conflict)?;
    store.apply(&here, batch(two, three, &third)).await?;
    let (applied, _, _, lists) = picture(&store, &here, &NAMES).await?;
    same("what was applied last", &applied, three)?;
    let expected = vec!["leads".to_owned()];
    same(
        "the edges of the end that came",
        &lists.last(),
        &Some(&expected),
    )
}
