//! `docs/faults.md` names tests that exist, and leaves no fault out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The faults with what is said of each, in order.
fn faults(text: &str) -> Vec<(String, String)> {
    let mut faults: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if let Some((id, said)) = line.strip_prefix("- **").and_then(|it| it.split_once("**")) {
            faults.push((id.to_owned(), said.to_owned()));
        } else if let (Some(said), Some((_, all))) = (line.strip_prefix("  "), faults.last_mut()) {
            all.push(' ');
            all.push_str(said);
        }
    }
    faults
}

/// The tests that are named, as file and function.
fn named(said: &str) -> Vec<(&str, &str)> {
    let quoted = said.split('`').skip(1).step_by(2);
    quoted.filter_map(|it| it.split_once(".rs::")).collect()
}

/// Whether the file has a test of that name.
fn has_test(source: &str, name: &str) -> bool {
    let head = format!("fn {name}(");
    let lines: Vec<&str> = source.lines().collect();
    lines.iter().enumerate().any(|(at, line)| {
        let is_attribute = |it: &&str| {
            let it = it.trim();
            it == "#[test]" || it.starts_with("#[tokio::test")
        };
        // Its attributes stand between it and the end of what comes before.
        let before = lines[..at].iter().rev();
        let mut attributes = before.take_while(|it| !it.trim().is_empty() && it.trim() != "}");
        line.trim().starts_with(&head) && attributes.any(is_attribute)
    })
}

#[test]
fn every_fault_has_its_line_and_every_named_test_exists() {
    let text = fs::read_to_string(root().join("docs/faults.md")).unwrap();
    let faults = faults(&text);
    let mut ids: Vec<&str> = faults.iter().map(|(id, _)| id.as_str()).collect();
    ids.sort_unstable();
    let mut expected: Vec<String> = (1..=66).map(|n| format!("F-{n:02}")).collect();
    expected.extend(["F-51a".to_owned(), "F-51b".to_owned()]);
    expected.sort_unstable();
    assert_eq!(ids, expected);
    let mut sources: BTreeMap<&str, String> = BTreeMap::new();
    let mut counts = BTreeMap::from([("Tests:", 0), ("Reason:", 0), ("Open:", 0)]);
    for (id, said) in &faults {
        let tests = named(said);
        let is_settled = ["Reason:", "Open:"].iter().any(|it| said.contains(it));
        assert!(is_settled || !tests.is_empty(), "{id} is not settled");
        assert_eq!(said.contains("Tests:"), !tests.is_empty(), "{id}");
        for (kind, count) in &mut counts {
            *count += usize::from(said.contains(kind));
        }
        for (file, name) in tests {
            let source = sources.entry(file).or_insert_with(|| {
                let path = root().join(format!("{file}.rs"));
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{id}: {file}: {error}"))
            });
            assert!(has_test(source, name), "{id}: {file}.rs has no test {name}");
        }
    }
    println!("{} faults: {counts:?}", faults.len());
    assert!(counts["Tests:"] >= 50, "{counts:?}");
}

#[test]
fn a_test_that_is_gone_is_noticed() {
    let source = "#[test]\n#[expect(dead_code)]\nfn one() {}\n\nfn two() {}\n";
    assert!(has_test(source, "one"));
    assert!(!has_test(source, "two") && !has_test(source, "on"));
}
