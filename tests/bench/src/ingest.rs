//! The command `ingest`: messages through the whole path, in at one end and settled at the other.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, ensure};
use atlas_core::model::Message;
use atlas_core::ports::{Embedder, EmbeddingSpace, Purpose};
use atlas_core::{Atlas, Settings, async_trait};

use crate::args::IngestArgs;
use crate::corpus::Corpus;
use crate::figures::{count, per};
use crate::stopwatch::Stopwatch;
use crate::stores::StoreKind;
use crate::{say, table, tell};

/// Messages of one call.
const BATCH: usize = 500;

/// One channel of one size, alone or beside others.
struct Figures {
    store: StoreKind,
    messages: usize,
    neighbours: usize,
    facts: usize,
    appended: f64,
    settled: f64,
    calls: u64,
    texts: usize,
}

impl Figures {
    /// Messages a second, from the first append to the last page.
    fn rate(&self) -> f64 {
        per(count(self.messages), self.appended + self.settled)
    }
}

/// Measures and prints.
///
/// # Errors
///
/// If a measurement fails or the output cannot be written.
pub(crate) fn run(args: &IngestArgs) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let least = args.messages.iter().copied().min().unwrap_or(1);
    let mut all = Vec::new();
    for store in &args.store {
        for messages in &args.messages {
            all.push(runtime.block_on(measure(args, *store, *messages, 0))?);
        }
        all.push(runtime.block_on(measure(args, *store, least, args.neighbours))?);
    }
    say(&table::aligned(&rows(&all)))
}

fn rows(all: &[Figures]) -> table::Rows {
    let head = [
        "store",
        "messages",
        "other channels",
        "facts",
        "append s",
        "settle s",
        "messages a second",
        "beside the smallest",
        "calls",
        "texts embedded",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for it in all {
        let smallest = all.iter().find(|other| other.store == it.store);
        let beside = smallest.map_or(1.0, |smallest| it.rate() / smallest.rate());
        rows.push(vec![
            it.store.to_string(),
            it.messages.to_string(),
            it.neighbours.to_string(),
            it.facts.to_string(),
            format!("{:.2}", it.appended),
            format!("{:.2}", it.settled),
            format!("{:.0}", it.rate()),
            format!("{beside:.2}"),
            it.calls.to_string(),
            it.texts.to_string(),
        ]);
    }
    rows
}

async fn measure(
    args: &IngestArgs,
    store: StoreKind,
    messages: usize,
    neighbours: usize,
) -> Result<Figures> {
    let dir = match &args.dir {
        Some(dir) => {
            fs::create_dir_all(dir)?;
            tempfile::tempdir_in(dir)
        }
        None => tempfile::tempdir(),
    };
    let dir = dir.context("cannot make a folder")?;
    let mut opened = store.open(dir.path(), args.durability).await?;
    let counting = Arc::new(Counting {
        inner: Arc::clone(&opened.parts.embedder),
        texts: AtomicUsize::new(0),
    });
    opened.parts.embedder = Arc::clone(&counting) as Arc<dyn Embedder>;
    let corpus = Corpus::new(args.seed);
    let atlas = Atlas::new(opened.parts.clone(), Settings::default())?;
    for number in 1..=neighbours {
        let channel = atlas.channel(Corpus::channel(number));
        let (_, settled) = channel
            .remember(&lines(&corpus, number, 0, messages)?)
            .await?;
        ensure!(settled.is_complete(), "channel {number} is not complete");
    }
    let channel = atlas.channel(Corpus::channel(0));
    let before = counting.texts.load(Ordering::Relaxed);
    let mut appended = 0.0;
    for from in (0..messages).step_by(BATCH) {
        let batch = lines(&corpus, 0, from, (from + BATCH).min(messages))?;
        let watch = Stopwatch::start();
        let receipt = channel.ingest(&batch).await?;
        appended += watch.elapsed().as_secs_f64();
        ensure!(receipt.accepted == batch.len(), "messages were refused");
    }
    let watch = Stopwatch::start();
    let settled = channel.settle().await?;
    let elapsed = watch.elapsed().as_secs_f64();
    ensure!(settled.is_complete(), "the channel is not complete");
    let texts = counting.texts.load(Ordering::Relaxed) - before;
    let facts = channel.facts().await?.len();
    opened.close().await;
    let figures = Figures {
        store,
        messages,
        neighbours,
        facts,
        appended,
        settled: elapsed,
        calls: settled.bill.total().calls,
        texts,
    };
    tell(&format!(
        "{store}: {messages} messages beside {neighbours} channels, {:.0} a second",
        figures.rate()
    ));
    Ok(figures)
}

/// Messages of one sentence each, four of a thread.
fn lines(corpus: &Corpus, channel: usize, from: usize, to: usize) -> Result<Vec<Message>> {
    (from..to)
        .map(|number| {
            let mut message = corpus.line(channel, number)?;
            let root = number - number % 4;
            if root != number {
                message.thread_root = Some(corpus.line(channel, root)?.id.native);
            }
            Ok(message)
        })
        .collect()
}

/// Counts what is embedded.
struct Counting {
    inner: Arc<dyn Embedder>,
    texts: AtomicUsize,
}

#[async_trait]
impl Embedder for Counting {
    fn space(&self) -> EmbeddingSpace {
        self.inner.space()
    }

    fn max_batch(&self) -> usize {
        self.inner.max_batch()
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> atlas_core::Result<Vec<Vec<f32>>> {
        self.texts.fetch_add(texts.len(), Ordering::Relaxed);
        self.inner.embed(texts, purpose).await
    }
}
