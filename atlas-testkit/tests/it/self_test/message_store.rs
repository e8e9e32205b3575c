//! Broken adapters of [`MessageStore`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use atlas_core::model::{ChannelId, Message, MessageId, NativeId, SourceId};
use atlas_core::ports::{
    Appended, ChannelScope, Epoch, MessageStore, MessageStoreCapabilities, ReadCursor, Residue,
    Sequence, StoredMessage,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};

use atlas_store_memory::MemoryStore;

use crate::memory::store;

/// What is wrong with the adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defect {
    /// Reading loses what the platform tells.
    DropsMetadata,
    /// A batch of what is current is called changed.
    CallsCurrentChanged,
    /// A late edit is called changed.
    CallsLateChanged,
    /// Versions go backwards.
    LatestVersionFirst,
    /// An id that is asked twice is answered once.
    DropsRepeated,
    /// A later page loses its last message.
    LosesLastPage,
    /// A reply from before its root is lost.
    LosesEarlyReplies,
    /// The feed takes a limit of one for none.
    IgnoresLimitOfOne,
    /// A purge starts the numbers again.
    Renumbers,
    /// What comes before a foreign message is kept.
    AppendsHalf,
    /// A channel reads from one of nearly its name.
    LeaksChannels,
    /// A forgotten message loses its place in its thread.
    LosesForgotten,
    /// Forgetting takes no notice of the fence.
    ForgetsLate,
    /// Nothing is ever counted as left.
    CountsNothing,
    /// A limit of nought gives an empty page.
    EmptyForNought,
    /// A message without an id gets one.
    NamesNameless,
    /// It says that it is durable, and is not.
    SaysDurable,
    /// A fence is kept until it is closed.
    ForgetsFence,
    /// The fence is looked up by the first read only.
    ReadsFenceLate,
    /// A lower fence is passed over.
    IdlesAtLowerFence,
    /// It has none: it keeps what it was told.
    Nothing,
}

/// An adapter with a defect.
struct Broken {
    inner: Arc<dyn MessageStore>,
    defect: Defect,
    is_durable: bool,
    /// Whether anything was read since it was opened.
    was_read: AtomicBool,
    /// The fences that were told since it was opened, for one that keeps them to itself.
    held: Mutex<BTreeMap<ChannelId, Epoch>>,
    /// The numbers that a purge has made free, of each channel.
    base: Mutex<BTreeMap<ChannelId, u64>>,
}

impl Broken {
    /// An adapter that is gone with its process.
    fn of(defect: Defect) -> Self {
        Self {
            is_durable: defect == Defect::SaysDurable,
            ..Self::over(store(), defect)
        }
    }

    /// An adapter whose store stays when it goes.
    fn over(store: MemoryStore, defect: Defect) -> Self {
        Self {
            inner: Arc::new(store),
            defect,
            is_durable: true,
            was_read: AtomicBool::default(),
            held: Mutex::default(),
            base: Mutex::default(),
        }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == defect
    }

    fn held(&self, channel: &ChannelScope) -> Epoch {
        let held = self.held.lock().unwrap();
        held.get(channel.channel()).copied().unwrap_or_default()
    }

    fn check_held(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        if epoch < self.held(channel) {
            return Err(Error::new(ErrorKind::Fenced, "append", "it was fenced"));
        }
        Ok(())
    }

    fn read(&self) {
        self.was_read.store(true, Ordering::Relaxed);
    }

