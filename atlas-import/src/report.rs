//! What an import did with everything that it met.

use std::collections::BTreeMap;
use std::fmt;

use atlas_core::model::{AuthorId, ChannelId, Message, Timestamp};
use serde::{Serialize, Serializer};

/// How many examples of a doubt are kept.
const EXAMPLES: usize = 5;

/// Why something of an export did not become a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// A piece of JSON that cannot be read, or that is not an object.
    Malformed,
    /// An object that says that it is something else than a message.
    NotAMessage,
    /// No time is given.
    NoTime,
    /// The time given is not one.
    BadTime,
    /// The platform wrote it, not a person or a program: its name for that kind of event.
    System(String),
    /// The platform does not show it to readers.
    Hidden,
    /// No text, no file, no link.
    Empty,
    /// The same message, word for word, was read before.
    Duplicate,
    /// Another version of the same message in the same file replaces it.
    OlderVersion,
    /// A file that holds something else than messages.
    OtherFile,
    /// A file that cannot be read or unpacked.
    Unreadable,
    /// A file that is not the list that it should be.
    NotAList,
    /// A file above [`Limits::file_bytes`](crate::Limits::file_bytes).
    TooLarge,
    /// A path that leads out of the export.
    UnsafePath,
    /// A symbolic link.
    Symlink,
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            Self::Malformed => "malformed",
            Self::NotAMessage => "not a message",
            Self::NoTime => "no time",
            Self::BadTime => "bad time",
            Self::System(kind) => return write!(f, "system: {kind}"),
            Self::Hidden => "hidden",
            Self::Empty => "empty",
            Self::Duplicate => "duplicate",
            Self::OlderVersion => "older version",
            Self::OtherFile => "other file",
            Self::Unreadable => "unreadable",
            Self::NotAList => "not a list",
            Self::TooLarge => "too large",
            Self::UnsafePath => "unsafe path",
            Self::Symlink => "symbolic link",
        };
        f.write_str(words)
    }
}

impl Serialize for SkipReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Why something that was read should be looked at by a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum DoubtReason {
    /// The author is in no list of users; the raw id stands for the name.
    UnresolvedAuthor,
    /// No author is given at all.
    NoAuthor,
    /// The text names a person, group or channel that is in no list.
    UnresolvedMention,
    /// Two different messages have one identity; the one that replaces the other counts.
    SameIdentity,
    /// A kind of message that this version does not know; kept as an ordinary one.
    UnknownKind,
    /// Bytes or escapes that are no text; each became U+FFFD.
    RepairedText,
    /// A message could not be read.
    BadMessage,
    /// A file could not be read, whole or in part.
    BadFile,
}

impl fmt::Display for DoubtReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnresolvedAuthor => "unresolved author",
            Self::NoAuthor => "no author",
            Self::UnresolvedMention => "unresolved mention",
            Self::SameIdentity => "same identity, other content",
            Self::UnknownKind => "unknown kind of message",
            Self::RepairedText => "repaired text",
            Self::BadMessage => "message that cannot be read",
            Self::BadFile => "file that cannot be read",
        })
    }
}

/// How often a doubt arose, with the first few cases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Doubt {
    /// How often.
    pub count: u64,
    /// Where: at most five, each once, in the order met.
    pub examples: Vec<String>,
}

impl Doubt {
    fn add(&mut self, count: u64, examples: impl IntoIterator<Item = String>) {
        self.count += count;
        for example in examples {
            if self.examples.len() < EXAMPLES && !self.examples.contains(&example) {
                self.examples.push(example);
            }
        }
    }
}

/// A count of things in which everything read ends kept or skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Everything met.
    pub read: u64,
    /// What became something.
    pub kept: u64,
    /// What did not, by reason.
    pub skipped: BTreeMap<SkipReason, u64>,
}

impl Tally {
    /// Everything skipped, whatever the reason.
    pub fn skipped_in_all(&self) -> u64 {
        self.skipped.values().sum()
    }

    /// Whether everything read is accounted for: `read == kept + skipped`.
    pub fn is_balanced(&self) -> bool {
        self.read == self.kept + self.skipped_in_all()
    }

