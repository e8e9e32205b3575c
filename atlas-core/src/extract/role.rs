//! The two extractors: what each is asked, what is made of its reply, and how far a cut one goes.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::admit::{Admission, admit};
use super::names::{Names, admit_names};
use super::offer::Offer;
use super::settings::ExtractSettings;
use crate::error::{Error, ErrorKind};
use crate::llm::{EntityExtractionInput, FactExtractionInput, Task, reply};
use crate::model::DeadReason;
use crate::ports::{FinishReason, LlmProvider};

/// One of the extractors.
pub(super) trait Extractor: Send + Sync {
    /// What it is asked.
    type Task: Task;
    /// What is made of one message.
    type Part: Clone + Default + Serialize + DeserializeOwned + Send + Sync;

    /// Asks for what is offered.
    fn task(offer: &Offer<'_>, settings: &ExtractSettings) -> Self::Task;

    /// Checks what was proposed: one part for each offered message, and how many proposals name
    /// none.
    fn admit(
        offer: &Offer<'_>,
        output: &<Self::Task as Task>::Output,
        settings: &ExtractSettings,
    ) -> (Vec<Self::Part>, usize);

    /// The proposals of the list that the reply ends with: where it broke off, what comes before
    /// that list is whole.
    fn last_list(output: &<Self::Task as Task>::Output) -> &[Value];
}

/// Finds statements.
pub(super) struct Statements;

impl Extractor for Statements {
    type Task = FactExtractionInput;
    type Part = Admission;

    fn task(offer: &Offer<'_>, settings: &ExtractSettings) -> Self::Task {
        offer.fact_task(settings.max_facts_per_message)
    }

    fn admit(
        offer: &Offer<'_>,
        output: &<Self::Task as Task>::Output,
        settings: &ExtractSettings,
    ) -> (Vec<Admission>, usize) {
        let admitted = admit(offer, &output.facts, settings);
        (admitted.by_message, admitted.stray.len())
    }

    fn last_list(output: &<Self::Task as Task>::Output) -> &[Value] {
        &output.facts
    }
}

/// Finds names and relations.
pub(super) struct Mentions;

impl Extractor for Mentions {
    type Task = EntityExtractionInput;
    type Part = Names;

    fn task(offer: &Offer<'_>, _settings: &ExtractSettings) -> Self::Task {
        offer.entity_task()
    }

    fn admit(
        offer: &Offer<'_>,
        output: &<Self::Task as Task>::Output,
        settings: &ExtractSettings,
    ) -> (Vec<Names>, usize) {
        admit_names(offer, output, settings.min_relation_confidence)
    }

    fn last_list(output: &<Self::Task as Task>::Output) -> &[Value] {
        &output.relations
    }
}

/// Why a request gave nothing.
#[derive(Debug)]
pub(super) enum Failure {
    /// It would meet every request: the queue waits, and no attempt is counted.
    Outage(Error),
    /// It is of this request: the attempt has failed.
    Failed(DeadReason, String),
}

/// What a request gave.
pub(super) struct Replied<T> {
    /// The value; none if the reply broke off before anything of it was whole.
    pub(super) output: Option<T>,
    /// Whether the reply broke off.
    pub(super) is_cut: bool,
}

/// Asks a model.
pub(super) async fn ask<T: Task>(
    llm: &dyn LlmProvider,
    task: &T,
) -> Result<Replied<T::Output>, Failure> {
    let request = task.request().map_err(|error| unreadable(&error))?;
    let completion = llm.complete(&request).await.map_err(|error| {
        if is_outage(&error) {
            Failure::Outage(error)
        } else {
            unreadable(&error)
        }
    })?;
    let reading = reply::read_partial::<T::Output>(&completion.text);
    match (completion.finish, reading) {
        (FinishReason::Refused, _) => {
            let said = "the model refused to answer".to_owned();
            Err(Failure::Failed(DeadReason::Refused(said.clone()), said))
        }
        // Whatever reached the limit is taken for cut: a whole value may be one that the model
        // thought of before it came to its answer.
        (FinishReason::Length, reading) => Ok(Replied {
            output: reading.ok().filter(|it| it.is_cut).map(|it| it.value),
            is_cut: true,
        }),
        (FinishReason::Stop, Ok(reading)) => Ok(Replied {
            output: Some(reading.value),
            is_cut: reading.is_cut,
        }),
        (FinishReason::Stop, Err(error)) => Err(unreadable(&error)),
    }
}

/// Whether the failure is the model's and would meet every conversation.
pub(super) fn is_outage(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Unavailable | ErrorKind::Denied | ErrorKind::Unsupported
    )
}

fn unreadable(error: &Error) -> Failure {
    let said = error.to_string();
    Failure::Failed(DeadReason::Unreadable(said.clone()), said)
}

/// How many of the first offered messages a reply that broke off is done with: those before the
/// message of its last whole proposal, as long as the proposals come in the order of the messages.
pub(super) fn n_covered(offer: &Offer<'_>, proposals: &[Value]) -> usize {
    let mut last = 0;
    for proposal in proposals {
        let label = proposal.get("message").and_then(Value::as_str);
        match label.and_then(|it| offer.find(it)) {
            Some((place, _)) if place >= last => last = place,
            _ => return 0,
        }
    }
    last
}
