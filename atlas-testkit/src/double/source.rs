//! A source whose history, gaps and failures are written by a test.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use atlas_core::model::{ChannelId, Message, NativeId, SourceId};
use atlas_core::ports::{
    HistoryCursor, MessageSource, SourceCapabilities, SourceGap, SourcePage, ThreadHead,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};

/// What becomes of one call of a [`ScriptedSource`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hitch {
    /// It is answered.
    None,
    /// The page is cut after so many messages, at least two, and says that there is more.
    Cut(usize),
    /// The page begins with its messages twice.
    Repeat,
    /// The inner messages of the page are left out, as a gap.
    Gap {
        /// Whether the gap says that it will never be filled.
        is_lasting: bool,
    },
    /// The call fails so.
    Fail(ErrorKind),
}

#[derive(Debug, Default)]
struct Script {
    messages: BTreeMap<HistoryCursor, Message>,
    hitches: VecDeque<Hitch>,
    broken: BTreeSet<NativeId>,
    n_calls: usize,
    n_gaps: usize,
}

/// A source of one channel that answers by a script. A clone is another handle on it.
///
/// Each call takes the next [`Hitch`]; with none left, calls are answered. Pages are at most as
/// long as the capabilities say.
#[derive(Clone, Debug)]
pub struct ScriptedSource {
    source: SourceId,
    channel: ChannelId,
    capabilities: SourceCapabilities,
    script: Arc<Mutex<Script>>,
}

impl ScriptedSource {
    /// A source without messages.
    pub fn new(source: SourceId, channel: ChannelId, capabilities: SourceCapabilities) -> Self {
        Self {
            source,
            channel,
            capabilities,
            script: Arc::default(),
        }
    }

    /// Adds a message, or a version of it in the place of another.
    pub fn put(&self, message: Message) {
        let at = HistoryCursor::of(&message);
        self.script().messages.insert(at, message);
    }

    /// Plans what becomes of the next calls, after those that are planned.
    pub fn plan(&self, hitches: impl IntoIterator<Item = Hitch>) {
        self.script().hitches.extend(hitches);
    }

    /// Drops what is planned.
    pub fn unplan(&self) {
        self.script().hitches.clear();
    }

    /// Lets every fetch of the thread fail.
    pub fn break_thread(&self, root: NativeId) {
        self.script().broken.insert(root);
    }

    /// Lets every thread be fetched.
    pub fn mend_threads(&self) {
        self.script().broken.clear();
    }

    /// Every message as it now is.
    pub fn messages(&self) -> Vec<Message> {
        self.script().messages.values().cloned().collect()
    }

    /// How often it was called.
    pub fn n_calls(&self) -> usize {
        self.script().n_calls
    }

    /// How many gaps it gave.
    pub fn n_gaps(&self) -> usize {
        self.script().n_gaps
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next hitch, which may be a failure.
    fn begin(&self, channel: &ChannelId, limit: usize) -> Result<(Hitch, usize)> {
        const OP: &str = "ScriptedSource";
        if limit < 2 {
            return Err(Error::new(ErrorKind::Invalid, OP, "a limit below two"));
        }
        if *channel != self.channel {
            return Err(Error::new(ErrorKind::NotFound, OP, "another channel"));
        }
        let mut script = self.script();
        script.n_calls += 1;
        let hitch = script.hitches.pop_front().unwrap_or(Hitch::None);
        let limit = limit.min(self.capabilities.max_page.max(2));
        match hitch {
            Hitch::Fail(kind) => Err(Error::new(kind, OP, "the call failed, as planned")),
            Hitch::Cut(length) => Ok((hitch, limit.min(length.max(2)))),
            Hitch::None | Hitch::Repeat | Hitch::Gap { .. } => Ok((hitch, limit)),
        }
    }

    fn is_history(&self, message: &Message) -> bool {
        !self.capabilities.threads || message.thread_root.is_none()
    }

    /// The page of these messages, with its heads and its hitch.
    fn page(&self, mut messages: Vec<Message>, has_more: bool, hitch: Hitch) -> SourcePage {
        let mut gaps = Vec::new();
        let mut threads = Vec::new();
        let mut script = self.script();
        if let (Hitch::Gap { is_lasting }, [first, inner @ .., last]) = (hitch, &messages[..])
            && let ([from, ..], [.., until]) = (inner, inner)
        {
            gaps.push(SourceGap {
                from: HistoryCursor::of(from),
                until: HistoryCursor::of(until),
                reason: "left out, as planned".to_owned(),
                is_lasting,
            });
            script.n_gaps += 1;
            messages = vec![first.clone(), last.clone()];
        }
        if self.capabilities.threads {
            for root in messages.iter().filter(|it| it.thread_root.is_none()) {
                let native = &root.id.native;
                let replies = script.messages.values();
                let replies: Vec<&Message> = replies
                    .filter(|it| it.thread_root.as_ref() == Some(native))
                    .collect();
                let latest = replies.iter().map(|it| it.sent_at).max();
                threads.extend(latest.map(|latest_reply| ThreadHead {
                    root: native.clone(),
                    latest_reply,
                    replies: replies.len(),
                }));
            }
        }
        if hitch == Hitch::Repeat {
            messages.splice(0..0, messages.clone());
        }
        SourcePage {
            messages,
            has_more,
            threads,
            gaps,
        }
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl MessageSource for ScriptedSource {
    fn id(&self) -> SourceId {
        self.source.clone()
    }

    fn capabilities(&self) -> SourceCapabilities {
        self.capabilities
    }

    async fn since(
        &self,
        channel: &ChannelId,
        from: &HistoryCursor,
        limit: usize,
    ) -> Result<SourcePage> {
        if !self.capabilities.ascending {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "ScriptedSource::since",
                "it is walked back",
            ));
        }
        let (hitch, limit) = self.begin(channel, limit)?;
        let all = self.messages();
        let mut found: Vec<Message> = all
            .into_iter()
            .filter(|it| self.is_history(it) && HistoryCursor::of(it) >= *from)
            .collect();
        let has_more = found.len() > limit;
        found.truncate(limit);
        Ok(self.page(found, has_more, hitch))
    }

    async fn before(
        &self,
        channel: &ChannelId,
        until: Option<&HistoryCursor>,
        limit: usize,
    ) -> Result<SourcePage> {
        let (hitch, limit) = self.begin(channel, limit)?;
        let all = self.messages();
        let mut found: Vec<Message> = all
            .into_iter()
            .filter(|it| self.is_history(it))
            .filter(|it| until.is_none_or(|until| HistoryCursor::of(it) <= *until))
            .collect();
        let n_older = found.len().saturating_sub(limit);
        let page = found.split_off(n_older);
        Ok(self.page(page, n_older > 0, hitch))
    }

    async fn replies(
        &self,
        channel: &ChannelId,
        root: &NativeId,
        from: &HistoryCursor,
        limit: usize,
    ) -> Result<SourcePage> {
        if !self.capabilities.threads {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "ScriptedSource::replies",
                "replies stand in the history",
            ));
        }
        let (hitch, limit) = self.begin(channel, limit)?;
        if self.script().broken.contains(root) {
            return Err(Error::new(
                ErrorKind::Unavailable,
                "ScriptedSource::replies",
                "the thread is broken, as planned",
            ));
        }
        let all = self.messages();
        let mut found: Vec<Message> = all
            .into_iter()
            .filter(|it| it.thread_root.as_ref() == Some(root) && HistoryCursor::of(it) >= *from)
            .collect();
        let has_more = found.len() > limit;
        found.truncate(limit);
        Ok(self.page(found, has_more, hitch))
    }
}
