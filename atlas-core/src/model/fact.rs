//! What was admitted, and where it stands.

use serde::{Deserialize, Serialize};

use super::claim::Claim;
use super::claim::Span;
use super::hash::ContentHash;
use super::ids::{ChannelId, FactId, Fingerprint, MessageId};
use super::message::{Attachment, Author};
use super::time::{Interval, Timestamp};

/// What a fact rests on: the message, its version, and the words in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The message that says it.
    pub message: MessageId,
    /// The version of the message that says it.
    pub version: ContentHash,
    /// Where in the text.
    pub span: Span,
    /// The words that stand there.
    pub quote: String,
    /// Who said it.
    pub author: Author,
    /// When it was said.
    pub sent_at: Timestamp,
    /// How the words were tied to the message.
    pub attribution: Attribution,
}

/// How a claim was tied to its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attribution {
    /// The extractor named the message and the words stand in it.
    Exact,
    /// The words stand in one message of the batch only, another one than was named.
    Words,
}

impl Evidence {
    /// The order of evidence: by time, then message, then place. Later evidence is greater.
    pub fn order(&self) -> (Timestamp, &MessageId, Span) {
        (self.sent_at, &self.message, self.span)
    }
}

/// A fact: a claim that was admitted, with all the evidence for it.
///
/// Its content is that of its earliest evidence; whether it is live is not here but in its
/// [`Standing`], which ingestion never writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtomicFact {
    /// Which fact: a hash of the channel and the normalised claim.
    pub id: FactId,
    /// The channel that it was said in.
    pub channel: ChannelId,
    /// What is claimed.
    pub claim: Claim,
    /// What it rests on, in order, never empty.
    pub evidence: Vec<Evidence>,
    /// The thread in which it was first said, if any.
    pub thread: Option<MessageId>,
    /// What hung on the message that first said it.
    pub media: Vec<Attachment>,
    /// When Atlas learned it.
    pub recorded_at: Timestamp,
    /// What extracted it.
    pub extractor: Fingerprint,
}

impl AtomicFact {
    /// The claim in plain words.
    pub fn text(&self) -> &str {
        &self.claim.text
    }

    /// The earliest evidence.
    pub fn first(&self) -> Option<&Evidence> {
        self.evidence.first()
    }

    /// The latest evidence.
    pub fn latest(&self) -> Option<&Evidence> {
        self.evidence.last()
    }
}

/// Whether a fact counts, and if not, why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum FactState {
    /// It counts.
    Live,
    /// It counts, and other facts speak against it.
    Disputed {
        /// Those facts, in order of id.
        with: Vec<FactId>,
    },
    /// A later fact took its place.
    Superseded {
        /// The fact that stands at the end of the chain.
        by: FactId,
    },
    /// It says what an earlier fact says, whose evidence it adds to.
    Duplicate {
        /// That fact.
        of: FactId,
    },
    /// Its time is over.
    Expired,
    /// Its author or a person took it back.
    Withdrawn,
    /// A person judged it wrong.
    Rejected,
    /// No message says it any longer.
    Retracted,
}

impl FactState {
    /// Whether readers see the fact by default.
    pub fn is_visible(&self) -> bool {
        matches!(self, Self::Live | Self::Disputed { .. })
    }
}

/// Where a fact stands: the fold over its judgements, written with them in one commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The fact.
    pub fact: FactId,
    /// Whether it counts.
    pub state: FactState,
    /// When it was so, in world time, in order; empty if it never was.
    pub validity: Vec<Interval>,
}
