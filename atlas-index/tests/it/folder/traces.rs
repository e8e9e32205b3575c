//! FI-14: no word is left in any file.

use std::fs;
use std::path::{Path, PathBuf};

use atlas_core::model::{AuthorId, EntityId};
use atlas_core::ports::{Document, Epoch, FactIndex, Residue};
use futures::executor::block_on;

use super::kind::open;
use super::setup::{apply, by_words, channel, document, entries, entry, ids};

fn files(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, into);
        } else {
            into.push(path);
        }
    }
}

/// The files that hold any of the traces of a marked document.
fn holding(dir: &Path, mark: &str) -> Vec<PathBuf> {
    let number = 1234.5_f32.to_le_bytes();
    let mut all = Vec::new();
    files(dir, &mut all);
    all.retain(|path| {
        let bytes = fs::read(path).unwrap();
        let has = |trace: &[u8]| bytes.windows(trace.len()).any(|it| it == trace);
        has(mark.as_bytes()) || has(&number)
    });
    all
}

fn marked(mark: &str) -> Document {
    let mut it = document(&format!("{mark}id"), &format!("{mark}word"));
    it.vector = Some(vec![1234.5, 1.0, 0.0]);
    it.tags = vec![format!("{mark}tag")];
    it.authors = vec![AuthorId::new(format!("{mark}author"))];
    it.entities = vec![EntityId::new(format!("{mark}entity"))];
    it
}

#[test]
fn a_purge_leaves_no_word() {
    let dir = tempfile::tempdir().unwrap();
    let index = open(dir.path());
    apply(&index, "c", &entries(vec![marked("canary")]));
    apply(&index, "c", &entries(vec![document("1", "alpha")]));
    apply(&index, "d", &entries(vec![document("1", "beta")]));
    assert!(!holding(dir.path(), "canary").is_empty());
    block_on(index.purge(&channel("c"), Epoch(1))).unwrap();
    assert_eq!(holding(dir.path(), "canary"), [] as [PathBuf; 0]);
    assert_eq!(
        block_on(index.residue(&channel("c"))).unwrap(),
        Residue::default()
    );
    assert_eq!(ids(&index, &["c", "d"], &by_words("beta")), ["d/1"]);
}

#[test]
fn what_a_broken_build_left_is_residue_and_goes() {
    let dir = tempfile::tempdir().unwrap();
    let index = open(dir.path());
    apply(&index, "c", &entries(vec![document("1", "alpha")]));
    let folder = fs::read_dir(dir.path().join("channels"))
        .unwrap()
        .last()
        .unwrap()
        .unwrap();
    let left = folder.path().join("build-9");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("words"), "canary").unwrap();
    let residue = block_on(index.residue(&channel("c"))).unwrap();
    assert_eq!(residue, Residue { items: 2, marks: 1 });
    block_on(index.compact(&channel("c"))).unwrap();
    assert_eq!(holding(dir.path(), "canary"), [] as [PathBuf; 0]);
    assert_eq!(ids(&index, &["c"], &by_words("alpha")), ["c/1"]);
}

#[test]
fn a_compaction_leaves_no_word_of_what_went() {
    let dir = tempfile::tempdir().unwrap();
    let index = open(dir.path());
    let mut others = document("1", "alpha");
    others.vector = Some(vec![0.0, 1.0, 0.0]);
    apply(
        &index,
        "c",
        &[
            entry("gone", vec![marked("canary")]),
            entry("stays", vec![others]),
        ],
    );
    let before = ids(&index, &["c"], &by_words("alpha"));
    apply(&index, "c", &[entry("gone", Vec::new())]);
    assert!(!holding(dir.path(), "canary").is_empty());
    block_on(index.compact(&channel("c"))).unwrap();
    assert_eq!(holding(dir.path(), "canary"), [] as [PathBuf; 0]);
    assert_eq!(ids(&index, &["c"], &by_words("alpha")), before);
    let verification = block_on(index.verify(&channel("c"))).unwrap();
    assert!(verification.is_sound(), "{verification:?}");
    // Nothing is left at all.
    apply(&index, "c", &[entry("stays", Vec::new())]);
    block_on(index.compact(&channel("c"))).unwrap();
    assert_eq!(ids(&index, &["c"], &by_words("alpha")), [""; 0]);
    apply(&index, "c", &entries(vec![document("1", "alpha")]));
    assert_eq!(ids(&index, &["c"], &by_words("alpha")), ["c/1"]);
}
