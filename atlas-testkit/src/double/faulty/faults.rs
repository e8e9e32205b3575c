//! Which call fails, and what was called.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use atlas_core::{Error, ErrorKind, Result, Retry};

/// A call that is to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    call: u64,
    kind: ErrorKind,
    retry: Retry,
    is_lasting: bool,
    takes_effect: bool,
}

impl Fault {
    /// Call number `call`, counted from 1, fails before it does anything; later ones succeed.
    ///
    /// What is unavailable may be tried again at once; every other kind never.
    pub fn at(call: u64, kind: ErrorKind) -> Self {
        let retry = if kind == ErrorKind::Unavailable {
            Retry::Now
        } else {
            Retry::Never
        };
        Self {
            call,
            kind,
            retry,
            is_lasting: false,
            takes_effect: false,
        }
    }

    /// Every later call fails too, before it does anything: the process died at that call.
    #[must_use]
    pub fn for_ever(mut self) -> Self {
        self.is_lasting = true;
        self
    }

    /// The call takes effect, and what it answers is lost: its caller cannot know.
    #[must_use]
    pub fn after_effect(mut self) -> Self {
        self.takes_effect = true;
        self
    }

    /// Sets whether the same call may succeed later.
    #[must_use]
    pub fn with_retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    fn error(self, op: &'static str) -> Error {
        let what = if self.takes_effect {
            "the acknowledgement was lost, as planned"
        } else {
            "the call failed, as planned"
        };
        Error::new(self.kind, op, what)
            .with_retry(self.retry)
            .with("call", self.call)
    }
}

#[derive(Debug, Default)]
struct State {
    fault: Option<Fault>,
    calls: Vec<&'static str>,
    n_failed: u64,
}

/// Counts the calls of every [`Faulty`](super::Faulty) that shares it, and says which one fails.
///
/// A clone is another handle on the same count.
#[derive(Clone, Debug, Default)]
pub struct Faults(Arc<Mutex<State>>);

/// What becomes of a call.
enum Fate {
    Succeeds,
    FailsBefore(Fault),
    FailsAfter(Fault),
}

impl Faults {
    /// Plans a fault in the place of the planned one, and counts from nought again.
    pub fn set(&self, fault: Fault) {
        *self.state() = State {
            fault: Some(fault),
            ..State::default()
        };
    }

    /// Lets every call succeed, and counts from nought again.
    pub fn clear(&self) {
        *self.state() = State::default();
    }

    /// How many calls there were.
    pub fn n_calls(&self) -> u64 {
        u64::try_from(self.state().calls.len()).unwrap_or(u64::MAX)
    }

    /// How many calls were made to fail.
    pub fn n_failed(&self) -> u64 {
        self.state().n_failed
    }

    /// The calls in order, such as `RecordStore::commit`.
    pub fn calls(&self) -> Vec<&'static str> {
        self.state().calls.clone()
    }

    /// Counts a call and lets it happen, or not.
    pub(super) async fn around<T>(
        &self,
        op: &'static str,
        call: impl Future<Output = Result<T>> + Send,
    ) -> Result<T> {
        match self.next(op) {
            Fate::Succeeds => call.await,
            Fate::FailsBefore(fault) => Err(fault.error(op)),
            Fate::FailsAfter(fault) => {
                // A call that is refused for a reason of its own says so.
                call.await?;
                Err(fault.error(op))
            }
        }
    }

    fn next(&self, op: &'static str) -> Fate {
        let mut state = self.state();
        state.calls.push(op);
        let number = u64::try_from(state.calls.len()).unwrap_or(u64::MAX);
        let fate = match state.fault {
            Some(fault) if number == fault.call && fault.takes_effect => Fate::FailsAfter(fault),
            Some(fault) if number == fault.call || (fault.is_lasting && number > fault.call) => {
                Fate::FailsBefore(fault)
            }
            Some(_) | None => Fate::Succeeds,
        };
        if !matches!(fate, Fate::Succeeds) {
            state.n_failed += 1;
        }
        fate
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
