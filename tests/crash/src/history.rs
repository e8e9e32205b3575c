//! Histories: logs of operations that are drawn from the table by a seed.

use anyhow::{Context, Result};
use atlas_core::model::{ChannelId, Timestamp};
use fastrand::Rng;

use crate::ops::{Kind, Op, TABLE};
use crate::talk::Talk;

/// Draws from a table until something can be done.
const DRAWS: usize = 64;

/// Makes operations one after another. The same seed makes the same operations.
#[derive(Debug)]
pub struct History {
    rng: Rng,
    talks: Vec<Talk>,
    channels: Vec<ChannelId>,
    n: u64,
    now: Timestamp,
}

impl History {
    /// An empty history of channels. Ids of messages begin with the prefix.
    ///
    /// # Errors
    ///
    /// If there is no channel.
    pub fn new(seed: u64, channels: &[ChannelId], prefix: &str) -> Result<Self> {
        anyhow::ensure!(!channels.is_empty(), "a history needs a channel");
        Ok(Self {
            rng: Rng::with_seed(seed),
            talks: channels
                .iter()
                .map(|it| Talk::new(it.clone(), prefix))
                .collect(),
            channels: channels.to_vec(),
            n: 0,
            now: "2026-03-02T08:00:00Z".parse()?,
        })
    }

    /// The whole log: as many operations, and a settle of each channel after them.
    ///
    /// # Errors
    ///
    /// See [`History::draw`].
    pub fn log(mut self, n_ops: usize) -> Result<Vec<Op>> {
        let mut log = Vec::with_capacity(n_ops + self.channels.len());
        while log.len() < n_ops {
            log.push(self.draw(TABLE)?);
        }
        for place in 0..self.talks.len() {
            log.extend(self.named("settle", place)?);
        }
        Ok(log)
    }

    /// Draws an operation from rows of the table.
    ///
    /// # Errors
    ///
    /// If none of the rows has anything to be done with.
    pub fn draw(&mut self, rows: &[&'static dyn Kind]) -> Result<Op> {
        let total: u32 = rows.iter().map(|it| it.weight()).sum();
        for _ in 0..DRAWS {
            let mut at = self.rng.u32(0..total.max(1));
            let row = rows.iter().find(|it| match at.checked_sub(it.weight()) {
                Some(rest) => {
                    at = rest;
                    false
                }
                None => true,
            });
            let place = self.rng.usize(0..self.talks.len());
            if let Some(op) = row.and_then(|row| self.make(*row, place)) {
                return Ok(op);
            }
        }
        anyhow::bail!("nothing can be done next")
    }

    /// An operation of that name in the channel at that place, if there is one to be done.
    ///
    /// # Errors
    ///
    /// If there is no such row.
    pub fn named(&mut self, name: &str, place: usize) -> Result<Option<Op>> {
        let row = crate::ops::kind(name)?;
        Ok(self.make(row, place))
    }

    fn make(&mut self, row: &dyn Kind, place: usize) -> Option<Op> {
        let minutes = self.rng.i64(1..90);
        let at = self.now.saturating_add_micros(minutes * 60_000_000);
        let talk = self.talks.get_mut(place)?;
        let args = row.make(talk, &mut self.rng, at)?;
        self.now = at;
        let op = Op {
            n: self.n,
            name: row.name().to_owned(),
            channel: self.channels.get(place)?.clone(),
            at,
            args,
        };
        self.n += 1;
        Some(op)
    }
}

/// As many channels, by name.
pub fn channels(n: usize) -> Vec<ChannelId> {
    ["harbour", "meadow", "quarry", "orchard"]
        .into_iter()
        .take(n)
        .map(ChannelId::new)
        .collect()
}

/// The rows of those names.
///
/// # Errors
///
/// If one of them is not in the table.
pub fn rows(names: &[&str]) -> Result<Vec<&'static dyn Kind>> {
    names
        .iter()
        .map(|name| crate::ops::kind(name).with_context(|| format!("row {name}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn log(seed: u64) -> Vec<Op> {
        History::new(seed, &channels(3), "m")
            .unwrap()
            .log(120)
            .unwrap()
    }

    #[test]
    fn a_seed_makes_one_history() {
        assert_eq!(log(7), log(7));
        assert_ne!(log(7), log(8));
    }

    #[test]
    fn every_row_is_drawn_and_time_goes_on() {
        let log = log(7);
        let names: BTreeSet<&str> = log.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names.len(), TABLE.len(), "{names:?}");
        assert!(log.is_sorted_by(|a, b| a.at < b.at && a.n + 1 == b.n));
    }
}
