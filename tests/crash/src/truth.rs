//! The unbroken run in memory that a folder is compared with, operation by operation.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use atlas_core::model::ChannelId;
use serde_json::Value;

use crate::compare::{Findings, must_equal, must_lie_between};
use crate::ops::{Op, perform};
use crate::state::{Inspection, State, state};
use crate::world::World;

/// A run in memory with the state of every channel.
#[derive(Debug)]
pub struct Truth {
    world: World,
    states: BTreeMap<ChannelId, State>,
    /// The operation that was begun and not acknowledged: its channel and the state before it.
    open: Option<(ChannelId, State)>,
}

impl Truth {
    /// Nothing happened yet.
    ///
    /// # Errors
    ///
    /// What the parts fail with.
    pub async fn new(channels: &[ChannelId]) -> Result<Self> {
        let world = World::in_memory()?;
        let mut states = BTreeMap::new();
        for channel in channels {
            states.insert(channel.clone(), state(&world, channel).await?);
        }
        Ok(Self {
            world,
            states,
            open: None,
        })
    }

    /// Performs an operation that is about to be sent, and answers what must be seen.
    ///
    /// # Errors
    ///
    /// What the operation fails with.
    pub async fn begin(&mut self, op: &Op) -> Result<Value> {
        let seen = perform(&self.world, op, &|_| {})
            .await
            .with_context(|| format!("{} of {} in memory", op.name, op.channel))?;
        let after = state(&self.world, &op.channel).await?;
        let before = self.states.insert(op.channel.clone(), after);
        self.open = Some((op.channel.clone(), before.unwrap_or_default()));
        Ok(seen)
    }

    /// The operation was acknowledged.
    pub fn acknowledge(&mut self) {
        self.open = None;
    }

    /// The channels of the run.
    pub fn channels(&self) -> Vec<ChannelId> {
        self.states.keys().cloned().collect()
    }

    /// The state of every channel.
    pub fn states(&self) -> &BTreeMap<ChannelId, State> {
        &self.states
    }

    /// The run itself.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Whether the folder does not show the operation that is open at all, or shows it whole.
    pub fn shows_open(&self, inspection: &Inspection) -> Shown {
        let Some((channel, before)) = &self.open else {
            return Shown::Whole;
        };
        match inspection.channels.get(channel) {
            seen if seen == self.states.get(channel) => Shown::Whole,
            Some(seen) if seen == before => Shown::Nothing,
            _ => Shown::Half,
        }
    }

    /// Compares a folder that shows everything that was acknowledged, and of the operation that is
    /// open nothing, some or all.
    pub fn compare(&self, inspection: &Inspection) -> Findings {
        self.compare_with(inspection, self.open.as_ref())
    }

    /// Compares a folder that must show the operation that is open, too.
    pub fn compare_finished(&self, inspection: &Inspection) -> Findings {
        self.compare_with(inspection, None)
    }

    fn compare_with(&self, inspection: &Inspection, open: Option<&(ChannelId, State)>) -> Findings {
        let mut findings = Findings::default();
        findings
            .violated
            .extend(inspection.problems.iter().map(|it| format!("verify: {it}")));
        for (channel, after) in &self.states {
            let Some(seen) = inspection.channels.get(channel) else {
                findings.lost.push(format!("channel {channel}"));
                continue;
            };
            let of_channel = match open {
                Some((open, before)) if open == channel => must_lie_between(before, after, seen),
                _ => must_equal(after, seen),
            };
            findings.extend(channel.as_str(), of_channel);
        }
        findings
    }
}

/// How much of an operation a folder shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// As if it had never been sent.
    Nothing,
    /// Some of it.
    Half,
    /// As if it had been acknowledged.
    Whole,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{History, channels};
    use crate::world::runtime;

    const OPS: usize = 36;

    /// Runs a history, each operation so many times in a row.
    fn run(seed: u64, times: usize) -> Truth {
        let channels = channels(2);
        let log = History::new(seed, &channels, "m")
            .unwrap()
            .log(OPS)
            .unwrap();
        runtime().unwrap().block_on(async {
            let mut truth = Truth::new(&channels).await.unwrap();
            for op in &log {
                let first = truth.begin(op).await.unwrap();
                for _ in 1..times {
                    assert_eq!(truth.begin(op).await.unwrap(), first, "{op:?}");
                }
                truth.acknowledge();
            }
            truth
        })
    }

    #[test]
    fn what_is_sent_twice_is_done_once() {
        let once = run(7, 1);
        let twice = run(7, 2);
        for (channel, state) in once.states() {
            let found = must_equal(state, &twice.states()[channel]);
            assert_eq!(found, Findings::default(), "{channel}");
        }
    }

    #[test]
    fn a_history_has_everything_that_can_be_lost() {
        let truth = run(7, 1);
        for (channel, state) in truth.states() {
            assert_eq!(state.violations, [], "{channel}");
            assert_eq!(state.repeated, [""; 0], "{channel}");
            let has = |prefix: &str| {
                let all = state.knowledge.keys().chain(state.written.keys());
                all.filter(|key| key.starts_with(prefix)).count()
            };
            for prefix in [
                "outcome/",
                "fact/",
                "judgement/",
                "standing/",
                "entity/",
                "page/",
            ] {
                assert!(has(prefix) > 0, "{channel} has no {prefix}");
            }
            assert!(state.documents.1 > 0, "{channel} has no vector");
        }
        let mut turns = truth.states().values().flat_map(|it| &it.turns);
        assert!(turns.next().is_some(), "nothing was asked");
        let mut versions = truth.states().values().flat_map(|it| it.versions.values());
        assert!(versions.any(|it| it.len() > 1), "nothing was edited");
    }

    #[test]
    fn a_folder_is_compared_with_what_was_acknowledged() {
        let channels = channels(1);
        let log = History::new(3, &channels, "m").unwrap().log(12).unwrap();
        runtime().unwrap().block_on(async {
            let mut truth = Truth::new(&channels).await.unwrap();
            let mut folder = Inspection::default();
            for op in &log {
                truth.begin(op).await.unwrap();
                folder.channels = truth.states().clone();
                assert_eq!(truth.shows_open(&folder), Shown::Whole);
                assert_eq!(truth.compare(&folder), Findings::default());
                truth.acknowledge();
                assert_eq!(truth.compare(&folder), Findings::default());
            }
            let state = folder.channels.values_mut().next().unwrap();
            let (id, _) = state.messages.pop_first().unwrap();
            let lost = truth.compare(&folder).lost;
            let told = format!("harbour: message {id},");
            assert!(lost.len() == 1 && lost[0].starts_with(&told), "{lost:?}");
        });
    }
}
