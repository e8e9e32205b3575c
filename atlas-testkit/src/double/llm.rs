//! A model that answers by a script.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use atlas_core::llm::Role;
use atlas_core::model::Fingerprint;
use atlas_core::ports::{
    Completion, CompletionEvent, CompletionRequest, CompletionStream, FinishReason,
    LlmCapabilities, LlmProvider, ModelChoice, Usage,
};
use atlas_core::{Error, ErrorKind, Result, Retry, async_trait};
use futures::StreamExt;
use futures::stream;
use serde::Serialize;

/// What a scripted model answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply(Answer);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Ends(Completion),
    Fails(ErrorKind, Retry),
}

impl Reply {
    /// A whole reply: the value, such as a task's output, as JSON.
    ///
    /// A value that does not serialise gives a call that fails.
    pub fn json(value: &impl Serialize) -> Self {
        match serde_json::to_string(value) {
            Ok(text) => Self::text(text),
            Err(_) => Self::fails(ErrorKind::Unexpected),
        }
    }

    /// A whole reply in any words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::ends(text.into(), FinishReason::Stop)
    }

    /// A reply that reached the limit of tokens after these words.
    pub fn cut_off(text: impl Into<String>) -> Self {
        Self::ends(text.into(), FinishReason::Length)
    }

    /// A refusal to answer.
    pub fn refused() -> Self {
        Self::ends(String::new(), FinishReason::Refused)
    }

    /// A call that fails; one that is unavailable may be tried again at once.
    pub fn fails(kind: ErrorKind) -> Self {
        let retry = if kind == ErrorKind::Unavailable {
            Retry::Now
        } else {
            Retry::Never
        };
        Self(Answer::Fails(kind, retry))
    }

    /// The same failure with another word on whether the call may be tried again.
    #[must_use]
    pub fn with_retry(mut self, retry: Retry) -> Self {
        if let Answer::Fails(_, said) = &mut self.0 {
            *said = retry;
        }
        self
    }

    /// The same reply, which used that many tokens, as the server says.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        if let Answer::Ends(completion) = &mut self.0 {
            completion.usage = Some(usage);
        }
        self
    }

    fn ends(text: String, finish: FinishReason) -> Self {
        Self(Answer::Ends(Completion {
            text,
            finish,
            usage: None,
        }))
    }
}

type Matcher = Box<dyn Fn(&CompletionRequest) -> bool + Send + Sync>;
type Maker = Box<dyn Fn(&CompletionRequest) -> Reply + Send + Sync>;

/// Which requests a script answers, and how.
pub struct Rule {
    role: Role,
    conditions: Vec<Matcher>,
    script: Script,
    n_used: usize,
}

enum Script {
    /// One reply a request, then the rule is used up.
    InTurn(VecDeque<Reply>),
    /// The same for any number of requests.
    Always(Maker),
}

impl Rule {
    /// A rule for one request of the role.
    pub fn once(role: Role, reply: Reply) -> Self {
        Self::in_turn(role, [reply])
    }

    /// A rule for as many requests of the role as there are replies, in turn.
    pub fn in_turn(role: Role, replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::of(role, Script::InTurn(replies.into_iter().collect()))
    }

    /// A rule for any number of requests of the role.
    pub fn always(role: Role, reply: Reply) -> Self {
        Self::answering(role, move |_| reply.clone())
    }

    /// A rule for any number of requests of the role, which answers by the request.
    pub fn answering(
        role: Role,
        reply: impl Fn(&CompletionRequest) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::of(role, Script::Always(Box::new(reply)))
    }

    /// The same rule, only for requests of which the condition holds.
    #[must_use]
    pub fn when(
        mut self,
        condition: impl Fn(&CompletionRequest) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.conditions.push(Box::new(condition));
        self
    }

    /// The same rule, only for requests whose input says these words.
    #[must_use]
    pub fn saying(self, words: impl Into<String>) -> Self {
        let words = words.into();
        self.when(move |request| request.prompt.user.contains(&words))
    }

    fn of(role: Role, script: Script) -> Self {
        Self {
            role,
            conditions: Vec::new(),
            script,
            n_used: 0,
        }
    }

    fn answers(&self, request: &CompletionRequest) -> bool {
        self.role == request.role
            && self.conditions.iter().all(|holds| holds(request))
            && !matches!(&self.script, Script::InTurn(replies) if replies.is_empty())
    }

    fn reply(&mut self, request: &CompletionRequest) -> Option<Reply> {
        self.n_used += 1;
        match &mut self.script {
            Script::InTurn(replies) => replies.pop_front(),
            Script::Always(make) => Some(make(request)),
        }
    }

