//! A model that misbehaves by a plan, and answers by the rules of the offline provider where it does
//! not.

use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use atlas_core::llm::{Role, TaskInput};
use atlas_core::model::Fingerprint;
use atlas_core::ports::{
    Completion, CompletionRequest, CompletionStream, FinishReason, LlmProvider, ModelChoice,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};
use atlas_offline::OfflineLlm;
use atlas_testkit::double::FixedClock;

/// How a request to an extractor is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As it should be.
    Good,
    /// With what is no JSON.
    Malformed,
    /// With the first so many hundredths of the reply, which then reached the limit.
    Truncated(usize),
    /// With the first so many hundredths of the reply, as if that were all.
    Broken(usize),
    /// Not at all: it will not.
    Refusing,
    /// Not at all: it is not there.
    Unavailable,
    /// As it should be, after so many seconds.
    Slow(u64),
}

/// What is planned and what happened.
#[derive(Debug, Default)]
struct State {
    plan: VecDeque<Manner>,
    of_role: BTreeMap<Role, Manner>,
    good: BTreeMap<String, usize>,
    n_calls: BTreeMap<Role, usize>,
    n_refused: usize,
}

/// The model. A clone is another handle on it.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    state: Arc<Mutex<State>>,
    clock: FixedClock,
    version: u32,
}

impl Model {
    pub(crate) fn new(clock: &FixedClock) -> Self {
        Self {
            state: Arc::default(),
            clock: clock.clone(),
            version: 1,
        }
    }

    /// The same model with another name.
    pub(crate) fn of_version(&self, version: u32) -> Self {
        Self {
            version,
            ..self.clone()
        }
    }

    /// Answers the next requests to extractors so, in turn, and all others as they should be.
    pub(crate) fn plan(&self, manners: impl IntoIterator<Item = Manner>) {
        self.state.lock().unwrap().plan = manners.into_iter().collect();
    }

    /// Answers every request of the role so, until told otherwise.
    pub(crate) fn always(&self, role: Role, manner: Manner) {
        self.state.lock().unwrap().of_role.insert(role, manner);
    }

    /// Answers everything as it should be.
    pub(crate) fn behave(&self) {
        let mut state = self.state.lock().unwrap();
        state.plan.clear();
        state.of_role.clear();
    }

    pub(crate) fn n_calls(&self, role: Role) -> usize {
        let state = self.state.lock().unwrap();
        state.n_calls.get(&role).copied().unwrap_or_default()
    }

    /// Requests to extractors that were answered as they should be more often than once.
    pub(crate) fn n_repeated(&self) -> usize {
        let state = self.state.lock().unwrap();
        state.good.values().map(|n| n - 1).sum()
    }

    pub(crate) fn n_refused(&self) -> usize {
        self.state.lock().unwrap().n_refused
    }

    fn manner(&self, role: Role) -> Manner {
        let mut state = self.state.lock().unwrap();
        *state.n_calls.entry(role).or_default() += 1;
        if !matches!(role, Role::FactExtractor | Role::EntityExtractor) {
            return Manner::Good;
        }
        let always = state.of_role.get(&role).copied();
        always
            .or_else(|| state.plan.pop_front())
            .unwrap_or(Manner::Good)
    }
}

/// Lets whoever else is ready go first, once.
async fn step_aside() {
    let mut is_second = false;
    poll_fn(|context| {
        if std::mem::replace(&mut is_second, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

fn cut(text: &str, hundredths: usize) -> String {
    let n = text.chars().count() * hundredths / 100;
    text.chars().take(n).collect()
}

#[async_trait]
impl LlmProvider for Model {
    fn fingerprint(&self, role: Role, choice: &ModelChoice) -> Fingerprint {
        let rules = OfflineLlm::default().fingerprint(role, choice);
        Fingerprint::new(format!("planned/{}+{rules}", self.version))
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        let manner = self.manner(request.role);
        step_aside().await;
        let mut completion = OfflineLlm::default().complete(request).await?;
        match manner {
            Manner::Good => {}
            Manner::Slow(seconds) => {
                self.clock.advance(Duration::from_secs(seconds));
            }
            Manner::Malformed => "I would rather talk about it.".clone_into(&mut completion.text),
            Manner::Truncated(hundredths) => {
                completion.text = cut(&completion.text, hundredths);
                completion.finish = FinishReason::Length;
            }
            Manner::Broken(hundredths) => completion.text = cut(&completion.text, hundredths),
            Manner::Refusing => {
                self.state.lock().unwrap().n_refused += 1;
                completion.text.clear();
                completion.finish = FinishReason::Refused;
            }
            Manner::Unavailable => {
                return Err(Error::new(
                    ErrorKind::Unavailable,
                    "Model::complete",
                    "nobody is there",
                ));
            }
        }
        let is_extraction = matches!(
            request.input,
            TaskInput::FactExtractor(_) | TaskInput::EntityExtractor(_)
        );
        if is_extraction && matches!(manner, Manner::Good | Manner::Slow(_)) {
            let mut state = self.state.lock().unwrap();
            let asked = format!("{}{:?}", self.version, request.input);
            *state.good.entry(asked).or_default() += 1;
        }
        Ok(completion)
    }

    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        Err(Error::new(
            ErrorKind::Unsupported,
            "Model::stream",
            "nothing is streamed here",
        )
        .with("role", request.role.as_str()))
    }
}
