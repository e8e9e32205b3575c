//! The legs of a search: each is one way to find, and each may fail by itself.

use std::collections::BTreeSet;

use futures::future::join_all;
use futures::join;

use super::RetrieveSettings;
use super::question::Question;
use super::search::{Degraded, SearchOptions};
use crate::components::Components;
use crate::error::{Error, Result};
use crate::model::{ChannelId, EntityId};
use crate::ports::{DocumentKind, Filter, IndexHit, Leg, NameQuery, Scope, SearchRequest, Walk};
use crate::vectors;

/// A way to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LegName {
    /// Words in facts.
    FactWords,
    /// Words in messages.
    MessageWords,
    /// Meaning of facts.
    FactMeaning,
    /// Meaning of messages.
    MessageMeaning,
    /// The entities that the question names, and their neighbours.
    Graph,
    /// No leg found it by itself: it follows what another leg found at that place.
    Neighbour,
    /// Said in the time that the question names.
    Time,
}

/// A place in a leg's list, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Ranked {
    /// The leg.
    pub leg: LegName,
    /// The place.
    pub rank: usize,
    /// The leg's own score: BM25, cosine, or seconds since 1970.
    pub score: f64,
}

/// Names a document across channels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DocumentId {
    pub(super) channel: ChannelId,
    pub(super) kind: DocumentKind,
    pub(super) id: String,
}

/// A document with the leg's own score.
fn scored(hit: IndexHit) -> (DocumentId, f64) {
    let document = DocumentId {
        channel: hit.channel,
        kind: hit.kind,
        id: hit.id,
    };
    (document, f64::from(hit.score))
}

/// What one leg found.
pub(super) struct LegList {
    pub(super) leg: LegName,
    /// What it counts for beside the same leg for the whole question.
    pub(super) share: f64,
    pub(super) items: Vec<(DocumentId, f64)>,
}

/// What the legs found.
#[derive(Default)]
pub(super) struct Legs {
    pub(super) lists: Vec<LegList>,
    pub(super) degraded: Vec<Degraded>,
    /// Whether a leg filled its limit, so that there may be more.
    pub(super) is_cut: bool,
    /// Whether the index was searched at all: a graph that knows no name of the question has not
    /// looked for anything.
    has_looked: bool,
    failure: Option<Error>,
}

impl Legs {
    fn take(&mut self, leg: LegName, limit: usize, found: Result<Vec<IndexHit>>) {
        match found {
            Ok(hits) => {
                self.is_cut |= hits.len() >= limit;
                self.has_looked |= leg != LegName::Graph || !hits.is_empty();
                self.lists.push(LegList {
                    leg,
                    share: 1.0,
                    items: hits.into_iter().map(scored).collect(),
                });
            }
            Err(error) => {
                self.degraded.push(Degraded {
                    leg: Some(leg),
                    reason: error.to_string(),
                });
                self.failure = Some(error);
            }
        }
    }

    /// Adds what was found for a part of the question, at a share of its weight.
    pub(super) fn add(&mut self, part: Self, share: f64) {
        let lists = part.lists.into_iter();
        self.lists.extend(lists.map(|it| LegList { share, ..it }));
        for degraded in part.degraded {
            if !self.degraded.contains(&degraded) {
                self.degraded.push(degraded);
            }
        }
        self.is_cut |= part.is_cut;
        self.has_looked |= part.has_looked;
        self.failure = self.failure.take().or(part.failure);
    }

    /// What the legs found, or why none of them could look.
    pub(super) fn or_failure(self) -> Result<Self> {
        match self.failure {
            Some(failure) if !self.has_looked => Err(failure),
            _ => Ok(self),
        }
    }
}

