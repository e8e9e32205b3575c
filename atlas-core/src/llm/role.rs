//! The roles.

use serde::{Deserialize, Serialize};

/// The roles that a provider can be asked to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Messages to statements.
    FactExtractor,
    /// Messages to names and relations.
    EntityExtractor,
    /// Pairs of facts to verdicts.
    ContradictionDetector,
    /// Facts of a topic to its summary.
    TopicSummarizer,
    /// Topics to the channel's summary.
    ChannelSummarizer,
    /// Facts to the sections of a page.
    WikiWriter,
    /// A question and evidence to an answer.
    Answerer,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 7] = [
        Self::FactExtractor,
        Self::EntityExtractor,
        Self::ContradictionDetector,
        Self::TopicSummarizer,
        Self::ChannelSummarizer,
        Self::WikiWriter,
        Self::Answerer,
    ];

    /// The role's name in settings and ledgers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FactExtractor => "fact_extractor",
            Self::EntityExtractor => "entity_extractor",
            Self::ContradictionDetector => "contradiction_detector",
            Self::TopicSummarizer => "topic_summarizer",
            Self::ChannelSummarizer => "channel_summarizer",
            Self::WikiWriter => "wiki_writer",
            Self::Answerer => "answerer",
        }
    }
}