    pub(crate) fn skip(&mut self, reason: SkipReason) {
        *self.skipped.entry(reason).or_default() += 1;
    }

    fn merge(&mut self, other: &Self) {
        self.read += other.read;
        self.kept += other.kept;
        for (reason, count) in &other.skipped {
            *self.skipped.entry(reason.clone()).or_default() += count;
        }
    }
}

/// The account of an import: what was read, kept, skipped and doubted.
///
/// Both tallies are balanced whenever a caller can see them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The messages.
    pub messages: Tally,
    /// The files.
    pub files: Tally,
    /// What should be looked at.
    pub doubts: BTreeMap<DoubtReason, Doubt>,
    /// When the earliest message that was kept was said.
    pub first: Option<Timestamp>,
    /// When the latest was.
    pub last: Option<Timestamp>,
    /// Messages kept by author.
    pub authors: BTreeMap<AuthorId, u64>,
    /// Messages kept by channel.
    pub channels: BTreeMap<ChannelId, u64>,
}

impl Report {
    /// Adds another part of the same import.
    pub fn merge(&mut self, other: &Self) {
        self.messages.merge(&other.messages);
        self.files.merge(&other.files);
        for (reason, doubt) in &other.doubts {
            let examples = doubt.examples.iter().cloned();
            self.doubts
                .entry(*reason)
                .or_default()
                .add(doubt.count, examples);
        }
        self.first = self.first.into_iter().chain(other.first).min();
        self.last = self.last.max(other.last);
        for (author, count) in &other.authors {
            *self.authors.entry(author.clone()).or_default() += count;
        }
        for (channel, count) in &other.channels {
            *self.channels.entry(channel.clone()).or_default() += count;
        }
    }

    pub(crate) fn keep(&mut self, message: &Message) {
        self.messages.kept += 1;
        self.first = self.first.into_iter().chain([message.sent_at]).min();
        self.last = self.last.max(Some(message.sent_at));
        *self.authors.entry(message.author.id.clone()).or_default() += 1;
        let channel = message.id.channel.clone();
        *self.channels.entry(channel).or_default() += 1;
    }

    pub(crate) fn doubt(&mut self, reason: DoubtReason, example: impl Into<String>) {
        let doubt = self.doubts.entry(reason).or_default();
        doubt.add(1, [example.into()]);
    }

    /// Counts a file that is read no further.
    pub(crate) fn skip_file(&mut self, reason: SkipReason, path: &str) {
        if reason != SkipReason::OtherFile {
            self.doubt(DoubtReason::BadFile, format!("{path}: {reason}"));
        }
        self.files.read += 1;
        self.files.skip(reason);
    }

    /// Counts a file whose content was used.
    pub(crate) fn keep_file(&mut self) {
        self.files.read += 1;
        self.files.kept += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_adds_counts_and_keeps_few_examples() {
        let mut whole = Report::default();
        for n in 0..4 {
            let mut part = Report::default();
            part.messages.read = 3;
            part.messages.kept = 1;
            part.messages.skip(SkipReason::NoTime);
            part.messages.skip(SkipReason::System("topic".to_owned()));
            part.doubt(DoubtReason::UnresolvedAuthor, format!("U{n}"));
            part.doubt(DoubtReason::UnresolvedAuthor, format!("W{n}"));
            part.skip_file(SkipReason::NotAList, "day.json");
            whole.merge(&part);
        }
        assert!(whole.messages.is_balanced() && whole.files.is_balanced());
        assert_eq!(whole.messages.read, 12);
        let doubt = &whole.doubts[&DoubtReason::UnresolvedAuthor];
        assert_eq!(
            (doubt.count, doubt.examples.join(" ").as_str()),
            (8, "U0 W0 U1 W1 U2")
        );
    }

    #[test]
    fn a_report_is_written_as_json_with_readable_reasons() {
        let mut report = Report::default();
        report.messages.read = 1;
        report
            .messages
            .skip(SkipReason::System("channel_join".to_owned()));
        let json = serde_json::to_string(&report).unwrap();
        assert!(json.contains(r#""system: channel_join":1"#), "{json}");
    }
}
