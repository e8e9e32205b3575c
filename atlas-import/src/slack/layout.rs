//! Where an export keeps what.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use atlas_core::model::ChannelId;
use atlas_core::{Error, ErrorKind, Result};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::names::Names;
use crate::archive::{Archive, Entry};
use crate::json::{self, list_of, object_of, text_of};
use crate::reader::ExportChannel;
use crate::report::{DoubtReason, Report, SkipReason};

const USERS: &str = "users.json";
const CHANNEL_LISTS: [&str; 4] = ["channels.json", "groups.json", "dms.json", "mpims.json"];

/// What macOS adds to a zip.
const RESOURCE_FORK: &str = "__MACOSX";

/// What the lists of an export tell, and the day files of each channel in order.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) channels: Vec<ExportChannel>,
    pub(super) days: BTreeMap<ChannelId, Vec<Entry>>,
    pub(super) names: Names,
}

/// Finds the root, reads the lists and gives each folder to its channel.
pub(super) fn read(path: &Path, archive: &Archive, report: &mut Report) -> Result<Layout> {
    let root = root(path, archive)?;
    let mut lists = Vec::new();
    let mut users = None;
    let mut folders: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for entry in archive.entries() {
        let parts: Vec<&str> = entry.parts.iter().map(String::as_str).collect();
        let inside = match &root {
            None => Some(parts.as_slice()),
            Some(root) => parts
                .split_first()
                .filter(|(top, _)| *top == root)
                .map(|(_, rest)| rest),
        };
        match inside {
            Some([USERS]) => users = Some(entry),
            Some([name]) if CHANNEL_LISTS.contains(name) => lists.push(entry),
            Some([folder, day]) if is_day(day) => {
                folders
                    .entry((*folder).to_owned())
                    .or_default()
                    .push(entry.clone());
            }
            _ => report.skip_file(SkipReason::OtherFile, &entry.path()),
        }
    }
    let mut layout = Layout::default();
    for user in users
        .into_iter()
        .flat_map(|entry| list(archive, entry, report))
    {
        layout.names.add_user(&user);
    }
    let mut known = Vec::new();
    for entry in lists {
        known.extend(list(archive, entry, report));
    }
    layout.add_channels(&known);
    layout.add_folders(folders);
    Ok(layout)
}

impl Layout {
    fn add_channels(&mut self, known: &[Value]) {
        for entry in known {
            let name = text_of(entry, "name");
            let Some(id) = text_of(entry, "id").or(name) else {
                continue;
            };
            let name = name.map_or_else(|| self.people(entry, id), str::to_owned);
            let purpose = ["purpose", "topic"]
                .into_iter()
                .filter_map(|field| text_of(object_of(entry, field)?, "value"))
                .map(json_text)
                .next();
            self.add_channel(id, &name, purpose.unwrap_or_default());
        }
    }

    /// A direct conversation is named by who is in it.
    fn people(&self, entry: &Value, id: &str) -> String {
        let members = list_of(entry, "members").iter().filter_map(Value::as_str);
        let names = members.map(|member| self.names.user(member).map_or(member, |user| &user.name));
        let names: Vec<&str> = names.collect();
        if names.is_empty() {
            id.to_owned()
        } else {
            names.join(", ")
        }
    }

    fn add_channel(&mut self, id: &str, name: &str, purpose: String) {
        let channel = ChannelId::new(id);
        if self.days.contains_key(&channel) {
            return;
        }
        self.names.add_channel(id, name);
        self.days.insert(channel.clone(), Vec::new());
        self.channels.push(ExportChannel {
            id: channel,
            name: name.to_owned(),
            purpose,
        });
    }

    /// A folder has its channel's name or id; one that is in no list is a channel of its own.
    fn add_folders(&mut self, folders: BTreeMap<String, Vec<Entry>>) {
        let by_folder: BTreeMap<String, ChannelId> = self
            .channels
            .iter()
            .rev()
            .flat_map(|channel| {
                [channel.name.as_str(), channel.id.as_str()]
                    .map(|folder| (composed(folder), channel.id.clone()))
            })
            .collect();
        for (folder, days) in folders {
            let id = by_folder
                .get(&composed(&folder))
                .cloned()
                .unwrap_or_else(|| {
                    self.add_channel(&folder, &folder, String::new());
                    ChannelId::new(&folder)
                });
            self.days.entry(id).or_default().extend(days);
        }
        for days in self.days.values_mut() {
            days.sort_by(|a, b| a.parts.last().cmp(&b.parts.last()).then_with(|| a.cmp(b)));
        }
        self.channels.sort_by(|a, b| a.id.cmp(&b.id));
    }
}

/// The folder at the top in which the export lies; none if it lies at the top itself.
fn root(path: &Path, archive: &Archive) -> Result<Option<String>> {
    let invalid = |message: &str| {
        Error::new(ErrorKind::Invalid, "SlackExport::open", message).with("path", path.display())
    };
    if archive.entries().is_empty() {
        return Err(invalid("there is no file in it"));
    }
    let paths = || archive.entries().iter().map(|entry| entry.parts.as_slice());
    if paths().any(is_of_export) {
        return Ok(None);
    }
    let nested = paths().filter_map(|parts| {
        let (top, rest) = parts.split_first()?;
        (top != RESOURCE_FORK && is_of_export(rest)).then_some(top)
    });
    let mut nested: BTreeSet<&String> = nested.collect();
    match (nested.pop_first(), nested.is_empty()) {
        (Some(root), true) => Ok(Some(root.clone())),
        (Some(_), false) => Err(invalid("there are several exports in it: open one of them")),
        (None, _) => Err(invalid(
            "no Slack export: neither a list of channels or users nor a day of a channel",
        )),
    }
}

fn is_of_export(parts: &[String]) -> bool {
    match parts {
        [file] => file == USERS || CHANNEL_LISTS.contains(&file.as_str()),
        [folder, day] => folder != RESOURCE_FORK && is_day(day),
        _ => false,
    }
}

/// `2024-01-31.json`, or with more between the date and the extension.
fn is_day(file: &str) -> bool {
    let date: Vec<char> = file.chars().take(10).collect();
    let is_date = date.len() == 10
        && date.iter().enumerate().all(|(at, c)| match at {
            4 | 7 => *c == '-',
            _ => c.is_ascii_digit(),
        });
    is_date
        && Path::new(file)
            .extension()
            .is_some_and(|extension| extension == "json")
}

/// One spelling for a name, however its accents are written.
fn composed(name: &str) -> String {
    name.nfc().collect()
}

fn json_text(raw: &str) -> String {
    super::mrkdwn::decode(raw)
}

/// The elements of a list of names; what cannot be read is doubted.
fn list(archive: &Archive, entry: &Entry, report: &mut Report) -> Vec<Value> {
    let path = entry.path();
    let text = match archive.read(entry) {
        Ok(bytes) => json::decode(bytes).0,
        Err(reason) => {
            report.skip_file(reason, &path);
            return Vec::new();
        }
    };
    let Ok((elements, is_whole)) = json::elements(&text) else {
        report.skip_file(SkipReason::NotAList, &path);
        return Vec::new();
    };
    report.keep_file();
    let parsed: Vec<Option<Value>> = elements
        .into_iter()
        .map(|element| json::parse(element).map(|(value, _)| value))
        .collect();
    if !is_whole || parsed.contains(&None) {
        report.doubt(DoubtReason::BadFile, format!("{path}: read in part"));
    }
    parsed.into_iter().flatten().collect()
}
