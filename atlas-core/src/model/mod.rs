//! Plain data: every record of Atlas and the types in it.
//!
//! Nothing here does input or output or knows an adapter. Read in this order: [`Message`],
//! [`Claim`], [`AtomicFact`], [`Judgement`], [`GraphEntity`], [`TopicCluster`], [`WikiPage`],
//! [`Turn`].

mod answer;
mod bill;
mod cited;
mod claim;
mod entity;
mod fact;
mod hash;
mod ids;
mod judgement;
mod language;
mod message;
mod outcome;
mod page;
mod score;
mod stored;
mod time;
mod topic;

pub use answer::{AbstentionReason, AnswerOutcome, AnswerSentence, Citation, Turn};
pub use bill::{Bill, BillKey, Latency, ModelRole, Tally};
pub use cited::CitedSentence;
pub use claim::{
    ActionItem, ActionStatus, Claim, FactKind, GlossaryTerm, Importance, Mention, Modality,
    Polarity, Quantity, Sentiment, Slot, Span,
};
pub use entity::{
    EntityClaim, EntityType, FactEntities, GraphEntity, GraphRelation, Mentioned, Property,
    RelationClaim, Sighting,
};
pub use fact::{AtomicFact, Attribution, Evidence, FactState, Standing};
pub use hash::ContentHash;
pub use ids::{
    AuthorId, ChannelId, EntityId, FactId, Fingerprint, JudgementId, MessageId, NativeId, PageId,
    PrincipalId, RelationId, SourceId, TopicId, TurnId,
};
pub use judgement::{Judge, Judged, Judgement, Verdict};
pub use language::Language;
pub use message::{Attachment, Author, Link, Message, Reaction};
pub use outcome::{
    AdmittedClaim, DeadReason, Extraction, MessageOutcome, OutcomeStage, RefusalReason,
    RefusedClaim, SkipReason,
};
pub use page::{Curation, CurationMode, PageKind, Section, WikiPage};
pub use score::UnitScore;
pub use stored::Stored;
pub use time::{Interval, Timestamp};
pub use topic::{ChannelSummary, Membership, TopicCluster, TopicSummary};
