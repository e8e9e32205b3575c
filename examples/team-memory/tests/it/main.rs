//! The program as its user meets it: what it prints, writes and leaves with.

#![expect(clippy::unwrap_used, reason = "tests: a failure is a panic")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn run(args: &[&str], dir: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_team-memory"))
        .args(args)
        .current_dir(dir)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What is printed, without the line of what the run took.
fn told(output: &Output) -> String {
    let all = text(&output.stdout);
    let lines = all.lines().filter(|it| !it.starts_with("Took "));
    lines.collect::<Vec<_>>().join("\n")
}

/// Every file below a folder with what stands in it.
fn files(dir: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![dir.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(dir).unwrap().display().to_string();
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_sample_is_told_alike_by_every_run() {
    let dir = tempfile::tempdir().unwrap();
    let first = run(&[], dir.path());
    assert!(first.status.success(), "{}", text(&first.stderr));
    let wiki = dir.path().join("team-memory-wiki");
    let written = files(&wiki);
    let again = run(&[], dir.path());
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_eq!(told(&first), told(&again));
    assert_eq!(files(&wiki), written);
    let told = told(&first);
    assert!(told.contains("321 read = 318 kept + 3 skipped"), "{told}");
    assert_eq!(told.matches("Question  ").count(), 3, "{told}");
    assert!(text(&first.stderr).is_empty());
    assert!(written.iter().any(|(name, _)| name == "README.md"));
}

#[test]
fn a_memory_that_is_kept_has_nothing_to_do_again() {
    let dir = tempfile::tempdir().unwrap();
    let first = run(&["--store", "memory"], dir.path());
    assert!(first.status.success(), "{}", text(&first.stderr));
    let wiki = dir.path().join("team-memory-wiki");
    let written = files(&wiki);
    fs::remove_dir_all(&wiki).unwrap();
    let again = run(&["--store", "memory"], dir.path());
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_eq!(files(&wiki), written);
    let kept = |output: &Output| {
        let all = told(output);
        all.lines()
            .find(|it| it.starts_with("Memory"))
            .unwrap()
            .to_owned()
    };
    assert!(
        kept(&first).contains("318 messages were new"),
        "{}",
        kept(&first)
    );
    let idle =
        "0 messages were new, 0 changed, 318 known; 0 were read anew, in 0 calls of the model";
    assert!(kept(&again).ends_with(idle), "{}", kept(&again));
    let rest = |output: &Output| {
        let all = told(output);
        let lines = all
            .lines()
            .filter(|it| !it.is_empty() && !it.starts_with("Memory"));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(rest(&first), rest(&again));
    // In memory it comes to the same.
    assert_eq!(rest(&again), rest(&run(&[], dir.path())));
}

#[test]
fn one_channel_and_one_question_are_enough() {
    let dir = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample");
    let sample = sample.to_str().unwrap();
    let args = [
        sample,
        "--channel",
        "random",
        "--out",
        "w",
        "--ask",
        "Where is the offsite?",
    ];
    let output = run(&args, dir.path());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = told(&output);
    assert_eq!(told.matches("Question  ").count(), 1, "{told}");
    assert!(
        told.contains("random") && !told.contains("engineering"),
        "{told}"
    );
    assert!(dir.path().join("w/random/README.md").exists());
}

#[test]
fn what_cannot_be_used_is_told_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("empty")).unwrap();
    fs::create_dir(dir.path().join("mine")).unwrap();
    fs::write(dir.path().join("mine/thesis.txt"), "").unwrap();
    fs::write(dir.path().join("export.zip"), "this is text").unwrap();
    for (args, words) in [
        (vec!["missing"], "no such file or folder"),
        (vec!["empty"], "no file in it"),
        (vec!["export.zip"], "neither a folder nor a readable zip"),
        (vec!["--out", "mine"], "did not write"),
        (vec!["--channel", "nowhere"], "no channel nowhere"),
    ] {
        let output = run(&args, dir.path());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(words), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(output.stdout.is_empty());
    }
    assert!(!dir.path().join("team-memory-wiki").exists());
}
