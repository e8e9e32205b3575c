//! The one error of every port and stage.

use std::fmt;
use std::time::Duration;

/// The result of every fallible call of Atlas.
pub type Result<T> = std::result::Result<T, Error>;

/// What the caller does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The thing asked for is not there: treat it as absent.
    NotFound,
    /// Somebody wrote first: read again and decide again.
    Conflict,
    /// The channel moved to another epoch: drop the work.
    Fenced,
    /// The argument is wrong: fix it.
    Invalid,
    /// This adapter cannot do that: choose another adapter or another call.
    Unsupported,
    /// The caller may not do that: fix the credentials or the policy.
    Denied,
    /// The part did not answer: see [`Error::retry`].
    Unavailable,
    /// Stored bytes do not mean what they should: stop, restore or rebuild from messages.
    Corrupt,
    /// A broken assumption: report it.
    Unexpected,
}

impl ErrorKind {
    /// The kind as a lower-case word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "not found",
            Self::Conflict => "conflict",
            Self::Fenced => "fenced",
            Self::Invalid => "invalid",
            Self::Unsupported => "unsupported",
            Self::Denied => "denied",
            Self::Unavailable => "unavailable",
            Self::Corrupt => "corrupt",
            Self::Unexpected => "unexpected",
        }
    }
}

/// Whether the same call may succeed later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retry {
    /// The same call fails again.
    #[default]
    Never,
    /// The same call may succeed at once.
    Now,
    /// The same call may succeed after this long.
    After(Duration),
}

/// An error: its kind, where it happened, and what caused it.
///
/// It is one pointer wide. `Display` prints this level only; the cause is reached by
/// [`std::error::Error::source`].
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    retry: Retry,
    op: &'static str,
    message: String,
    context: Vec<(&'static str, String)>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

const _: () = assert!(size_of::<Error>() == size_of::<usize>());

impl Error {
    /// Makes an error of the kind, raised by the operation, such as `"FactIndex::search"`.
    pub fn new(kind: ErrorKind, op: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            retry: Retry::Never,
            op,
            message: message.into(),
            context: Vec::new(),
            source: None,
        }))
    }

    /// Sets whether the same call may succeed later.
    #[must_use]
    pub fn with_retry(mut self, retry: Retry) -> Self {
        self.0.retry = retry;
        self
    }

    /// Adds a key and a value that help to find the cause.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl fmt::Display) -> Self {
        self.0.context.push((key, value.to_string()));
        self
    }

    /// Keeps the error that caused this one.
    #[must_use]
    pub fn caused_by(
        mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// What the caller does next.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Whether the same call may succeed later.
    pub fn retry(&self) -> Retry {
        self.0.retry
    }

    /// The operation that raised it.
    pub fn op(&self) -> &'static str {
        self.0.op
    }

    /// The message without operation, context and cause.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}: {}",
            self.0.op,
            self.0.kind.as_str(),
            self.0.message
        )?;
        for (key, value) in &self.0.context {
            write!(f, " {key}={value}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("retry", &self.0.retry)
            .field("op", &self.0.op)
            .field("message", &self.0.message)
            .field("context", &self.0.context)
            .field("source", &self.0.source)
            .finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.source {
            Some(source) => Some(source.as_ref()),
            None => None,
        }
    }
}
