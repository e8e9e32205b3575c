//! The messages that follow what was found.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::try_join_all;

use super::RetrieveSettings;
use super::hydrate::{Found, Hit};
use super::legs::{LegName, Ranked};
use super::search::SearchOptions;
use crate::components::Components;
use crate::error::Result;
use crate::model::{MessageId, MessageOutcome};
use crate::ports::{
    ChannelScope, Document, DocumentKind, Filter, Partition, RecordStoreExt, StoredMessage,
};
use crate::project::documents::message_document;

/// Messages that are looked through for the one that follows: replies to others stand between.
const LOOK_AHEAD: usize = 3;

/// Which message follows which, and the hits for those that no leg found.
#[derive(Default)]
pub(super) struct Neighbours {
    pub(super) next: BTreeMap<MessageId, MessageId>,
    pub(super) hits: Vec<Hit>,
}

/// Looks at what follows the best hits, in their thread or channel, in the same session. What the
/// reader may not see or did not ask for is left out.
pub(super) async fn following(
    parts: &Components,
    hits: &[Hit],
    options: &SearchOptions,
    settings: &RetrieveSettings,
) -> Result<Neighbours> {
    let mut neighbours = Neighbours::default();
    let known: BTreeSet<&MessageId> = hits.iter().flat_map(Hit::messages).collect();
    let best = hits.iter().take(settings.max_neighbours);
    let looked = best.filter_map(|hit| Some((hit, hit.messages().first().copied()?.clone())));
    let followed = try_join_all(looked.map(async |(hit, message)| {
        let scope = ChannelScope::new(hit.channel.clone());
        let after = follower(parts, &scope, hit, &message, settings).await?;
        Ok::<_, crate::Error>((scope, message, after))
    }))
    .await?;
    let mut unfound: BTreeMap<ChannelScope, Vec<(usize, StoredMessage)>> = BTreeMap::new();
    for (rank, (scope, message, after)) in followed.into_iter().enumerate() {
        let Some(after) = after else { continue };
        let id = after.message.id.clone();
        if !known.contains(&id) && !neighbours.next.values().any(|it| *it == id) {
            unfound.entry(scope).or_default().push((rank + 1, after));
        }
        neighbours.next.insert(message, id);
    }
    for (scope, messages) in unfound {
        let admitted = admitted(parts, &scope, messages, options).await?;
        neighbours.hits.extend(admitted);
    }
    Ok(neighbours)
}

/// The message that follows a hit's first.
async fn follower(
    parts: &Components,
    scope: &ChannelScope,
    hit: &Hit,
    message: &MessageId,
    settings: &RetrieveSettings,
) -> Result<Option<StoredMessage>> {
    let (said_at, root) = match &hit.found {
        Found::Fact { fact, .. } => match fact.value.first() {
            Some(evidence) => {
                let stored = parts
                    .messages
                    .get(scope, std::slice::from_ref(message))
                    .await?;
                let root = stored.into_iter().flatten().next();
                (evidence.sent_at, root.and_then(|it| it.message.thread_root))
            }
            None => return Ok(None),
        },
        Found::Message(stored) => (stored.message.sent_at, stored.message.thread_root.clone()),
    };
    let after = (said_at, message.clone());
    let read = match &root {
        Some(root) => {
            let root = MessageId {
                native: root.clone(),
                ..message.clone()
            };
            let messages = parts.messages.as_ref();
            messages
                .thread(scope, &root, Some(&after), LOOK_AHEAD)
                .await?
        }
        None => parts.messages.read(scope, Some(&after), LOOK_AHEAD).await?,
    };
    Ok(read.into_iter().find(|it| {
        let is_of_line = root.is_some()
            || it.message.thread_root.is_none()
            || it.message.thread_root.as_ref() == Some(&message.native);
        is_of_line
            && !it.message.is_deleted
            && it.message.sent_at.duration_since(said_at) <= settings.session_gap
    }))
}

/// The hits for messages that the reader may see and asked for.
async fn admitted(
    parts: &Components,
    scope: &ChannelScope,
    messages: Vec<(usize, StoredMessage)>,
    options: &SearchOptions,
) -> Result<Vec<Hit>> {
    let ids: Vec<String> = messages
        .iter()
        .map(|(_, it)| it.message.id.record_id())
        .collect();
    let outcomes = parts
        .records
        .load_many::<MessageOutcome>(&Partition::of(scope), &ids)
        .await?;
    let hits = messages
        .into_iter()
        .zip(outcomes)
        .filter_map(|((rank, stored), outcome)| {
            let document = message_document(&stored, &outcome?.value, None)?;
            let is_seen =
                options
                    .visibility
                    .admits(document.state, &document.validity, document.recorded_at);
            (is_seen && counts(&options.filter, &document)).then(|| Hit {
                channel: scope.channel().clone(),
                found: Found::Message(Box::new(stored)),
                score: 0.0,
                legs: vec![Ranked {
                    leg: LegName::Neighbour,
                    rank,
                    score: 0.0,
                }],
            })
        });
    Ok(hits.collect())
}

/// Whether the filter lets the document of a message through.
fn counts(filter: &Filter, document: &Document) -> bool {
    let is_kind = filter.kinds.is_empty() || filter.kinds.contains(&DocumentKind::Message);
    let is_author = filter.authors.is_empty()
        || document
            .authors
            .iter()
            .any(|it| filter.authors.contains(it));
    let is_then = filter
        .said_in
        .is_none_or(|it| it.contains(document.said_at));
    is_kind
        && is_author
        && is_then
        && filter.fact_kinds.is_empty()
        && filter.tags.is_empty()
        && filter.entities.is_empty()
}
