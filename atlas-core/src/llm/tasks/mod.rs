//! The tasks, one a file: what goes in, what is asked in words, and what comes out.

mod answerer;
mod channel_summarizer;
mod contradiction_detector;
mod entity_extractor;
mod fact_extractor;
#[cfg(test)]
mod golden;
mod labelled;
mod prompt_message;
mod topic_summarizer;
mod wiki_writer;

pub use answerer::{AnswererInput, AnswererOutput, LabelledEvidence};
pub use channel_summarizer::{ChannelSummarizerInput, ChannelSummarizerOutput, TopicDigest};
pub use contradiction_detector::{
    ContradictionInput, ContradictionOutput, FactRelation, ProposedVerdict,
};
pub use entity_extractor::{
    EntityExtractionInput, EntityExtractionOutput, ProposedEntity, ProposedProperty,
    ProposedRelation,
};
pub use fact_extractor::{FactExtractionInput, FactExtractionOutput, ProposedFact, ProposedSlot};
pub use labelled::{LabelledFact, LabelledSentence};
pub use prompt_message::PromptMessage;
pub use topic_summarizer::{ProposedAnswer, TopicSummarizerInput, TopicSummarizerOutput};
pub use wiki_writer::{SectionBrief, WikiWriterInput, WikiWriterOutput, WrittenSection};
