//! [`MessageStore`] over SQL.

use atlas_core::model::{Message, MessageId};
use atlas_core::ports::{
    Appended, ChannelScope, Epoch, MessageStore, MessageStoreCapabilities, ReadCursor, Residue,
    Sequence, StoredMessage, check,
};
use atlas_core::{Result, async_trait};

use crate::SqliteStore;
use crate::erase::Erased;
use crate::failure::failed;
use crate::message_log;

/// Reads from a channel's log within one transaction; the default where nobody wrote to it.
macro_rules! read_log {
    ($store:expr, $op:expr, $channel:expr, |$on:ident, $log:ident| $read:expr) => {{
        let mut reading = $store.reading($op).await?;
        let $on = &mut *reading;
        match message_log::find($on, $channel)
            .await
            .map_err(failed($op))?
        {
            Some($log) => Some($read.await?),
            None => None,
        }
    }};
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl MessageStore for SqliteStore {
    fn capabilities(&self) -> MessageStoreCapabilities {
        MessageStoreCapabilities::default().with_durable(true)
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
        let mut writing = self.writing(OP).await?;
        let log = message_log::open(&mut writing, (channel, epoch), OP).await?;
        let outcomes = message_log::append(&mut writing, &log, messages, OP).await?;
        writing.commit().await.map_err(failed(OP))?;
        Ok(outcomes)
    }

    async fn get(
        &self,
        channel: &ChannelScope,
        ids: &[MessageId],
    ) -> Result<Vec<Option<StoredMessage>>> {
        const OP: &str = "MessageStore::get";
        let mut slots = read_log!(self, OP, channel, |on, log| message_log::get(
            on, &log, ids, OP
        ))
        .unwrap_or_else(|| vec![None; ids.len()]);
        for (slot, id) in slots.iter_mut().zip(ids) {
            if id.channel != *channel.channel() {
                *slot = None;
            }
        }
        Ok(slots)
    }

    async fn versions(&self, channel: &ChannelScope, id: &MessageId) -> Result<Vec<StoredMessage>> {
        const OP: &str = "MessageStore::versions";
        if id.channel != *channel.channel() {
            return Ok(Vec::new());
        }
        let found = read_log!(self, OP, channel, |on, log| message_log::versions(
            on, &log, id, OP
        ));
        Ok(found.unwrap_or_default())
    }

    async fn read(
        &self,
        channel: &ChannelScope,
        after: Option<&ReadCursor>,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        const OP: &str = "MessageStore::read";
        check::limit(limit, OP)?;
        let found = read_log!(self, OP, channel, |on, log| message_log::page(
            on, &log, after, limit, OP
        ));
        Ok(found.unwrap_or_default())
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
        if root.channel != *channel.channel() {
            return Ok(Vec::new());
        }
        let found = read_log!(self, OP, channel, |on, log| message_log::thread(
            on,
            &log,
            root,
            (after, limit),
            OP
        ));
        Ok(found.unwrap_or_default())
    }

    async fn changes(
        &self,
        channel: &ChannelScope,
        since: Sequence,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        const OP: &str = "MessageStore::changes";
        check::limit(limit, OP)?;
        let found = read_log!(self, OP, channel, |on, log| message_log::changes(
            on, &log, since, limit, OP
        ));
        Ok(found.unwrap_or_default())
    }

    async fn forget(
        &self,
        channel: &ChannelScope,
        epoch: Epoch,
        ids: &[MessageId],
    ) -> Result<usize> {
        const OP: &str = "MessageStore::forget";
        let ids: Vec<MessageId> = ids
            .iter()
            .filter(|id| id.channel == *channel.channel())
            .cloned()
            .collect();
        let mut writing = self.writing(OP).await?;
        let log = message_log::open(&mut writing, (channel, epoch), OP).await?;
        let n_there = message_log::forget(&mut writing, &log, &ids, OP).await?;
        let erased = Erased::messages(channel);
        let mark = async {
            for id in &ids {
                Erased::indexed(id).mark(&mut writing).await?;
            }
            erased.mark(&mut writing).await
        };
        mark.await.map_err(failed(OP))?;
        writing.commit().await.map_err(failed(OP))?;
        self.wipe(&erased, OP).await?;
        self.wipe_index(channel, OP).await?;
        Ok(n_there)
    }

    async fn epoch(&self, channel: &ChannelScope) -> Result<Epoch> {
        const OP: &str = "MessageStore::epoch";
        let mut reading = self.reading(OP).await?;
        let log = message_log::find(&mut reading, channel)
            .await
            .map_err(failed(OP))?;
        Ok(log.map(|log| log.epoch).unwrap_or_default())
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        const OP: &str = "MessageStore::fence";
        let mut writing = self.writing(OP).await?;
        let log = message_log::open(&mut writing, (channel, epoch), OP).await?;
        message_log::fence(&mut writing, &log, epoch)
            .await
            .map_err(failed(OP))?;
        writing.commit().await.map_err(failed(OP))
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        const OP: &str = "MessageStore::purge";
        let mut writing = self.writing(OP).await?;
        let log = message_log::open(&mut writing, (channel, epoch), OP).await?;
        message_log::doom(&mut writing, channel, &log, epoch)
            .await
            .map_err(failed(OP))?;
        let erased = Erased::messages(channel);
        erased.mark(&mut writing).await.map_err(failed(OP))?;
        writing.commit().await.map_err(failed(OP))?;
        self.wipe(&erased, OP).await
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        const OP: &str = "MessageStore::residue";
        let mut reading = self.reading(OP).await?;
        let counted = async {
            let held = message_log::residue(&mut reading, channel.channel()).await?;
            Erased::messages(channel).count(&mut reading, held).await
        };
        counted.await.map_err(failed(OP))
    }
}
