//! Brings everything that is derived up to the messages.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::progress::{Observer, Progress, StageName};
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::extract::{ExtractReport, Turn};
use crate::graph::GraphReport;
use crate::ingest::{intake, waiting};
use crate::lifecycle::LifecycleReport;
use crate::model::Bill;
use crate::ports::{ChannelScope, Partition};
use crate::project::{CaughtUp, catch_up};
use crate::settings::Settings;
use crate::topic::TopicReport;
use crate::wiki::WikiReport;
use crate::{extract, graph, lifecycle, topic, wiki};

/// How often a stage decides again when another writer came first.
const TRIES: usize = 5;

/// What settling did.
#[derive(Debug, Default)]
pub struct Settled {
    /// What extraction did.
    pub extract: ExtractReport,
    /// What judging did.
    pub lifecycle: LifecycleReport,
    /// What the graph stage did.
    pub graph: GraphReport,
    /// What the topic stage did.
    pub topic: TopicReport,
    /// What the wiki stage did.
    pub wiki: WikiReport,
    /// What catching up did, at the end.
    pub index: CaughtUp,
    /// Conversations that still wait for extraction.
    pub waiting: usize,
    /// What models were asked for it and what that came to.
    pub bill: Bill,
}

impl Settled {
    /// Calls of models, over all stages.
    pub fn n_calls(&self) -> usize {
        self.extract.n_calls + self.lifecycle.n_calls + self.topic.n_calls + self.wiki.n_calls
    }

    /// Whether nothing waits: neither a conversation nor a fact, topic or page whose model failed.
    pub fn is_complete(&self) -> bool {
        self.waiting == 0
            && !self.extract.has_more
            && self.extract.outage.is_none()
            && self.lifecycle.waiting == 0
            && self.topic.failed.is_empty()
            && self.wiki.failed.is_empty()
    }
}

/// Runs every stage in order, each from its checkpoint. A turn of one chunk ends after it if more is
/// due.
///
/// # Errors
///
/// What the stores fail with; [`ErrorKind::Conflict`] if other writers kept coming first. What was
/// committed stays, and settling again goes on from there. A model that fails is no error: what it
/// failed on waits, and the report says so.
///
/// # Cancel safety
///
/// Safe: every stage commits whole steps.
pub async fn settle(
    parts: &Components,
    channel: &ChannelScope,
    settings: &Settings,
    turn: Turn,
    observer: &dyn Observer,
) -> Result<Settled> {
    let mut settled = Settled::default();
    let step = |stage, done, total| observer.progress(Progress { stage, done, total });

    step(StageName::Ingest, 0, 1);
    let mut tries = Tries::default();
    while let Err(error) = intake(parts, channel, settings.extract.reads_bots).await {
        tries.again(error)?;
    }
    let total = n_waiting(parts, channel).await?;
    step(StageName::Ingest, 1, 1);

    let done = AtomicUsize::new(0);
    step(StageName::Extract, 0, total);
    let on_chunk = |read: usize| {
        let before = done.fetch_add(read, Ordering::Relaxed);
        step(StageName::Extract, (before + read).min(total), total);
    };
    let mut tries = Tries::default();
    settled.extract = loop {
        match extract::run(parts, channel, &settings.extract, turn, &on_chunk).await {
            Ok(report) => break report,
            Err(error) => tries.again(error)?,
        }
    };

    if settled.extract.has_more {
        settled.waiting = n_waiting(parts, channel).await?;
        return Ok(settled);
    }

    // Judging looks for neighbours in the index: it must know every fact.
    step(StageName::Lifecycle, 0, 1);
    let mut tries = Tries::default();
    settled.lifecycle = loop {
        catch_up(parts, channel).await?;
        match lifecycle::run(parts, channel, &settings.lifecycle).await {
            Ok(report) => break report,
            Err(error) => tries.again(error)?,
        }
    };
    step(StageName::Lifecycle, 1, 1);

    step(StageName::Graph, 0, 1);
    let mut tries = Tries::default();
    settled.graph = loop {
        match graph::run(parts, channel, &settings.graph).await {
            Ok(report) => break report,
            Err(error) => tries.again(error)?,
        }
    };
    step(StageName::Graph, 1, 1);

    step(StageName::Topic, 0, 1);
    let mut tries = Tries::default();
    settled.topic = loop {
        match topic::run(parts, channel, &settings.topic).await {
            Ok(report) => break report,
            Err(error) => tries.again(error)?,
        }
    };
    step(StageName::Topic, 1, 1);

    step(StageName::Wiki, 0, 1);
    let mut tries = Tries::default();
    settled.wiki = loop {
        match wiki::run(parts, channel, &settings.wiki).await {
            Ok(report) => break report,
            Err(error) => tries.again(error)?,
        }
    };
    step(StageName::Wiki, 1, 1);

    step(StageName::Index, 0, 1);
    settled.index = catch_up(parts, channel).await?;
    intake(parts, channel, settings.extract.reads_bots).await?;
    settled.waiting = n_waiting(parts, channel).await?;
    step(StageName::Index, 1, 1);
    Ok(settled)
}

async fn n_waiting(parts: &Components, channel: &ChannelScope) -> Result<usize> {
    let items = waiting(parts.records.as_ref(), &Partition::of(channel)).await?;
    Ok(items.len())
}

/// Counts how often another writer came first.
#[derive(Default)]
struct Tries(usize);

impl Tries {
    /// Lets a conflict pass a few times; everything else is handed on.
    fn again(&mut self, error: Error) -> Result<()> {
        self.0 += 1;
        if error.kind() == ErrorKind::Conflict && self.0 < TRIES {
            Ok(())
        } else {
            Err(error)
        }
    }
}
