//! Invariants of the code itself.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read the code has failed"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_path_buf()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "{} holds no source", folder.display());
    found
}

#[test]
fn the_core_depends_on_no_runtime_no_http_and_no_sql() {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "-p",
            "atlas-core",
            "-e",
            "normal",
            "--prefix",
            "none",
            "--offline",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let tree = String::from_utf8(output.stdout).unwrap();
    assert!(
        tree.contains("serde"),
        "the tree is not that of the core: {tree}"
    );
    let forbidden = [
        "tokio",
        "async-std",
        "smol",
        "reqwest",
        "hyper",
        "ureq",
        "sqlx",
        "rusqlite",
        "libsqlite3-sys",
        "diesel",
        "tantivy",
    ];
    for line in tree.lines() {
        let name = line.split_whitespace().next().unwrap_or_default();
        assert!(
            !forbidden
                .iter()
                .any(|it| name == *it || name.starts_with(&format!("{it}-"))),
            "the core depends on {line}"
        );
    }
}

#[test]
fn pure_rooms_know_no_store() {
    let pure = [
        "model",
        "lifecycle/fold.rs",
        "lifecycle/pairs.rs",
        "lifecycle/plan.rs",
        "graph/resolve.rs",
        "extract/admit.rs",
        "extract/assemble.rs",
        "extract/batch.rs",
        "extract/names.rs",
        "extract/when",
        "retrieve/fuse.rs",
        "retrieve/question.rs",
        "answer/verify.rs",
        "llm/reply",
        "llm/schema.rs",
        "llm/router/attempt.rs",
        "llm/router/breaker.rs",
        "llm/router/charge.rs",
        "llm/router/limit.rs",
        "grounding.rs",
        "text.rs",
    ];
    for room in pure {
        let path = root().join("atlas-core/src").join(room);
        let files = if path.is_dir() {
            sources(&path)
        } else {
            vec![path]
        };
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for word in ["async fn", "RecordStore", "MessageStore", "Components"] {
                assert!(!text.contains(word), "{} says `{word}`", file.display());
            }
        }
    }
}

#[test]
fn no_example_is_ignored_and_nothing_is_left_to_do() {
    let ignored = ["```", "ignore"].concat();
    let left = [["TO", "DO"].concat(), ["FIX", "ME"].concat()];
    for file in sources(&root()) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(
            !text.contains(&ignored),
            "{}: an ignored example",
            file.display()
        );
        // Rules that look for these words in messages quote them.
        let is_rule = file
            .components()
            .any(|it| it.as_os_str() == "atlas-offline");
        for word in &left {
            assert!(
                is_rule || !text.contains(word),
                "{}: {word}",
                file.display()
            );
        }
    }
}

#[test]
fn names_say_what_a_thing_is() {
    let forbidden = ["util", "helper", "common", "manager", "misc"];
    for file in sources(&root()) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let words: Vec<&str> = name.split('_').collect();
        for word in forbidden {
            let is_used = words
                .iter()
                .any(|it| *it == word || *it == format!("{word}s"));
            assert!(!is_used, "{}", file.display());
        }
    }
}

#[test]
fn every_crate_is_on_the_map() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let members = manifest
        .split("members = [")
        .nth(1)
        .unwrap()
        .split(']')
        .next()
        .unwrap();
    let members: Vec<&str> = members
        .lines()
        .map(|it| it.trim().trim_matches(['"', ',']))
        .filter(|it| !it.is_empty())
        .collect();
    assert!(members.len() > 5, "{members:?}");
    for member in members {
        assert!(
            map.contains(&format!("`{member}/")),
            "{member} is not in ARCHITECTURE.md"
        );
    }
}

#[test]
fn every_room_of_the_core_is_on_the_map() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for entry in fs::read_dir(root().join("atlas-core/src")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            assert!(
                map.contains(&format!("`{name}/`")),
                "{name} is not in ARCHITECTURE.md"
            );
        }
    }
}
