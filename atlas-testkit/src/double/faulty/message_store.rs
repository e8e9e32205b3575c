//! [`MessageStore`] with faults.

use atlas_core::model::{Message, MessageId};
use atlas_core::ports::{
    Appended, ChannelScope, Epoch, MessageStore, MessageStoreCapabilities, ReadCursor, Residue,
    Sequence, StoredMessage,
};
use atlas_core::{Result, async_trait};

use super::Faulty;

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<S: MessageStore> MessageStore for Faulty<S> {
    fn capabilities(&self) -> MessageStoreCapabilities {
        self.inner.capabilities()
    }

    async fn append(
        &self,
        channel: &ChannelScope,
        epoch: Epoch,
        messages: &[Message],
    ) -> Result<Vec<Appended>> {
        self.faults
            .around(
                "MessageStore::append",
                self.inner.append(channel, epoch, messages),
            )
            .await
    }

    async fn get(
        &self,
        channel: &ChannelScope,
        ids: &[MessageId],
    ) -> Result<Vec<Option<StoredMessage>>> {
        self.faults
            .around("MessageStore::get", self.inner.get(channel, ids))
            .await
    }

    async fn versions(&self, channel: &ChannelScope, id: &MessageId) -> Result<Vec<StoredMessage>> {
        self.faults
            .around("MessageStore::versions", self.inner.versions(channel, id))
            .await
    }

    async fn read(
        &self,
        channel: &ChannelScope,
        after: Option<&ReadCursor>,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        self.faults
            .around("MessageStore::read", self.inner.read(channel, after, limit))
            .await
    }

    async fn thread(
        &self,
        channel: &ChannelScope,
        root: &MessageId,
        after: Option<&ReadCursor>,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        self.faults
            .around(
                "MessageStore::thread",
                self.inner.thread(channel, root, after, limit),
            )
            .await
    }

    async fn changes(
        &self,
        channel: &ChannelScope,
        since: Sequence,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        self.faults
            .around(
                "MessageStore::changes",
                self.inner.changes(channel, since, limit),
            )
            .await
    }

    async fn forget(
        &self,
        channel: &ChannelScope,
        epoch: Epoch,
        ids: &[MessageId],
    ) -> Result<usize> {
        self.faults
            .around(
                "MessageStore::forget",
                self.inner.forget(channel, epoch, ids),
            )
            .await
    }

    async fn epoch(&self, channel: &ChannelScope) -> Result<Epoch> {
        self.faults
            .around("MessageStore::epoch", self.inner.epoch(channel))
            .await
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.faults
            .around("MessageStore::fence", self.inner.fence(channel, epoch))
            .await
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        self.faults
            .around("MessageStore::purge", self.inner.purge(channel, epoch))
            .await
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        self.faults
            .around("MessageStore::residue", self.inner.residue(channel))
            .await
    }
}
