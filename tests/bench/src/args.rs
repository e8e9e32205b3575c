//! The command line.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Parser, Subcommand};

use crate::stores::{Durability, StoreKind};

/// Measures speed and size of the stores of Atlas, beside floors that are measured in the same run.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Writing, finding and opening as the number of facts and of channels grows.
    Scale(ScaleArgs),
    /// Messages through the whole path: appended, read, judged, indexed and written up.
    Ingest(IngestArgs),
    /// Whether every text can be searched for.
    Queries(QueriesArgs),
    /// Whether a search finds the turns of long conversations that answer questions.
    Locomo(LocomoArgs),
    /// Whether a search finds what was said at the time that a question names; the questions are
    /// made from the dates of the conversations.
    LocomoTimes(LocomoArgs),
    /// Measures one store at one shape; `scale` starts it in a process of its own.
    #[command(hide = true)]
    Cell {
        /// The plan, as JSON.
        plan: String,
    },
    /// Measures the opening of a folder; `cell` starts it in a process of its own.
    #[command(hide = true)]
    Reopened {
        /// The plan, as JSON.
        plan: String,
    },
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ScaleArgs {
    /// Facts of the one channel; the least of them is also that of each of many channels.
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000])]
    pub(crate) facts: Vec<usize>,
    /// The stores.
    #[arg(long, value_delimiter = ',', value_enum, default_values_t = [StoreKind::Sqlite, StoreKind::Memory])]
    pub(crate) store: Vec<StoreKind>,
    /// The number of many channels; ten times as many are measured with a hundredth of the facts.
    #[arg(long, default_value_t = 100)]
    pub(crate) channels: usize,
    /// A tenth of the facts in a tenth of the channels.
    #[arg(long)]
    pub(crate) quick: bool,
    /// How often each search is timed.
    #[arg(long, default_value_t = 300)]
    pub(crate) searches: usize,
    /// Facts of a commit while they are written in bulk.
    #[arg(long, default_value_t = 500)]
    pub(crate) batch: usize,
    /// What a commit waits for, in the store and in the raw floor.
    #[arg(long, value_enum, default_value_t = Durability::Full)]
    pub(crate) durability: Durability,
    /// What the facts and questions are drawn from.
    #[arg(long, default_value_t = 7)]
    pub(crate) seed: u64,
    /// Where folders are made and taken away again; the system's temporary folder if not given.
    #[arg(long)]
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct IngestArgs {
    /// Messages of the channel.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000])]
    pub(crate) messages: Vec<usize>,
    /// The stores.
    #[arg(long, value_delimiter = ',', value_enum, default_values_t = [StoreKind::Memory, StoreKind::Sqlite])]
    pub(crate) store: Vec<StoreKind>,
    /// Other channels, of the least number of messages each, that are there already in the last
    /// measurement.
    #[arg(long, default_value_t = 9)]
    pub(crate) neighbours: usize,
    /// What a commit waits for.
    #[arg(long, value_enum, default_value_t = Durability::Full)]
    pub(crate) durability: Durability,
    /// What the messages are drawn from.
    #[arg(long, default_value_t = 7)]
    pub(crate) seed: u64,
    /// Where folders are made and taken away again; the system's temporary folder if not given.
    #[arg(long)]
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct QueriesArgs {
    /// How many texts.
    #[arg(long, default_value_t = 1_000_000)]
    pub(crate) count: usize,
    /// What they are drawn from.
    #[arg(long, default_value_t = 7)]
    pub(crate) seed: u64,
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LocomoArgs {
    /// The file `locomo10.json`.
    pub(crate) data: PathBuf,
    /// The conversations, such as `1-5`, or one.
    #[arg(long, default_value = "1-10")]
    pub(crate) conversations: Numbers,
    /// A tunable of retrieval and its value, such as `session=0.3`; again for another.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) settings: Vec<String>,
    /// Conversations that are run at a time.
    #[arg(long, default_value_t = 2)]
    pub(crate) threads: usize,
}

/// Numbers from one to another, both counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbers(RangeInclusive<usize>);

impl Numbers {
    pub(crate) fn contains(&self, number: usize) -> bool {
        self.0.contains(&number)
    }
}

impl FromStr for Numbers {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        Ok(Self(first.parse()?..=last.parse()?))
    }
}
