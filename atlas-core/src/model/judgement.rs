//! The ledger of judgements on facts.

use serde::{Deserialize, Serialize};

use super::hash::ContentHash;
use super::ids::{FactId, Fingerprint, JudgementId, MessageId, PrincipalId};
use super::score::UnitScore;
use super::time::Timestamp;

/// What is judged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Of two facts the later takes the place of the earlier; the fold decides which is later.
    Supersede,
    /// Of two facts one says more precisely what the other says; both count.
    Refine,
    /// Two facts speak against each other; both count and are flagged.
    Dispute,
    /// Two facts say the same; the fold keeps the earlier.
    Duplicate,
    /// Two facts have nothing to do with each other.
    Unrelated,
    /// One fact's time is over.
    Expire,
    /// One fact was taken back.
    Withdraw,
    /// One fact counts again, whatever was judged of it before.
    Restore,
    /// A person finds one fact wrong, or a pair wrongly judged; it binds for ever.
    Reject,
    /// A person finds one fact right.
    Confirm,
}

/// Whom a judgement speaks of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// One fact.
    Fact(FactId),
    /// An unordered pair, the smaller id first.
    Pair(FactId, FactId),
}

impl Judged {
    /// The pair of two facts, in the order of their ids; `None` if they are one fact.
    pub fn pair(a: &FactId, b: &FactId) -> Option<Self> {
        match a.cmp(b) {
            std::cmp::Ordering::Less => Some(Self::Pair(a.clone(), b.clone())),
            std::cmp::Ordering::Greater => Some(Self::Pair(b.clone(), a.clone())),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// The facts that it names.
    pub fn facts(&self) -> Vec<&FactId> {
        match self {
            Self::Fact(fact) => vec![fact],
            Self::Pair(a, b) => vec![a, b],
        }
    }
}

/// Who judged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judge {
    /// A person.
    Person(PrincipalId),
    /// A detector; its verdict binds its own fingerprint only.
    Detector(Fingerprint),
}

/// One entry of the ledger. Entries are added, never changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Which judgement: [`Judgement::id_of`].
    pub id: JudgementId,
    /// Whom it speaks of.
    pub judged: Judged,
    /// What is judged.
    pub verdict: Verdict,
    /// How sure the judge is.
    pub confidence: UnitScore,
    /// Why, in words; never empty.
    pub reason: String,
    /// The messages that the judge looked at.
    pub evidence: Vec<MessageId>,
    /// Who judged.
    pub judge: Judge,
    /// When it was recorded.
    pub recorded_at: Timestamp,
}

impl Judgement {
    /// The id of a judgement: whom, by whom and, for a person, who may judge again, what and when.
    pub fn id_of(
        judged: &Judged,
        verdict: &Verdict,
        judge: &Judge,
        recorded_at: Timestamp,
    ) -> JudgementId {
        let facts: Vec<&str> = judged.facts().into_iter().map(FactId::as_str).collect();
        let (who, what) = match judge {
            Judge::Person(user) => (
                format!("person:{user}"),
                format!("{verdict:?}:{recorded_at}"),
            ),
            Judge::Detector(fingerprint) => (format!("detector:{fingerprint}"), String::new()),
        };
        let mut parts = facts;
        parts.extend(["judged by", &who, &what]);
        JudgementId::new(ContentHash::of_parts(&parts).short())
    }
}
