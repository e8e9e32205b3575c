//! Progress of long work.

/// A stage of settling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StageName {
    /// The log to the queue.
    Ingest,
    /// Messages to claims.
    Extract,
    /// Facts to judgements.
    Lifecycle,
    /// Names to entities.
    Graph,
    /// Facts to topics.
    Topic,
    /// Facts to pages.
    Wiki,
    /// Records to indexes.
    Index,
}

impl StageName {
    /// The stage as a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ingest => "ingest",
            Self::Extract => "extract",
            Self::Lifecycle => "lifecycle",
            Self::Graph => "graph",
            Self::Topic => "topic",
            Self::Wiki => "wiki",
            Self::Index => "index",
        }
    }
}

/// How far a stage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The stage.
    pub stage: StageName,
    /// Steps that are done: conversations for extraction, one for every other stage.
    pub done: usize,
    /// Steps that there are.
    pub total: usize,
}

/// Watches long work. It is called often and must return at once.
pub trait Observer: Send + Sync {
    /// A stage began, went on or ended.
    fn progress(&self, progress: Progress);
}

/// Nobody watches.
impl Observer for () {
    fn progress(&self, _progress: Progress) {}
}
