//! Looks on every leg, joins what they found, and reads it from the truth.

use std::collections::BTreeMap;

use futures::future::join_all;

use super::RetrieveSettings;
use super::context::{Placed, rescore};
use super::fuse::{WeightedList, fuse};
use super::hydrate::{Candidate, Found, Hit, hydrate};
use super::legs::{self, DocumentId, LegName, Legs, Ranked};
use super::neighbours::{Neighbours, following};
use super::parts::split;
use super::question::{self, Question};
use super::times::session_span;
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::model::{Interval, MessageId, Timestamp};
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
    /// When the question is asked, which `last Friday` goes by; the clock's time if none.
    pub asked_at: Option<Timestamp>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            limit: 10,
            visibility: Visibility::default(),
            filter: Filter::default(),
            freshness: Freshness::default(),
            asked_at: None,
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

    /// Sets when the question is asked.
    #[must_use]
    pub fn with_asked_at(mut self, asked_at: Timestamp) -> Self {
        self.asked_at = Some(asked_at);
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
    /// Documents that the legs gave, each once.
    pub n_candidates: usize,
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
    let asked_at = options.asked_at.unwrap_or_else(|| parts.clock.now());
    let mut question = question::read(text, asked_at);
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
    if let Some(number) = question.session {
        let span = session_span(parts, scope, number, settings.session_gap).await;
        question.times.extend(span?);
    }
    let options = &narrowed(options, &question);
    let asked = asked(text, &question, asked_at);
    let mut limit = options
        .limit
        .saturating_mul(settings.overfetch.max(1))
        .max(settings.depth);
    for round in 1..=ROUNDS {
        let runs = join_all(asked.iter().map(|(text, question)| {
            legs::run(parts, scope, (text, question), options, (settings, limit))
        }));
        let legs = runs.await.into_iter().reduce(|mut whole, part| {
            whole.add(part, settings.weight_part);
            whole
        });
        let legs = legs.unwrap_or_default().or_failure()?;
        let candidates = candidates(&legs, settings);
        outcome.n_candidates = candidates.len();
        let hits = hydrate(parts, candidates, &options.visibility).await?;
        let is_enough = hits.len() >= options.limit || !legs.is_cut || round == ROUNDS;
        if is_enough {
            outcome.degraded.extend(legs.degraded);
            let around = following(parts, &hits, options, settings).await;
            let around = around.unwrap_or_else(|error| {
                outcome.degraded.push(Degraded {
                    leg: Some(LegName::Neighbour),
                    reason: error.to_string(),
                });
                Neighbours::default()
            });
            outcome.hits = ranked(hits, around, &question, settings);
            outcome.hits.truncate(options.limit);
            break;
        }
        limit = limit.saturating_mul(4);
    }
    Ok(outcome)
}

/// What is looked for: the question, and then each of its parts where it has several.
fn asked<'a>(text: &'a str, question: &Question, at: Timestamp) -> Vec<(&'a str, Question)> {
    let mut asked = vec![(text, question.clone())];
    let found = split(text);
    if found.len() > 1 {
        asked.extend(
            found
                .into_iter()
                .map(|part| (part, question::read(part, at))),
        );
    }
    asked
}

/// The options of a question that asks for nothing but a time: only what was said then counts.
fn narrowed(options: &SearchOptions, question: &Question) -> SearchOptions {
    let mut options = options.clone();
    if let ([time], true, None) = (
        question.times.as_slice(),
        question.is_about_time,
        options.filter.said_in,
    ) {
        options.filter.said_in = Some(*time);
    }
    options
}

/// The hits with what stands around them, best first.
fn ranked(
    mut hits: Vec<Hit>,
    around: Neighbours,
    question: &Question,
    settings: &RetrieveSettings,
) -> Vec<Hit> {
    hits.extend(around.hits);
    let placed: Vec<Placed> = hits
        .iter()
        .filter_map(|hit| placed(hit, question))
        .collect();
    if placed.len() == hits.len() {
        let scores = rescore(&placed, &around.next, settings);
        for (hit, score) in hits.iter_mut().zip(scores) {
            hit.score = score;
        }
    }
    if question.is_recent {
        prefer_recent(&mut hits, settings);
    }
    hits.sort_by(|a, b| {
        let order = b.score.total_cmp(&a.score);
        order.then_with(|| a.messages().cmp(&b.messages()))
    });
    hits
}

/// Where a hit stands; none for a fact without evidence, which does not occur.
fn placed(hit: &Hit, question: &Question) -> Option<Placed> {
    let message: MessageId = hit.messages().first().copied()?.clone();
    let (said_at, thread_root, is_by_named) = match &hit.found {
        Found::Fact { fact, .. } => {
            let evidence = fact.value.first()?;
            let named = fact.value.evidence.iter();
            let is_named = named.into_iter().any(|it| question.names(&it.author.name));
            (evidence.sent_at, None, is_named)
        }
        Found::Message(stored) => {
            let message = &stored.message;
            let is_named = question.names(&message.author.name);
            (message.sent_at, message.thread_root.clone(), is_named)
        }
    };
    let is_in_time = question
        .times
        .iter()
        .any(|it: &Interval| it.contains(said_at));
    Some(Placed {
        message,
        thread_root,
        said_at,
        score: hit.score,
        is_by_named,
        is_in_time,
    })
}

fn candidates(legs: &Legs, settings: &RetrieveSettings) -> Vec<Candidate> {
    let weight = |leg: LegName| match leg {
        LegName::FactWords => settings.weight_fact_words,
        LegName::MessageWords => settings.weight_message_words,
        LegName::FactMeaning => settings.weight_fact_meaning,
        LegName::MessageMeaning => settings.weight_message_meaning,
        LegName::Graph => settings.weight_graph,
        LegName::Time => settings.weight_time,
        LegName::Neighbour => 0.0,
    };
    let lists: Vec<WeightedList<DocumentId>> = legs
        .lists
        .iter()
        .map(|list| WeightedList {
            weight: weight(list.leg) * list.share,
            items: list.items.clone(),
        })
        .collect();
    let mut places: BTreeMap<DocumentId, Vec<Ranked>> = BTreeMap::new();
    for list in &legs.lists {
        for (at, (document, score)) in list.items.iter().enumerate() {
            let of_document = places.entry(document.clone()).or_default();
            if of_document.iter().all(|it| it.leg != list.leg) {
                of_document.push(Ranked {
                    leg: list.leg,
                    rank: at + 1,
                    score: *score,
                });
            }
        }
    }
    fuse(&lists, settings.calibration)
        .into_iter()
        .map(|(document, score)| {
            let legs = places.remove(&document).unwrap_or_default();
            Candidate {
                document,
                score,
                legs,
            }
        })
        .collect()
}

/// Adds what is later among what was found: the latest said gets the whole weight, the others less
/// by their place.
fn prefer_recent(hits: &mut [Hit], settings: &RetrieveSettings) {
    let mut times: Vec<_> = hits.iter().map(Hit::said_at).collect();
    times.sort_unstable_by(|a, b| b.cmp(a));
    times.dedup();
    for hit in &mut *hits {
        let said_at = hit.said_at();
        let place = times
            .binary_search_by(|at| said_at.cmp(at))
            .unwrap_or_default();
        let place = f64::from(u32::try_from(place).unwrap_or(u32::MAX));
        hit.score += settings.weight_recency / (1.0 + place / 5.0);
    }
}
