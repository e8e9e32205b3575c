//! Questions that were asked and the answers that were given.

use serde::{Deserialize, Serialize};

use super::bill::Bill;
use super::fact::Evidence;
use super::ids::{ChannelId, FactId, Fingerprint, MessageId, PrincipalId, TurnId};
use super::time::Timestamp;

/// An answer, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum AnswerOutcome {
    /// Sentences, each with its citations.
    Answered {
        /// The sentences.
        sentences: Vec<AnswerSentence>,
    },
    /// No answer is given.
    Abstained {
        /// Why.
        reason: AbstentionReason,
    },
}

/// A sentence of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerSentence {
    /// The sentence.
    pub text: String,
    /// What it rests on, never empty.
    pub citations: Vec<Citation>,
}

/// What a sentence of an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The fact; none where the words of a message that was not distilled are cited.
    pub fact: Option<FactId>,
    /// The message, the words and who said them when.
    pub evidence: Evidence,
}

/// Why no answer was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AbstentionReason {
    /// The question has no words to look for.
    EmptyQuestion,
    /// Nothing was found.
    NothingFound,
    /// What was found does not answer the question.
    NotAnswered,
    /// No drafted sentence stood the check against its evidence.
    NotVerified,
    /// A part that is needed did not answer, so nothing can be said.
    CouldNotLook,
}

/// A question with its answer, as it was given: a pointer to facts, never evidence itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Which turn.
    pub id: TurnId,
    /// Who asked.
    pub asked_by: Option<PrincipalId>,
    /// The channels that were searched, with their epochs.
    pub channels: Vec<(ChannelId, u64)>,
    /// The question.
    pub question: String,
    /// What was answered.
    pub outcome: AnswerOutcome,
    /// The facts that it stood on with the revisions they had.
    pub stood_on: Vec<(FactId, u64)>,
    /// The messages that it stood on.
    pub messages: Vec<MessageId>,
    /// Sentences of the draft that failed the check.
    pub dropped: Vec<String>,
    /// What answered.
    pub answerer: Fingerprint,
    /// What models were asked for it and what that came to.
    #[serde(default)]
    pub bill: Bill,
    /// When.
    pub at: Timestamp,
}
