//! What one process measures.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::args::ScaleArgs;
use crate::stores::{Durability, StoreKind};

/// How many channels, and how many facts in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Shape {
    pub(crate) channels: usize,
    /// Facts of each channel.
    pub(crate) facts: usize,
}

impl Shape {
    /// Facts of all channels.
    pub(crate) fn total(self) -> usize {
        self.channels.saturating_mul(self.facts)
    }

    /// The channel that is searched: one in the middle.
    pub(crate) fn searched(self) -> usize {
        self.channels / 2
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} × {}", self.channels, self.facts)
    }
}

/// The shapes that are asked for, each once: one channel of each size, then many channels.
pub(crate) fn shapes(args: &ScaleArgs) -> Vec<Shape> {
    let divisor = if args.quick { 10 } else { 1 };
    let facts: Vec<usize> = args.facts.iter().map(|it| (it / divisor).max(1)).collect();
    let channels = (args.channels / divisor).max(1);
    let least = facts.iter().copied().min().unwrap_or(1);
    let alone = facts.iter().map(|facts| Shape {
        channels: 1,
        facts: *facts,
    });
    let many = [
        Shape {
            channels,
            facts: least,
        },
        Shape {
            channels: channels.saturating_mul(10),
            facts: (least / 100).max(1),
        },
    ];
    let mut shapes = Vec::new();
    for shape in alone.chain(many) {
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    shapes
}

/// One store at one shape.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) store: StoreKind,
    pub(crate) shape: Shape,
    pub(crate) durability: Durability,
    pub(crate) seed: u64,
    pub(crate) searches: usize,
    pub(crate) batch: usize,
    /// An empty folder for the store and the floors.
    pub(crate) dir: PathBuf,
}

impl Plan {
    /// Where the store is.
    pub(crate) fn store_dir(&self) -> PathBuf {
        self.dir.join("store")
    }

    /// Where the raw records of the floor are.
    pub(crate) fn raw_file(&self) -> PathBuf {
        self.dir.join("raw.db")
    }
}

impl FromStr for Plan {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        serde_json::from_str(text).context("the plan cannot be read")
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Args, Command};

    #[track_caller]
    fn check(line: &str, expected: &[(usize, usize)]) {
        let words = ["atlas-bench", "scale"].into_iter();
        let args = Args::try_parse_from(words.chain(line.split_whitespace())).unwrap();
        let Command::Scale(args) = args.command else {
            panic!("not the command that was given");
        };
        let found: Vec<(usize, usize)> = shapes(&args)
            .iter()
            .map(|it| (it.channels, it.facts))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn shapes_are_what_was_asked_for_each_once() {
        check(
            "",
            &[(1, 10_000), (1, 100_000), (100, 10_000), (1_000, 100)],
        );
        check(
            "--quick",
            &[(1, 1_000), (1, 10_000), (10, 1_000), (100, 10)],
        );
        check("--facts 50 --channels 1", &[(1, 50), (10, 1)]);
    }
}
