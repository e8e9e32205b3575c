//! What a task is: a role, a typed input, a prompt, a schema and a typed output.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    AnswererInput, ChannelSummarizerInput, ContradictionInput, EntityExtractionInput, Example,
    FactExtractionInput, Prompt, Role, TopicSummarizerInput, WikiWriterInput, Wording, reply,
};
use crate::error::{Error, ErrorKind, Result};
use crate::model::Fingerprint;
use crate::ports::{CompletionRequest, FinishReason, LlmProvider, ModelChoice};

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

macro_rules! of_any_role {
    ($($role:ident($input:ident)),* $(,)?) => {
        impl TaskInput {
            /// Whose task it is.
            pub fn role(&self) -> Role {
                match self {
                    $(Self::$role(_) => Role::$role,)*
                }
            }

            /// The request that asks for it: [`Task::request`].
            ///
            /// # Errors
            ///
            /// [`ErrorKind::Unexpected`] if the input does not serialise.
            pub fn request(&self) -> Result<CompletionRequest> {
                match self {
                    $(Self::$role(it) => it.request(),)*
                }
            }
        }

        impl Wording {
            /// The wording of a role's task.
            pub fn of_role(role: Role) -> &'static Self {
                match role {
                    $(Role::$role => $input::wording(),)*
                }
            }
        }

        $(impl TryFrom<TaskInput> for $input {
            type Error = TaskInput;

            fn try_from(input: TaskInput) -> std::result::Result<Self, TaskInput> {
                match input {
                    TaskInput::$role(it) => Ok(it),
                    other => Err(other),
                }
            }
        })*
    };
}

of_any_role! {
    FactExtractor(FactExtractionInput),
    EntityExtractor(EntityExtractionInput),
    ContradictionDetector(ContradictionInput),
    TopicSummarizer(TopicSummarizerInput),
    ChannelSummarizer(ChannelSummarizerInput),
    WikiWriter(WikiWriterInput),
    Answerer(AnswererInput),
}

/// A task: what goes in, what is asked, what comes out.
pub trait Task: Clone + Send + Sync {
    /// Who serves it.
    const ROLE: Role;
    /// What to do, in our own words.
    const INSTRUCTIONS: &'static str;
    /// An input and the reply to it, to show what is meant.
    const EXAMPLE: Example;
    /// What comes out.
    type Output: DeserializeOwned + JsonSchema + Send;

    /// The task in words, made once.
    fn wording() -> &'static Wording;

    /// The input as a value of any role.
    fn into_input(self) -> TaskInput;

    /// The request that asks for it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unexpected`] if the input does not serialise.
    fn request(&self) -> Result<CompletionRequest> {
        let input = self.clone().into_input();
        let wording = Self::wording();
        Ok(CompletionRequest {
            role: Self::ROLE,
            prompt: Prompt::new(wording, &input)?,
            schema: wording.schema().clone(),
            input,
            choice: ModelChoice::default(),
        })
    }
}

/// Names what answers the role, as it is kept with what is made of the answers: the provider with
/// its model, and the prompt that the model is given. A provider without a model reads no prompt.
pub fn fingerprint(llm: &dyn LlmProvider, role: Role) -> Fingerprint {
    let answers = llm.fingerprint(role, &ModelChoice::default());
    if llm.capabilities().model_free {
        return answers;
    }
    let prompt = Wording::of_role(role).fingerprint();
    Fingerprint::new(format!("{answers}+prompt/{prompt}"))
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
