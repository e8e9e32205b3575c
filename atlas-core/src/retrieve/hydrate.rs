//! Found ids to what the truth says of them.

use std::collections::{BTreeMap, BTreeSet};

use super::legs::{DocumentId, Ranked};
use crate::components::Components;
use crate::error::Result;
use crate::model::{
    AtomicFact, ChannelId, ContentHash, FactState, MessageId, MessageOutcome, Standing, Timestamp,
};
use crate::ports::{
    ChannelScope, DocumentKind, DocumentState, Partition, RecordStoreExt, StoredMessage, Versioned,
    Visibility,
};
use crate::project::documents::{document_state, unjudged_validity};

/// Something that was found, as the truth has it at this moment.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// A fact.
    Fact {
        /// The fact with the revision of its record.
        fact: Box<Versioned<AtomicFact>>,
        /// Where it stands.
        state: FactState,
    },
    /// A message that no found fact speaks for.
    Message(Box<StoredMessage>),
}

/// A hit of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its channel.
    pub channel: ChannelId,
    /// What was found.
    pub found: Found,
    /// Its fused score: comparable within one search only.
    pub score: f64,
    /// Which legs found it, and at what place of theirs.
    pub legs: Vec<Ranked>,
}

impl Hit {
    /// The messages that it stands on, the earliest first.
    pub fn messages(&self) -> Vec<&MessageId> {
        match &self.found {
            Found::Fact { fact, .. } => fact.value.evidence.iter().map(|it| &it.message).collect(),
            Found::Message(stored) => vec![&stored.message.id],
        }
    }

    /// When it was said last.
    pub fn said_at(&self) -> Timestamp {
        match &self.found {
            Found::Fact { fact, .. } => fact
                .value
                .latest()
                .map_or(fact.value.claim.occurred_at, |it| it.sent_at),
            Found::Message(stored) => stored.message.sent_at,
        }
    }
}

/// A fused item before it is hydrated.
pub(super) struct Candidate {
    pub(super) document: DocumentId,
    pub(super) score: f64,
    pub(super) legs: Vec<Ranked>,
}

/// Reads what the truth says of the candidates, drops what it contradicts, and lets the facts of a
/// message speak for it: the message's score goes to the best of them.
pub(super) async fn hydrate(
    parts: &Components,
    candidates: Vec<Candidate>,
    visibility: &Visibility,
) -> Result<Vec<Hit>> {
    let mut by_channel: BTreeMap<ChannelId, Vec<Candidate>> = BTreeMap::new();
    for candidate in candidates {
        by_channel
            .entry(candidate.document.channel.clone())
            .or_default()
            .push(candidate);
    }
    let mut hits = Vec::new();
    for (channel, candidates) in by_channel {
        let scope = ChannelScope::new(channel);
        let found = load(parts, &scope, candidates, visibility).await?;
        hits.extend(merge(found));
    }
    hits.sort_by(|a, b| {
        let order = b.score.total_cmp(&a.score);
        order.then_with(|| a.messages().cmp(&b.messages()))
    });
    Ok(hits)
}

