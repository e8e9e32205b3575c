//! Folders and zips, and what must not be followed in them.

use std::fs;

use atlas_core::ErrorKind;
use atlas_import::{Limits, SkipReason, SlackExport};

use crate::export::{CHANNELS, USERS, channel, doubted, folder, read, zip};

const DAY: &str = r#"[{"type":"message","user":"U1","text":"hello","ts":"1706700000.000100"}]"#;

#[test]
fn a_folder_and_a_zip_give_the_same_nested_or_not() {
    let files = |prefix: &str| {
        [
            ("users.json", USERS),
            ("channels.json", CHANNELS),
            ("general/2024-01-31.json", DAY),
        ]
        .map(|(path, content)| (format!("{prefix}{path}"), content))
    };
    let mut readings = Vec::new();
    for prefix in ["", "Acme Slack export/"] {
        let files = files(prefix);
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, content)| (path.as_str(), *content))
            .collect();
        let dir = folder(&files);
        readings.push(read(dir.path()));
        let (_guard, path) = zip(&files);
        readings.push(read(&path));
    }
    let first = readings.first().unwrap().clone();
    assert_eq!(first.0[0].author.name, "Ana Diaz");
    assert_eq!(first.1.files.kept, 3);
    assert!(readings.iter().all(|reading| *reading == first));
}

#[test]
fn days_without_lists_and_lists_without_days_are_exports() {
    let dir = folder(&[("random/2024-01-31.json", DAY)]);
    let (messages, _) = read(dir.path());
    assert_eq!(messages[0].id.channel, channel("random"));
    assert_eq!(
        (
            messages[0].author.name.as_str(),
            messages[0].author.id.as_str()
        ),
        ("U1", "U1")
    );

    let dir = folder(&[("channels.json", CHANNELS)]);
    let export = SlackExport::open(dir.path()).unwrap();
    assert_eq!(export.channels()[0].name, "general");
    assert_eq!(export.channels()[0].purpose, "all & sundry");
    assert_eq!(export.messages(&channel("C1")).unwrap().count(), 0);
    let unknown = export.messages(&channel("C9")).unwrap_err();
    assert_eq!(unknown.kind(), ErrorKind::NotFound);
}

