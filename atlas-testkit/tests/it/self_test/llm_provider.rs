//! Broken adapters of [`LlmProvider`].

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use atlas_core::llm::Role;
use atlas_core::model::Fingerprint;
use atlas_core::ports::{
    Completion, CompletionEvent, CompletionRequest, CompletionStream, FinishReason,
    LlmCapabilities, LlmProvider, ModelChoice, Usage,
};
use atlas_core::{Error, ErrorKind, Result, Retry, async_trait};
use atlas_testkit::double::ScriptedLlm;
use futures::StreamExt;

use crate::models::llm;

/// What is wrong with the adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defect {
    /// Whoever asks last gets the answer.
    SharesRequest,
    /// A stream ends without what it used.
    StreamsWithoutUsage,
    /// A stream ends twice.
    EndsTwice,
    /// What is cut off is called complete.
    StopsAtLimit,
    /// A refusal is an error.
    FailsOnRefusal,
    /// The fingerprint counts the calls.
    CountsCalls,
    /// What is unavailable may never be tried again.
    NeverTriesAgain,
    /// After one failure every call fails.
    StaysBroken,
    /// Nothing is ever used.
    UsesNothing,
    /// One stream at a time, and one that is dropped never ends.
    WaitsForStream,
    /// The reply is polite.
    AddsProse,
    /// A role that is refused is streamed.
    StreamsUnserved,
    /// A text with a control character is refused.
    RefusesControls,
    /// It serves one role, and says so: no defect.
    HonestlyOne,
}

/// An adapter with a defect.
struct Broken {
    inner: ScriptedLlm,
    defect: Defect,
    request: Mutex<Option<CompletionRequest>>,
    is_streaming: AtomicBool,
    has_failed: AtomicBool,
    n_calls: AtomicU64,
}

impl Broken {
    fn of(defect: Defect) -> Self {
        Self {
            inner: llm(),
            defect,
            request: Mutex::default(),
            is_streaming: AtomicBool::default(),
            has_failed: AtomicBool::default(),
            n_calls: AtomicU64::default(),
        }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == defect
    }

    fn check(&self, request: &CompletionRequest, is_stream: bool) -> Result<()> {
        let refuse = |kind| Err(Error::new(kind, "complete", "as the defect says"));
        let answerer = request.role == Role::Answerer;
        match self.defect {
            Defect::HonestlyOne if !answerer => refuse(ErrorKind::Unsupported),
            Defect::StreamsUnserved if answerer && !is_stream => refuse(ErrorKind::Unsupported),
            Defect::StaysBroken if self.has_failed.load(Ordering::Relaxed) => {
                refuse(ErrorKind::Unavailable)
            }
            Defect::WaitsForStream if self.is_streaming.load(Ordering::Relaxed) => {
                refuse(ErrorKind::Unavailable)
            }
            Defect::RefusesControls if request.prompt.user.contains("\\u0000") => {
                refuse(ErrorKind::Invalid)
            }
            _ => Ok(()),
        }
    }

    async fn reply(&self, request: &CompletionRequest) -> Result<Completion> {
        self.n_calls.fetch_add(1, Ordering::Relaxed);
        let mut asked = request.clone();
        if self.has(Defect::SharesRequest) {
            *self.request.lock().unwrap() = Some(asked);
            tokio::task::yield_now().await;
            asked = self.request.lock().unwrap().clone().unwrap();
        }
        let mut completion = match self.inner.complete(&asked).await {
            Ok(completion) => completion,
            Err(error) => {
                self.has_failed.store(true, Ordering::Relaxed);
                return Err(match self.defect {
                    Defect::NeverTriesAgain => error.with_retry(Retry::Never),
                    _ => error,
                });
            }
        };
        match self.defect {
            Defect::StopsAtLimit if completion.finish == FinishReason::Length => {
                completion.finish = FinishReason::Stop;
            }
            Defect::FailsOnRefusal if completion.finish == FinishReason::Refused => {
                return Err(Error::new(ErrorKind::Invalid, "complete", "it refused"));
            }
            Defect::UsesNothing => completion.usage = Some(Usage::default()),
            Defect::AddsProse if completion.finish == FinishReason::Stop => {
                completion.text = format!("Of course: {}", completion.text);
            }
            _ => {}
        }
        Ok(completion)
    }
}

#[async_trait]
impl LlmProvider for Broken {
    fn capabilities(&self) -> LlmCapabilities {
        self.inner.capabilities()
    }

    fn fingerprint(&self, role: Role, choice: &ModelChoice) -> Fingerprint {
        let n_calls = self.n_calls.load(Ordering::Relaxed);
        match self.defect {
            Defect::CountsCalls => Fingerprint::new(format!("call {n_calls}")),
            _ => self.inner.fingerprint(role, choice),
        }
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        self.check(request, false)?;
        self.reply(request).await
    }

    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        self.check(request, true)?;
        let Completion {
            text,
            finish,
            mut usage,
        } = self.reply(request).await?;
        self.is_streaming.store(true, Ordering::Relaxed);
        if self.has(Defect::StreamsWithoutUsage) {
            usage = None;
        }
        let end = CompletionEvent::Finished { finish, usage };
        let mut events = vec![CompletionEvent::Text(text), end.clone()];
        if self.has(Defect::EndsTwice) {
            events.push(end);
        }
        let events = futures::stream::iter(events).map(|event| {
            if matches!(event, CompletionEvent::Finished { .. }) {
                self.is_streaming.store(false, Ordering::Relaxed);
            }
            Ok(event)
        });
        Ok(events.boxed())
    }
}

defects! {
    llm_provider: [
    answers_who_asked_last: SharesRequest => [lp_1_complete_answers_with_the_whole_text];
    streams_without_usage: StreamsWithoutUsage => [lp_2_stream_gives_the_same_text_in_parts];
    ends_twice: EndsTwice => [
        lp_2_stream_gives_the_same_text_in_parts,
        lp_3_a_limit_that_was_reached_is_length,
        lp_4_a_refusal_is_no_error,
        lp_8_a_call_that_is_dropped_leaves_it_usable,
        lp_10_a_role_that_is_not_served_is_unsupported
    ];
    calls_complete_what_is_cut_off: StopsAtLimit => [lp_3_a_limit_that_was_reached_is_length];
    fails_on_a_refusal: FailsOnRefusal => [lp_4_a_refusal_is_no_error];
    has_a_fingerprint_of_the_hour: CountsCalls => [lp_5_the_fingerprint_stays];
    never_tries_again: NeverTriesAgain => [lp_6_an_endpoint_that_does_not_answer_is_unavailable];
    stays_broken: StaysBroken => [lp_6_an_endpoint_that_does_not_answer_is_unavailable];
    uses_nothing: UsesNothing => [lp_7_usage_counts_tokens];
    waits_for_a_stream_that_is_gone: WaitsForStream => [lp_8_a_call_that_is_dropped_leaves_it_usable];
    adds_prose: AddsProse => [lp_9_replies_keep_to_the_schema];
    streams_what_it_does_not_serve: StreamsUnserved => [lp_10_a_role_that_is_not_served_is_unsupported];
    refuses_control_characters: RefusesControls => [lp_11_any_text_may_stand_in_a_task];
    a_provider_of_one_role_keeps_the_contract: HonestlyOne => [];
    ]
    opened again: []
}
