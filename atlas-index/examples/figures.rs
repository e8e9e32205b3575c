//! Prints what an index in a folder costs: `cargo run --release -p atlas-index --example figures`.
//!
//! Arguments: documents (100000), width of the vectors (512), neighbours of a fiftieth of that (20).

#![expect(clippy::print_stdout, reason = "this is what it is for")]
#![expect(clippy::disallowed_methods, reason = "it measures time")]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use atlas_core::model::{
    AuthorId, ChannelId, ContentHash, FactKind, Interval, Language, Timestamp,
};
use atlas_core::ports::{
    Batch, ChannelScope, Collection, Cursor, Document, DocumentKind, DocumentState, EmbeddingSpace,
    Epoch, FactIndex, Filter, IndexEntry, Key, Leg, Revision, Scope, SearchRequest, Visibility,
};
use atlas_index::{FolderFactIndex, FolderSettings};
use futures::executor::block_on;
use simsimd::SpatialSimilarity;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Numbers that look like chance.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// In `-1.0..1.0`, nearer to nought than not.
    fn number(&mut self) -> f32 {
        let mut sum = 0.0;
        for _ in 0..3 {
            let high = u16::try_from(self.roll() & 0xffff).unwrap_or_default();
            sum += f32::from(high) / 32_768.0 - 1.0;
        }
        sum / 3.0
    }

    /// A vector near one of so many themes, of length one.
    fn vector(&mut self, width: usize, n_themes: u64) -> Vec<f32> {
        let mut theme = Self(self.roll() % n_themes + 99);
        let numbers: Vec<f32> = (0..width)
            .map(|_| 0.6 * theme.number() + self.number())
            .collect();
        let length = numbers.iter().map(|it| it * it).sum::<f32>().sqrt();
        numbers.into_iter().map(|it| it / length).collect()
    }

    /// Words, few of which are frequent.
    fn text(&mut self, n_words: usize) -> String {
        let words: Vec<String> = (0..n_words)
            .map(|_| {
                let rarity = 1 << (self.roll() % 14);
                format!("word{}", self.roll() % rarity)
            })
            .collect();
        words.join(" ")
    }
}

fn document(dice: &mut Dice, id: usize, width: usize) -> Outcome<Document> {
    let at = Timestamp::from_micros(i64::try_from(id)? * 1_000_000)?;
    Ok(Document {
        kind: DocumentKind::Fact,
        id: format!("fact-{id:08}"),
        text: dice.text(14),
        language: Language::new("en"),
        vector: Some(dice.vector(width, 2_000)),
        state: DocumentState::Current,
        validity: vec![Interval::since(at)],
        recorded_at: at,
        said_at: at,
        fact_kind: Some(FactKind::Observation),
        tags: vec![format!("tag{}", id % 50), format!("part{}", id % 5)],
        authors: vec![AuthorId::new(format!("U{}", id % 40))],
        entities: Vec::new(),
    })
}

fn cursor(revision: u64) -> Cursor {
    if revision == 0 {
        return Cursor::start();
    }
    Cursor {
        revision: Revision(revision),
        digest: ContentHash::of(&revision.to_le_bytes()),
    }
}

/// Writes documents in batches. Answers how long the index took.
fn fill(
    index: &FolderFactIndex,
    name: &str,
    (n_documents, at_a_time, width): (usize, usize, usize),
    dice: &mut Dice,
) -> Outcome<Duration> {
    let channel = ChannelScope::new(ChannelId::new(name));
    let mut spent = Duration::ZERO;
    let applied = block_on(index.applied(&channel))?.revision.0;
    let first = usize::try_from(block_on(index.stats(&channel))?.n_documents)?;
    let ids: Vec<usize> = (first..first + n_documents).collect();
    for (revision, ids) in (applied..).zip(ids.chunks(at_a_time)) {
        let mut entries = Vec::new();
        for id in ids {
            let document = document(dice, *id, width)?;
            entries.push(IndexEntry {
                origin: Key::new(Collection::literal("fact"), document.id.as_str()),
                documents: vec![document],
            });
        }
        let begun = Instant::now();
        block_on(index.apply(
            &channel,
            Batch {
                epoch: Epoch(0),
                from: &cursor(revision),
                to: &cursor(revision + 1),
                entries: &entries,
            },
        ))?;
        spent += begun.elapsed();
    }
    Ok(spent)
}

/// Prints the middle and the slow end of what a question takes.
fn measure(what: &str, n: usize, mut ask: impl FnMut() -> Outcome<usize>) -> Outcome<()> {
    let mut times = Vec::new();
    let mut n_hits = 0;
    for at in 0..n + 10 {
        let begun = Instant::now();
        n_hits += ask()?;
        // The first warm up.
        if at >= 10 {
            times.push(begun.elapsed());
        }
    }
    times.sort();
    let at = |part: usize| {
        times
            .get(times.len() * part / 100)
            .copied()
            .unwrap_or_default()
    };
    println!(
        "{what:<28} p50 {:>9.3?}  p95 {:>9.3?}  p99 {:>9.3?}  {n_hits} hits",
        at(50),
        at(95),
        at(99)
    );
    Ok(())
}

