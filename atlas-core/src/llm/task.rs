//! What a task is: a role, a typed input, a prompt, a schema and a typed output.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    AnswererInput, ChannelSummarizerInput, ContradictionInput, EntityExtractionInput,
    FactExtractionInput, Prompt, TopicSummarizerInput, WikiWriterInput, reply,
};
use crate::error::{Error, ErrorKind, Result};
use crate::model::Fingerprint;
use crate::ports::{CompletionRequest, FinishReason, LlmProvider, ModelChoice};

/// The roles that a provider can be asked to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Messages to statements.
    FactExtractor,
    /// Messages to names and relations.
    EntityExtractor,
    /// Pairs of facts to verdicts.
    ContradictionDetector,
    /// Facts of a topic to its summary.
    TopicSummarizer,
    /// Topics to the channel's summary.
    ChannelSummarizer,
    /// Facts to the sections of a page.
    WikiWriter,
    /// A question and evidence to an answer.
    Answerer,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 7] = [
        Self::FactExtractor,
        Self::EntityExtractor,
        Self::ContradictionDetector,
        Self::TopicSummarizer,
        Self::ChannelSummarizer,
        Self::WikiWriter,
        Self::Answerer,
    ];

    /// The role's name in settings and ledgers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FactExtractor => "fact_extractor",
            Self::EntityExtractor => "entity_extractor",
            Self::ContradictionDetector => "contradiction_detector",
            Self::TopicSummarizer => "topic_summarizer",
            Self::ChannelSummarizer => "channel_summarizer",
            Self::WikiWriter => "wiki_writer",
            Self::Answerer => "answerer",
        }
    }
}

/// The input of a task of any role, as it stands in the prompt: [`Prompt::input`] reads it back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum TaskInput {
    /// For [`Role::FactExtractor`].
    FactExtractor(FactExtractionInput),
    /// For [`Role::EntityExtractor`].
    EntityExtractor(EntityExtractionInput),
    /// For [`Role::ContradictionDetector`].
    ContradictionDetector(ContradictionInput),
    /// For [`Role::TopicSummarizer`].
    TopicSummarizer(TopicSummarizerInput),
    /// For [`Role::ChannelSummarizer`].
    ChannelSummarizer(ChannelSummarizerInput),
    /// For [`Role::WikiWriter`].
    WikiWriter(WikiWriterInput),
    /// For [`Role::Answerer`].
    Answerer(AnswererInput),
}

/// A task: what goes in, what is asked, what comes out.
pub trait Task: Clone + Send + Sync {
    /// Who serves it.
    const ROLE: Role;
    /// What to do, in our own words.
    const INSTRUCTIONS: &'static str;
    /// What comes out.
    type Output: DeserializeOwned + schemars::JsonSchema + Send;

    /// The input as a value of any role.
    fn into_input(self) -> TaskInput;

    /// The request that asks for it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unexpected`] if the input does not serialise.
    fn request(&self) -> Result<CompletionRequest> {
        let input = self.clone().into_input();
        Ok(CompletionRequest {
            role: Self::ROLE,
            prompt: Prompt::new(Self::INSTRUCTIONS, &input)?,
            schema: schemars::schema_for!(Self::Output).to_value(),
            input,
            choice: ModelChoice::default(),
        })
    }
}

/// Names what answers the role, as it is kept with what was made of the answers.
pub fn fingerprint(llm: &dyn LlmProvider, role: Role) -> Fingerprint {
    llm.fingerprint(role, &ModelChoice::default())
}

/// Asks the provider to serve a task, and reads its reply.
///
/// # Errors
///
/// What the provider fails with; [`ErrorKind::Invalid`] if it refused, was cut off, or replied
/// with what cannot be read.
pub async fn serve<T: Task>(llm: &dyn LlmProvider, task: &T) -> Result<T::Output> {
    const OP: &str = "llm::serve";
    let completion = llm.complete(&task.request()?).await?;
    match completion.finish {
        FinishReason::Stop => reply::read(&completion.text),
        FinishReason::Length => Err(Error::new(ErrorKind::Invalid, OP, "the reply was cut off")),
        FinishReason::Refused => Err(Error::new(
            ErrorKind::Invalid,
            OP,
            "the provider refused to answer",
        )),
    }
    .map_err(|error| error.with("role", T::ROLE.as_str()))
}
