//! Finding by name.

use atlas_core::model::{EntityId, EntityType, GraphEntity};
use atlas_core::ports::{GraphStore, NameQuery, Scope};

use super::graph::{by_name, edge, edges_of, fill, found, id, named, node, of_edge, of_node, walk};
use crate::conformance::Checked;
use crate::conformance::batches::across;
use crate::conformance::corpus::{channel, confusable_names, ids, shuffled};
use crate::conformance::seen::same;

pub(super) async fn gs_5_find_answers_one_list_a_name(store: impl GraphStore) -> Checked {
    let (a, b) = (channel("a"), channel("b"));
    // What is shown is one thing, what is looked up by is another.
    let mut entries: Vec<_> = shuffled(&ids())
        .iter()
        .enumerate()
        .map(|(n, name)| {
            let mut entity = named(&a, name, &["everybody"]);
            entity.name = format!("shown {n}");
            of_node(entity)
        })
        .collect();
    let mut project = named(&a, "atlas", &["everybody", "the map"]);
    project.kind = EntityType::Project;
    entries.push(of_node(project));
    fill(&store, &a, &entries).await?;
    let there = [
        of_node(named(&b, "1", &["everybody"])),
        of_node(node(&b, "0")),
    ];
    fill(&store, &b, &there).await?;

    let here = Scope::from(&a);
    let ids_of = |lists: Vec<Vec<GraphEntity>>| -> Vec<EntityId> {
        lists.into_iter().flatten().map(|it| it.id).collect()
    };
    for name in ids() {
        let lists = store.find(&here, &[by_name(&name)]).await?;
        same(
            &format!("found as {name:?}"),
            &ids_of(lists),
            &vec![id(&a, &name)],
        )?;
    }
    let queries = [
        by_name("the map"),
        by_name("nobody"),
        by_name("9"),
        by_name("the map"),
        by_name(""),
        by_name("every"),
        NameQuery {
            kind: Some(EntityType::Project),
            ..by_name("everybody")
        },
        NameQuery {
            kind: Some(EntityType::Team),
            ..by_name("everybody")
        },
    ];
    let lists = store.find(&here, &queries).await?;
    let seen: Vec<Vec<&str>> = lists
        .iter()
        .map(|list| list.iter().map(|it| it.id.as_str()).collect())
        .collect();
    let expected = vec![
        vec!["a:atlas"],
        vec![],
        vec!["a:9"],
        vec!["a:atlas"],
        vec![],
        vec![],
        vec!["a:atlas"],
        vec![],
    ];
    same("eight queries", &seen, &expected)?;
    same("no query", &store.find(&here, &[]).await?, &Vec::new())?;

    // By channel, then id: both are told apart by their bytes.
    let both = across(&[&b, &a]).await?;
    let mut expected: Vec<_> = ids().iter().map(|name| id(&a, name)).collect();
    expected.push(id(&a, "atlas"));
    expected.sort();
    expected.push(id(&b, "1"));
    let lists = store.find(&both, &[by_name("everybody")]).await?;
    same("everybody of two channels", &ids_of(lists), &expected)
}

pub(super) async fn gs_9_nothing_outside_the_scope_is_found(store: impl GraphStore) -> Checked {
    let here = channel("c");
    let others: Vec<_> = confusable_names()
        .iter()
        .filter(|name| *name != "c")
        .map(|name| channel(name))
        .collect();
    for there in &others {
        let entries = [
            of_node(node(there, "ada")),
            of_node(node(there, "bea")),
            of_edge(edge(there, "secret", ("ada", "bea"), 0.9)),
        ];
        fill(&store, there, &entries).await?;
    }
    // An edge of this channel that names a node of another does not lead there.
    let Some(neighbour) = others.first() else {
        return Ok(());
    };
    let mut leak = edge(&here, "leak", ("cyd", "cyd"), 0.9);
    leak.target = id(neighbour, "ada");
    fill(&store, &here, &[of_node(node(&here, "cyd")), of_edge(leak)]).await?;

    let scope = Scope::from(&here);
    same("ada", &found(&store, &scope, "ada").await?, &Vec::new())?;
    same("cyd", &found(&store, &scope, "cyd").await?.len(), &1)?;
    let seen = edges_of(&store, &scope, &id(&here, "cyd"), walk(9)).await?;
    same("walked to another channel", &seen, &Vec::new())?;
    for there in &others {
        let name = there.channel();
        let seen = edges_of(&store, &scope, &id(there, "ada"), walk(9)).await?;
        same(&format!("walked from a node of {name}"), &seen, &Vec::new())?;
        let n_found = found(&store, &Scope::from(there), "ada").await?.len();
        same(&format!("found in the scope of {name}"), &n_found, &1)?;
    }
    let two = across(&[&here, neighbour]).await?;
    same(
        "found across two channels",
        &found(&store, &two, "ada").await?.len(),
        &1,
    )
}
