//! What parent and child say to each other: a line of JSON each.

use anyhow::{Result, bail, ensure};
use atlas_core::model::ChannelId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ops::Op;
use crate::state::Inspection;

/// What the parent asks for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Perform an operation.
    Perform(Op),
    /// Tell what the channels hold.
    Inspect(Vec<ChannelId>),
}

/// What the child answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// The folder is open.
    Opened,
    /// The operation came to a stage.
    Reached(String),
    /// The operation is done: this is its acknowledgement.
    Done {
        /// Which operation.
        n: u64,
        /// What it saw.
        seen: Value,
    },
    /// What the channels hold.
    Inspected(Box<Inspection>),
    /// It failed.
    Failed {
        /// The kind of an Atlas error; none for any other.
        kind: Option<String>,
        /// What happened, with its causes.
        message: String,
    },
}

impl Reply {
    /// A failure, with the kind of the Atlas error that is among its causes.
    pub fn failed(error: &anyhow::Error) -> Self {
        let kind = error
            .chain()
            .find_map(|it| it.downcast_ref::<atlas_core::Error>())
            .map(|it| it.kind().as_str().to_owned());
        Self::Failed {
            kind,
            message: format!("{error:#}"),
        }
    }

    /// That the folder is open.
    ///
    /// # Errors
    ///
    /// If it answers anything else.
    pub fn opened(self) -> Result<()> {
        ensure!(
            matches!(self, Self::Opened),
            "the folder does not open: {self:?}"
        );
        Ok(())
    }

    /// What the channels hold.
    ///
    /// # Errors
    ///
    /// If it answers anything else.
    pub fn inspection(self) -> Result<Inspection> {
        match self {
            Self::Inspected(inspection) => Ok(*inspection),
            Self::Opened | Self::Reached(_) | Self::Done { .. } | Self::Failed { .. } => {
                bail!("the folder cannot be read: {self:?}")
            }
        }
    }
}
