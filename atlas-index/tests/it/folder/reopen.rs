//! What is there after the index was closed.

use std::fs;

use atlas_core::model::{ChannelId, Language};
use atlas_core::ports::{Cursor, EmbeddingSpace, Epoch, FactIndex, Leg, SearchRequest};
use atlas_core::{ErrorKind, Retry};
use atlas_index::{FolderFactIndex, FolderSettings};
use futures::executor::block_on;

use super::kind::open;
use super::setup::{
    apply, by_vector, by_words, channel, cursor, document, entries, hits, ids, refused, request,
    space, try_apply,
};

fn legs() -> [SearchRequest; 3] {
    [
        by_words("alpha beta"),
        by_vector([1.0, 0.5, 0.0]),
        request(Leg::Recent),
    ]
}

#[test]
fn answers_and_cursor_outlive_the_process() {
    let dir = tempfile::tempdir().unwrap();
    let index = open(dir.path());
    for round in 0_u8..12 {
        let documents = (0_u8..5).map(|at| {
            let mut it = document(&format!("{}", (round * 3 + at) % 17), "alpha beta gamma");
            it.text
                .push_str(if at % 2 == 0 { " alpha" } else { " delta" });
            it.vector = Some(vec![f32::from(at), f32::from(round), 1.0]);
            it
        });
        apply(&index, "c", &entries(documents.collect()));
    }
    block_on(index.fence(&channel("c"), Epoch(4))).unwrap();
    let before = legs().map(|it| hits(&index, &["c"], &it));
    let stats = block_on(index.stats(&channel("c"))).unwrap();
    drop(index);
    let index = open(dir.path());
    assert_eq!(legs().map(|it| hits(&index, &["c"], &it)), before);
    assert_eq!(block_on(index.applied(&channel("c"))).unwrap(), cursor(12));
    assert_eq!(block_on(index.stats(&channel("c"))).unwrap(), stats);
    refused(try_apply(&index, "c", (3, 12, 13), &[]), ErrorKind::Fenced);
    try_apply(&index, "c", (4, 12, 13), &[]).unwrap();
    let verification = block_on(index.verify(&channel("c"))).unwrap();
    assert!(verification.is_sound(), "{verification:?}");
    assert_eq!(
        (verification.n_documents, verification.n_vectors),
        (stats.n_documents, stats.n_vectors)
    );
}

#[test]
fn it_says_which_channels_and_origins_it_holds() {
    let dir = tempfile::tempdir().unwrap();
    let index = open(dir.path());
    for name in ["b", "a/../x", "", "東京"] {
        apply(
            &index,
            name,
            &entries(vec![document("1", "alpha"), document("2", "beta")]),
        );
    }
    apply(&index, "b", &entries(vec![document("3", "gamma")]));
    let mut gone = entries(vec![document("1", "")]);
    gone[0].documents.clear();
    apply(&index, "b", &gone);
    drop(index);
    let index = open(dir.path());
    let names: Vec<ChannelId> = block_on(index.channels()).unwrap();
    let expected = ["", "a/../x", "b", "東京"].map(ChannelId::new).to_vec();
    assert_eq!(names, expected);
    let origins = block_on(index.origins(&channel("b"))).unwrap();
    let origins: Vec<&str> = origins.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(origins, ["2", "3"]);
    assert_eq!(block_on(index.origins(&channel("c"))).unwrap(), []);
}

#[test]
fn another_space_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    let other = EmbeddingSpace {
        revision: "2".to_owned(),
        ..space()
    };
    let settings = FolderSettings::default();
    let error = FolderFactIndex::open(dir.path(), other.clone(), settings).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    for space in [space(), other] {
        assert!(error.to_string().contains(&space.to_string()), "{error}");
    }
}

/// Replaces the format of a small file, checksum and all.
fn of_later_format(path: &std::path::Path) {
    let text = fs::read_to_string(path).unwrap();
    let (_, body) = text.split_once('\n').unwrap();
    let (before, after) = body.split_once("\"format\":").unwrap();
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let body = format!("{before}\"format\":{}{after}", u32::MAX);
    fs::write(
        path,
        format!("{:08x}\n{body}", crc32fast::hash(body.as_bytes())),
    )
    .unwrap();
}

