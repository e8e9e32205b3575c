//! Messages to the queue.
//!
//! Pure: [`skip_reason`], what becomes of a [`WorkItem`]. Async entries: [`append`], which writes
//! messages to the log, [`intake`], which brings the queue up to the log, [`set_hold`] and
//! [`retry_failed`].

mod append;
mod hold;
mod intake;
mod queue;
mod retry;
mod skip;

pub use append::{Receipt, RefusedMessage, append};
pub use hold::{Hold, held, set_hold};
pub use intake::{IntakeReport, intake};
pub use queue::{
    BACK_OFF_SECONDS, LEASE_SECONDS, Lease, MAX_ATTEMPTS, Token, WorkItem, due, forget_work,
    schedule, waiting,
};
pub use retry::{DeadFilter, retry_failed};
pub use skip::skip_reason;