/// Runs every leg, side by side: a search takes as long as its slowest leg.
pub(super) async fn run(
    parts: &Components,
    scope: &Scope,
    (text, question): (&str, &Question),
    options: &SearchOptions,
    (settings, limit): (&RetrieveSettings, usize),
) -> Legs {
    let is_wanted = |kind| options.filter.kinds.is_empty() || options.filter.kinds.contains(&kind);
    let kinds: Vec<DocumentKind> = [DocumentKind::Fact, DocumentKind::Message]
        .into_iter()
        .filter(|kind| is_wanted(*kind))
        .collect();
    let look = async |leg: Leg, kind: DocumentKind| {
        let request = SearchRequest {
            leg,
            visibility: options.visibility,
            filter: Filter {
                kinds: vec![kind],
                ..options.filter.clone()
            },
            limit,
        };
        parts.facts.search(scope, &request).await
    };
    let words = join_all(kinds.iter().map(|kind| {
        let text = text.to_owned();
        look(Leg::Lexical { text }, *kind)
    }));
    let meaning = async {
        match vectors::of_question(parts.embedder.as_ref(), text).await {
            Ok(vector) => {
                let legs = kinds.iter().map(|kind| {
                    let vector = vector.clone();
                    look(Leg::Dense { vector }, *kind)
                });
                join_all(legs).await
            }
            Err(error) => {
                let same = || Error::new(error.kind(), error.op(), error.message());
                kinds.iter().map(|_| Err(same())).collect()
            }
        }
    };
    let around = async {
        if is_wanted(DocumentKind::Fact) {
            Some(graph(parts, scope, (text, question), options, (settings, limit)).await)
        } else {
            None
        }
    };
    let then = async {
        if question.is_about_time && options.filter.said_in.is_some() {
            Some(join_all(kinds.iter().map(|kind| look(Leg::Recent, *kind))).await)
        } else {
            None
        }
    };
    let (words, meaning, around, then) = join!(words, meaning, around, then);
    let mut legs = Legs::default();
    for (kind, (by_words, by_meaning)) in kinds.iter().zip(words.into_iter().zip(meaning)) {
        let (words, meaning) = names(*kind);
        legs.take(words, limit, by_words);
        let by_meaning = by_meaning.map(|mut hits| {
            // Nothing in common is not a likeness.
            hits.retain(|hit| hit.score > 0.0);
            hits
        });
        legs.take(meaning, limit, by_meaning);
    }
    if let Some(found) = around {
        legs.take(LegName::Graph, limit, found);
    }
    for found in then.into_iter().flatten() {
        legs.take(LegName::Time, limit, found);
    }
    legs
}

/// The legs that look for documents of a kind: by words, by meaning.
fn names(kind: DocumentKind) -> (LegName, LegName) {
    match kind {
        DocumentKind::Fact => (LegName::FactWords, LegName::FactMeaning),
        DocumentKind::Message | DocumentKind::Section => {
            (LegName::MessageWords, LegName::MessageMeaning)
        }
    }
}

/// Facts that mention the entities of the question or their neighbours: by words, then latest.
async fn graph(
    parts: &Components,
    scope: &Scope,
    (text, question): (&str, &Question),
    options: &SearchOptions,
    (settings, limit): (&RetrieveSettings, usize),
) -> Result<Vec<IndexHit>> {
    let names: Vec<NameQuery> = question
        .names
        .iter()
        .map(|name| NameQuery {
            name: name.clone(),
            kind: None,
        })
        .collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let found = parts.graph.find(scope, &names).await?;
    let mut starts: Vec<EntityId> = Vec::new();
    for entity in found.into_iter().flatten() {
        if starts.len() < settings.max_entities && !starts.contains(&entity.id) {
            starts.push(entity.id);
        }
    }
    if starts.is_empty() {
        return Ok(Vec::new());
    }
    let walk = Walk {
        as_of: options.visibility.as_of,
        limit: settings.max_entities.max(1),
    };
    let around = parts.graph.neighbours(scope, &starts, walk).await?;
    let near: Vec<EntityId> = around
        .into_iter()
        .flatten()
        .map(|neighbour| neighbour.entity.id)
        .collect();
    let mut hits: Vec<IndexHit> = Vec::new();
    let mut known: BTreeSet<(ChannelId, String)> = BTreeSet::new();
    let words = Leg::Lexical {
        text: text.to_owned(),
    };
    for (entities, leg) in [
        (&starts, words.clone()),
        (&near, words),
        (&starts, Leg::Recent),
    ] {
        if entities.is_empty() || hits.len() >= limit {
            continue;
        }
        let filter = Filter {
            kinds: vec![DocumentKind::Fact],
            entities: entities.clone(),
            ..options.filter.clone()
        };
        let request = SearchRequest {
            leg,
            visibility: options.visibility,
            filter,
            limit,
        };
        for hit in parts.facts.search(scope, &request).await? {
            if hits.len() < limit && known.insert((hit.channel.clone(), hit.id.clone())) {
                hits.push(hit);
            }
        }
    }
    Ok(hits)
}
