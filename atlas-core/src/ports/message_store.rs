//! The log that everything can be rebuilt from.

use std::sync::Arc;

use async_trait::async_trait;

use super::{ChannelScope, Epoch, Residue, Sequence};
use crate::error::Result;
use crate::model::{ContentHash, Message, MessageId, Timestamp};

/// A version of a message as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMessage {
    /// The message.
    pub message: Message,
    /// The name of this version.
    pub version: ContentHash,
    /// The number of the write that made it current.
    pub sequence: Sequence,
}

/// What appending did with one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Appended {
    /// It was not known.
    New,
    /// It replaced another version.
    Changed,
    /// This version is current already, or an earlier edit that arrived late.
    Unchanged,
}

/// A place in the reading order of a channel.
pub type ReadCursor = (Timestamp, MessageId);

/// What a [`MessageStore`] can do beyond its contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageStoreCapabilities {
    /// Whether what was acknowledged survives the process.
    pub durable: bool,
}

impl MessageStoreCapabilities {
    /// Sets whether what was acknowledged survives the process.
    #[must_use]
    pub fn with_durable(mut self, durable: bool) -> Self {
        self.durable = durable;
        self
    }
}

/// Keeps the messages of channels and their versions.
///
/// # Contract
///
/// - MS-1 append answers one outcome a message, in the order given, and keeps every field of it.
/// - MS-2 appending the current version again is Unchanged and writes nothing.
/// - MS-3 a version that replaces the current one is Changed; an earlier edit that arrives late is Unchanged.
/// - MS-4 every version that was appended is kept, and versions lists them in the order of their arrival.
/// - MS-5 get answers one slot an id, in the order asked; none where there is none.
/// - MS-6 read goes by sending time, then by id, each message once, a limit at a time.
/// - MS-7 thread gives the root and its replies in reading order; a lost root leaves the replies.
/// - MS-8 changes gives the last write of each message after a sequence, in order, a limit at a time.
/// - MS-9 once changes has shown a sequence, nothing at or below it appears later.
/// - MS-10 a message of another channel is refused as Invalid and nothing of its batch is written.
/// - MS-11 nothing of one channel is seen through another.
/// - MS-12 forget leaves no word of the message in any version, keeps its place, and shows it in changes.
/// - MS-13 a write or a fence of a lower epoch is Fenced and changes nothing; a fence of the same epoch is idle.
/// - MS-14 purge leaves no residue in its channel, touches no other, and keeps the epoch.
/// - MS-15 a limit of nought is Invalid.
/// - MS-16 what was acknowledged, epochs and sequences included, is there when a durable store is opened again.
/// - MS-17 a message without an id of its own or of its source is Invalid and nothing of its batch is written.
///
/// # Implementing
///
/// Hold a channel's sequence, its messages and their versions in one transaction. Everything may
/// be dropped while it waits: it is then done or not done, never half done. The suite
/// `atlas_testkit::message_store_conformance!` checks each clause, and opens a durable store again
/// in every check.
#[async_trait]
pub trait MessageStore: Send + Sync {
    /// What this store can do beyond the contract.
    fn capabilities(&self) -> MessageStoreCapabilities {
        MessageStoreCapabilities::default()
    }

    /// Adds messages; MS-1, MS-2, MS-3, MS-10, MS-13.
    async fn append(
        &self,
        channel: &ChannelScope,
        epoch: Epoch,
        messages: &[Message],
    ) -> Result<Vec<Appended>>;

    /// Reads the current versions by id; MS-5.
    async fn get(
        &self,
        channel: &ChannelScope,
        ids: &[MessageId],
    ) -> Result<Vec<Option<StoredMessage>>>;

    /// Reads every kept version of a message; MS-4.
    async fn versions(&self, channel: &ChannelScope, id: &MessageId) -> Result<Vec<StoredMessage>>;

    /// Reads current versions in reading order; MS-6. The next page starts after the last one.
    async fn read(
        &self,
        channel: &ChannelScope,
        after: Option<&ReadCursor>,
        limit: usize,
    ) -> Result<Vec<StoredMessage>>;

