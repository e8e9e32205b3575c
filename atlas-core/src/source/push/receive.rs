//! Taking a push in once.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::event::{EventResult, PushLimits, PushRefusal, PushRequest, PushedEvent, read};
use super::signature::{PushSource, verify};
use crate::components::Components;
use crate::error::{ErrorKind, Result};
use crate::ingest::append;
use crate::model::{Author, AuthorId, ContentHash, Message, SourceId, Stored, Timestamp};
use crate::ports::{
    ChannelScope, Collection, CommitBuilder, MessageStoreExt, Partition, RecordStoreExt,
};
use crate::stage;

/// How long a key and its answer are kept.
pub const KEPT_FOR: Duration = Duration::from_hours(24);

/// What a push is answered with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushAnswer {
    /// Messages that were not known.
    pub accepted: usize,
    /// Messages of which another version was known.
    pub changed: usize,
    /// Messages that were known as they are.
    pub unchanged: usize,
    /// What became of each event, in the order given.
    pub events: Vec<EventResult>,
}

/// What became of a push.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// It was taken in.
    Taken(PushAnswer),
    /// It was taken in before under the same key: the answer of that time.
    Repeated(PushAnswer),
    /// Nothing of it was taken.
    Refused(PushRefusal),
}

/// A key that was given, reserved before anything is done under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PushKey {
    id: ContentHash,
    request: ContentHash,
    reserved_at: Timestamp,
    answer: Option<PushAnswer>,
}

impl Stored for PushKey {
    const COLLECTION: Collection = Collection::literal(".push_key");
    const SCHEMA: u32 = 1;

    fn record_id(&self) -> String {
        self.id.to_string()
    }
}

impl PushKey {
    fn is_old(&self, now: Timestamp) -> bool {
        self.reserved_at.saturating_add(KEPT_FOR) <= now
    }
}

/// Checks who sent a push, reads it and appends what it says to the log of its channel, once for
/// each key.
///
/// # Shape
///
/// A key is reserved with the hash of the body before anything is done under it. The same key with
/// the same body is answered as before, or gone on with if the first time was cut short; with
/// another body it is refused. Without a key, messages that are pushed again are unchanged.
///
/// # Errors
///
/// What the stores fail with. Whatever is wrong with the push is no error but
/// [`Pushed::Refused`].
///
/// # Cancel safety
///
/// Safe: pushing the same again, under the same key, goes on with it.
pub async fn receive(
    parts: &Components,
    source: Option<&PushSource>,
    (header, key): (&str, Option<&str>),
    body: &[u8],
    (limits, reads_bots): (&PushLimits, bool),
) -> Result<Pushed> {
    let now = parts.clock.now();
    if body.len() > limits.body {
        let limit = limits.body;
        return Ok(Pushed::Refused(PushRefusal::TooLarge { limit }));
    }
    let (source, request) = match check(source, header, body, (limits, now)) {
        Ok(checked) => checked,
        Err(refusal) => return Ok(Pushed::Refused(refusal)),
    };
    let channel = ChannelScope::new(request.channel.clone());
    let Some(key) = key else {
        let answer = take(parts, &channel, request, reads_bots).await?;
        return Ok(Pushed::Taken(answer));
    };
    let mut reserved = PushKey {
        id: ContentHash::of_parts(&[source.as_str(), key]),
        request: ContentHash::of(body),
        reserved_at: now,
        answer: None,
    };
    if let Some(answered) = reserve(parts, &channel, &reserved).await? {
        return Ok(answered);
    }
    reserved.answer = Some(take(parts, &channel, request, reads_bots).await?);
    finish(parts, &channel, reserved).await
}

fn check<'a>(
    source: Option<&'a PushSource>,
    header: &str,
    body: &[u8],
    (limits, now): (&PushLimits, Timestamp),
) -> std::result::Result<(&'a SourceId, PushRequest), PushRefusal> {
    verify(source, header, body, now)?;
    let source = source.ok_or(PushRefusal::Unauthenticated)?;
    let request = read(&source.id, body, limits)?;
    if !source.may_push_to(&request.channel) {
        return Err(PushRefusal::ChannelNotAllowed);
    }
    Ok((&source.id, request))
}

