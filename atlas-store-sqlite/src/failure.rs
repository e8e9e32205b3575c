//! What SQLite fails with, as errors of Atlas.

use std::time::Duration;

use atlas_core::{Error, ErrorKind, Retry};
use sqlx::error::DatabaseError;

/// How long to wait before trying again where somebody has to make room first.
const ROOM: Duration = Duration::from_mins(1);

/// SQLite's primary result codes that mean something to a caller.
mod code {
    pub(super) const PERM: i32 = 3;
    pub(super) const BUSY: i32 = 5;
    pub(super) const LOCKED: i32 = 6;
    pub(super) const READONLY: i32 = 8;
    pub(super) const IOERR: i32 = 10;
    pub(super) const CORRUPT: i32 = 11;
    pub(super) const FULL: i32 = 13;
    pub(super) const CANTOPEN: i32 = 14;
    pub(super) const NOTADB: i32 = 26;
}

/// Makes the error of an operation.
pub(crate) fn failed(op: &'static str) -> impl Fn(sqlx::Error) -> Error + Copy {
    move |failure| into_error(op, failure)
}

/// The one place where the driver's failures become errors of Atlas.
fn into_error(op: &'static str, failure: sqlx::Error) -> Error {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the driver adds failures; what is not known here is unexpected"
    )]
    let (kind, retry, message) = match &failure {
        sqlx::Error::Database(cause) => of_code(cause.as_ref()),
        sqlx::Error::PoolTimedOut => (
            ErrorKind::Unavailable,
            Retry::Now,
            "no connection became free in time",
        ),
        sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => {
            (ErrorKind::Unavailable, Retry::Never, "the store is closed")
        }
        sqlx::Error::Io(_) => (
            ErrorKind::Unavailable,
            Retry::After(ROOM),
            "the disk does not answer",
        ),
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => (
            ErrorKind::Corrupt,
            Retry::Never,
            "a column does not hold what it should",
        ),
        _ => (ErrorKind::Unexpected, Retry::Never, "the database failed"),
    };
    Error::new(kind, op, message)
        .with_retry(retry)
        .caused_by(failure)
}

fn of_code(cause: &dyn DatabaseError) -> (ErrorKind, Retry, &'static str) {
    let extended: i32 = cause
        .code()
        .and_then(|code| code.parse().ok())
        .unwrap_or_default();
    match extended & 0xff {
        code::BUSY | code::LOCKED => (
            ErrorKind::Unavailable,
            Retry::Now,
            "another process held the database for too long",
        ),
        code::FULL => (
            ErrorKind::Unavailable,
            Retry::After(ROOM),
            "there is no room left: the disk is full, or the size that was set is reached",
        ),
        code::IOERR => (
            ErrorKind::Unavailable,
            Retry::After(ROOM),
            "the disk does not answer",
        ),
        code::READONLY | code::PERM => (
            ErrorKind::Denied,
            Retry::Never,
            "the database cannot be written to",
        ),
        code::CANTOPEN => (
            ErrorKind::Denied,
            Retry::Never,
            "the database cannot be opened: look at the rights of its folder",
        ),
        code::CORRUPT => (
            ErrorKind::Corrupt,
            Retry::Never,
            "the database is damaged: restore a backup",
        ),
        code::NOTADB => (ErrorKind::Corrupt, Retry::Never, "this is not a database"),
        _ => (ErrorKind::Unexpected, Retry::Never, "the database failed"),
    }
}

/// What the file system fails with.
pub(crate) fn of_io(op: &'static str, message: &'static str, failure: std::io::Error) -> Error {
    use std::io::ErrorKind as Io;
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the rest is a disk that does not answer"
    )]
    let (kind, retry) = match failure.kind() {
        Io::PermissionDenied | Io::ReadOnlyFilesystem => (ErrorKind::Denied, Retry::Never),
        Io::NotADirectory | Io::AlreadyExists | Io::InvalidInput | Io::InvalidFilename => {
            (ErrorKind::Invalid, Retry::Never)
        }
        _ => (ErrorKind::Unavailable, Retry::After(ROOM)),
    };
    Error::new(kind, op, message)
        .with_retry(retry)
        .caused_by(failure)
}

/// Bytes of the database that do not mean what they should.
pub(crate) fn corrupt(
    op: &'static str,
    message: &'static str,
) -> impl Fn(serde_json::Error) -> Error {
    move |cause| Error::new(ErrorKind::Corrupt, op, message).caused_by(cause)
}
