//! Looks on every leg, joins what they found, and reads it from the truth.

use super::RetrieveSettings;
use super::fuse::fuse;
use super::hydrate::{Candidate, Hit, hydrate, places};
use super::legs::{self, DocumentId, LegName, Legs};
use super::question::{self, Question};
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::ports::{ChannelScope, Filter, Scope, Visibility};
use crate::project::catch_up;

/// How far behind the truth a search may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freshness {
    /// The index catches up first.
    #[default]
    Latest,
    /// The index as it is.
    AsIs,
}

/// What a search may be told.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// At most this many hits.
    pub limit: usize,
    /// What the reader may see.
    pub visibility: Visibility,
    /// Which documents count.
    pub filter: Filter,
    /// How far behind it may be.
    pub freshness: Freshness,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            limit: 10,
            visibility: Visibility::default(),
            filter: Filter::default(),
            freshness: Freshness::default(),
        }
    }
}

impl SearchOptions {
    /// Sets the number of hits.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Sets what the reader may see.
    #[must_use]
    pub fn with_visibility(mut self, visibility: Visibility) -> Self {
        self.visibility = visibility;
        self
    }

    /// Sets which documents count.
    #[must_use]
    pub fn with_filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }

    /// Sets how far behind it may be.
    #[must_use]
    pub fn with_freshness(mut self, freshness: Freshness) -> Self {
        self.freshness = freshness;
        self
    }
}

/// Something that did not work in a search that was answered all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Degraded {
    /// The leg that could not look; none if the index could not catch up.
    pub leg: Option<LegName>,
    /// Why.
    pub reason: String,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchOutcome {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// What did not work.
    pub degraded: Vec<Degraded>,
    /// Whether the question had no words to look for.
    pub is_empty_question: bool,
}

/// Rounds of looking deeper when the truth drops what the index found.
const ROUNDS: usize = 3;

/// Looks for what answers a question.
///
/// # Errors
///
/// [`ErrorKind::Invalid`] for a limit of nought; what the stores fail with, if no leg could look.
/// Nothing found is no error.
///
/// # Cancel safety
///
/// Safe: it writes nothing but the index's own progress.
pub async fn search(
    parts: &Components,
    scope: &Scope,
    text: &str,
    options: &SearchOptions,
    settings: &RetrieveSettings,
) -> Result<SearchOutcome> {
    if options.limit == 0 {
        return Err(Error::new(
            ErrorKind::Invalid,
            "retrieve::search",
            "the limit is nought",
        ));
    }
    let mut outcome = SearchOutcome::default();
    let question = question::read(text);
    if question == Question::default() {
        outcome.is_empty_question = true;
        return Ok(outcome);
    }
    if options.freshness == Freshness::Latest {
        for channel in scope.channels() {
            if let Err(error) = catch_up(parts, &ChannelScope::new(channel.clone())).await {
                outcome.degraded.push(Degraded {
                    leg: None,
                    reason: error.to_string(),
                });
            }
        }
    }
    let mut limit = options.limit.saturating_mul(settings.overfetch.max(1));
    for round in 1..=ROUNDS {
        let asked = (text, &question);
        let legs = legs::run(parts, scope, asked, options, (settings, limit)).await;
        let legs = legs.or_failure()?;
        let mut hits = hydrate(parts, candidates(&legs, settings), &options.visibility).await?;
        let is_enough = hits.len() >= options.limit || !legs.is_cut || round == ROUNDS;
        if is_enough {
            if question.is_recent {
                prefer_recent(&mut hits, settings);
            }
            hits.truncate(options.limit);
            outcome.hits = hits;
            outcome.degraded.extend(legs.degraded);
            break;
        }
        limit = limit.saturating_mul(4);
    }
    Ok(outcome)
}

fn candidates(legs: &Legs, settings: &RetrieveSettings) -> Vec<Candidate> {
    let weight = |leg: LegName| match leg {
        LegName::FactWords => settings.weight_fact_words,
        LegName::MessageWords => settings.weight_message_words,
        LegName::FactMeaning => settings.weight_fact_meaning,
        LegName::MessageMeaning => settings.weight_message_meaning,
        LegName::Graph => settings.weight_graph,
    };
    let lists: Vec<(f64, Vec<DocumentId>)> = legs
        .lists
        .iter()
        .map(|(leg, list)| (weight(*leg), list.clone()))
        .collect();
    fuse(&lists, settings.rank_constant)
        .into_iter()
        .map(|(document, score)| {
            let legs = places(&legs.lists, &document);
            Candidate {
                document,
                score,
                legs,
            }
        })
        .collect()
}

/// Adds a leg of time to what was found: the latest said first.
fn prefer_recent(hits: &mut [Hit], settings: &RetrieveSettings) {
    let mut times: Vec<_> = hits.iter().map(Hit::said_at).collect();
    times.sort_unstable_by(|a, b| b.cmp(a));
    for hit in &mut *hits {
        let said_at = hit.said_at();
        let rank = times
            .iter()
            .position(|at| *at == said_at)
            .unwrap_or(times.len());
        let rank = u32::try_from(rank + 1).unwrap_or(u32::MAX);
        hit.score += settings.weight_recency / (settings.rank_constant + f64::from(rank));
    }
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
}
