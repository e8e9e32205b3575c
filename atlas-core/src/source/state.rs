//! What a channel knows of a source: how far it was read, what is still open, and who reads.

use serde::{Deserialize, Serialize};

use crate::model::{ContentHash, NativeId, SourceId, Stored, Timestamp};
use crate::ports::{Collection, HistoryCursor, SourceGap};

/// How much a sync reads again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SyncMode {
    /// From the last place, less the overlap.
    #[default]
    Incremental,
    /// Everything, from the beginning.
    Full,
}

/// Why a stretch of history is still to be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnreadReason {
    /// It is what this sync came for.
    New,
    /// An earlier sync ended before it came so far.
    Continued,
    /// The source left it out and said so.
    Gap(String),
}

/// A stretch of history that is still to be read, both ends included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenRange {
    /// Its first place.
    pub from: HistoryCursor,
    /// Its last place; none for whatever is newest.
    pub until: Option<HistoryCursor>,
    /// Why it is open.
    pub reason: UnreadReason,
    /// The run that opened it.
    pub run: u64,
}

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// It reads, and keeps others out until then.
    Running {
        /// When another may take over.
        expires_at: Timestamp,
    },
    /// It read everything.
    Done,
    /// It ended with something still open: a limit, a gap or a thread that failed.
    Partial,
    /// It ended with an error.
    Failed {
        /// The error.
        error: String,
    },
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncReport {
    /// Pages that were read, of history and of threads.
    pub pages: usize,
    /// Messages that were read, repeats included.
    pub read: usize,
    /// Messages that were not known.
    pub accepted: usize,
    /// Messages of which another version was known.
    pub changed: usize,
    /// Messages that were known as they are.
    pub unchanged: usize,
    /// Messages that were not taken.
    pub refused: usize,
    /// Threads that were read.
    pub threads: usize,
    /// Threads that could not be read; the next run reads them.
    pub failed_threads: usize,
}

/// A run of a sync.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncRun {
    /// Its number within the channel and source; the first is 1.
    pub number: u64,
    /// How much it reads again.
    pub mode: SyncMode,
    /// How it stands.
    pub state: RunState,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// What it did so far.
    pub report: SyncReport,
}

/// How far a channel has read a source, and its last run: one record a channel and source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncState {
    /// The source.
    pub source: SourceId,
    /// The latest place whose message is in the log.
    pub cursor: Option<HistoryCursor>,
    /// What is still to be read, in the order in which it will be.
    pub open: Vec<OpenRange>,
    /// What the source will never give.
    pub lost: Vec<SourceGap>,
    /// Runs that were given up while they ran: dropped, or killed.
    pub abandoned: u64,
    /// The last run.
    pub run: SyncRun,
}

impl Stored for SyncState {
    const COLLECTION: Collection = Collection::literal(".sync");
    const SCHEMA: u32 = 1;

    fn record_id(&self) -> String {
        self.source.to_string()
    }
}

/// A thread that is followed: one record a thread, until it has been quiet for long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadMark {
    /// The source.
    pub source: SourceId,
    /// The root.
    pub root: NativeId,
    /// When its last known reply was sent.
    pub active_at: Timestamp,
    /// How many replies its head told of, last.
    pub replies: usize,
    /// When it was read to its end, last.
    pub read_at: Option<Timestamp>,
    /// Whether there is something in it that was not read yet.
    pub is_unread: bool,
    /// Why it could not be read, last.
    pub last_error: Option<String>,
}

impl ThreadMark {
    /// What the ids of all threads of a source begin with.
    pub(super) fn prefix(source: &SourceId) -> String {
        format!("{}/", ContentHash::of_parts(&[source.as_str()]).short())
    }

    /// The id of a thread's mark.
    pub(super) fn id(source: &SourceId, root: &NativeId) -> String {
        format!("{}{}", Self::prefix(source), root)
    }
}

impl Stored for ThreadMark {
    const COLLECTION: Collection = Collection::literal(".sync_thread");
    const SCHEMA: u32 = 1;

    fn record_id(&self) -> String {
        Self::id(&self.source, &self.root)
    }
}
