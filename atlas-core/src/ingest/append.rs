//! Appending to the log.

use super::intake;
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::model::{Message, MessageId};
use crate::ports::{Appended, ChannelScope};
use crate::stage;

/// Messages that are appended in one call of the store.
const BATCH: usize = 500;

/// What became of an ingest: everything that was given is counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// Messages that were not known.
    pub accepted: usize,
    /// Messages of which another version was known.
    pub changed: usize,
    /// Messages that were known as they are.
    pub unchanged: usize,
    /// Messages that were not taken, and why.
    pub refused: Vec<RefusedMessage>,
    /// Conversations that it queued for extraction, with what an earlier ingest had left in the log;
    /// one that waited already is counted too.
    pub queued: usize,
}

/// A message that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedMessage {
    /// The message.
    pub message: MessageId,
    /// Why.
    pub reason: &'static str,
}

/// Appends messages to the channel's log and queues what is new or changed.
///
/// # Shape
///
/// `accepted + changed + unchanged + refused` of the receipt is the number of messages given.
///
/// # Errors
///
/// What the stores fail with. What was appended before the failure stays; giving the same
/// messages again is safe.
///
/// # Cancel safety
///
/// Safe: dropping it leaves a part of the messages appended, and the next intake queues them.
pub async fn append(
    parts: &Components,
    channel: &ChannelScope,
    messages: &[Message],
    reads_bots: bool,
) -> Result<Receipt> {
    if channel.channel().as_str().is_empty() {
        return Err(Error::new(
            ErrorKind::Invalid,
            "ingest::append",
            "the channel has no id",
        ));
    }
    let mut receipt = Receipt::default();
    let mut taken: Vec<Message> = Vec::with_capacity(messages.len());
    for message in messages {
        match refusal(message, channel) {
            None => taken.push(message.clone()),
            Some(reason) => {
                receipt.refused.push(RefusedMessage {
                    message: message.id.clone(),
                    reason,
                });
            }
        }
    }
    let epoch = stage::epoch(parts.records.as_ref(), channel).await?;
    for batch in taken.chunks(BATCH) {
        for outcome in parts.messages.append(channel, epoch, batch).await? {
            match outcome {
                Appended::New => receipt.accepted += 1,
                Appended::Changed => receipt.changed += 1,
                Appended::Unchanged => receipt.unchanged += 1,
            }
        }
    }
    receipt.queued = intake(parts, channel, reads_bots).await?.queued;
    Ok(receipt)
}

fn refusal(message: &Message, channel: &ChannelScope) -> Option<&'static str> {
    if message.id.channel != *channel.channel() {
        Some("it is of another channel")
    } else if message.id.native.as_str().is_empty() {
        Some("it has no id")
    } else if message.id.source.as_str().is_empty() {
        Some("it has no source")
    } else {
        None
    }
}