#[test]
fn every_kind_of_conversation_finds_its_folder() {
    let dir = folder(&[
        ("users.json", USERS),
        ("channels.json", CHANNELS),
        ("groups.json", r#"[{"id":"G1","name":"secret"}]"#),
        ("dms.json", r#"[{"id":"D1","members":["U1","U2"]}]"#),
        ("mpims.json", r#"[{"id":"G2","name":"mpdm-ana--morgan-1"}]"#),
        ("general/2024-01-31.json", DAY),
        ("secret/2024-01-31.json", DAY),
        ("D1/2024-01-31.json", DAY),
        ("mpdm-ana--morgan-1/2024-01-31.json", DAY),
        ("integration_logs.json", "[]"),
        ("general/canvas_in_the_conversation.json", "[]"),
    ]);
    let export = SlackExport::open(dir.path()).unwrap();
    let channels: Vec<String> = export
        .channels()
        .iter()
        .map(|channel| format!("{}={}", channel.id, channel.name))
        .collect();
    assert_eq!(
        channels,
        [
            "C1=general",
            "D1=Ana Diaz, Morgan Lee",
            "G1=secret",
            "G2=mpdm-ana--morgan-1"
        ]
    );
    let (messages, report) = read(dir.path());
    assert_eq!(messages.len(), 4);
    assert_eq!(report.files.skipped[&SkipReason::OtherFile], 2);
}

#[test]
fn what_is_no_export_is_refused_with_its_reason() {
    let empty = folder(&[]);
    let other = folder(&[("a/b.json", "[]"), ("readme.txt", "hi")]);
    let several = folder(&[("a/channels.json", "[]"), ("b/channels.json", "[]")]);
    let file = folder(&[("export.json", "[]")]);
    let (_guard, empty_zip) = zip(&[]);
    let rows = [
        (
            empty.path().join("missing"),
            ErrorKind::NotFound,
            "no such file or folder",
        ),
        (empty.path().to_owned(), ErrorKind::Invalid, "no file"),
        (empty_zip, ErrorKind::Invalid, "no file"),
        (
            other.path().to_owned(),
            ErrorKind::Invalid,
            "no Slack export",
        ),
        (
            several.path().to_owned(),
            ErrorKind::Invalid,
            "several exports",
        ),
        (
            file.path().join("export.json"),
            ErrorKind::Invalid,
            "neither a folder nor a readable zip",
        ),
    ];
    for (path, kind, words) in rows {
        let error = SlackExport::open(&path).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(words), "{error}");
    }
}

/// Row 12.
#[test]
fn paths_out_of_a_zip_are_refused_and_counted() {
    // The writer cleans names, so that the hostile ones are put in afterwards, letter for letter.
    let hostile = [
        (
            "xxxx..xxxxxx/2024-01-01.json",
            "../../../etc/2024-01-01.json",
        ),
        ("xabs/2024-01-02.json", "/abs/2024-01-02.json"),
        ("Cxxdrive/2024-01-03.json", "C:\\drive/2024-01-03.json"),
    ];
    let mut files = vec![("general/2024-01-31.json", DAY)];
    files.extend(hostile.iter().map(|(name, _)| (*name, DAY)));
    let (_guard, path) = zip(&files);
    let mut bytes = fs::read(&path).unwrap();
    for (name, with) in hostile {
        rename(&mut bytes, name.as_bytes(), with.as_bytes());
    }
    fs::write(&path, bytes).unwrap();
    let (messages, report) = read(&path);
    assert_eq!(messages.len(), 1);
    assert_eq!(report.files.skipped[&SkipReason::UnsafePath], 3);
    assert!(
        doubted(&report).contains("../../../etc/2024-01-01.json"),
        "{}",
        doubted(&report)
    );
}

/// Replaces a name in the headers of a zip by one of the same length.
fn rename(zip: &mut [u8], name: &[u8], with: &[u8]) {
    assert_eq!(name.len(), with.len());
    let places: Vec<usize> = (0..zip.len())
        .filter(|at| zip[*at..].starts_with(name))
        .collect();
    assert_eq!(
        places.len(),
        2,
        "once beside the file, once in the directory"
    );
    for at in places {
        zip[at..at + with.len()].copy_from_slice(with);
    }
}

/// Row 12.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = folder(&[("2024-01-01.json", DAY)]);
    let dir = folder(&[("general/2024-01-31.json", DAY)]);
    symlink(outside.path(), dir.path().join("leak")).unwrap();
    symlink(
        outside.path().join("2024-01-01.json"),
        dir.path().join("general/2024-01-01.json"),
    )
    .unwrap();
    let (messages, report) = read(dir.path());
    assert_eq!(messages.len(), 1);
    assert_eq!(report.files.skipped[&SkipReason::Symlink], 2);

    let path = dir.path().join("export.zip");
    let mut writer = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    writer
        .add_symlink("leak/2024-01-01.json", "/etc/passwd", options)
        .unwrap();
    writer
        .start_file("general/2024-01-31.json", options)
        .unwrap();
    std::io::Write::write_all(&mut writer, DAY.as_bytes()).unwrap();
    writer.finish().unwrap();
    let (messages, report) = read(&path);
    assert_eq!(messages.len(), 1);
    assert_eq!(report.files.skipped[&SkipReason::Symlink], 1);
}

/// Row 15.
#[test]
fn names_beyond_ascii_are_read_right() {
    let index = r#"[{"id":"C7","name":"café"},{"id":"C8","name":"数据"}]"#;
    let (_guard, path) = zip(&[
        ("channels.json", index),
        ("数据/2024-01-31.json", DAY),
        ("cafx/2024-01-31.json", DAY),
    ]);
    let mut bytes = fs::read(&path).unwrap();
    // In code page 437, é is one byte.
    rename(
        &mut bytes,
        b"cafx/2024-01-31.json",
        b"caf\x82/2024-01-31.json",
    );
    fs::write(&path, &bytes).unwrap();
    let (messages, _) = read(&path);
    let channels: Vec<&str> = messages
        .iter()
        .map(|message| message.id.channel.as_str())
        .collect();
    assert_eq!(channels, ["C7", "C8"]);

    // macOS writes é as two characters.
    let dir = folder(&[
        ("channels.json", index),
        ("cafe\u{301}/2024-01-31.json", DAY),
    ]);
    assert_eq!(read(dir.path()).0[0].id.channel, channel("C7"));
}

#[test]
fn limits_hold_for_files_bytes_and_counts() {
    let long = format!("[{}]", " ".repeat(5000));
    let files = [
        ("general/2024-01-30.json", long.as_str()),
        ("general/2024-01-31.json", DAY),
    ];
    let dir = folder(&files);
    let (_guard, path) = zip(&files);
    let limits = Limits {
        file_bytes: 1000,
        ..Limits::default()
    };
    for path in [dir.path().to_owned(), path.clone()] {
        let export = SlackExport::open_within(&path, limits).unwrap();
        let mut messages = export.messages(&channel("general")).unwrap();
        assert_eq!(messages.by_ref().count(), 1);
        assert_eq!(messages.report().files.skipped[&SkipReason::TooLarge], 1);
    }
    let few = Limits {
        files: 1,
        ..Limits::default()
    };
    for path in [dir.path(), path.as_path()] {
        assert_eq!(
            SlackExport::open_within(path, few).unwrap_err().kind(),
            ErrorKind::Invalid
        );
    }
    let small = Limits {
        total_bytes: 4000,
        ..Limits::default()
    };
    let error = SlackExport::open_within(&path, small).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

#[test]
fn a_damaged_entry_costs_only_itself() {
    let (_guard, path) = zip(&[
        ("general/2024-01-30.json", DAY),
        ("general/2024-01-31.json", DAY),
    ]);
    let mut bytes = fs::read(&path).unwrap();
    let at = (0..bytes.len())
        .find(|at| bytes[*at..].starts_with(b"general/"))
        .unwrap();
    bytes[at + "general/2024-01-30.json".len() + 2] ^= 0xff;
    fs::write(&path, bytes).unwrap();
    let (messages, report) = read(&path);
    assert_eq!(messages.len(), 1);
    assert_eq!(report.files.skipped[&SkipReason::Unreadable], 1);
}

#[test]
fn batches_visit_every_channel() {
    let day = r#"[{"user":"U1","text":"a","ts":"1.000001"},{"user":"U1","text":"b","ts":"1.000002"},{"user":"U1","text":"c","ts":"1.000003"}]"#;
    let dir = folder(&[
        ("a/2024-01-31.json", day),
        ("b/2024-01-30.json", DAY),
        ("b/2024-01-31.json", day),
        ("readme.txt", ""),
    ]);
    let export = SlackExport::open(dir.path()).unwrap();
    let mut batches = export.batches(2.try_into().unwrap());
    let sizes: Vec<String> = batches
        .by_ref()
        .map(|batch| batch.unwrap())
        .map(|batch| format!("{}{}", batch.channel, batch.messages.len()))
        .collect();
    assert_eq!(sizes, ["a2", "a1", "b2", "b2"]);
    let report = batches.report();
    assert_eq!(
        (
            report.messages.read,
            report.messages.kept,
            report.files.read
        ),
        (7, 7, 4)
    );
    assert_eq!(report.channels[&channel("b")], 4);
    assert_eq!(report.first.unwrap().as_micros(), 1_000_001);
    assert_eq!(report.last.unwrap().as_micros(), 1_706_700_000_000_100);
}
