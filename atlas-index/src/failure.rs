//! The one place where failures of tantivy and of the disk become errors of Atlas.

use std::io;
use std::time::Duration;

use atlas_core::{Error, ErrorKind, Result, Retry};
use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError};

/// When to try again what the disk refused.
const PAUSE: Duration = Duration::from_secs(1);

/// Stored bytes that do not mean what they should.
pub(crate) fn damage(op: &'static str, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Corrupt, op, message).with_retry(Retry::Now)
}

/// A part that does not answer at this moment.
pub(crate) fn unavailable(op: &'static str, message: &'static str) -> Error {
    Error::new(ErrorKind::Unavailable, op, message).with_retry(Retry::After(PAUSE))
}

/// A failure of the disk. A file that is not there, or ends too early, is damage to whoever reads
/// what was committed.
pub(crate) fn of_disk(op: &'static str, failure: io::Error) -> Error {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "of most failures nothing is known but that the disk did not answer"
    )]
    let error = match failure.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => {
            damage(op, "a file of the index is not whole")
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Error::new(
            ErrorKind::Denied,
            op,
            "the folder of the index may not be written",
        ),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            unavailable(op, "there is no room for the index on the disk")
        }
        _ => unavailable(op, "the place of the index does not answer"),
    };
    error.caused_by(failure)
}

/// A failure of tantivy.
pub(crate) fn of_tantivy(op: &'static str, failure: TantivyError) -> Error {
    if let Some(io) = disk_failure(&failure) {
        return of_disk(op, io).with("while", failure);
    }
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "tantivy adds failures; what is not known here is unexpected"
    )]
    let error = match &failure {
        TantivyError::DataCorruption(_)
        | TantivyError::IncompatibleIndex(_)
        | TantivyError::SchemaError(_)
        | TantivyError::DeserializeError(_)
        | TantivyError::MissingPlugin(_)
        | TantivyError::InternalError(_)
        | TantivyError::OpenReadError(_)
        | TantivyError::OpenDirectoryError(_) => damage(op, "the words of the index are not whole"),
        // A thread of tantivy's ends so when the disk refuses a write.
        TantivyError::ErrorInThread(_)
        | TantivyError::SystemError(_)
        | TantivyError::LockFailure(..)
        | TantivyError::OpenWriteError(_) => {
            unavailable(op, "the place of the index does not answer")
        }
        _ => Error::new(ErrorKind::Unexpected, op, "the index failed"),
    };
    error.caused_by(failure)
}

/// A failure of tantivy while it wrote. What it calls internal is a write that was refused to one of
/// its threads.
pub(crate) fn of_tantivy_writing(op: &'static str, failure: TantivyError) -> Error {
    if matches!(failure, TantivyError::InternalError(_)) {
        return unavailable(op, "the place of the index does not answer").caused_by(failure);
    }
    of_tantivy(op, failure)
}

/// The failure of the disk behind one of tantivy's.
fn disk_failure(failure: &TantivyError) -> Option<io::Error> {
    let (TantivyError::IoError(io)
    | TantivyError::OpenReadError(OpenReadError::IoError { io_error: io, .. })
    | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error: io, .. })
    | TantivyError::OpenDirectoryError(OpenDirectoryError::IoError { io_error: io, .. })
    | TantivyError::LockFailure(LockError::IoError(io), _)) = failure
    else {
        return None;
    };
    Some(io::Error::new(io.kind(), io.to_string()))
}

/// Turns tantivy's results into those of Atlas.
pub(crate) fn tried<T>(op: &'static str, outcome: tantivy::Result<T>) -> Result<T> {
    outcome.map_err(|failure| of_tantivy(op, failure))
}