    /// Reads a thread in reading order; MS-7.
    async fn thread(
        &self,
        channel: &ChannelScope,
        root: &MessageId,
        after: Option<&ReadCursor>,
        limit: usize,
    ) -> Result<Vec<StoredMessage>>;

    /// Reads what was written after a sequence; MS-8, MS-9.
    async fn changes(
        &self,
        channel: &ChannelScope,
        since: Sequence,
        limit: usize,
    ) -> Result<Vec<StoredMessage>>;

    /// Erases the words of messages; MS-12. Answers how many were there.
    async fn forget(
        &self,
        channel: &ChannelScope,
        epoch: Epoch,
        ids: &[MessageId],
    ) -> Result<usize>;

    /// The channel's epoch; nought for a channel that was never fenced.
    async fn epoch(&self, channel: &ChannelScope) -> Result<Epoch>;

    /// Raises the channel's epoch, so that writes of lower ones are refused; MS-13.
    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()>;

    /// Erases the channel's messages, keeping its epoch; MS-14.
    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()>;

    /// Counts what is left of the channel; MS-14.
    async fn residue(&self, channel: &ChannelScope) -> Result<Residue>;
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<T: MessageStore + ?Sized> MessageStore for Arc<T> {
    fn capabilities(&self) -> MessageStoreCapabilities {
        (**self).capabilities()
    }

    async fn append(
        &self,
        channel: &ChannelScope,
        epoch: Epoch,
        messages: &[Message],
    ) -> Result<Vec<Appended>> {
        (**self).append(channel, epoch, messages).await
    }

    async fn get(
        &self,
        channel: &ChannelScope,
        ids: &[MessageId],
    ) -> Result<Vec<Option<StoredMessage>>> {
        (**self).get(channel, ids).await
    }

    async fn versions(&self, channel: &ChannelScope, id: &MessageId) -> Result<Vec<StoredMessage>> {
        (**self).versions(channel, id).await
    }

    async fn read(
        &self,
        channel: &ChannelScope,
        after: Option<&ReadCursor>,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        (**self).read(channel, after, limit).await
    }

    async fn thread(
        &self,
        channel: &ChannelScope,
        root: &MessageId,
        after: Option<&ReadCursor>,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        (**self).thread(channel, root, after, limit).await
    }

    async fn changes(
        &self,
        channel: &ChannelScope,
        since: Sequence,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        (**self).changes(channel, since, limit).await
    }

    async fn forget(
        &self,
        channel: &ChannelScope,
        epoch: Epoch,
        ids: &[MessageId],
    ) -> Result<usize> {
        (**self).forget(channel, epoch, ids).await
    }

    async fn epoch(&self, channel: &ChannelScope) -> Result<Epoch> {
        (**self).epoch(channel).await
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        (**self).fence(channel, epoch).await
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        (**self).purge(channel, epoch).await
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        (**self).residue(channel).await
    }
}

/// Conveniences for callers; never implemented by hand.
pub trait MessageStoreExt: MessageStore {
    /// Reads one message.
    fn get_one(
        &self,
        channel: &ChannelScope,
        id: &MessageId,
    ) -> impl Future<Output = Result<Option<StoredMessage>>> + Send {
        async move {
            let found = self.get(channel, std::slice::from_ref(id)).await?;
            Ok(found.into_iter().next().flatten())
        }
    }

    /// Reads a whole thread, or a single message as a thread of one.
    fn whole_thread(
        &self,
        channel: &ChannelScope,
        root: &MessageId,
    ) -> impl Future<Output = Result<Vec<StoredMessage>>> + Send {
        async move {
            const PAGE: usize = 500;
            let mut all: Vec<StoredMessage> = Vec::new();
            loop {
                let after = all
                    .last()
                    .map(|it| (it.message.sent_at, it.message.id.clone()));
                let page = self.thread(channel, root, after.as_ref(), PAGE).await?;
                let is_last = page.len() < PAGE;
                all.extend(page);
                if is_last {
                    return Ok(all);
                }
            }
        }
    }
}

impl<T: MessageStore + ?Sized> MessageStoreExt for T {}
