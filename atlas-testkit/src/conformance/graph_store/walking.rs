//! Walking from node to node.

use atlas_core::ErrorKind;
use atlas_core::model::{EntityId, GraphRelation, Interval};
use atlas_core::ports::{GraphStore, Scope, Walk};

use super::graph::{edge, edges_of, fill, gone, id, node, of_edge, of_node, walk};
use crate::conformance::Checked;
use crate::conformance::batches::{batch, cursor};
use crate::conformance::corpus::{at, channel};
use crate::conformance::seen::{refused, same};

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

pub(super) async fn gs_6_neighbours_go_by_confidence_then_id(store: impl GraphStore) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    let mut entries: Vec<_> = ["hub", "a", "b", "c", "lonely"]
        .map(|name| of_node(node(&here, name)))
        .to_vec();
    let edges = [
        ("9", ("hub", "a"), 0.5),
        ("10", ("b", "hub"), 0.5),
        ("weak", ("hub", "c"), 0.1),
        ("strong", ("c", "hub"), 1.0),
        ("é", ("hub", "b"), 0.5),
        ("Z", ("a", "hub"), 0.5),
        ("self", ("hub", "hub"), 0.7),
        ("aside", ("a", "b"), 0.9),
    ];
    for (name, ends, confidence) in edges {
        entries.push(of_edge(edge(&here, name, ends, confidence)));
    }
    fill(&store, &here, &entries).await?;

    let expected = owned(&["strong", "self", "10", "9", "Z", "é", "weak"]);
    let hub = id(&here, "hub");
    let mut limit = 1;
    while limit <= expected.len() + 1 {
        let seen = edges_of(&store, &scope, &hub, walk(limit)).await?;
        let best: Vec<String> = expected.iter().take(limit).cloned().collect();
        same(
            &format!("edges of the hub for a limit of {limit}"),
            &seen,
            &best,
        )?;
        limit += 1;
    }
    let names = ["lonely", "none", "hub", "a", "hub"];
    let asked: Vec<EntityId> = names.iter().map(|name| id(&here, name)).collect();
    let lists = store.neighbours(&scope, &asked, walk(3)).await?;
    let seen: Vec<Vec<(&str, &str)>> = lists
        .iter()
        .map(|list| {
            list.iter()
                .map(|it| (it.relation.id.as_str(), it.entity.name.as_str()))
                .collect()
        })
        .collect();
    let of_hub = vec![("strong", "c"), ("self", "hub"), ("10", "b")];
    let of_a = vec![("aside", "b"), ("9", "hub"), ("Z", "hub")];
    let expected = vec![vec![], vec![], of_hub.clone(), of_a, of_hub];
    same("asked for lonely, none, hub, a, hub", &seen, &expected)?;
    same(
        "asked for nothing",
        &store.neighbours(&scope, &[], walk(3)).await?,
        &Vec::new(),
    )
}

pub(super) async fn gs_7_an_edge_without_an_end_is_not_walked(store: impl GraphStore) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    let late = of_node(node(&here, "late"));
    let entries = [
        of_edge(edge(&here, "dangling", ("ada", "late"), 0.9)),
        of_edge(edge(&here, "backwards", ("late", "ada"), 0.8)),
        of_edge(edge(&here, "whole", ("ada", "bea"), 0.1)),
        of_node(node(&here, "ada")),
        of_node(node(&here, "bea")),
    ];
    fill(&store, &here, &entries).await?;
    let (ada, end) = (id(&here, "ada"), id(&here, "late"));
    // An edge that is not walked takes no place within the limit.
    let seen = edges_of(&store, &scope, &ada, walk(1)).await?;
    same("before the end is there", &seen, &owned(&["whole"]))?;
    let seen = edges_of(&store, &scope, &end, walk(9)).await?;
    same("from an end that is not there", &seen, &Vec::new())?;

    let cursors = [1, 2, 3, 4].map(cursor);
    let [one, two, three, four] = &cursors;
    store
        .apply(&here, batch(one, two, std::slice::from_ref(&late)))
        .await?;
    let all = owned(&["dangling", "backwards", "whole"]);
    let seen = edges_of(&store, &scope, &ada, walk(9)).await?;
    same("when the end has come", &seen, &all)?;
    let seen = edges_of(&store, &scope, &end, walk(9)).await?;
    same(
        "from the end that has come",
        &seen,
        &owned(&["dangling", "backwards"]),
    )?;

    store
        .apply(&here, batch(two, three, &[gone(&late)]))
        .await?;
    let seen = edges_of(&store, &scope, &ada, walk(9)).await?;
    same("when the end is gone again", &seen, &owned(&["whole"]))?;
    store.apply(&here, batch(three, four, &[late])).await?;
    let seen = edges_of(&store, &scope, &ada, walk(9)).await?;
    same("when the end is back", &seen, &all)
}

pub(super) async fn gs_8_an_instant_keeps_the_edges_that_hold_then(
    store: impl GraphStore,
) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    let valid = |name: &str, confidence, start, end: Option<i64>| GraphRelation {
        valid: Interval {
            start: at(start),
            end: end.map(at),
        },
        ..edge(&here, name, ("ada", "bea"), confidence)
    };
    let entries = [
        of_node(node(&here, "ada")),
        of_node(node(&here, "bea")),
        of_edge(valid("past", 0.9, 10, Some(20))),
        of_edge(valid("present", 0.8, 20, Some(30))),
        of_edge(valid("open", 0.7, 25, None)),
        of_edge(valid("long", 0.1, 0, Some(100))),
    ];
    fill(&store, &here, &entries).await?;
    let rows: [(i64, &[&str]); 10] = [
        (-1, &[]),
        (0, &["long"]),
        (10, &["past", "long"]),
        (19, &["past", "long"]),
        (20, &["present", "long"]),
        (25, &["present", "open", "long"]),
        (29, &["present", "open", "long"]),
        (30, &["open", "long"]),
        (99, &["open", "long"]),
        (100, &["open"]),
    ];
    let ada = id(&here, "ada");
    for (instant, expected) in rows {
        for limit in [1, 2, 9] {
            let walk = Walk {
                as_of: Some(at(instant)),
                limit,
            };
            let seen = edges_of(&store, &scope, &ada, walk).await?;
            let best: Vec<&str> = expected.iter().take(limit).copied().collect();
            same(
                &format!("as of {instant} for a limit of {limit}"),
                &seen,
                &owned(&best),
            )?;
        }
    }
    let seen = edges_of(&store, &scope, &ada, walk(9)).await?;
    same(
        "as of no instant",
        &seen,
        &owned(&["past", "present", "open", "long"]),
    )
}

pub(super) async fn gs_12_a_limit_of_nought_is_invalid(store: impl GraphStore) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    for _ in 0..2 {
        let answer = store.neighbours(&scope, &[id(&here, "ada")], walk(0)).await;
        refused("neighbours", answer, ErrorKind::Invalid)?;
        // Once for an empty graph, once for one with a node.
        fill(&store, &here, &[of_node(node(&here, "ada"))]).await?;
    }
    Ok(())
}
