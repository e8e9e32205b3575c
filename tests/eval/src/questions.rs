//! Questions with the messages that answer them.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// A file of questions about one export.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Questions {
    /// The export.
    pub export: String,
    /// When they were written.
    pub written: String,
    /// The questions.
    pub questions: Vec<Question>,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Question {
    /// Which question.
    pub id: String,
    /// What is asked.
    pub question: String,
    /// The messages each of which answers it, or a part of it; never none.
    pub answers: Vec<AnsweringMessage>,
    /// What makes it hard.
    #[serde(default)]
    pub note: String,
}

/// A message that answers a question.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct AnsweringMessage {
    /// Its channel, by name or id.
    pub channel: String,
    /// Its time stamp, which is its id in the platform.
    pub ts: String,
}

/// Reads a file of questions.
///
/// # Errors
///
/// If the file is not there, does not have the shape, or has a question without an answer.
pub fn read(path: &Path) -> Result<Questions> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let read: Questions =
        serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    let bare = read.questions.iter().find(|it| it.answers.is_empty());
    if let Some(bare) = bare {
        anyhow::bail!("{}: {} has no answer", path.display(), bare.id);
    }
    Ok(read)
}
