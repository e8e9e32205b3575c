//! Small exports in temporary folders.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use atlas_core::model::{ChannelId, Message};
use atlas_import::{ExportReader, Report, SlackExport};
use serde_json::Value;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

pub(crate) const USERS: &str = r#"[
    {"id": "U1", "name": "ana", "real_name": "Ana Diaz", "profile": {"real_name": "Ana Diaz", "display_name": "anita"}},
    {"id": "U2", "name": "morgan", "profile": {"real_name": "Morgan Lee"}},
    {"id": "UB", "name": "builder", "real_name": "Builder", "is_bot": true}
]"#;
pub(crate) const CHANNELS: &str =
    r#"[{"id": "C1", "name": "general", "purpose": {"value": "all &amp; sundry"}}]"#;

/// A folder with the files given.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    dir
}

/// A zip with the files given, in a folder that lives as long as the guard.
pub(crate) fn zip(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("export.zip");
    let mut writer = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, content) in files {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    (dir, path)
}

/// Everything of an export, channel after channel, with its account.
pub(crate) fn read(path: impl AsRef<Path>) -> (Vec<Message>, Report) {
    let export = SlackExport::open(path).unwrap();
    read_opened(&export)
}

pub(crate) fn read_opened(export: &SlackExport) -> (Vec<Message>, Report) {
    let mut report = export.opening().clone();
    let mut all = Vec::new();
    for channel in export.channels() {
        let mut messages = export.messages(&channel.id).unwrap();
        all.extend(messages.by_ref());
        report.merge(messages.report());
    }
    assert!(report.messages.is_balanced(), "{report:?}");
    assert!(report.files.is_balanced(), "{report:?}");
    assert_eq!(report.messages.kept, all.len() as u64);
    (all, report)
}

/// The messages of one day in `general`, with users and channels known.
pub(crate) fn read_day(day: &str) -> (Vec<Message>, Report) {
    let dir = folder(&[
        ("users.json", USERS),
        ("channels.json", CHANNELS),
        ("general/2024-01-31.json", day),
    ]);
    read(dir.path())
}

/// The one message that an object becomes.
pub(crate) fn read_one(object: &Value) -> Message {
    let (mut messages, report) = read_day(&Value::from(vec![object.clone()]).to_string());
    assert_eq!(messages.len(), 1, "{report:?}");
    messages.remove(0)
}

/// What the report skipped, as text.
pub(crate) fn skipped(report: &Report) -> String {
    let skipped = report.messages.skipped.iter();
    let skipped: Vec<String> = skipped.map(|(reason, n)| format!("{reason}={n}")).collect();
    skipped.join(", ")
}

/// What the report doubts, as text.
pub(crate) fn doubted(report: &Report) -> String {
    let doubts = report.doubts.iter();
    let doubts: Vec<String> = doubts
        .map(|(reason, doubt)| format!("{reason}={}: {}", doubt.count, doubt.examples.join("; ")))
        .collect();
    doubts.join(", ")
}

/// A channel's id.
pub(crate) fn channel(id: &str) -> ChannelId {
    ChannelId::new(id)
}