async fn load(
    parts: &Components,
    scope: &ChannelScope,
    candidates: Vec<Candidate>,
    visibility: &Visibility,
) -> Result<Vec<Hit>> {
    let partition = Partition::of(scope);
    let of_kind = |kind: DocumentKind| -> Vec<String> {
        let ids = candidates.iter().filter(|it| it.document.kind == kind);
        ids.map(|it| it.document.id.clone()).collect()
    };
    let fact_ids = of_kind(DocumentKind::Fact);
    let message_ids = of_kind(DocumentKind::Message);
    let records = parts.records.as_ref();
    let (facts, standings, outcomes) = futures::try_join!(
        records.load_many::<AtomicFact>(&partition, &fact_ids),
        records.load_many::<Standing>(&partition, &fact_ids),
        records.load_many::<MessageOutcome>(&partition, &message_ids),
    )?;
    let said = still_said(parts, scope, facts.iter().flatten()).await?;
    let mut facts: BTreeMap<String, _> = fact_ids
        .into_iter()
        .zip(facts.into_iter().zip(standings))
        .filter(|(id, _)| said.contains(id))
        .collect();
    let ids: Vec<MessageId> = outcomes
        .iter()
        .flatten()
        .map(|it| it.value.message.clone())
        .collect();
    let stored = parts.messages.get(scope, &ids).await?;
    let mut messages: BTreeMap<String, StoredMessage> = stored
        .into_iter()
        .flatten()
        .filter(|it| !it.message.is_deleted)
        .map(|it| (it.message.id.record_id(), it))
        .collect();
    let mut hits = Vec::new();
    for candidate in candidates {
        let found = match candidate.document.kind {
            DocumentKind::Fact => facts
                .remove(&candidate.document.id)
                .and_then(|(fact, standing)| visible(fact?, standing, visibility)),
            DocumentKind::Message => messages
                .remove(&candidate.document.id)
                .map(|stored| Found::Message(Box::new(stored))),
            DocumentKind::Section => None,
        };
        if let Some(found) = found {
            let Candidate {
                document,
                score,
                legs,
            } = candidate;
            hits.push(Hit {
                channel: document.channel,
                found,
                score,
                legs,
            });
        }
    }
    Ok(hits)
}

/// The facts that a message still says: a deletion or an edit hides a fact at once, before its
/// conversation has been read again.
async fn still_said<'a>(
    parts: &Components,
    scope: &ChannelScope,
    facts: impl Iterator<Item = &'a Versioned<AtomicFact>> + Clone + Send,
) -> Result<BTreeSet<String>> {
    let ids: Vec<MessageId> = facts
        .clone()
        .flat_map(|fact| fact.value.evidence.iter().map(|it| it.message.clone()))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let stored = parts.messages.get(scope, &ids).await?;
    let current: BTreeMap<MessageId, ContentHash> = stored
        .into_iter()
        .flatten()
        .filter(|it| !it.message.is_deleted)
        .map(|it| (it.message.id, it.version))
        .collect();
    Ok(facts
        .filter(|fact| {
            let evidence = &fact.value.evidence;
            evidence
                .iter()
                .any(|it| current.get(&it.message) == Some(&it.version))
        })
        .map(|fact| fact.value.id.to_string())
        .collect())
}

fn visible(
    fact: Versioned<AtomicFact>,
    standing: Option<Versioned<Standing>>,
    visibility: &Visibility,
) -> Option<Found> {
    let (state, validity) = match standing {
        Some(standing) => (standing.value.state, standing.value.validity),
        None => (FactState::Live, unjudged_validity(&fact.value)),
    };
    let document: DocumentState = document_state(&state);
    visibility
        .admits(document, &validity, fact.value.recorded_at)
        .then(|| Found::Fact {
            fact: Box::new(fact),
            state,
        })
}

/// Lets the facts of a message speak for it.
fn merge(hits: Vec<Hit>) -> Vec<Hit> {
    let (mut facts, messages): (Vec<Hit>, Vec<Hit>) = hits
        .into_iter()
        .partition(|it| matches!(it.found, Found::Fact { .. }));
    let mut kept = Vec::new();
    for message in messages {
        let id = message.messages().first().map(|id| (*id).clone());
        let speaker = facts
            .iter_mut()
            .filter(|fact| id.as_ref().is_some_and(|id| fact.messages().contains(&id)))
            .max_by(|a, b| a.score.total_cmp(&b.score));
        match speaker {
            Some(fact) => {
                // The two are one finding: that both were found must not count twice, or a message
                // without facts could never come first.
                fact.score = fact.score.max(message.score);
                fact.legs.extend(message.legs);
            }
            None => kept.push(message),
        }
    }
    facts.extend(kept);
    facts
}