    /// What is left of it: replies that nobody asked for.
    fn unused(&self) -> Option<String> {
        match &self.script {
            Script::InTurn(replies) if !replies.is_empty() => {
                Some(format!("{} replies of {self:?}", replies.len()))
            }
            Script::Always(_) if self.n_used == 0 => Some(format!("{self:?}")),
            Script::InTurn(_) | Script::Always(_) => None,
        }
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule")
            .field("role", &self.role)
            .field("n_conditions", &self.conditions.len())
            .field("n_used", &self.n_used)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct State {
    rules: Vec<Rule>,
    requests: Vec<CompletionRequest>,
    unexpected: Vec<String>,
}

/// A model that answers by the first rule that fits, and fails where none does.
///
/// A clone is another handle on the same script.
///
/// ```
/// use atlas_core::llm::Role;
/// use atlas_testkit::double::{Reply, Rule, ScriptedLlm};
/// use serde_json::json;
///
/// let llm = ScriptedLlm::new([
///     Rule::once(Role::FactExtractor, Reply::json(&json!({"facts": []}))).saying("launch"),
///     Rule::always(Role::EntityExtractor, Reply::cut_off("{")),
/// ]);
/// // Nobody has asked for anything yet.
/// assert_eq!(llm.unused().len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct ScriptedLlm {
    state: Arc<Mutex<State>>,
    fingerprint: String,
    capabilities: LlmCapabilities,
}

impl ScriptedLlm {
    /// A model with these rules; the first that fits a request answers it.
    pub fn new(rules: impl IntoIterator<Item = Rule>) -> Self {
        let state = State {
            rules: rules.into_iter().collect(),
            ..State::default()
        };
        Self {
            state: Arc::new(Mutex::new(state)),
            fingerprint: "scripted-1".to_owned(),
            capabilities: LlmCapabilities::default(),
        }
    }

    /// The same script under another fingerprint, as if the model had been exchanged.
    #[must_use]
    pub fn with_fingerprint(mut self, fingerprint: impl Into<String>) -> Self {
        self.fingerprint = fingerprint.into();
        self
    }

    /// The same script with declared capabilities.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: LlmCapabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Adds a rule behind the others.
    pub fn add(&self, rule: Rule) {
        self.state().rules.push(rule);
    }

    /// Every request so far, in order, the unexpected ones too.
    pub fn requests(&self) -> Vec<CompletionRequest> {
        self.state().requests.clone()
    }

    /// How many requests of the role there were.
    pub fn n_requests(&self, role: Role) -> usize {
        let state = self.state();
        let of_role = state.requests.iter().filter(|request| request.role == role);
        of_role.count()
    }

    /// Replies that nobody has asked for, and rules that were never used, in words.
    pub fn unused(&self) -> Vec<String> {
        self.state().rules.iter().filter_map(Rule::unused).collect()
    }

    /// Demands that every rule was used up and nothing unexpected was asked.
    ///
    /// # Panics
    ///
    /// With what is left over and with what was not expected.
    #[track_caller]
    pub fn assert_exhausted(&self) {
        let unused = self.unused();
        let unexpected = self.state().unexpected.clone();
        assert!(
            unused.is_empty() && unexpected.is_empty(),
            "unused: {unused:#?}\nunexpected: {unexpected:#?}"
        );
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, request: &CompletionRequest) -> Result<Completion> {
        const OP: &str = "LlmProvider::complete";
        let mut state = self.state();
        state.requests.push(request.clone());
        let reply = state
            .rules
            .iter_mut()
            .find(|rule| rule.answers(request))
            .and_then(|rule| rule.reply(request));
        match reply {
            Some(Reply(Answer::Ends(completion))) => Ok(completion),
            Some(Reply(Answer::Fails(kind, retry))) => {
                Err(Error::new(kind, OP, "the script lets it fail").with_retry(retry))
            }
            None => {
                let asked: String = request.prompt.user.chars().take(400).collect();
                let role = request.role.as_str();
                state.unexpected.push(format!("{role}: {asked}"));
                Err(
                    Error::new(ErrorKind::Unexpected, OP, "no rule of the script fits")
                        .with("role", role)
                        .with("asked", asked),
                )
            }
        }
    }
}

#[async_trait]
impl LlmProvider for ScriptedLlm {
    fn capabilities(&self) -> LlmCapabilities {
        self.capabilities
    }

    fn fingerprint(&self, role: Role, choice: &ModelChoice) -> Fingerprint {
        let chosen = if *choice == ModelChoice::default() {
            String::new()
        } else {
            format!("/{choice:?}")
        };
        let role = role.as_str();
        Fingerprint::new(format!("{}/{role}{chosen}", self.fingerprint))
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        self.answer(request)
    }

    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        /// Characters of a part: few, so that words are cut.
        const PART: usize = 5;
        let Completion {
            text,
            finish,
            usage,
        } = self.answer(request)?;
        let letters: Vec<char> = text.chars().collect();
        let parts: Vec<CompletionEvent> = letters
            .chunks(PART)
            .map(|part| CompletionEvent::Text(part.iter().collect()))
            .chain([CompletionEvent::Finished { finish, usage }])
            .collect();
        Ok(stream::iter(parts).map(Ok).boxed())
    }
}
