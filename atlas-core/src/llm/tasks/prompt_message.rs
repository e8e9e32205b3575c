//! A message as a task sees it.

use serde::{Deserialize, Serialize};

use crate::model::Timestamp;

/// A message as a task sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptMessage {
    /// What the reply calls it, such as `m3`.
    pub label: String,
    /// Who said it, by name.
    pub author: String,
    /// When.
    pub sent_at: Timestamp,
    /// What was said.
    pub text: String,
    /// The label of the root of its thread, if that is another message of the task.
    pub thread_root: Option<String>,
    /// The names of the people whom the text addresses by handle, as they stand in the text.
    pub mentions: Vec<String>,
    /// The addresses of its links.
    pub links: Vec<String>,
}
