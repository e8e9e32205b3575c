//! Every tunable: one struct a stage.

use crate::answer::AnswerSettings;
use crate::extract::ExtractSettings;
use crate::graph::GraphSettings;
use crate::lifecycle::LifecycleSettings;
use crate::llm::router::ModelSettings;
use crate::retrieve::RetrieveSettings;
use crate::topic::TopicSettings;
use crate::wiki::WikiSettings;

/// Every tunable: plain data, one struct a stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Roles to models.
    pub models: ModelSettings,
    /// Messages to claims.
    pub extract: ExtractSettings,
    /// Facts to judgements.
    pub lifecycle: LifecycleSettings,
    /// Names to entities.
    pub graph: GraphSettings,
    /// Facts to topics.
    pub topic: TopicSettings,
    /// Facts to pages.
    pub wiki: WikiSettings,
    /// Questions to evidence.
    pub retrieve: RetrieveSettings,
    /// Evidence to answers.
    pub answer: AnswerSettings,
}
