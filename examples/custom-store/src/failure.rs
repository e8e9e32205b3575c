//! What can go wrong here, and the one place where it becomes an Atlas error.

use atlas_core::{Error, ErrorKind, Result};

/// What can go wrong with the file.
pub(crate) enum Failure {
    Io(std::io::Error),
    Json(serde_json::Error),
    Poisoned,
}

impl From<std::io::Error> for Failure {
    fn from(cause: std::io::Error) -> Self {
        Self::Io(cause)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(cause: serde_json::Error) -> Self {
        Self::Json(cause)
    }
}

impl Failure {
    /// The error: its kind says what the caller does next.
    pub(crate) fn at(self, op: &'static str) -> Error {
        match self {
            Self::Io(cause) => {
                Error::new(ErrorKind::Unavailable, op, "the file does not answer").caused_by(cause)
            }
            Self::Json(cause) => {
                Error::new(ErrorKind::Corrupt, op, "the file is no graph").caused_by(cause)
            }
            Self::Poisoned => Error::new(ErrorKind::Unexpected, op, "a thread died at the graph"),
        }
    }
}

/// Refuses what the contract does not allow.
pub(crate) fn refuse<T>(kind: ErrorKind, op: &'static str, why: &'static str) -> Result<T> {
    Err(Error::new(kind, op, why))
}
