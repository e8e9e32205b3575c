//! Facts to topics and summaries.

/// The tunables of this stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicSettings {}
