//! Facts to topics and summaries.
use crate::{Components, Result, ports::ChannelScope};
/// The tunables of this stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicSettings {}
/// x
#[derive(Debug, Default)]
pub struct TopicReport {
    /// x
    pub failed: usize,
}
/// x
pub async fn run(_: &Components, _: &ChannelScope, _: &TopicSettings) -> Result<TopicReport> {
    Ok(TopicReport::default())
}