#[test]
fn a_later_format_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let index = open(dir.path());
    apply(&index, "c", &entries(vec![document("1", "alpha")]));
    drop(index);
    let channels = fs::read_dir(dir.path().join("channels")).unwrap();
    let current = channels.last().unwrap().unwrap().path().join("current");
    of_later_format(&current);
    let index = open(dir.path());
    let error = block_on(index.applied(&channel("c"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    refused(
        try_apply(
            &index,
            "c",
            (0, 0, 1),
            &entries(vec![document("2", "beta")]),
        ),
        ErrorKind::Unsupported,
    );
    drop(index);
    of_later_format(&dir.path().join("index.json"));
    let error = FolderFactIndex::open(dir.path(), space(), FolderSettings::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[test]
fn an_index_of_another_analysis_is_built_again() {
    let dir = tempfile::tempdir().unwrap();
    let index = open(dir.path());
    apply(&index, "c", &entries(vec![document("1", "alpha")]));
    let channels = fs::read_dir(dir.path().join("channels")).unwrap();
    let current = channels.last().unwrap().unwrap().path().join("current");
    let text = fs::read_to_string(&current).unwrap();
    let (_, body) = text.split_once('\n').unwrap();
    let (head, tail) = body.split_once("\"analysis\":\"").unwrap();
    let body = format!("{head}\"analysis\":\"x{tail}");
    fs::write(
        &current,
        format!("{:08x}\n{body}", crc32fast::hash(body.as_bytes())),
    )
    .unwrap();
    assert_eq!(
        block_on(index.applied(&channel("c"))).unwrap(),
        Cursor::start()
    );
    let error = block_on(index.search(&super::setup::across(&["c"]), &by_words("alpha")));
    let error = error.unwrap_err();
    assert_eq!(
        (error.kind(), error.retry()),
        (ErrorKind::Corrupt, Retry::Now)
    );
    apply(&index, "c", &entries(vec![document("1", "alpha")]));
    assert_eq!(ids(&index, &["c"], &by_words("alpha")), ["c/1"]);
}

#[test]
fn vectors_that_went_are_written_out() {
    let dir = tempfile::tempdir().unwrap();
    let index = open(dir.path());
    let some = |from: u16, n: u16| {
        let documents = (from..from + n).map(|at| {
            let mut it = document(&format!("{at:04}"), "");
            it.language = Language::unknown();
            it.vector = Some(vec![f32::from(at % 97), f32::from(at % 31), 1.0]);
            it
        });
        entries(documents.collect())
    };
    let size = || -> u64 {
        let folders = fs::read_dir(dir.path().join("channels")).unwrap();
        let channel = folders.last().unwrap().unwrap().path();
        let builds = fs::read_dir(channel).unwrap().flatten();
        let build = builds.map(|it| it.path()).find(|it| it.is_dir()).unwrap();
        let files = fs::read_dir(build).unwrap().flatten();
        files
            .filter(|it| it.file_name().to_string_lossy().starts_with("vectors-"))
            .map(|it| it.metadata().unwrap().len())
            .sum()
    };
    apply(&index, "c", &some(0, 800));
    let of_800 = size();
    apply(&index, "c", &some(0, 800));
    assert!(size() > of_800 * 3 / 2, "few dead rows stay");
    apply(&index, "c", &some(0, 800));
    assert!(size() < of_800 * 3 / 2, "more than half are dead");
    let found = hits(&index, &["c"], &by_vector([96.0, 30.0, 1.0]));
    drop(index);
    let reopened = open(dir.path());
    assert_eq!(
        hits(&reopened, &["c"], &by_vector([96.0, 30.0, 1.0])),
        found
    );
    assert!(block_on(reopened.verify(&channel("c"))).unwrap().is_sound());
}
