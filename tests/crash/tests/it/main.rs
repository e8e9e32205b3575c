//! Short runs of the program, as they are part of every test run.

#![expect(clippy::unwrap_used, reason = "tests: a failure is a panic")]

use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_atlas-crash"))
        .args(args)
        .output()
        .unwrap()
}

/// That the run is well and its lines tell of no loss.
#[track_caller]
fn check(args: &[&str], expected: &[&str]) {
    let output = run(args);
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{out}\n{err}");
    for line in expected {
        assert!(out.contains(line), "{line:?} is not in\n{out}");
    }
    assert!(out.contains("lost 0 duplicated 0 violated 0"), "{out}");
}

#[test]
fn twenty_kills_lose_nothing() {
    check(&["--kills", "20", "--seed", "7"], &["kills 20 reopened 20"]);
}

/// That the run finds a planted loss.
#[track_caller]
fn check_found(args: &[&str]) {
    let output = run(args);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("lost: "), "{err}");
    let kept = err
        .lines()
        .find_map(|it| it.strip_prefix("the folder is kept: "));
    std::fs::remove_dir_all(kept.unwrap()).unwrap();
}

#[test]
fn a_process_that_acknowledges_too_early_is_found() {
    check_found(&["--kills", "12", "--seed", "7", "--hasty"]);
}

#[test]
fn a_log_that_was_not_synced_is_found() {
    check_found(&["power-cut", "--cuts", "8", "--seed", "7", "--synced-too"]);
}

#[test]
fn power_cuts_lose_nothing_that_was_synced() {
    check(&["power-cut", "--cuts", "12", "--seed", "7"], &["cuts 12"]);
}

#[test]
fn a_full_disk_is_a_typed_error_and_passes() {
    check(
        &["full-disk", "--ops", "20", "--seed", "7"],
        &["database full", "files full"],
    );
}

#[test]
fn several_processes_share_a_folder() {
    check(
        &["together", "--ops", "10", "--seed", "7"],
        &["settling Often", "settling AtTheEnd"],
    );
}