fn n_bytes(dir: &Path) -> Outcome<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        sum += if entry.file_type()?.is_dir() {
            n_bytes(&entry.path())?
        } else {
            entry.metadata()?.len()
        };
    }
    Ok(sum)
}

/// Resident bytes of this process, where the system tells: all, and what is not a mapped file.
fn resident() -> (u64, u64) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| -> u64 {
        let line = status.lines().find(|line| line.starts_with(name));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number
            .and_then(|it| it.parse::<u64>().ok())
            .unwrap_or_default()
            * 1024
    };
    (field("VmRSS:"), field("RssAnon:"))
}

/// What the products of a scan cost by themselves, on one thread.
fn floor(n_rows: usize, width: usize) -> Outcome<()> {
    let mut dice = Dice(3);
    let mut codes = |n: usize| -> Vec<i8> {
        (0..n)
            .map(|_| i8::try_from(dice.roll() % 255).unwrap_or(-127))
            .collect()
    };
    let (rows, to) = (codes(n_rows * width), codes(width));
    measure("products alone, one thread", 100, || {
        let products = rows.chunks_exact(width).map(|row| i8::dot(row, &to));
        Ok(products.filter(|it| it.is_some_and(|it| it > 1e6)).count())
    })
}

fn questions(index: &FolderFactIndex, width: usize, filter: &Filter, label: &str) -> Outcome<()> {
    let scope = Scope::from(&ChannelScope::new(ChannelId::new("main")));
    let search = |leg| -> Outcome<usize> {
        let request = SearchRequest {
            leg,
            visibility: Visibility::default(),
            filter: filter.clone(),
            limit: 20,
        };
        Ok(block_on(index.search(&scope, &request))?.len())
    };
    let mut dice = Dice(5);
    measure(&format!("{label}dense"), 300, || {
        search(Leg::Dense {
            vector: dice.vector(width, 2_000),
        })
    })?;
    let mut dice = Dice(6);
    measure(&format!("{label}lexical, 3 words"), 300, || {
        search(Leg::Lexical { text: dice.text(3) })
    })?;
    let mut dice = Dice(7);
    measure(&format!("{label}hybrid"), 300, || {
        let dense = search(Leg::Dense {
            vector: dice.vector(width, 2_000),
        })?;
        Ok(dense + search(Leg::Lexical { text: dice.text(3) })?)
    })?;
    measure(&format!("{label}recent"), 300, || search(Leg::Recent))
}

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| -> Outcome<usize> {
        Ok(arguments.next().map_or(Ok(default), |it| it.parse())?)
    };
    let (n_documents, width, n_neighbours) = (number(100_000)?, number(512)?, number(20)?);
    let space = EmbeddingSpace {
        model: "figures".to_owned(),
        revision: "1".to_owned(),
        dimensions: width,
        is_normalised: true,
    };
    let dir = tempfile::tempdir()?;
    let open = || FolderFactIndex::open(dir.path(), space.clone(), FolderSettings::default());
    let mut dice = Dice(1);
    let index = open()?;
    let spent = fill(&index, "main", (n_documents, 2_000, width), &mut dice)?;
    println!("{n_documents} documents x {width} indexed in {spent:.2?}");
    let bytes = n_bytes(dir.path())?;
    println!(
        "{bytes} bytes on disk, {} a document",
        bytes / n_documents.max(1) as u64
    );
    drop(index);

    let before = resident();
    let begun = Instant::now();
    let index = open()?;
    let opened = begun.elapsed();
    let scope = Scope::from(&ChannelScope::new(ChannelId::new("main")));
    let ask = |leg| -> Outcome<usize> {
        let request = SearchRequest {
            leg,
            visibility: Visibility::default(),
            filter: Filter::default(),
            limit: 20,
        };
        Ok(block_on(index.search(&scope, &request))?.len())
    };
    ask(Leg::Lexical {
        text: "word1 word7".to_owned(),
    })?;
    let by_words = begun.elapsed();
    ask(Leg::Dense {
        vector: dice.vector(width, 2_000),
    })?;
    let by_meaning = begun.elapsed();
    println!(
        "opened after {opened:.2?}, first words after {by_words:.2?}, first vectors after {by_meaning:.2?}"
    );
    let after = resident();
    println!(
        "resident bytes a document: {} in all, {} besides mapped files",
        after.0.saturating_sub(before.0) / n_documents.max(1) as u64,
        after.1.saturating_sub(before.1) / n_documents.max(1) as u64
    );
    floor(n_documents, width)?;
    questions(&index, width, &Filter::default(), "")?;
    for (label, tag) in [("2 %: ", "tag7"), ("20 %: ", "part3")] {
        let filter = Filter {
            tags: vec![tag.to_owned()],
            ..Filter::default()
        };
        questions(&index, width, &filter, label)?;
    }
    for at in 0..n_neighbours {
        fill(
            &index,
            &format!("n{at}"),
            (n_documents / 50, 2_000, width),
            &mut dice,
        )?;
    }
    questions(&index, width, &Filter::default(), "with neighbours: ")?;
    let spent = fill(&index, "main", (200, 10, width), &mut dice)?;
    println!("a batch of 10: {:.2?}", spent / 20);
    Ok(())
}