/// What a key that was given before is answered with; none if there is work to do under it.
fn known(old: &PushKey, given: &PushKey) -> Option<Pushed> {
    if old.request != given.request {
        return Some(Pushed::Refused(PushRefusal::KeyReused));
    }
    old.answer.clone().map(Pushed::Repeated)
}

async fn reserve(
    parts: &Components,
    channel: &ChannelScope,
    given: &PushKey,
) -> Result<Option<Pushed>> {
    let records = parts.records.as_ref();
    let partition = Partition::of(channel);
    loop {
        let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
        let ids = [given.record_id()];
        let old = commit
            .load_many::<PushKey>(records, &partition, &ids)
            .await?;
        let old = old.into_iter().flatten().next().map(|it| it.value);
        if let Some(old) = old.filter(|it| !it.is_old(given.reserved_at)) {
            return Ok(known(&old, given));
        }
        commit.put(given)?;
        match stage::commit(records, &partition, commit).await {
            // Another came first, so that the key is known now and the next look ends this.
            Err(error) if error.kind() == ErrorKind::Conflict => {}
            done => return done.map(|_| None),
        }
    }
}

/// Stores the answer, unless another who went on with the same push stored one first.
async fn finish(parts: &Components, channel: &ChannelScope, done: PushKey) -> Result<Pushed> {
    let records = parts.records.as_ref();
    let partition = Partition::of(channel);
    loop {
        let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
        let ids = [done.record_id()];
        let old = commit
            .load_many::<PushKey>(records, &partition, &ids)
            .await?;
        let old = old.into_iter().flatten().next().map(|it| it.value);
        if let Some(answered) = old.and_then(|it| known(&it, &done)) {
            return Ok(answered);
        }
        commit.put(&done)?;
        match stage::commit(records, &partition, commit).await {
            Err(error) if error.kind() == ErrorKind::Conflict => {}
            Err(error) => return Err(error),
            Ok(_) => {
                let answer = done
                    .answer
                    .unwrap_or_else(|| PushAnswer::nothing(Vec::new()));
                return Ok(Pushed::Taken(answer));
            }
        }
    }
}

impl PushAnswer {
    fn nothing(events: Vec<EventResult>) -> Self {
        Self {
            accepted: 0,
            changed: 0,
            unchanged: 0,
            events,
        }
    }
}

async fn take(
    parts: &Components,
    channel: &ChannelScope,
    request: PushRequest,
    reads_bots: bool,
) -> Result<PushAnswer> {
    let mut messages: Vec<Message> = Vec::new();
    let mut events = Vec::new();
    for event in request.events {
        events.push(match event {
            Err(reason) => EventResult::Refused(reason),
            Ok(PushedEvent::Message(message)) => {
                messages.push(*message);
                EventResult::Taken
            }
            Ok(PushedEvent::Delete { id, sent_at }) => {
                let said = messages.iter().rfind(|it| it.id == id).cloned();
                let known = if let Some(said) = said {
                    Some(said)
                } else {
                    let stored = parts.messages.get_one(channel, &id).await?;
                    stored.map(|it| it.message)
                };
                let nobody = Author {
                    id: AuthorId::new(""),
                    name: String::new(),
                };
                let known = known.unwrap_or_else(|| Message::new(id, nobody, sent_at, ""));
                messages.push(known.without_words());
                EventResult::Taken
            }
        });
    }
    let receipt = append(parts, channel, &messages, reads_bots).await?;
    Ok(PushAnswer {
        accepted: receipt.accepted,
        changed: receipt.changed,
        unchanged: receipt.unchanged,
        ..PushAnswer::nothing(events)
    })
}

/// Drops the keys of a channel that are kept no longer, and answers how many.
///
/// # Errors
///
/// What the stores fail with.
pub async fn drop_old_keys(parts: &Components, channel: &ChannelScope) -> Result<usize> {
    let records = parts.records.as_ref();
    let partition = Partition::of(channel);
    let now = parts.clock.now();
    let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
    let all = records.load_all::<PushKey>(&partition).await?;
    let old: Vec<PushKey> = all
        .into_iter()
        .map(|it| it.value)
        .filter(|it| it.is_old(now))
        .collect();
    for key in &old {
        commit.delete(key.key());
    }
    stage::commit(records, &partition, commit).await?;
    Ok(old.len())
}
