//! Fetching what is new from a source.

use std::collections::HashSet;

use super::plan::{self, Begin};
use super::settings::SyncSettings;
use super::state::{RunState, SyncMode, SyncState, ThreadMark};
use super::threads;
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::append;
use crate::model::{ContentHash, Message, SourceId, Stored, Timestamp};
use crate::ports::{
    ChannelScope, CommitBuilder, MessageSource, Partition, RecordStoreExt, SourcePage, ThreadHead,
};
use crate::stage;

/// What became of the wish to sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncOutcome {
    /// It ran; what is stored of it, of which [`SyncState::run`] is the run.
    Ran(Box<SyncState>),
    /// The last one is not long enough ago, and nothing was read.
    CoolingDown {
        /// When it may run.
        until: Timestamp,
    },
}

/// How a sync stands, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncStatus {
    /// What is stored.
    pub state: SyncState,
    /// Whether the last run says that it runs and has been silent for longer than its lease.
    pub is_expired: bool,
    /// The threads with something that was not read yet.
    pub unread: Vec<ThreadMark>,
}

/// Reads how a sync stands. It changes nothing.
///
/// # Errors
///
/// What the store fails with.
pub async fn status(
    parts: &Components,
    channel: &ChannelScope,
    source: &SourceId,
) -> Result<Option<SyncStatus>> {
    let partition = Partition::of(channel);
    let records = parts.records.as_ref();
    let found = records
        .load::<SyncState>(&partition, source.as_str())
        .await?;
    let Some(found) = found else {
        return Ok(None);
    };
    let mut unread = threads::marks(records, &partition, source).await?;
    unread.retain(|it| it.is_unread);
    let is_expired = match &found.value.run.state {
        RunState::Running { expires_at } => *expires_at <= parts.clock.now(),
        RunState::Done | RunState::Partial | RunState::Failed { .. } => false,
    };
    Ok(Some(SyncStatus {
        state: found.value,
        is_expired,
        unread,
    }))
}

/// Fetches what is new in a source's channel, and appends it to the log.
///
/// # Shape
///
/// Each page is appended first and the place is moved in a commit after that, so that a crash
/// reads a page again and never skips one. A limit, a gap or a thread that fails leaves something
/// open that is stored and that the next sync reads; the run is then [`RunState::Partial`]. A full
/// sync that was cut short is gone on with by an incremental one.
///
/// # Errors
///
/// [`ErrorKind::Conflict`] while another sync of the channel and source runs, or if another took
/// over because this one was silent for longer than its lease; [`ErrorKind::Invalid`] for settings
/// that cannot be; what the source and the stores fail with. What was appended stays.
///
/// # Cancel safety
///
/// Safe: whole pages are kept, and the next sync takes over when the lease has run out.
pub async fn sync(
    (parts, channel): (&Components, &ChannelScope),
    source: &dyn MessageSource,
    mode: SyncMode,
    settings: &SyncSettings,
    reads_bots: bool,
) -> Result<SyncOutcome> {
    settings.check()?;
    let mut place = Place {
        parts,
        channel,
        partition: Partition::of(channel),
        source: source.id(),
        settings,
        reads_bots,
        seen: HashSet::new(),
    };
    let mut state = match place.begin(mode).await? {
        Begin::Run(state) => state,
        Begin::CoolingDown { until } => return Ok(SyncOutcome::CoolingDown { until }),
    };
    match read(&mut place, &mut state, source).await {
        Ok(unread) => {
            let ending = plan::ending(&state, unread);
            place.end(&mut state, ending).await?;
            Ok(SyncOutcome::Ran(state))
        }
        Err(error) if matches!(error.kind(), ErrorKind::Conflict | ErrorKind::Fenced) => Err(error),
        Err(error) => {
            let failed = RunState::Failed {
                error: error.to_string(),
            };
            // If this cannot be stored either, the lease runs out; the first error is the one to tell.
            drop(place.end(&mut state, failed).await);
            Err(error)
        }
    }
}

/// Reads history, then threads. Answers how many threads are left unread.
async fn read(
    place: &mut Place<'_>,
    state: &mut SyncState,
    source: &dyn MessageSource,
) -> Result<usize> {
    let can = source.capabilities();
    let limit = place.settings.page.min(can.max_page.max(2));
    let channel = place.channel.channel();
    while let Some(index) = plan::next_range(state) {
        if plan::left(state, place.settings) == Some(0) {
            break;
        }
        let Some(range) = state.open.get(index) else {
            break;
        };
        let page = if can.ascending {
            source.since(channel, &range.from, limit).await?
        } else {
            source.before(channel, range.until.as_ref(), limit).await?
        };
        place.append(state, &page).await?;
        // A page that leads nowhere is refused before anything of it is written down.
        plan::advance(state, index, &page, can.ascending)?;
        place.save(state, &page.threads, None).await?;
    }
    if can.threads {
        threads::read(place, state, source).await
    } else {
        Ok(0)
    }
}