    /// Whether this call comes before the adapter knows the fence.
    fn is_unaware(&self) -> bool {
        self.has(Defect::ReadsFenceLate) && !self.was_read.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl MessageStore for Broken {
    fn capabilities(&self) -> MessageStoreCapabilities {
        self.inner.capabilities().with_durable(self.is_durable)
    }

    async fn append(
        &self,
        channel: &ChannelScope,
        epoch: Epoch,
        messages: &[Message],
    ) -> Result<Vec<Appended>> {
        if let Some(foreign) = messages
            .iter()
            .position(|it| it.id.channel != *channel.channel())
            && self.has(Defect::AppendsHalf)
        {
            self.inner
                .append(channel, epoch, &messages[..foreign])
                .await?;
        }
        self.check_held(channel, epoch)?;
        let mut messages = messages.to_vec();
        if self.has(Defect::NamesNameless) {
            for message in &mut messages {
                if message.id.native.as_str().is_empty() {
                    message.id.native = NativeId::new("nameless");
                }
                if message.id.source.as_str().is_empty() {
                    message.id.source = SourceId::new("nameless");
                }
            }
        }
        let epoch = if self.is_unaware() {
            epoch.max(self.inner.epoch(channel).await?)
        } else {
            epoch
        };
        let mut outcomes = self.inner.append(channel, epoch, &messages).await?;
        let are_current = outcomes.iter().all(|it| *it == Appended::Unchanged);
        let is_wrong = match self.defect {
            Defect::CallsCurrentChanged => messages.len() > 1,
            Defect::CallsLateChanged => messages.len() == 1,
            _ => false,
        };
        if is_wrong && are_current {
            outcomes.fill(Appended::Changed);
        }
        Ok(outcomes)
    }

    async fn get(
        &self,
        channel: &ChannelScope,
        ids: &[MessageId],
    ) -> Result<Vec<Option<StoredMessage>>> {
        self.read();
        let mut found = self.inner.get(channel, ids).await?;
        match self.defect {
            Defect::DropsMetadata => {
                for stored in found.iter_mut().flatten() {
                    stored.message.metadata.clear();
                }
            }
            Defect::DropsRepeated => {
                let mut seen = BTreeSet::new();
                let mut is_first = ids.iter().map(|id| seen.insert(id));
                found.retain(|_| is_first.next().unwrap());
            }
            Defect::LeaksChannels => {
                let near = ChannelId::new(channel.channel().as_str().trim());
                let nearly = self.inner.get(&ChannelScope::new(near), ids).await?;
                for (slot, near) in found.iter_mut().zip(nearly) {
                    *slot = slot.take().or(near);
                }
            }
            _ => {}
        }
        Ok(found)
    }

    async fn versions(&self, channel: &ChannelScope, id: &MessageId) -> Result<Vec<StoredMessage>> {
        let mut versions = self.inner.versions(channel, id).await?;
        if self.has(Defect::LatestVersionFirst) {
            versions.reverse();
        }
        Ok(versions)
    }

    async fn read(
        &self,
        channel: &ChannelScope,
        after: Option<&ReadCursor>,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        let mut page = self.inner.read(channel, after, limit).await?;
        if self.has(Defect::LosesLastPage) && after.is_some() && page.len() == limit {
            page.pop();
        }
        Ok(page)
    }

    async fn thread(
        &self,
        channel: &ChannelScope,
        root: &MessageId,
        after: Option<&ReadCursor>,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        if self.has(Defect::EmptyForNought) && limit == 0 {
            return Ok(Vec::new());
        }
        let mut page = self.inner.thread(channel, root, after, limit).await?;
        if self.has(Defect::LosesEarlyReplies) {
            let found = self.inner.get(channel, std::slice::from_ref(root)).await?;
            if let Some(Some(root)) = found.first() {
                page.retain(|it| it.message.sent_at >= root.message.sent_at);
            }
        }
        if self.has(Defect::LosesForgotten) {
            page.retain(|it| !it.message.is_deleted);
        }
        Ok(page)
    }

    async fn changes(
        &self,
        channel: &ChannelScope,
        since: Sequence,
        limit: usize,
    ) -> Result<Vec<StoredMessage>> {
        let limit = match self.defect {
            Defect::IgnoresLimitOfOne if limit == 1 => usize::MAX,
            _ => limit,
        };
        let freed = self.base.lock().unwrap().get(channel.channel()).copied();
        let base = freed.unwrap_or_default();
        let since = Sequence(since.0 + base);
        self.read();
        let mut page = self.inner.changes(channel, since, limit).await?;
        for stored in &mut page {
            stored.sequence.0 -= base;
        }
        Ok(page)
    }

    async fn forget(
        &self,
        channel: &ChannelScope,
        epoch: Epoch,
        ids: &[MessageId],
    ) -> Result<usize> {
        let epoch = match self.defect {
            Defect::ForgetsLate => epoch.max(self.inner.epoch(channel).await?),
            _ => epoch,
        };
        self.check_held(channel, epoch)?;
        self.inner.forget(channel, epoch, ids).await
    }

    async fn epoch(&self, channel: &ChannelScope) -> Result<Epoch> {
        self.read();
        Ok(self.inner.epoch(channel).await?.max(self.held(channel)))
    }

    async fn fence(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        match self.defect {
            Defect::ForgetsFence => {
                let mut held = self.held.lock().unwrap();
                held.insert(channel.channel().clone(), epoch);
                Ok(())
            }
            Defect::IdlesAtLowerFence if epoch < self.inner.epoch(channel).await? => Ok(()),
            _ => self.inner.fence(channel, epoch).await,
        }
    }

    async fn purge(&self, channel: &ChannelScope, epoch: Epoch) -> Result<()> {
        let all = self.inner.changes(channel, Sequence(0), usize::MAX).await?;
        self.check_held(channel, epoch)?;
        self.inner.purge(channel, epoch).await?;
        if let Some(last) = all.last()
            && self.has(Defect::Renumbers)
        {
            let mut base = self.base.lock().unwrap();
            base.insert(channel.channel().clone(), last.sequence.0);
        }
        Ok(())
    }

    async fn residue(&self, channel: &ChannelScope) -> Result<Residue> {
        match self.defect {
            Defect::CountsNothing => Ok(Residue::default()),
            _ => self.inner.residue(channel).await,
        }
    }
}

defects! {
    message_store: [
    drops_the_metadata: DropsMetadata => [ms_1_append_answers_in_order_and_keeps_every_field];
    calls_what_is_current_changed: CallsCurrentChanged => [ms_2_the_current_version_again_is_unchanged];
    calls_a_late_edit_changed: CallsLateChanged => [ms_3_a_replacing_version_is_changed_and_a_late_edit_is_not];
    lists_versions_backwards: LatestVersionFirst => [ms_4_every_version_is_kept_in_the_order_of_arrival];
    answers_an_id_that_is_asked_twice_once: DropsRepeated => [ms_5_get_keeps_order_and_gaps];
    loses_the_last_of_a_page: LosesLastPage => [ms_6_read_goes_by_time_then_id];
    loses_replies_from_before_the_root: LosesEarlyReplies => [ms_7_thread_gives_root_and_replies];
    takes_a_limit_of_one_for_none: IgnoresLimitOfOne => [ms_8_changes_gives_last_writes_in_order];
    renumbers_after_a_purge: Renumbers => [ms_9_nothing_appears_at_or_below_a_shown_sequence];
    appends_half_of_a_batch: AppendsHalf => [ms_10_a_foreign_message_refuses_its_batch];
    leaks_channels: LeaksChannels => [ms_11_channels_do_not_see_each_other];
    loses_the_place_of_the_forgotten: LosesForgotten => [ms_12_forget_erases_words_and_keeps_places];
    forgets_the_fence: ForgetsLate => [ms_13_lower_epochs_are_fenced];
    counts_no_residue: CountsNothing => [ms_14_purge_leaves_no_residue];
    answers_empty_instead_of_invalid: EmptyForNought => [ms_15_a_limit_of_nought_is_invalid];
    says_that_it_is_durable: SaysDurable => [ms_16_what_was_acknowledged_is_there_again];
    names_what_has_no_name: NamesNameless => [ms_17_a_message_without_an_id_refuses_its_batch];
    passes_over_a_lower_fence: IdlesAtLowerFence => [ms_13_lower_epochs_are_fenced];
    ]
    opened again: [
    a_durable_store_keeps_the_contract: Nothing => [];
    forgets_the_fence_when_it_closes: ForgetsFence => [ms_13_lower_epochs_are_fenced, ms_16_what_was_acknowledged_is_there_again];
    looks_up_the_fence_too_late: ReadsFenceLate => [ms_16_what_was_acknowledged_is_there_again];
    ]
}
