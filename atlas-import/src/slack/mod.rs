//! Slack: the export of a workspace, as a folder or as the zip that Slack hands out.
//!
//! A folder of day files for each channel, and lists of the channels and users:
//!
//! ```text
//! channels.json  groups.json  dms.json  mpims.json  users.json
//! general/2024-01-31.json
//! general/2024-02-01.json
//! ```
//!
//! What a reader of the channel sees is what a message says: names for ids, labels for links,
//! emoji for codes, no marks of bold and italic. What Slack wrote by itself, such as who joined,
//! is skipped and counted. A message's id is its `ts`.

mod author;
mod blocks;
mod day;
mod element;
mod emoji;
mod files;
mod kind;
mod layout;
mod mrkdwn;
mod names;
mod saying;
mod scribe;
mod time;
mod unfurl;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;

use atlas_core::model::ChannelId;
use atlas_core::{Error, ErrorKind, Result};

use crate::archive::{Archive, Entry, Limits};
use crate::reader::{Batches, ExportChannel, ExportReader, Messages};
use crate::report::Report;
use day::Days;
use layout::Layout;
use names::Names;

/// The source of every message of a Slack export.
pub const SOURCE: &str = "slack";

/// An opened export of a Slack workspace.
///
/// Opening reads the lists of channels and users; a day file is read when its turn comes.
#[derive(Debug)]
pub struct SlackExport {
    archive: Archive,
    channels: Vec<ExportChannel>,
    days: BTreeMap<ChannelId, Vec<Entry>>,
    names: Names,
    opening: Report,
}

impl SlackExport {
    /// Opens a folder or a zip; the export may lie one folder further down.
    ///
    /// # Errors
    ///
    /// [`NotFound`](ErrorKind::NotFound) if nothing is there; [`Invalid`](ErrorKind::Invalid) for
    /// what is neither a folder nor a zip, is empty, holds no Slack export or several, or goes
    /// beyond the [`Limits`]; [`Denied`](ErrorKind::Denied) and
    /// [`Unavailable`](ErrorKind::Unavailable) if it cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_within(path, Limits::default())
    }

    /// Opens with other limits.
    ///
    /// # Errors
    ///
    /// As [`SlackExport::open`].
    pub fn open_within(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        let path = path.as_ref();
        let mut opening = Report::default();
        let archive = Archive::open(path, limits, &mut opening)?;
        let Layout {
            channels,
            days,
            names,
        } = layout::read(path, &archive, &mut opening)?;
        Ok(Self {
            archive,
            channels,
            days,
            names,
            opening,
        })
    }

    /// The channels, direct conversations among them, in the order of their ids.
    pub fn channels(&self) -> &[ExportChannel] {
        &self.channels
    }

    /// The messages of a channel, a day file at a time.
    ///
    /// # Errors
    ///
    /// [`NotFound`](ErrorKind::NotFound) for a channel that is not in the export.
    pub fn messages(&self, channel: &ChannelId) -> Result<Messages<'_>> {
        let entries = self.days.get(channel).ok_or_else(|| {
            Error::new(
                ErrorKind::NotFound,
                "SlackExport::messages",
                "no such channel",
            )
            .with("channel", channel)
        })?;
        let mut days = Days::new(self, channel.clone(), entries);
        Ok(Messages::new(move |report| days.next_day(report)))
    }

    /// All messages in batches of at most `size`, channel after channel.
    pub fn batches(&self, size: NonZeroUsize) -> Batches<'_> {
        Batches::new(self, size)
    }
}

impl ExportReader for SlackExport {
    fn channels(&self) -> &[ExportChannel] {
        Self::channels(self)
    }

    fn opening(&self) -> &Report {
        &self.opening
    }

    fn messages(&self, channel: &ChannelId) -> Result<Messages<'_>> {
        Self::messages(self, channel)
    }
}