/// Where a sync reads to, and by what rules.
pub(super) struct Place<'a> {
    pub(super) parts: &'a Components,
    pub(super) channel: &'a ChannelScope,
    pub(super) partition: Partition,
    pub(super) source: SourceId,
    pub(super) settings: &'a SyncSettings,
    reads_bots: bool,
    seen: HashSet<ContentHash>,
}

impl Place<'_> {
    async fn begin(&self, mode: SyncMode) -> Result<Begin> {
        let records = self.parts.records.as_ref();
        let mut commit = CommitBuilder::new(stage::epoch(records, self.channel).await?);
        let known = self.load(&mut commit).await?;
        let now = self.parts.clock.now();
        let begin = plan::begin(&self.source, known, (mode, self.settings), now)?;
        if let Begin::Run(state) = &begin {
            commit.put(state.as_ref())?;
            stage::commit(records, &self.partition, commit).await?;
        }
        Ok(begin)
    }

    /// Appends a page to the log and counts it.
    pub(super) async fn append(&mut self, state: &mut SyncState, page: &SourcePage) -> Result<()> {
        let fresh: Vec<Message> = plan::unseen(&mut self.seen, &page.messages);
        let (own, strange): (Vec<Message>, Vec<Message>) = fresh
            .into_iter()
            .partition(|it| it.id.source == self.source);
        let report = &mut state.run.report;
        report.pages += 1;
        report.read += page.messages.len();
        report.refused += strange.len();
        if own.is_empty() {
            return Ok(());
        }
        let receipt = append(self.parts, self.channel, &own, self.reads_bots).await?;
        report.accepted += receipt.accepted;
        report.changed += receipt.changed;
        report.unchanged += receipt.unchanged;
        report.refused += receipt.refused.len();
        Ok(())
    }

    /// Stores how far the run is, the heads that a page showed, and what became of a thread: none
    /// to follow it no longer.
    pub(super) async fn save(
        &self,
        state: &mut SyncState,
        heads: &[ThreadHead],
        thread: Option<(&ThreadMark, Option<ThreadMark>)>,
    ) -> Result<()> {
        let now = self.parts.clock.now();
        if let RunState::Running { expires_at } = &mut state.run.state {
            *expires_at = now.saturating_add(self.settings.lease);
        }
        let records = self.parts.records.as_ref();
        let mut commit = CommitBuilder::new(stage::epoch(records, self.channel).await?);
        let known = self.load(&mut commit).await?;
        let is_ours = known.is_some_and(|it| {
            it.run.number == state.run.number && matches!(it.run.state, RunState::Running { .. })
        });
        if !is_ours {
            return Err(Error::new(
                ErrorKind::Conflict,
                "source::sync",
                "another sync took over",
            )
            .with("source", &self.source)
            .with("run", state.run.number));
        }
        let ids: Vec<String> = heads
            .iter()
            .map(|it| ThreadMark::id(&self.source, &it.root))
            .collect();
        let marks = commit
            .load_many::<ThreadMark>(records, &self.partition, &ids)
            .await?;
        for (head, mark) in heads.iter().zip(marks) {
            let mark = mark.map(|it| it.value);
            let seen = plan::see_head(mark.as_ref(), (&self.source, head), state.run.mode);
            if let Some(mark) = seen {
                commit.put(&mark)?;
            }
        }
        match thread {
            Some((_, Some(mark))) => commit.put(&mark)?,
            Some((mark, None)) => commit.delete(mark.key()),
            None => {}
        }
        commit.put(state)?;
        stage::commit(records, &self.partition, commit).await?;
        Ok(())
    }

    async fn end(&self, state: &mut SyncState, ending: RunState) -> Result<()> {
        state.run.state = ending;
        state.run.ended_at = Some(self.parts.clock.now());
        self.save(state, &[], None).await
    }

    async fn load(&self, commit: &mut CommitBuilder) -> Result<Option<SyncState>> {
        let records = self.parts.records.as_ref();
        let id = [self.source.to_string()];
        let found = commit
            .load_many::<SyncState>(records, &self.partition, &id)
            .await?;
        Ok(found.into_iter().flatten().next().map(|it| it.value))
    }
}
