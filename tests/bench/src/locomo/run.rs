//! Conversations through Atlas.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use atlas_core::model::{Author, AuthorId, ChannelId, Message, MessageId, NativeId, SourceId};
use atlas_core::ports::{Embedder, SystemClock};
use atlas_core::retrieve::{Found, Hit, SearchOptions};
use atlas_core::{Atlas, Channel, Components, Settings};
use atlas_offline::{OfflineEmbedder, OfflineLlm};
use atlas_store_memory::MemoryStore;

use super::data::Conversation;
use crate::stopwatch::Stopwatch;
use crate::tell;

/// Hits that are asked for, and turns that are looked at.
pub(crate) const DEPTH: usize = 30;
/// Hits whose words are counted as the context that is served.
const SERVED: usize = 10;

/// What came of a conversation.
#[derive(Debug, Default)]
pub(crate) struct Ran {
    /// For each question the places of the turns that were found, best first.
    pub(crate) lists: Vec<Vec<usize>>,
    /// The tokens of the first ten hits of each question, four characters each.
    pub(crate) tokens: Vec<usize>,
    /// How long each search took.
    pub(crate) latency: Vec<Duration>,
    /// How long ingesting and settling took.
    pub(crate) settling: Duration,
    /// How many facts it has.
    pub(crate) n_facts: usize,
}

/// Runs conversations, so many at a time.
pub(crate) fn all(
    conversations: &[Conversation],
    settings: &Settings,
    threads: usize,
) -> Result<Vec<Ran>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, Result<Ran>>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, conversations.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(conversation) = conversations.get(at) else {
                        return;
                    };
                    let ran = one(conversation, settings);
                    if let Ok(mut done) = done.lock() {
                        done.insert(at, ran);
                    }
                }
            });
        }
    });
    let done = done.into_inner().map_err(|_| anyhow!("a thread failed"))?;
    done.into_values().collect()
}

fn one(conversation: &Conversation, settings: &Settings) -> Result<Ran> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime
        .block_on(asked(conversation, settings))
        .with_context(|| format!("conversation {}", conversation.number))
}

/// A conversation that was settled, and how long that took.
pub(crate) async fn settled(
    conversation: &Conversation,
    settings: &Settings,
) -> Result<(Channel, Duration)> {
    let embedder = OfflineEmbedder::default();
    let store = MemoryStore::new(embedder.space());
    let parts = Components::new(store, OfflineLlm::default(), embedder, SystemClock);
    let id = ChannelId::new(format!("conversation-{}", conversation.number));
    let channel = Atlas::new(parts, settings.clone())?.channel(id.clone());
    let messages: Vec<Message> = conversation
        .turns
        .iter()
        .map(|turn| {
            let native = NativeId::new(&turn.id);
            Message::new(
                MessageId::new(SourceId::new("locomo"), id.clone(), native),
                Author {
                    id: AuthorId::new(&turn.speaker),
                    name: turn.speaker.clone(),
                },
                turn.at,
                &turn.text,
            )
        })
        .collect();
    let watch = Stopwatch::start();
    channel.remember(&messages).await?;
    Ok((channel, watch.elapsed()))
}

async fn asked(conversation: &Conversation, settings: &Settings) -> Result<Ran> {
    let (channel, settling) = settled(conversation, settings).await?;
    let mut ran = Ran {
        settling,
        n_facts: channel.stats().await?.n_facts,
        ..Ran::default()
    };
    tell(&format!(
        "conversation {}: {} turns, {} facts in {:.1} s",
        conversation.number,
        conversation.turns.len(),
        ran.n_facts,
        settling.as_secs_f64()
    ));
    let options = SearchOptions::default().with_limit(DEPTH);
    let places = places(conversation);
    for question in &conversation.questions {
        let watch = Stopwatch::start();
        let found = channel.search_with(&question.text, &options).await?;
        ran.latency.push(watch.elapsed());
        ran.tokens
            .push(found.hits.iter().take(SERVED).map(tokens).sum());
        ran.lists.push(turns(&found.hits, &places));
    }
    Ok(ran)
}

/// The place of each turn's message.
pub(crate) fn places(conversation: &Conversation) -> BTreeMap<&str, usize> {
    let turns = conversation.turns.iter().enumerate();
    turns.map(|(at, turn)| (turn.id.as_str(), at)).collect()
}

/// The turns that hits stand on, each once: a fact stands for its messages in their order.
pub(crate) fn turns(hits: &[Hit], places: &BTreeMap<&str, usize>) -> Vec<usize> {
    let mut list = Vec::new();
    for message in hits.iter().flat_map(Hit::messages) {
        if let Some(at) = places.get(message.native.as_str())
            && !list.contains(at)
        {
            list.push(*at);
        }
    }
    list
}

fn tokens(hit: &Hit) -> usize {
    let n_chars = match &hit.found {
        Found::Fact { fact, .. } => {
            let quotes = fact.value.evidence.iter();
            quotes.map(|it| it.quote.chars().count()).sum()
        }
        Found::Message(stored) => stored.message.text.chars().count(),
    };
    n_chars.div_ceil(4)
}
