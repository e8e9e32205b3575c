//! Taking in batches.

use atlas_core::ErrorKind;
use atlas_core::model::{EntityId, GraphEntity, GraphRelation};
use atlas_core::ports::{Collection, Cursor, GraphEntry, GraphItem, GraphStore, Key, Scope};
use futures::join;

use super::graph::{
    by_name, edge, edges_of, fill, found, gone, id, node, of_edge, of_node, picture, walk,
};
use crate::conformance::Checked;
use crate::conformance::batches::{batch, cursor, cursor_of};
use crate::conformance::corpus::channel;
use crate::conformance::seen::{refused, same};

pub(super) async fn gs_1_apply_takes_in_all_and_moves_the_cursor(
    store: impl GraphStore,
) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    same(
        "what an empty graph has applied",
        &store.applied(&here).await?,
        &Cursor::start(),
    )?;
    let (start, one, two) = (Cursor::start(), cursor(1), cursor(2));
    let (ada, bea) = (node(&here, "ada"), node(&here, "bea"));
    let knows = edge(&here, "knows", ("ada", "bea"), 0.5);
    let entries = [
        of_node(ada.clone()),
        of_node(bea.clone()),
        of_edge(knows.clone()),
    ];
    let names = ["ada", "bea"].map(by_name);
    // A reader beside the batch sees the graph as it was or as it is.
    let (lists, applied) = join!(
        store.find(&scope, &names),
        store.apply(&here, batch(&start, &one, &entries)),
    );
    applied?;
    let lists = lists?;
    let full = vec![vec![ada.clone()], vec![bea.clone()]];
    let is_whole = lists == full || lists == vec![Vec::new(), Vec::new()];
    require!(is_whole, "a reader beside the batch saw {lists:?}");

    same("what is applied", &store.applied(&here).await?, &one)?;
    same(
        "the entities with all their fields",
        &store.find(&scope, &names).await?,
        &full,
    )?;
    let walked = store.neighbours(&scope, &[ada.id, bea.id], walk(9)).await?;
    let others: Vec<Vec<_>> = walked
        .iter()
        .map(|list| list.iter().map(|it| it.entity.name.as_str()).collect())
        .collect();
    same(
        "at the other ends",
        &others,
        &vec![vec!["bea"], vec!["ada"]],
    )?;
    for neighbour in walked.into_iter().flatten() {
        same("the edge with all its fields", &neighbour.relation, &knows)?;
    }

    store.apply(&here, batch(&one, &two, &[])).await?;
    same(
        "what is applied after a batch of nothing",
        &store.applied(&here).await?,
        &two,
    )?;
    same(
        "the entities after it",
        &store.find(&scope, &names).await?,
        &full,
    )
}

pub(super) async fn gs_2_a_batch_from_elsewhere_is_conflict(store: impl GraphStore) -> Checked {
    let here = channel("c");
    let (one, two, three, nine) = (cursor(1), cursor(2), cursor(3), cursor(9));
    let other = [of_node(node(&here, "other"))];
    let early = store.apply(&here, batch(&one, &two, &other)).await;
    refused(
        "a batch from 1 on an empty graph",
        early,
        ErrorKind::Conflict,
    )?;
    same(
        "what is applied",
        &store.applied(&here).await?,
        &Cursor::start(),
    )?;

    fill(&store, &here, &[of_node(node(&here, "ada"))]).await?;
    store.apply(&here, batch(&one, &two, &[])).await?;
    let before = picture(&store, &here, &["ada", "other"]).await?;
    let elsewhere = [
        ("behind", cursor(1)),
        ("ahead", three),
        ("of another history", cursor_of(2, "another history")),
    ];
    for (what, from) in elsewhere {
        let answer = store.apply(&here, batch(&from, &nine, &other)).await;
        refused(&format!("a batch from {what}"), answer, ErrorKind::Conflict)?;
        let after = picture(&store, &here, &["ada", "other"]).await?;
        same(&format!("after a batch from {what}"), &after, &before)?;
    }
    store.apply(&here, batch(&two, &nine, &other)).await?;
    same(
        "what is applied in the end",
        &store.applied(&here).await?,
        &nine,
    )
}

