//! Topics, their members and their summaries.

use serde::{Deserialize, Serialize};

use super::cited::CitedSentence;
use super::hash::ContentHash;
use super::ids::{FactId, Fingerprint, TopicId};

/// A topic: facts that belong together.
///
/// Its size and centre are derived from its members; its members name it, not the other way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicCluster {
    /// Which topic.
    pub id: TopicId,
    /// How many facts belong to it.
    pub n_members: u64,
    /// The sum of its members' vectors, each component times 2^20 and rounded: exact in any order.
    pub vector_sum: Vec<i64>,
}

/// That a fact belongs to a topic.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Membership {
    /// The fact.
    pub fact: FactId,
    /// Its topic.
    pub topic: TopicId,
}

/// What is written about a topic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicSummary {
    /// The topic.
    pub topic: TopicId,
    /// A hash of the visible members and their states that it was made from.
    pub made_from: ContentHash,
    /// What made it.
    pub writer: Fingerprint,
    /// A title that names a thing.
    pub title: String,
    /// What it is about.
    pub sentences: Vec<CitedSentence>,
    /// Where it stands.
    pub current_state: Vec<CitedSentence>,
    /// What is not settled.
    pub open_questions: Vec<CitedSentence>,
    /// What follows from it.
    pub impact: Vec<CitedSentence>,
    /// The facts that matter most, most important first.
    pub key_facts: Vec<FactId>,
    /// Questions with their answers.
    pub faq: Vec<(FactId, FactId)>,
}

/// What is written about the whole channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelSummary {
    /// A hash of the topic summaries that it was made from.
    pub made_from: ContentHash,
    /// What made it.
    pub writer: Fingerprint,
    /// What the channel is about.
    pub sentences: Vec<CitedSentence>,
    /// Its recurring themes, as words.
    pub themes: Vec<String>,
}
