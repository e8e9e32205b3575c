//! Exports that are not as they should be: a clear error, or a counted skip and the rest is read.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use atlas_core::{Error, ErrorKind};
use atlas_eval::load::{self, Export};
use atlas_import::{DoubtReason, SkipReason};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

use crate::sample::{all_facts, wait};

const DAY: &str = r#"[{"type":"message","user":"U1","text":"We decided to use Postgres for billing.","ts":"1706700000.000100"}]"#;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    dir
}

fn zip(dir: &Path, files: &[(&str, &str)]) -> PathBuf {
    let path = dir.join("export.zip");
    let mut writer = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, content) in files {
        let options = SimpleFileOptions::default();
        writer.start_file(*name, options).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    path
}

#[track_caller]
fn refusal(path: &Path) -> Error {
    Export::read(path).unwrap_err()
}

/// That the good day of the export is read and becomes a fact, whatever else is in it.
#[track_caller]
fn read_the_rest(path: &Path) -> Export {
    let export = Export::read(path).unwrap();
    assert!(export.report.messages.is_balanced());
    assert!(export.report.files.is_balanced());
    assert_eq!(export.report.messages.kept, 1);
    let (atlas, settled) = wait(load::settled(load::parts(), &export)).unwrap();
    assert!(
        settled
            .iter()
            .all(atlas_core::maintain::Settled::is_complete)
    );
    let channel = export.channel("general").unwrap();
    let facts = all_facts(&atlas.channel(channel.clone()));
    assert!(
        facts
            .iter()
            .any(|(fact, _)| fact.text().contains("Postgres"))
    );
    export
}

#[test]
fn a_path_that_is_not_there_is_told() {
    let dir = folder(&[]);
    let error = refusal(&dir.path().join("missing"));
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("missing"), "{error}");
}

#[test]
fn an_empty_folder_is_refused() {
    let dir = folder(&[]);
    assert_eq!(refusal(dir.path()).kind(), ErrorKind::Invalid);
}

#[test]
fn a_file_that_is_no_zip_is_refused() {
    let dir = folder(&[("export.zip", "this is text")]);
    let error = refusal(&dir.path().join("export.zip"));
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

#[test]
fn a_zip_that_leads_out_of_itself_is_read_without_that() {
    let dir = folder(&[]);
    // The writer cleans names, so that the hostile one is put in afterwards, letter for letter.
    let (tame, hostile) = ("xx/xx/evil/2024-01-01.json", "../../evil/2024-01-01.json");
    let path = zip(dir.path(), &[("general/2024-01-31.json", DAY), (tame, DAY)]);
    let mut bytes = fs::read(&path).unwrap();
    let places: Vec<usize> = (0..bytes.len())
        .filter(|at| bytes[*at..].starts_with(tame.as_bytes()))
        .collect();
    assert_eq!(places.len(), 2);
    for at in places {
        bytes[at..at + hostile.len()].copy_from_slice(hostile.as_bytes());
    }
    fs::write(&path, bytes).unwrap();
    let export = read_the_rest(&path);
    assert_eq!(export.report.files.skipped[&SkipReason::UnsafePath], 1);
}

#[test]
fn a_day_that_is_no_json_is_counted() {
    for bad in ["", "not json", "{\"ok\":false}", "[{\"text\":\"cut o"] {
        let dir = folder(&[
            ("general/2024-01-30.json", bad),
            ("general/2024-01-31.json", DAY),
        ]);
        let export = read_the_rest(dir.path());
        assert!(
            export.report.doubts.contains_key(&DoubtReason::BadFile),
            "{bad}"
        );
    }
}

#[test]
fn a_message_without_a_time_is_counted() {
    let bad = r#"[{"type":"message","user":"U1","text":"We decided to use Oracle."}]"#;
    let dir = folder(&[
        ("general/2024-01-30.json", bad),
        ("general/2024-01-31.json", DAY),
    ]);
    let export = read_the_rest(dir.path());
    assert_eq!(export.report.messages.skipped[&SkipReason::NoTime], 1);
    assert_eq!(export.report.messages.read, 2);
}
