//! Chat exports to Atlas [messages](atlas_core::model::Message).
//!
//! An export is read as it lies, a piece at a time, and nothing of it is lost in silence: a
//! [`Report`] accounts for every file and every message, kept or skipped with the reason, and
//! lists what a person should look at. Reading the same export twice gives equal messages in
//! equal order, so that importing again changes nothing. There is no clock: a message without a
//! time is skipped, never dated today.
//!
//! It does not fetch from a platform, and it stores nothing.
//!
//! ```
//! use std::num::NonZeroUsize;
//!
//! use atlas_import::SlackExport;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let dir = tempfile::tempdir()?;
//! # let path = dir.path();
//! # std::fs::create_dir(path.join("general"))?;
//! std::fs::write(
//!     path.join("users.json"),
//!     r#"[{"id": "U1", "name": "ana", "real_name": "Ana Diaz"}]"#,
//! )?;
//! std::fs::write(
//!     path.join("general/2024-01-31.json"),
//!     r#"[{"type": "message", "user": "U1", "text": "<@U1> *owns* billing :tada:", "ts": "1706700000.000100"},
//!         {"type": "message", "subtype": "channel_join", "user": "U1", "ts": "1706600000.000100"}]"#,
//! )?;
//!
//! let export = SlackExport::open(path)?;
//! let mut batches = export.batches(NonZeroUsize::MIN);
//! for batch in batches.by_ref() {
//!     let batch = batch?;
//!     assert_eq!(batch.channel.as_str(), "general");
//!     assert_eq!(batch.messages[0].text, "@Ana Diaz owns billing 🎉");
//! }
//! let report = batches.report();
//! assert_eq!((report.messages.read, report.messages.kept), (2, 1));
//! assert!(report.messages.is_balanced());
//! # Ok(())
//! # }
//! ```
//!
//! | module | what is in it |
//! |---|---|
//! | [`reader`] | what every format offers: channels and their messages |
//! | [`report`] | the account of an import |
//! | [`slack`] | Slack's export of a workspace |

mod archive;
mod json;
pub mod reader;
pub mod report;
pub mod slack;

pub use archive::Limits;
pub use reader::{Batch, Batches, ExportChannel, ExportReader, Messages};
pub use report::{Doubt, DoubtReason, Report, SkipReason, Tally};
pub use slack::SlackExport;
