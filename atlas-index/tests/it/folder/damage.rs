//! Damaged files: an earlier state, a state to be built again, or an error; never a wrong answer.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use atlas_core::ports::{Cursor, FactIndex, IndexEntry, IndexHit, Leg, SearchRequest};
use atlas_core::{ErrorKind, Retry};
use futures::executor::block_on;

use super::kind::{Index, open};
use super::setup::{
    across, apply, by_vector, by_words, channel, cursor, document, entries, hits, request,
    try_apply,
};

const N_BATCHES: u64 = 4;

fn batch(round: u64) -> Vec<IndexEntry> {
    let documents = (0..6_u8).map(|at| {
        let id = (round * 4 + u64::from(at)) % 13;
        let mut it = document(&format!("d{id:02}"), &format!("alpha w{at} round{round}"));
        it.vector = Some(vec![f32::from(at), 1.0, 0.5]);
        it.tags = vec![format!("tag{}", at % 2)];
        it
    });
    entries(documents.collect())
}

fn requests() -> [SearchRequest; 4] {
    let mut tagged = by_vector([2.0, 1.0, 0.0]);
    tagged.filter.tags = vec!["tag1".to_owned()];
    [
        by_words("alpha w3 round2"),
        by_vector([5.0, 1.0, 0.0]),
        request(Leg::Recent),
        tagged,
    ]
}

type Answers = [Vec<IndexHit>; 4];

fn answers(index: &Index) -> Answers {
    requests().map(|it| hits(index, &["c"], &it))
}

/// Builds what is damaged, and what each prefix of its feed answers.
fn built(dir: &Path) -> BTreeMap<u64, Answers> {
    let index = open(dir);
    let mut known = BTreeMap::new();
    known.insert(0, answers(&index));
    for round in 0..N_BATCHES {
        apply(&index, "c", &batch(round));
        known.insert(round + 1, answers(&index));
    }
    known
}

fn files(dir: &Path, into: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, into);
        } else {
            into.push(path);
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &place);
        } else {
            fs::copy(&path, &place).unwrap();
        }
    }
}

/// Follows the feed from where the index stands, as catching up does.
fn catch_up(index: &Index) {
    for _ in 0..=N_BATCHES {
        let from = block_on(index.applied(&channel("c"))).unwrap().revision.0;
        if from < N_BATCHES {
            try_apply(index, "c", (0, from, from + 1), &batch(from)).unwrap();
        }
    }
}

/// Numbers that look like chance.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below.max(1)
    }
}

#[derive(Debug, Default)]
struct Seen {
    unharmed: usize,
    earlier: usize,
    rebuilt: usize,
    at_touch: usize,
}

/// One damage to one file of a copy: what it does to the answers, and whether catching up heals it.
fn try_damage(whole: &Path, known: &BTreeMap<u64, Answers>, dice: &mut Dice, seen: &mut Seen) {
    let dir = tempfile::tempdir().unwrap();
    copy(whole, dir.path());
    let mut paths = Vec::new();
    files(dir.path(), &mut paths);
    paths.retain(|it| it.extension().is_none_or(|it| it != "lock"));
    let path = &paths[dice.roll(paths.len())];
    let mut bytes = fs::read(path).unwrap();
    let at = dice.roll(bytes.len());
    let what = match dice.roll(4) {
        0 => {
            fs::remove_file(path).unwrap();
            "removed"
        }
        1 => {
            bytes.truncate(at);
            fs::write(path, &bytes).unwrap();
            "cut"
        }
        _ if bytes.is_empty() => return,
        _ => {
            bytes[at] ^= 1 << dice.roll(8);
            fs::write(path, &bytes).unwrap();
            "flipped"
        }
    };
    let what = format!("{what} at {at}: {}", path.display());
    let index = open(dir.path());
    let applied = block_on(index.applied(&channel("c"))).unwrap();
    let mut is_touched = false;
    for (at, it) in requests().iter().enumerate() {
        match block_on(index.search(&across(&["c"]), it)) {
            Ok(found) => {
                let expected = &known[&applied.revision.0][at];
                assert!(
                    is_touched || found == *expected,
                    "{what}: {it:?} gave {found:?}"
                );
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Corrupt, "{what}: {error}");
                assert_eq!(error.retry(), Retry::Now, "{what}");
                is_touched = true;
            }
        }
    }
    let is_start = block_on(index.applied(&channel("c"))).unwrap() == Cursor::start();
    match (is_touched, applied.revision.0) {
        (true, revision) => {
            assert!(is_start, "{what}: it is not built again");
            if revision == 0 {
                seen.rebuilt += 1;
            } else {
                seen.at_touch += 1;
            }
        }
        (false, 0) => seen.rebuilt += 1,
        (false, N_BATCHES) => seen.unharmed += 1,
        (false, _) => seen.earlier += 1,
    }
    // What no search has touched, a check finds.
    block_on(index.verify(&channel("c"))).unwrap();
    catch_up(&index);
    assert_eq!(
        answers(&index),
        known[&N_BATCHES],
        "{what}: after catching up"
    );
    let verification = block_on(index.verify(&channel("c"))).unwrap();
    assert!(verification.is_sound(), "{what}: {verification:?}");
}

