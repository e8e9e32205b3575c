//! The channel as a whole: settling it, checking it, comparing it.
//!
//! Pure: [`Snapshot`], [`Violation`]. Async entries: [`settle`], [`check`], [`snapshot`],
//! [`stats`], [`explain`], and [`Atlas::worker`](crate::Atlas::worker).

pub(crate) mod bills;
mod check;
mod explain;
mod progress;
mod settle;
mod snapshot;
mod stats;
mod trace;
mod worker;

pub use bills::DayBill;
pub use check::{Invariant, Violation, check};
pub use explain::{Explanation, Wait, explain};
pub use progress::{Observer, Progress, StageName};
pub use settle::{Settled, settle};
pub use snapshot::{Snapshot, snapshot};
pub use stats::{ChannelStats, stats};
pub use trace::{AnswerTrace, FactTrace, SentenceTrace, trace_answer, trace_fact};
pub(crate) use worker::work;
pub use worker::{ChannelWork, WorkerReport, WorkerSettings};
