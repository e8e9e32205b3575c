//! [`MessageStore`] in memory.

use std::collections::BTreeSet;

use atlas_core::model::{Message, MessageId};
use atlas_core::ports::{
    Appended, ChannelScope, Epoch, MessageStore, MessageStoreCapabilities, ReadCursor, Residue,
    Sequence, StoredMessage, check,
};
use atlas_core::{Result, async_trait};

use crate::MemoryStore;
use crate::memory_store::lock;
use crate::message_log::MessageLog;

impl MemoryStore {
    /// Reads from the channel's log; a channel that nobody wrote to has an empty one.
    fn in_log<T>(
        &self,
        op: &'static str,
        channel: &ChannelScope,
        read: impl Fn(&MessageLog) -> T,
    ) -> Result<T> {
        let logs = lock(&self.messages, op)?;
        Ok(logs
            .get(channel.channel())
            .map_or_else(|| read(&MessageLog::default()), &read))
    }

    /// Writes to the channel's log, unless the epoch is over.
    fn to_log<T>(
        &self,
        op: &'static str,
        (channel, epoch): (&ChannelScope, Epoch),
        write: impl FnOnce(&mut MessageLog) -> T,
    ) -> Result<T> {
        let mut logs = lock(&self.messages, op)?;
        let log = logs.entry(channel.channel().clone()).or_default();
        check::epoch(log.epoch, epoch, op)?;
        Ok(write(log))
    }
}

#[async_trait]
impl MessageStore for MemoryStore {
    fn capabilities(&self) -> MessageStoreCapabilities {
        MessageStoreCapabilities::default()
    }

    async fn append(
        &self,
        channel: &ChannelScope,
        epoch: Epoch,
        messages: &[Message],
    ) -> Result<Vec<Appended>> {
        const OP: &str = "MessageStore::append";
        for message in messages {
            check::message(channel, message, OP)?;
        }
        self.to_log(OP, (channel, epoch), |log| {
            messages.iter().map(|message| log.append(message)).collect()
        })
    }

    async fn get(
        &self,
        channel: &ChannelScope,
        ids: &[MessageId],
    ) -> Result<Vec<Option<StoredMessage>>> {
        self.in_log("MessageStore::get", channel, |log| {
            ids.iter().map(|id| log.get(id)).collect()
        })
    }

    async fn versions(&self, channel: &ChannelScope, id: &MessageId) -> Result<Vec<StoredMessage>> {
        self.in_log("MessageStore::versions", channel, |log| log.versions(id))
    }

    async fn read(
        &self,
        channel: &ChannelScope,
        after: Option<&ReadCursor>,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        const OP: &str = "MessageStore::read";
        check::limit(limit, OP)?;
        self.in_log(OP, channel, |log| log.read(after, limit))
    }

    async fn thread(
        &self,
        channel: &ChannelScope,
        root: &MessageId,
        after: Option<&ReadCursor>,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        const OP: &str = "MessageStore::thread";
        check::limit(limit, OP)?;
        self.in_log(OP, channel, |log| log.thread(root, after, limit))
    }

    async fn changes(
        &self,
        channel: &ChannelScope,
        since: Sequence,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        const OP: &str = "MessageStore::changes";
        check::limit(limit, OP)?;
        self.in_log(OP, channel, |log| log.changes(since, limit))
    }

    async fn forget(
        &self,
        channel: &ChannelScope,
        epoch: Epoch,
        ids: &[MessageId],
    ) -> Result<usize> {
        let ids: BTreeSet<&MessageId> = ids.iter().collect();
        self.to_log("MessageStore::forget", (channel, epoch), |log| {
            ids.into_iter().filter(|id| log.forget(id)).count()
        })
    }

    async fn epoch(&self, channel: &ChannelScope) -> Result<Epoch> {
        self.in_log("MessageStore::epoch", channel, |log| log.epoch)
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.to_log("MessageStore::fence", (channel, epoch), |log| {
            log.epoch = epoch;
        })
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.to_log("MessageStore::purge", (channel, epoch), |log| {
            log.epoch = epoch;
            log.purge();
        })
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        self.in_log("MessageStore::residue", channel, MessageLog::residue)
    }
}
