//! What became of a message.

use serde::{Deserialize, Serialize};

use super::claim::Claim;
use super::entity::{EntityClaim, RelationClaim};
use super::fact::Attribution;
use super::hash::ContentHash;
use super::ids::{Fingerprint, MessageId};
use super::message::{Attachment, Author};
use super::time::Timestamp;

/// What became of one message: every message shows why it has the facts that it has, or none.
///
/// It is also the ledger that facts and entities are assembled from: they hold nothing that no
/// outcome says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageOutcome {
    /// The message.
    pub message: MessageId,
    /// The version that the claims are of, or the first one while it waits.
    pub version: ContentHash,
    /// The root of its conversation.
    pub conversation: MessageId,
    /// Who said it.
    pub author: Author,
    /// When it was said.
    pub sent_at: Timestamp,
    /// What hangs on it.
    pub media: Vec<Attachment>,
    /// Where it stands.
    pub stage: OutcomeStage,
    /// What extracted the claims; none if it was never read.
    pub extraction: Option<Extraction>,
    /// What it says, as admitted from its version.
    pub claims: Vec<AdmittedClaim>,
    /// The names in it.
    pub entities: Vec<EntityClaim>,
    /// The relations in it.
    pub relations: Vec<RelationClaim>,
    /// What was proposed and not admitted.
    pub refusals: Vec<RefusedClaim>,
}

/// What extracted the claims of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extraction {
    /// The extractor.
    pub extractor: Fingerprint,
    /// When the claims were first recorded.
    pub recorded_at: Timestamp,
}

/// A claim with how it was tied to the message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdmittedClaim {
    /// The claim.
    pub claim: Claim,
    /// How it was tied to the message.
    pub attribution: Attribution,
}

/// Where a message stands on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "stage")]
pub enum OutcomeStage {
    /// It waits for extraction.
    Queued {
        /// The version that waits; the claims may still be of an earlier one.
        waiting: ContentHash,
    },
    /// Nothing is extracted from it.
    Skipped {
        /// Why.
        reason: SkipReason,
    },
    /// Its claims are those of this version.
    Extracted,
    /// Extraction failed for good.
    Dead {
        /// Why.
        reason: DeadReason,
    },
}

/// Why extraction gave a message up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeadReason {
    /// Each reply was one that cannot be read, or the request was one that the model does not take;
    /// with the last error.
    Unreadable(String),
    /// The model would not answer; with the last error.
    Refused(String),
    /// The reply breaks off even where this message is asked about alone.
    Truncated,
    /// It was begun as often as it may be, and never ended: whoever began it was stopped.
    Abandoned,
}

/// Why nothing is extracted from a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// It has no words.
    Empty,
    /// No one wrote it.
    System,
    /// A program wrote it.
    Bot,
    /// It was deleted or forgotten.
    Deleted,
}

/// A proposal that was not admitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedClaim {
    /// The proposed text, or as much of the proposal as could be read.
    pub text: String,
    /// Why.
    pub reason: RefusalReason,
}

/// Why a proposal was not admitted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// It does not have the shape that was asked for.
    Malformed(String),
    /// It names a message that was not offered.
    UnknownMessage,
    /// Its quote does not stand in any offered message.
    QuoteNotFound,
    /// It says what its quote does not say.
    NotGrounded,
    /// Its quality is below the gate.
    LowQuality,
    /// The message has as many facts as it may have.
    TooMany,
    /// It says that somebody said something, and no more.
    Narration,
    /// It has no words of its own.
    Empty,
    /// It was proposed twice.
    Repeated,
    /// Its confidence is below the gate.
    LowConfidence,
}
