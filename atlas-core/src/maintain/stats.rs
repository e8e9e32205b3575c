//! How much a channel holds.

use crate::components::Components;
use crate::error::Result;
use crate::model::{AtomicFact, MessageOutcome, Standing, Stored, TopicCluster, WikiPage};
use crate::ports::{
    ChannelScope, Collection, FactIndexStats, GraphStats, Listing, Partition, RecordStoreExt,
};

/// Records that are counted at a time.
const PAGE: usize = 1_000;

/// How much a channel holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChannelStats {
    /// Messages that something became of, or that wait.
    pub n_messages: usize,
    /// Facts that count.
    pub n_facts: usize,
    /// Facts that counted once or were taken back.
    pub n_past: usize,
    /// Proposals that were not admitted, as their messages stand.
    pub n_refused: usize,
    /// Topics.
    pub n_topics: usize,
    /// Pages of the wiki.
    pub n_pages: usize,
    /// What the graph holds.
    pub graph: GraphStats,
    /// What the index holds.
    pub index: FactIndexStats,
}

/// Counts what a channel holds. It reads every record: for a person who asks, not for a loop.
///
/// # Errors
///
/// What the stores fail with.
pub async fn stats(parts: &Components, channel: &ChannelScope) -> Result<ChannelStats> {
    let partition = Partition::of(channel);
    let records = parts.records.as_ref();
    let n_facts = count(parts, &partition, AtomicFact::COLLECTION).await?;
    let standings = records.load_all::<Standing>(&partition).await?;
    let n_past = standings
        .iter()
        .filter(|it| !it.value.state.is_visible())
        .count();
    let outcomes = records.load_all::<MessageOutcome>(&partition).await?;
    let refusals = outcomes.iter().map(|it| it.value.refusals.len());
    Ok(ChannelStats {
        n_messages: outcomes.len(),
        n_facts: n_facts.saturating_sub(n_past),
        n_past,
        n_refused: refusals.sum(),
        n_topics: count(parts, &partition, TopicCluster::COLLECTION).await?,
        n_pages: count(parts, &partition, WikiPage::COLLECTION).await?,
        graph: parts.graph.stats(channel).await?,
        index: parts.facts.stats(channel).await?,
    })
}

async fn count(parts: &Components, partition: &Partition, collection: Collection) -> Result<usize> {
    let mut listing = Listing {
        collection,
        prefix: String::new(),
        after: None,
        limit: PAGE,
    };
    let mut n = 0_usize;
    loop {
        let page = parts.records.list(partition, &listing).await?;
        n = n.saturating_add(page.len());
        match page.into_iter().last() {
            Some(last) => listing.after = Some(last.key.id),
            None => return Ok(n),
        }
    }
}
