//! Facts and topics to pages.
use crate::{Components, Result, ports::ChannelScope};
/// The tunables of this stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WikiSettings {}
/// x
#[derive(Debug, Default)]
pub struct WikiReport {
    /// x
    pub failed: usize,
}
/// x
pub async fn run(_: &Components, _: &ChannelScope, _: &WikiSettings) -> Result<WikiReport> {
    Ok(WikiReport::default())
}
/// x
pub mod render {
    use crate::model::*;
    /// x
    #[derive(Debug)]
    pub struct RenderedFile {
        /// x
        pub path: String,
        /// x
        pub markdown: String,
    }
    /// x
    pub fn render(
        _: &[WikiPage],
        _: &std::collections::BTreeMap<FactId, AtomicFact>,
        _: &str,
    ) -> Vec<RenderedFile> {
        Vec::new()
    }
}
