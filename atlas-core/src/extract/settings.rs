//! The tunables of extraction.

use crate::model::UnitScore;

/// The tunables of extraction.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtractSettings {
    /// Tokens of messages in one call.
    pub batch_tokens: usize,
    /// Messages in one call.
    pub batch_messages: usize,
    /// Statements admitted from one message.
    pub max_facts_per_message: usize,
    /// The quality below which a statement is refused.
    pub min_quality: UnitScore,
    /// The confidence below which a relation is refused.
    pub min_relation_confidence: UnitScore,
    /// Whether messages of programs are read.
    pub reads_bots: bool,
    /// The zone in which "tomorrow" is meant: seconds east of UTC.
    pub utc_offset_seconds: i32,
    /// Who claims conversations, as it stands in the lease and is shown by
    /// [`explain`](crate::Channel::explain).
    pub holder: String,
}

impl Default for ExtractSettings {
    fn default() -> Self {
        Self {
            batch_tokens: 12_000,
            batch_messages: 30,
            max_facts_per_message: 2,
            min_quality: UnitScore::clamped(0.5),
            min_relation_confidence: UnitScore::clamped(0.6),
            reads_bots: false,
            utc_offset_seconds: 0,
            holder: String::new(),
        }
    }
}
