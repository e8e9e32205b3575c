//! Tasks: what is asked of a model, as values and as words.
//!
//! A task is a role, a typed input, a prompt, a JSON schema and a typed output. A provider
//! receives all of it, so that one without a model can serve the same task from the values.

mod extraction;
mod judging;
mod prompt;
pub mod reply;
mod task;
mod writing;

pub use extraction::{
    EntityExtractionInput, EntityExtractionOutput, FactExtractionInput, FactExtractionOutput,
    PromptMessage, ProposedEntity, ProposedFact, ProposedProperty, ProposedRelation, ProposedSlot,
};
pub use judging::{ContradictionInput, ContradictionOutput, FactRelation, ProposedVerdict};
pub use prompt::Prompt;
pub use task::{Role, Task, TaskInput, fingerprint, serve};
pub use writing::{
    AnswererInput, AnswererOutput, ChannelSummarizerInput, ChannelSummarizerOutput,
    LabelledEvidence, LabelledFact, LabelledSentence, ProposedAnswer, SectionBrief, TopicDigest,
    TopicSummarizerInput, TopicSummarizerOutput, WikiWriterInput, WikiWriterOutput, WrittenSection,
};
