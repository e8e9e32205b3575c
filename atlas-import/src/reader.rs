//! What every format offers: channels, and the messages of each, a piece at a time.

use std::collections::VecDeque;
use std::fmt;
use std::num::NonZeroUsize;

use atlas_core::Result;
use atlas_core::model::{ChannelId, Message};

use crate::report::Report;

/// A channel of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportChannel {
    /// Its id, which every message of it carries.
    pub id: ChannelId,
    /// Its name as shown; the id where the export gives none.
    pub name: String,
    /// What it is about, in the words of its members; empty if they gave none.
    pub purpose: String,
}

/// An opened export, whatever its format.
///
/// # Shape
///
/// Channels come in the order of their ids, each once. The messages of a channel come piece by
/// piece in the order of the export's files, and by time and id within a piece. Two readings of
/// the same export give equal messages in equal order.
pub trait ExportReader: fmt::Debug + Send + Sync {
    /// The channels.
    fn channels(&self) -> &[ExportChannel];

    /// What was found on opening: files that are not read any further, and lists of names.
    fn opening(&self) -> &Report;

    /// The messages of a channel, from its first file.
    ///
    /// # Errors
    ///
    /// [`NotFound`](atlas_core::ErrorKind::NotFound) for a channel that is not in the export.
    fn messages(&self, channel: &ChannelId) -> Result<Messages<'_>>;
}

type NextPiece<'a> = Box<dyn FnMut(&mut Report) -> Option<Vec<Message>> + Send + 'a>;

/// The messages of one channel; holds one piece of it in memory, such as a day.
pub struct Messages<'a> {
    next_piece: NextPiece<'a>,
    waiting: VecDeque<Message>,
    report: Report,
}

impl<'a> Messages<'a> {
    /// `next_piece` reads the next file, accounts for all of it, and gives what it kept.
    pub(crate) fn new(
        next_piece: impl FnMut(&mut Report) -> Option<Vec<Message>> + Send + 'a,
    ) -> Self {
        Self {
            next_piece: Box::new(next_piece),
            waiting: VecDeque::new(),
            report: Report::default(),
        }
    }

    /// The account of the files opened so far; of the whole channel once the messages ended.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl Iterator for Messages<'_> {
    type Item = Message;

    fn next(&mut self) -> Option<Message> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Some(message);
            }
            self.waiting = (self.next_piece)(&mut self.report)?.into();
        }
    }
}

impl fmt::Debug for Messages<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messages")
            .field("waiting", &self.waiting.len())
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

/// Some messages of one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The channel of all of them.
    pub channel: ChannelId,
    /// The messages, at least one.
    pub messages: Vec<Message>,
}

/// All messages of an export in batches, channel after channel.
#[derive(Debug)]
pub struct Batches<'a> {
    export: &'a dyn ExportReader,
    size: NonZeroUsize,
    next_channel: usize,
    current: Option<(ChannelId, Messages<'a>)>,
    report: Report,
}

impl<'a> Batches<'a> {
    /// Visits every channel of the export in batches of at most `size` messages.
    pub fn new(export: &'a dyn ExportReader, size: NonZeroUsize) -> Self {
        Self {
            export,
            size,
            next_channel: 0,
            current: None,
            report: export.opening().clone(),
        }
    }

    /// The account so far; of the whole export once the batches ended.
    pub fn report(&self) -> Report {
        let mut report = self.report.clone();
        if let Some((_, messages)) = &self.current {
            report.merge(messages.report());
        }
        report
    }

    fn open_next_channel(&mut self) -> Option<Result<()>> {
        let channel = self.export.channels().get(self.next_channel)?;
        self.next_channel += 1;
        let opened = self.export.messages(&channel.id);
        Some(opened.map(|messages| self.current = Some((channel.id.clone(), messages))))
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Result<Batch>> {
        loop {
            if let Some((channel, messages)) = &mut self.current {
                let batch: Vec<Message> = messages.take(self.size.get()).collect();
                if !batch.is_empty() {
                    return Some(Ok(Batch {
                        channel: channel.clone(),
                        messages: batch,
                    }));
                }
                self.report.merge(messages.report());
                self.current = None;
            }
            if let Err(error) = self.open_next_channel()? {
                return Some(Err(error));
            }
        }
    }
}
