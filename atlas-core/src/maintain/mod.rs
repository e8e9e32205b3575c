//! The channel as a whole: settling it, checking it, comparing it.
//!
//! Pure: [`Snapshot`], [`Violation`]. Async entries: [`settle`], [`check`], [`snapshot`],
//! [`stats`].

pub(crate) mod bills;
mod check;
mod progress;
mod settle;
mod snapshot;
mod stats;
mod trace;

pub use bills::DayBill;
pub use check::{Invariant, Violation, check};
pub use progress::{Observer, Progress, StageName};
pub use settle::{Settled, settle};
pub use snapshot::{Snapshot, snapshot};
pub use stats::{ChannelStats, stats};
pub use trace::{AnswerTrace, FactTrace, SentenceTrace, trace_answer, trace_fact};