#[test]
fn damage_never_gives_a_wrong_answer() {
    const N_DAMAGES: usize = 60;
    let whole = tempfile::tempdir().unwrap();
    let known = built(whole.path());
    let mut dice = Dice(7);
    let mut seen = Seen::default();
    for _ in 0..N_DAMAGES {
        try_damage(whole.path(), &known, &mut dice, &mut seen);
    }
    #[expect(clippy::print_stdout, reason = "says what it has tried")]
    {
        println!("{N_DAMAGES} damages: {seen:?}");
    }
    assert!(seen.rebuilt > N_DAMAGES / 5, "{seen:?}");
    assert!(seen.unharmed > 0, "{seen:?}");
}

#[test]
fn a_damaged_vector_is_met_midway() {
    let dir = tempfile::tempdir().unwrap();
    let known = built(dir.path());
    let mut paths = Vec::new();
    files(dir.path(), &mut paths);
    let rows = paths
        .iter()
        .find(|it| it.extension().is_some_and(|it| it == "rows"))
        .unwrap();
    let mut bytes = fs::read(rows).unwrap();
    // The number in each row that no checksum of the codes guards.
    for byte in bytes.iter_mut().skip(33).step_by(16) {
        *byte ^= 1;
    }
    fs::write(rows, &bytes).unwrap();
    let index = open(dir.path());
    assert_eq!(
        block_on(index.applied(&channel("c"))).unwrap(),
        cursor(N_BATCHES)
    );
    let [words, vector, ..] = requests();
    let error = block_on(index.search(&across(&["c"]), &vector)).unwrap_err();
    assert_eq!(
        (error.kind(), error.retry()),
        (ErrorKind::Corrupt, Retry::Now)
    );
    // It is known from now on, to other handles and for other legs too.
    for index in [&index, &open(dir.path())] {
        assert_eq!(
            block_on(index.applied(&channel("c"))).unwrap(),
            Cursor::start()
        );
        let error = block_on(index.search(&across(&["c"]), &words)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert!(!block_on(index.verify(&channel("c"))).unwrap().is_sound());
    }
    catch_up(&index);
    assert_eq!(answers(&index), known[&N_BATCHES]);
}

#[test]
fn the_folder_of_another_channel_is_no_answer() {
    let dir = tempfile::tempdir().unwrap();
    let index = open(dir.path());
    apply(&index, "c", &batch(0));
    let folder_of = |dir: &Path| {
        fs::read_dir(dir.join("channels"))
            .unwrap()
            .last()
            .unwrap()
            .unwrap()
            .path()
    };
    let of_c = folder_of(dir.path());
    let other = tempfile::tempdir().unwrap();
    let index = open(other.path());
    apply(&index, "d", &entries(vec![document("1", "alpha")]));
    let of_d = folder_of(other.path());
    drop(index);
    fs::remove_dir_all(&of_d).unwrap();
    copy(&of_c, &of_d);
    let index = open(other.path());
    assert_eq!(
        block_on(index.applied(&channel("d"))).unwrap(),
        Cursor::start()
    );
    let error = block_on(index.search(&across(&["d"]), &by_words("alpha"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
}
