//! Drives channels until it is told to stop.

use std::collections::BTreeMap;
use std::future::pending;
use std::pin::pin;
use std::time::Duration;

use futures::StreamExt;
use futures::future::{Either, select};
use futures::stream::FuturesUnordered;

use crate::channel::Channel;
use crate::error::{Error, Result, Retry};
use crate::maintain::Settled;
use crate::model::{ChannelId, Timestamp};
use crate::ports::Clock;

/// How a worker works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerSettings {
    /// How long a channel in which nothing is due is left before it is looked at again.
    pub tick: Duration,
    /// How long a channel is left after it failed, or while its model does not answer, where the
    /// failure does not say how long.
    pub pause: Duration,
    /// Channels that are worked on at the same time.
    pub max_channels: usize,
}

impl Default for WorkerSettings {
    fn default() -> Self {
        Self {
            tick: Duration::from_secs(10),
            pause: Duration::from_secs(30),
            max_channels: 4,
        }
    }
}

/// What a worker did, by channel.
pub type WorkerReport = BTreeMap<ChannelId, ChannelWork>;

/// What a worker did in a channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChannelWork {
    /// Turns that it was given.
    pub turns: u64,
    /// Conversations that were read.
    pub conversations: usize,
    /// Turns that failed.
    pub failures: u64,
    /// Turns that a model which does not answer cut short.
    pub outages: u64,
    /// How a turn failed last.
    pub last_error: Option<String>,
}

/// Gives channels turns, the one that waits longest first, until told to stop; what has begun by
/// then is finished.
///
/// A turn reads one chunk of the queue, and brings everything else up to it where nothing more is
/// due. So a large channel keeps no other from its turn; one that fails waits by itself, while it
/// holds nothing.
///
/// # Cancel safety
///
/// Safe: see [`settle`](super::settle).
pub(crate) async fn work(
    channels: Vec<Channel>,
    clock: &dyn Clock,
    settings: &WorkerSettings,
    stop: impl Future<Output = ()> + Send,
) -> WorkerReport {
    let mut stop = pin!(stop);
    let mut is_stopped = false;
    let mut report = WorkerReport::new();
    let begin = clock.now();
    let mut idle: Vec<(Timestamp, Channel)> = channels.into_iter().map(|it| (begin, it)).collect();
    let mut running = FuturesUnordered::new();
    loop {
        let now = clock.now();
        while !is_stopped && running.len() < settings.max_channels.max(1) {
            let Some(first) = first_due(&idle, now) else {
                break;
            };
            let (_, channel) = idle.remove(first);
            running.push(async move { (channel.turn().await, channel) });
        }
        if is_stopped && running.is_empty() {
            return report;
        }
        let is_full = is_stopped || running.len() >= settings.max_channels.max(1);
        let next = idle.iter().map(|(at, _)| *at).min().filter(|_| !is_full);
        let wait = pin!(async {
            match next {
                Some(at) => clock.sleep_until(at).await,
                None => pending().await,
            }
        });
        let end = pin!(async {
            match running.next().await {
                Some(end) => end,
                None => pending().await,
            }
        });
        let told = pin!(async {
            if is_stopped {
                pending::<()>().await;
            }
            stop.as_mut().await;
        });
        let ended = match select(told, select(end, wait)).await {
            Either::Left(((), _)) => {
                is_stopped = true;
                None
            }
            Either::Right((Either::Left((ended, _)), _)) => Some(ended),
            Either::Right((Either::Right(((), _)), _)) => None,
        };
        if let Some((settled, channel)) = ended {
            let told = report.entry(channel.id().clone()).or_default();
            let wait = note(told, &settled, settings);
            idle.push((clock.now().saturating_add(wait), channel));
        }
    }
}

/// The channel that waits longest of those that are due; of equal ones, the first.
fn first_due(idle: &[(Timestamp, Channel)], now: Timestamp) -> Option<usize> {
    let due = idle.iter().enumerate().filter(|(_, (at, _))| *at <= now);
    due.min_by_key(|(place, (at, _))| (*at, *place))
        .map(|(place, _)| place)
}

/// Notes what became of a turn; answers how long the channel is left.
fn note(work: &mut ChannelWork, settled: &Result<Settled>, settings: &WorkerSettings) -> Duration {
    work.turns += 1;
    let patience = |error: &Error| match error.retry() {
        Retry::After(wait) => wait,
        Retry::Now | Retry::Never => settings.pause,
    };
    match settled {
        Ok(settled) => {
            work.conversations += settled.extract.conversations;
            match &settled.extract.outage {
                Some(error) => {
                    work.outages += 1;
                    work.last_error = Some(error.to_string());
                    patience(error)
                }
                None if settled.extract.has_more => Duration::ZERO,
                None => settings.tick,
            }
        }
        Err(error) => {
            work.failures += 1;
            work.last_error = Some(error.to_string());
            patience(error)
        }
    }
}
