//! What a channel answers, in a form that can be compared.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use atlas_core::model::ChannelId;
use atlas_core::ports::{LifecycleView, Visibility};
use atlas_core::retrieve::{Degraded, Found, Hit, SearchOptions};
use atlas_core::{Error, ErrorKind};

use crate::world::World;

/// More hits than any history has.
const ALL: usize = 10_000;

/// What a hit found, by name.
pub fn found(hit: &Hit) -> String {
    match &hit.found {
        Found::Fact { fact, state } => format!("fact {} {state:?}", fact.value.id),
        Found::Message(stored) => format!("message {} {}", stored.message.id, stored.version),
    }
}

/// Refuses what was found or answered while a part could not look.
///
/// # Errors
///
/// `Unavailable`, if anything did not work.
pub fn whole(degraded: &[Degraded]) -> atlas_core::Result<()> {
    match degraded.first() {
        None => Ok(()),
        Some(first) => Err(Error::new(
            ErrorKind::Unavailable,
            "search",
            format!("not every leg could look: {first:?}"),
        )),
    }
}

/// Everything that searches for the words of the channel's facts find, in order: it does not hang on
/// how the documents came into the index.
///
/// # Errors
///
/// What the parts fail with, and if a leg could not look or a fact is not found by its own words.
pub async fn answers(world: &World, channel: &ChannelId) -> Result<BTreeMap<String, Vec<String>>> {
    let handle = world.channel(channel);
    let everything = Visibility {
        view: LifecycleView::All,
        ..Visibility::default()
    };
    let options = SearchOptions::default()
        .with_limit(ALL)
        .with_visibility(everything);
    let mut answers = BTreeMap::new();
    for (fact, state) in handle.facts_seen(&everything).await? {
        let outcome = handle.search_with(fact.text(), &options).await?;
        whole(&outcome.degraded)?;
        let wanted = format!("fact {} {state:?}", fact.id);
        let hits: Vec<String> = outcome.hits.iter().map(found).collect();
        ensure!(
            hits.contains(&wanted),
            "{channel}: {wanted} is not found by its own words"
        );
        answers.insert(fact.text().to_owned(), hits);
    }
    Ok(answers)
}
