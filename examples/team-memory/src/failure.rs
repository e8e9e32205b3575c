//! Why a run ended early, and what it leaves with.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// Why a run ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was given cannot be used: the export, a channel's name.
    Input(String),
    /// The output folder holds what this program did not write.
    Foreign {
        /// The folder or the file.
        path: PathBuf,
        /// Why it is left alone.
        why: &'static str,
    },
    /// A file of the wiki could not be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// How it failed.
        cause: io::Error,
    },
    /// Nothing can be printed.
    Output(io::Error),
    /// The run began but could not be brought to its end.
    Atlas(atlas_core::Error),
    /// The machine gave no runtime.
    Runtime(io::Error),
    /// Everything was done that could be; some channels wait still.
    Incomplete {
        /// How many.
        channels: usize,
    },
}

impl Failure {
    /// 2 where the caller has to give something else, 1 else.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Input(_) | Self::Foreign { .. } => ExitCode::from(2),
            Self::File { .. }
            | Self::Output(_)
            | Self::Atlas(_)
            | Self::Runtime(_)
            | Self::Incomplete { .. } => ExitCode::FAILURE,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(message) => f.write_str(message),
            Self::Foreign { path, why } => write!(f, "{}: {why}", path.display()),
            Self::File { path, cause } => write!(f, "{}: {cause}", path.display()),
            Self::Output(cause) => write!(f, "standard output: {cause}"),
            Self::Runtime(cause) => write!(f, "no runtime: {cause}"),
            Self::Atlas(error) => {
                write!(f, "{error}")?;
                let mut cause = std::error::Error::source(error);
                while let Some(error) = cause {
                    write!(f, ": {error}")?;
                    cause = error.source();
                }
                Ok(())
            }
            Self::Incomplete { channels } => {
                write!(f, "{channels} channels are not complete: see the warnings")
            }
        }
    }
}

impl std::error::Error for Failure {}

impl From<atlas_core::Error> for Failure {
    fn from(error: atlas_core::Error) -> Self {
        Self::Atlas(error)
    }
}
