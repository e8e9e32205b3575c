//! Messages to the queue.
//!
//! Pure: [`skip_reason`], [`WorkItem::after_failure`]. Async entries: [`append`], which writes
//! messages to the log, and [`intake`], which brings the queue up to the log.

mod append;
mod intake;
mod queue;
mod skip;

pub use append::{Receipt, RefusedMessage, append};
pub use intake::{IntakeReport, intake};
pub use queue::{BACK_OFF_SECONDS, WorkItem, due, forget_work, n_waiting, schedule};
pub use skip::skip_reason;
