//! The tasks that write: summaries, pages and answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Role, Task, TaskInput};
use crate::model::{AtomicFact, FactKind, Importance, Slot, Timestamp};

/// A fact as a task sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelledFact {
    /// What the reply calls it, such as `f3`.
    pub label: String,
    /// What it says.
    pub text: String,
    /// The words of its latest evidence.
    pub quote: String,
    /// Who said it, by name.
    pub author: String,
    /// When it was said last.
    pub said_at: Timestamp,
    /// What kind of statement.
    pub kind: FactKind,
    /// How much hangs on it.
    pub importance: Importance,
    /// What it is about.
    pub slot: Option<Slot>,
    /// Its topic tags.
    pub tags: Vec<String>,
    /// The names in it.
    pub mentions: Vec<String>,
    /// The label of the question that it answers, if that is offered too.
    pub answers: Option<String>,
    /// Whether other facts speak against it.
    pub is_disputed: bool,
}

/// A sentence with the labels of what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelledSentence {
    /// The sentence, without citation marks.
    pub text: String,
    /// The labels, never none.
    pub cites: Vec<String>,
}

/// Facts of a topic to its summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicSummarizerInput {
    /// The facts, in the order in which they were said.
    pub facts: Vec<LabelledFact>,
    /// Titles of other topics: the title must differ from them.
    pub other_titles: Vec<String>,
}

/// A topic's summary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TopicSummarizerOutput {
    /// A title that names a thing, at most eight words.
    pub title: String,
    /// What it is about.
    pub summary: Vec<LabelledSentence>,
    /// Where it stands.
    pub current_state: Vec<LabelledSentence>,
    /// What is not settled.
    pub open_questions: Vec<LabelledSentence>,
    /// What follows from it.
    pub impact: Vec<LabelledSentence>,
    /// The labels of the facts that matter most.
    pub key_facts: Vec<String>,
    /// Questions with their answers.
    pub faq: Vec<ProposedAnswer>,
}

/// A question among the facts, and the fact that answers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedAnswer {
    /// The label of the question.
    pub question: String,
    /// The label of the fact that answers it.
    pub answer: String,
}

impl Task for TopicSummarizerInput {
    const ROLE: Role = Role::TopicSummarizer;
    const INSTRUCTIONS: &'static str = "Summarise the facts of one topic. Every sentence says only \
        what the facts that it cites say. The title names the thing that the facts are about and \
        differs from `other_titles`.";
    type Output = TopicSummarizerOutput;

    fn into_input(self) -> TaskInput {
        TaskInput::TopicSummarizer(self)
    }
}

/// Topics to the channel's summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelSummarizerInput {
    /// The topics, largest first.
    pub topics: Vec<TopicDigest>,
    /// The key facts.
    pub facts: Vec<LabelledFact>,
}

/// A topic that a channel's summary tells of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicDigest {
    /// Its title.
    pub title: String,
    /// The labels of its key facts.
    pub facts: Vec<String>,
}

/// The channel's summary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChannelSummarizerOutput {
    /// What the channel is about.
    pub summary: Vec<LabelledSentence>,
    /// Its recurring themes.
    pub themes: Vec<String>,
}

impl Task for ChannelSummarizerInput {
    const ROLE: Role = Role::ChannelSummarizer;
    const INSTRUCTIONS: &'static str = "Summarise a channel from its topics and their key facts, \
        in three to six sentences. Every sentence says only what the facts that it cites say.";
    type Output = ChannelSummarizerOutput;

    fn into_input(self) -> TaskInput {
        TaskInput::ChannelSummarizer(self)
    }
}

/// Facts to the sections of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WikiWriterInput {
    /// The page's title.
    pub page: String,
    /// What kind of page, as a word.
    pub kind: String,
    /// The sections to write, in order.
    pub sections: Vec<SectionBrief>,
    /// Every fact that the sections may cite.
    pub facts: Vec<LabelledFact>,
}

/// A section to write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionBrief {
    /// What the reply calls it.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// The labels of the facts to tell, most important first.
    pub facts: Vec<String>,
}

/// The sections of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WikiWriterOutput {
    /// The sections, by the ids of the briefs.
    pub sections: Vec<WrittenSection>,
}

/// A section as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenSection {
    /// The id of its brief.
    pub id: String,
    /// Its sentences.
    pub sentences: Vec<LabelledSentence>,
}

impl Task for WikiWriterInput {
    const ROLE: Role = Role::WikiWriter;
    const INSTRUCTIONS: &'static str = "Write the sections of a wiki page. Tell the facts of each \
        section's brief in plain sentences for a reader who was not there. Every sentence says \
        only what the facts that it cites say. Plain text: no Markdown, no citation marks.";
    type Output = WikiWriterOutput;

    fn into_input(self) -> TaskInput {
        TaskInput::WikiWriter(self)
    }
}

/// A question and evidence to an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswererInput {
    /// The question.
    pub question: String,
    /// The instant at which it is asked.
    pub asked_at: Timestamp,
    /// What was found, best first.
    pub evidence: Vec<LabelledEvidence>,
    /// At most this many sentences.
    pub max_sentences: usize,
}

/// Something that was found, as a task sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelledEvidence {
    /// What the reply calls it, such as `e3`.
    pub label: String,
    /// What it says: a fact, or the words of a message.
    pub text: String,
    /// The words of the message.
    pub quote: String,
    /// Who said it, by name.
    pub author: String,
    /// When.
    pub said_at: Timestamp,
    /// The kind of fact; none for a message that was not distilled.
    pub kind: Option<FactKind>,
    /// Whether a later fact took its place.
    pub is_superseded: bool,
    /// The text of the question that it answers, where it does.
    pub answers: Option<String>,
}

/// An answer's draft.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswererOutput {
    /// The sentences; none if the evidence does not answer the question.
    pub sentences: Vec<LabelledSentence>,
}

impl Task for AnswererInput {
    const ROLE: Role = Role::Answerer;
    const INSTRUCTIONS: &'static str = "Answer the question from the evidence alone. Every sentence \
        says only what the evidence that it cites says. Give no sentence if the evidence does not \
        answer the question.";
    type Output = AnswererOutput;

    fn into_input(self) -> TaskInput {
        TaskInput::Answerer(self)
    }
}

impl LabelledFact {
    /// A fact under a label. What it answers is left out: the caller knows what is offered.
    pub fn new(fact: &AtomicFact, label: String, is_disputed: bool) -> Self {
        let latest = fact.latest();
        Self {
            label,
            text: fact.claim.text.clone(),
            quote: latest.map(|it| it.quote.clone()).unwrap_or_default(),
            author: latest.map(|it| it.author.name.clone()).unwrap_or_default(),
            said_at: latest.map_or(fact.claim.occurred_at, |it| it.sent_at),
            kind: fact.claim.kind,
            importance: fact.claim.importance,
            slot: fact.claim.slot.clone(),
            tags: fact.claim.topic_tags.clone(),
            mentions: fact
                .claim
                .mentions
                .iter()
                .map(|it| it.name.clone())
                .collect(),
            answers: None,
            is_disputed,
        }
    }
}