pub(super) async fn gs_3_a_batch_from_the_start_empties_first(store: impl GraphStore) -> Checked {
    let (here, there) = (channel("c"), channel("other"));
    let scope = Scope::from(&here);
    for channel in [&here, &there] {
        let entries = [
            of_node(node(channel, "ada")),
            of_node(node(channel, "bea")),
            of_edge(edge(channel, "knows", ("ada", "bea"), 0.5)),
        ];
        fill(&store, channel, &entries).await?;
    }
    let neighbour = picture(&store, &there, &["ada", "bea"]).await?;
    let again = cursor_of(1, "another history");
    let entries = [of_node(node(&here, "ada")), of_node(node(&here, "cyd"))];
    store
        .apply(&here, batch(&Cursor::start(), &again, &entries))
        .await?;
    same("what is applied", &store.applied(&here).await?, &again)?;
    for (name, n) in [("ada", 1), ("bea", 0), ("cyd", 1)] {
        same(name, &found(&store, &scope, name).await?.len(), &n)?;
    }
    let edges = edges_of(&store, &scope, &id(&here, "ada"), walk(9)).await?;
    same("edges", &edges, &Vec::new())?;
    same(
        "the other channel",
        &picture(&store, &there, &["ada", "bea"]).await?,
        &neighbour,
    )
}

pub(super) async fn gs_4_an_item_replaces_what_its_origin_had(store: impl GraphStore) -> Checked {
    let here = channel("c");
    let scope = Scope::from(&here);
    let knows = of_edge(edge(&here, "knows", ("ada", "bea"), 0.5));
    let ada = of_node(node(&here, "ada"));
    let entries = [
        ada.clone(),
        of_node(node(&here, "bea")),
        of_node(node(&here, "cyd")),
        knows.clone(),
    ];
    fill(&store, &here, &entries).await?;

    // The record of ada turns into one of another name, and the edge leads elsewhere.
    let mut renamed = node(&here, "ada");
    "ada lovelace".clone_into(&mut renamed.name);
    renamed.aliases = vec!["ada lovelace".to_owned()];
    let mut moved = of_edge(edge(&here, "leads", ("ada", "cyd"), 0.9));
    moved.origin = knows.origin.clone();
    let (one, two, three) = (cursor(1), cursor(2), cursor(3));
    let entries = [of_node(renamed), moved.clone()];
    store.apply(&here, batch(&one, &two, &entries)).await?;
    for (name, n) in [("ada", 0), ("ada lovelace", 1), ("bea", 1)] {
        same(
            &format!("found as {name}"),
            &found(&store, &scope, name).await?.len(),
            &n,
        )?;
    }
    let rows: [(&str, &[&str]); 3] = [("ada", &["leads"]), ("bea", &[]), ("cyd", &["leads"])];
    for (name, expected) in rows {
        let seen = edges_of(&store, &scope, &id(&here, name), walk(9)).await?;
        same(
            &format!("edges of {name}"),
            &seen,
            &expected.iter().map(|&it| it.to_owned()).collect(),
        )?;
    }

    store
        .apply(&here, batch(&two, &three, &[gone(&moved), gone(&ada)]))
        .await?;
    same(
        "what is gone",
        &found(&store, &scope, "ada lovelace").await?,
        &Vec::new(),
    )?;
    let seen = edges_of(&store, &scope, &id(&here, "cyd"), walk(9)).await?;
    same("edges when the edge is gone", &seen, &Vec::new())?;
    same("what stays", &found(&store, &scope, "cyd").await?.len(), &1)
}

pub(super) async fn gs_15_what_is_foreign_or_has_no_id_refuses_its_batch(
    store: impl GraphStore,
) -> Checked {
    let (here, there) = (channel("here"), channel("there"));
    let names = ["ada", "bea", "new"];
    let known = [of_node(node(&here, "ada")), of_node(node(&here, "bea"))];
    fill(&store, &here, &known).await?;
    let before = picture(&store, &here, &names).await?;
    let none = EntityId::new("");
    let origin = Key::new(Collection::literal("entity"), "wrong");
    let of = |item| GraphEntry {
        origin: origin.clone(),
        item: Some(item),
    };
    let tie = |name: &str| edge(&here, name, ("ada", "bea"), 0.5);
    let (from, to) = (tie("from"), tie("to"));
    let wrong = [
        ("of another channel", of_node(node(&there, "ada"))),
        (
            "without an id",
            of(GraphItem::Entity(GraphEntity {
                id: none.clone(),
                ..node(&here, "new")
            })),
        ),
        (
            "that is an edge without an id",
            of(GraphItem::Relation(tie(""))),
        ),
        (
            "without a source",
            of(GraphItem::Relation(GraphRelation {
                source: none.clone(),
                ..from
            })),
        ),
        (
            "without a target",
            of(GraphItem::Relation(GraphRelation { target: none, ..to })),
        ),
    ];
    let (one, two) = (cursor(1), cursor(2));
    for (what, wrong) in wrong {
        let entries = [
            gone(&of_node(node(&here, "bea"))),
            wrong,
            of_node(node(&here, "new")),
        ];
        let answer = store.apply(&here, batch(&one, &two, &entries)).await;
        refused(&format!("an item {what}"), answer, ErrorKind::Invalid)?;
        let after = picture(&store, &here, &names).await?;
        same(&format!("after an item {what}"), &after, &before)?;
    }
    Ok(())
}
