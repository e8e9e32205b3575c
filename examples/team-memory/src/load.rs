//! An export to settled channels.

use std::collections::BTreeMap;
use std::path::Path;

use atlas_core::Atlas;
use atlas_core::ingest::Receipt;
use atlas_core::maintain::{ChannelStats, Settled};
use atlas_core::model::{AuthorId, Message};
use atlas_import::{ExportChannel, ExportReader, Report, SlackExport};

use crate::failure::Failure;
use crate::progress::Bar;

/// Messages that are taken in at a time.
const BATCH: usize = 500;

/// What was read, channel by channel.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The account of the import.
    pub(crate) report: Report,
    /// The channels that were read, in the order of their ids.
    pub(crate) channels: Vec<LoadedChannel>,
    /// The names under which authors wrote, the latest of each.
    pub(crate) authors: BTreeMap<AuthorId, String>,
}

/// A channel after it was read and settled.
#[derive(Debug)]
pub(crate) struct LoadedChannel {
    /// As the export describes it.
    pub(crate) channel: ExportChannel,
    /// What became of its messages.
    pub(crate) receipt: Receipt,
    /// What settling did.
    pub(crate) settled: Settled,
    /// What it holds.
    pub(crate) holds: ChannelStats,
}

/// Opens an export.
///
/// # Errors
///
/// [`Failure::Input`] if it cannot be read.
pub(crate) fn open(path: &Path) -> Result<SlackExport, Failure> {
    SlackExport::open(path)
        .map_err(|error| Failure::Input(format!("{}: {}", path.display(), error.message())))
}

/// The channels that are to be read: those named, or all.
///
/// # Errors
///
/// [`Failure::Input`] for a name that no channel has.
pub(crate) fn choose(
    export: &SlackExport,
    names: &[String],
) -> Result<Vec<ExportChannel>, Failure> {
    let is_named = |channel: &ExportChannel, name: &str| {
        let name = name.trim_start_matches('#');
        channel.name == name || channel.id.as_str() == name
    };
    let all = export.channels();
    for name in names {
        if !all.iter().any(|channel| is_named(channel, name)) {
            let known: Vec<&str> = all.iter().map(|it| it.name.as_str()).collect();
            return Err(Failure::Input(format!(
                "there is no channel {name}; there are {}",
                known.join(", ")
            )));
        }
    }
    let is_chosen =
        |channel: &&ExportChannel| names.is_empty() || names.iter().any(|it| is_named(channel, it));
    Ok(all.iter().filter(is_chosen).cloned().collect())
}

/// Reads the channels and settles each, with a bar to watch.
///
/// # Errors
///
/// What the stores fail with.
pub(crate) async fn load(
    atlas: &Atlas,
    export: &SlackExport,
    chosen: &[ExportChannel],
) -> Result<Loaded, Failure> {
    let bar = Bar::new(chosen.len());
    let mut loaded = Loaded {
        report: export.opening().clone(),
        channels: Vec::new(),
        authors: BTreeMap::new(),
    };
    for (nth, channel) in chosen.iter().enumerate() {
        bar.begin(nth, &channel.name);
        let (receipt, report) = ingest(atlas, export, channel, &mut loaded.authors).await?;
        loaded.report.merge(&report);
        let handle = atlas.channel(channel.id.clone());
        let settled = handle.settle_with(&bar).await?;
        let holds = handle.stats().await?;
        loaded.channels.push(LoadedChannel {
            channel: channel.clone(),
            receipt,
            settled,
            holds,
        });
    }
    bar.end();
    Ok(loaded)
}

async fn ingest(
    atlas: &Atlas,
    export: &SlackExport,
    channel: &ExportChannel,
    authors: &mut BTreeMap<AuthorId, String>,
) -> Result<(Receipt, Report), Failure> {
    let handle = atlas.channel(channel.id.clone());
    let mut messages = export.messages(&channel.id)?;
    let mut whole = Receipt::default();
    loop {
        let batch: Vec<Message> = messages.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return Ok((whole, messages.report().clone()));
        }
        for author in batch.iter().map(|it| &it.author) {
            authors.insert(author.id.clone(), author.name.clone());
        }
        let receipt = handle.ingest(&batch).await?;
        whole.accepted += receipt.accepted;
        whole.changed += receipt.changed;
        whole.unchanged += receipt.unchanged;
        whole.refused.extend(receipt.refused);
        whole.queued += receipt.queued;
    }
}
