//! Records to what can be found and walked.
//!
//! Pure: [`documents`] (records to documents and graph entries). The one async entry is
//! [`catch_up`]: it is the only way into an index, after a crash too, and rebuilding is catching
//! up from the start.

mod catch_up;
pub mod documents;

pub use catch_up::{CaughtUp, catch_up};
