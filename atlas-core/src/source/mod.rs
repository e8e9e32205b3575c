//! Platforms to the log.
//!
//! Pure: what is read next and how a page moves the place. Async entries: [`sync`],
//! which fetches what is new from a [`MessageSource`](crate::ports::MessageSource), and [`status`],
//! which tells how far that is; [`push::receive`], which takes in what is sent.

mod plan;
pub mod push;
mod settings;
mod state;
mod sync;
mod threads;

pub use settings::SyncSettings;
pub use state::{
    OpenRange, RunState, SyncMode, SyncReport, SyncRun, SyncState, ThreadMark, UnreadReason,
};
pub use sync::{SyncOutcome, SyncStatus, status, sync};
