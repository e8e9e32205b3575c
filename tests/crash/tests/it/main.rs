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
