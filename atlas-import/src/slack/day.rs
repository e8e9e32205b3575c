//! The day files of one channel, in order.

use std::collections::{BTreeMap, HashMap};

use atlas_core::model::{ChannelId, Message, NativeId};

use super::SlackExport;
use super::element::{Element, ElementReader};
use crate::archive::Entry;
use crate::json;
use crate::report::{DoubtReason, Report, SkipReason};

/// Reads a channel a day at a time.
///
/// Between days it remembers 16 bytes a message, by which it knows a message that comes again
/// in another file.
pub(super) struct Days<'a> {
    export: &'a SlackExport,
    channel: ChannelId,
    entries: std::slice::Iter<'a, Entry>,
    /// By its instant, a hash of the last version.
    seen: HashMap<i64, u64>,
}

impl<'a> Days<'a> {
    pub(super) fn new(export: &'a SlackExport, channel: ChannelId, entries: &'a [Entry]) -> Self {
        Self {
            export,
            channel,
            entries: entries.iter(),
            seen: HashMap::new(),
        }
    }

    /// The messages of the next day; a file that cannot be read has none.
    pub(super) fn next_day(&mut self, report: &mut Report) -> Option<Vec<Message>> {
        let entry = self.entries.next()?;
        let path = entry.path();
        let bytes = match self.export.archive.read(entry) {
            Ok(bytes) => bytes,
            Err(reason) => {
                report.skip_file(reason, &path);
                return Some(Vec::new());
            }
        };
        let mut reader = ElementReader {
            channel: &self.channel,
            names: &self.export.names,
        };
        let elements = day(bytes, &path, &mut reader, report);
        Some(self.not_seen(elements, report))
    }

    /// Keeps what no earlier file has, word for word.
    fn not_seen(&mut self, elements: Vec<Element>, report: &mut Report) -> Vec<Message> {
        let mut kept = Vec::new();
        for Element { message, is_change } in elements {
            let version = short_version(&message);
            let earlier = self.seen.insert(message.sent_at.as_micros(), version);
            if earlier == Some(version) {
                report.messages.skip(SkipReason::Duplicate);
                continue;
            }
            if earlier.is_some() && !is_change {
                report.doubt(DoubtReason::SameIdentity, message.id.to_string());
            }
            report.keep(&message);
            kept.push(message);
        }
        kept
    }
}

/// The messages of one day file by time and id, each identity once; the rest is accounted for.
fn day(
    bytes: Vec<u8>,
    path: &str,
    reader: &mut ElementReader<'_>,
    report: &mut Report,
) -> Vec<Element> {
    let (text, is_repaired) = json::decode(bytes);
    if is_repaired {
        report.doubt(DoubtReason::RepairedText, path);
    }
    let Ok((elements, is_whole)) = json::elements(&text) else {
        report.skip_file(SkipReason::NotAList, path);
        return Vec::new();
    };
    report.keep_file();
    if !is_whole {
        report.doubt(
            DoubtReason::BadFile,
            format!("{path}: the list does not end as it should"),
        );
    }
    let mut by_id: BTreeMap<NativeId, Element> = BTreeMap::new();
    for (at, element) in elements.into_iter().enumerate() {
        report.messages.read += 1;
        let example = format!("{path}[{at}]");
        match read(element, &example, reader, report) {
            Ok(element) => add(element, &mut by_id, report),
            Err(reason) => {
                if !is_expected(&reason) {
                    report.doubt(DoubtReason::BadMessage, format!("{example}: {reason}"));
                }
                report.messages.skip(reason);
            }
        }
    }
    let mut elements: Vec<Element> = by_id.into_values().collect();
    elements.sort_by(|a, b| {
        let key = |element: &Element| element.message.sent_at;
        key(a)
            .cmp(&key(b))
            .then_with(|| a.message.id.cmp(&b.message.id))
    });
    elements
}

fn read(
    element: &str,
    example: &str,
    reader: &ElementReader<'_>,
    report: &mut Report,
) -> Result<Element, SkipReason> {
    let (object, is_repaired) = json::parse(element).ok_or(SkipReason::Malformed)?;
    if is_repaired {
        report.doubt(DoubtReason::RepairedText, example);
    }
    reader.read(&object, report)
}

/// Keeps one version of each message: the one that replaces the other.
fn add(element: Element, by_id: &mut BTreeMap<NativeId, Element>, report: &mut Report) {
    let native = element.message.id.native.clone();
    let Some(earlier) = by_id.get_mut(&native) else {
        by_id.insert(native, element);
        return;
    };
    if earlier.message == element.message {
        report.messages.skip(SkipReason::Duplicate);
        return;
    }
    if !earlier.is_change && !element.is_change {
        report.doubt(DoubtReason::SameIdentity, element.message.id.to_string());
    }
    report.messages.skip(SkipReason::OlderVersion);
    let is_change = earlier.is_change || element.is_change;
    if element.message.replaces(&earlier.message) {
        *earlier = element;
    }
    earlier.is_change = is_change;
}

/// Whether an export without a fault has such things.
fn is_expected(reason: &SkipReason) -> bool {
    matches!(
        reason,
        SkipReason::System(_) | SkipReason::Hidden | SkipReason::Empty | SkipReason::NotAMessage
    )
}

/// The first 64 bits of the version's hash.
fn short_version(message: &Message) -> u64 {
    let version = message.version();
    let digits: String = version.as_str().chars().take(16).collect();
    u64::from_str_radix(&digits, 16).unwrap_or_default()
}
