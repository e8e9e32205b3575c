//! Where messages are fetched from.

use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::model::{ChannelId, Message, NativeId, SourceId, Timestamp};

/// A place in a source's history: by sending time, then by id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HistoryCursor {
    /// The sending time.
    pub sent_at: Timestamp,
    /// The id in the platform; the empty id is before every other.
    pub native: NativeId,
}

impl HistoryCursor {
    /// The place before every message of the instant and after.
    pub fn from_instant(sent_at: Timestamp) -> Self {
        Self {
            sent_at,
            native: NativeId::new(""),
        }
    }

    /// The place before every message.
    pub fn start() -> Self {
        Self::from_instant(Timestamp::MIN)
    }

    /// The place of a message.
    pub fn of(message: &Message) -> Self {
        Self {
            sent_at: message.sent_at,
            native: message.id.native.clone(),
        }
    }
}

/// A thread that has replies, as its source tells it beside the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadHead {
    /// The root.
    pub root: NativeId,
    /// When the last reply was sent.
    pub latest_reply: Timestamp,
    /// How many replies it has: one that was sent before the last is told by the count alone.
    pub replies: usize,
}

/// A stretch of history that a source knows that it does not give, both ends included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceGap {
    /// The first place that is missing.
    pub from: HistoryCursor,
    /// The last place that is missing.
    pub until: HistoryCursor,
    /// Why, in the source's words.
    pub reason: String,
    /// Whether it will never be given, as what a platform has thrown away; other gaps are read again.
    pub is_lasting: bool,
}

/// A page of history or of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourcePage {
    /// The messages by sending time, then by id.
    pub messages: Vec<Message>,
    /// Whether there is more in the direction that was asked for.
    pub has_more: bool,
    /// The threads with replies whose root is in the page; none where replies are history.
    pub threads: Vec<ThreadHead>,
    /// What the page leaves out.
    pub gaps: Vec<SourceGap>,
}

/// What a [`MessageSource`] can do. The default is nothing but walking back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is what a platform can do by itself; no two exclude each other"
)]
pub struct SourceCapabilities {
    /// Whether it reads forwards from any place; one that does not is walked back from its newest.
    pub ascending: bool,
    /// Whether replies are read by thread; otherwise they stand in the history.
    pub threads: bool,
    /// Whether an edited message is shown as it now is.
    pub edits: bool,
    /// Whether a deleted message is shown, as one that is deleted.
    pub deletions: bool,
    /// The most messages of one page; at least two, or it counts as two.
    pub max_page: usize,
}

impl SourceCapabilities {
    /// Sets whether it reads forwards.
    #[must_use]
    pub fn with_ascending(mut self, ascending: bool) -> Self {
        self.ascending = ascending;
        self
    }

    /// Sets whether replies are read by thread.
    #[must_use]
    pub fn with_threads(mut self, threads: bool) -> Self {
        self.threads = threads;
        self
    }

    /// Sets whether edits are shown.
    #[must_use]
    pub fn with_edits(mut self, edits: bool) -> Self {
        self.edits = edits;
        self
    }

    /// Sets whether deletions are shown.
    #[must_use]
    pub fn with_deletions(mut self, deletions: bool) -> Self {
        self.deletions = deletions;
        self
    }

    /// Sets the most messages of a page.
    #[must_use]
    pub fn with_max_page(mut self, max_page: usize) -> Self {
        self.max_page = max_page;
        self
    }
}

/// Gives the messages of a platform's channels.
///
/// # Contract
///
/// - SRC-1 every message carries the source's id and the channel that was asked for.
/// - SRC-2 since gives the earliest messages at or after the cursor, by sending time and then by id.
/// - SRC-3 before gives the latest messages at or before the cursor, in the same order; without one, the newest.
/// - SRC-4 replies gives the replies of a thread at or after the cursor, without the root, in the same order.
/// - SRC-5 a page holds at most the limit, and with more to come at least one message beyond the cursor.
/// - SRC-6 nothing is left out in silence: what a page does not give has more to come, or is a gap on it.
/// - SRC-7 a channel without messages is an empty page; one that is unknown is `NotFound`.
/// - SRC-8 with threads, each root on a page that has replies has a head; without, replies stand in the history.
/// - SRC-9 what is not offered is Unsupported, never an empty page.
/// - SRC-10 a limit below two is Invalid: a place that is included twice would never be left.
///
/// # Implementing
///
/// The platform's own paging, by time alone or by an opaque token, is turned into places here. A
/// call is one attempt: whoever calls tries again, by [`crate::Error::retry`]. Giving a message
/// twice does no harm. Everything may be dropped while it waits.
#[async_trait]
pub trait MessageSource: Send + Sync {
    /// Its id: one a workspace or connection, not one a platform.
    fn id(&self) -> SourceId;

    /// What it can do.
    fn capabilities(&self) -> SourceCapabilities;

    /// Reads forwards; SRC-2, SRC-5 to SRC-10.
    async fn since(
        &self,
        channel: &ChannelId,
        from: &HistoryCursor,
        limit: usize,
    ) -> Result<SourcePage>;

    /// Walks back; SRC-3, SRC-5 to SRC-8, SRC-10.
    async fn before(
        &self,
        channel: &ChannelId,
        until: Option<&HistoryCursor>,
        limit: usize,
    ) -> Result<SourcePage>;

    /// Reads a thread; SRC-4 to SRC-7, SRC-9, SRC-10. Its pages have no heads.
    async fn replies(
        &self,
        channel: &ChannelId,
        root: &NativeId,
        from: &HistoryCursor,
        limit: usize,
    ) -> Result<SourcePage>;
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<T: MessageSource + ?Sized> MessageSource for Arc<T> {
    fn id(&self) -> SourceId {
        (**self).id()
    }

    fn capabilities(&self) -> SourceCapabilities {
        (**self).capabilities()
    }

    async fn since(
        &self,
        channel: &ChannelId,
        from: &HistoryCursor,
        limit: usize,
    ) -> Result<SourcePage> {
        (**self).since(channel, from, limit).await
    }

    async fn before(
        &self,
        channel: &ChannelId,
        until: Option<&HistoryCursor>,
        limit: usize,
    ) -> Result<SourcePage> {
        (**self).before(channel, until, limit).await
    }

    async fn replies(
        &self,
        channel: &ChannelId,
        root: &NativeId,
        from: &HistoryCursor,
        limit: usize,
    ) -> Result<SourcePage> {
        (**self).replies(channel, root, from, limit).await
    }
}
