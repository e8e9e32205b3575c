//! Tasks: what is asked of a model, as values and as words.
//!
//! A task is a role, a typed input, a prompt, a JSON schema and a typed output (`tasks/`, one file
//! a role). A provider receives all of it, so that one without a model can serve the same task from
//! the values. Untrusted text is delimited in `prompt.rs` and nowhere else.

mod prompt;
pub mod reply;
mod role;
pub mod router;
pub mod schema;
mod task;
mod tasks;
mod wording;

pub use prompt::Prompt;
pub use role::Role;
pub use task::{Task, TaskInput, fingerprint, serve};
pub use tasks::{
    AnswererInput, AnswererOutput, ChannelSummarizerInput, ChannelSummarizerOutput,
    ContradictionInput, ContradictionOutput, EntityExtractionInput, EntityExtractionOutput,
    FactExtractionInput, FactExtractionOutput, FactRelation, LabelledEvidence, LabelledFact,
    LabelledSentence, PromptMessage, ProposedAnswer, ProposedEntity, ProposedFact,
    ProposedProperty, ProposedRelation, ProposedSlot, ProposedVerdict, SectionBrief, TopicDigest,
    TopicSummarizerInput, TopicSummarizerOutput, WikiWriterInput, WikiWriterOutput, WrittenSection,
};
pub use wording::{Example, Wording};
