//! Evidence to cited answers.
//!
//! Pure: [`offer`] (hits to labelled evidence), [`verify`] (a draft to sentences that stand). The
//! one async entry is [`ask`].

mod ask;
pub mod offer;
pub mod verify;

pub use ask::{Answer, AskOptions, ask};

/// The tunables of answering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerSettings {
    /// Hits that are offered as evidence.
    pub max_evidence: usize,
    /// Tokens of evidence, by the estimate of extraction.
    pub evidence_tokens: usize,
    /// Sentences of an answer.
    pub max_sentences: usize,
}

impl Default for AnswerSettings {
    fn default() -> Self {
        Self {
            max_evidence: 24,
            evidence_tokens: 4_000,
            max_sentences: 4,
        }
    }
}
