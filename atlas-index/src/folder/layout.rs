//! Where things are in the folder, and the small files that say what they are.
//!
//! ```text
//! index.json                    which space the vectors live in
//! channels/<hash of the id>/    one channel
//!     lock                      held by whoever writes
//!     epoch-1, epoch-2          what the channel is fenced at, twice
//!     current                   which build counts, and what it was made with
//!     <build>/                  tantivy's files, and those of the vectors
//! ```

use std::path::{Path, PathBuf};
use std::{fs, io};

use atlas_core::model::{ChannelId, ContentHash};
use atlas_core::ports::{EmbeddingSpace, Epoch};
use atlas_core::{Error, ErrorKind, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::disk::{Disk, read_small};
use crate::failure::{damage, of_disk};
use crate::sealed;

/// The format of everything in the folder.
const FORMAT: u32 = 2;

/// The folder of all channels, within that of the index.
pub(super) const CHANNELS: &str = "channels";
/// The file that says which space the vectors live in.
pub(super) const INDEX: &str = "index.json";
/// The file that says which build counts.
pub(super) const CURRENT: &str = "current";
/// The file that whoever writes holds locked.
pub(super) const LOCK: &str = "lock";
/// The file within a build that says that it was found to be damaged.
pub(super) const DAMAGED: &str = "damaged";
const EPOCHS: [&str; 2] = ["epoch-1", "epoch-2"];
const BUILD: &str = "build-";

/// What is known of a folder before anything else of it is understood.
#[derive(Serialize, Deserialize)]
struct Versioned<T> {
    format: u32,
    #[serde(flatten)]
    content: T,
}

/// The format alone, whatever else a later one may say.
#[derive(Deserialize)]
struct FormatOnly {
    format: u32,
}

/// What the folder of an index says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct IndexManifest {
    pub(super) space: EmbeddingSpace,
}

/// Which build of a channel's index counts, and what it was made with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Current {
    pub(super) channel: ChannelId,
    pub(super) build: u64,
    pub(super) space: EmbeddingSpace,
    /// What tells the analysis of texts from others.
    pub(super) analysis: String,
}

#[derive(Serialize, Deserialize)]
struct Fence {
    epoch: Epoch,
}

/// The folder of a channel, within that of the index.
pub(super) fn folder_of(channel: &ChannelId) -> PathBuf {
    Path::new(CHANNELS).join(ContentHash::of(channel.as_str().as_bytes()).short())
}

/// The folder of a build, within that of its channel.
pub(super) fn build_folder(channel: &Path, build: u64) -> PathBuf {
    channel.join(format!("{BUILD}{build}"))
}

/// The builds in the folder of a channel, whole or not.
pub(super) fn builds(channel: &Path) -> io::Result<Vec<u64>> {
    let entries = match fs::read_dir(channel) {
        Ok(entries) => entries,
        Err(failure) if failure.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(failure) => return Err(failure),
    };
    let mut builds = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(BUILD));
        builds.extend(number.and_then(|number| number.parse::<u64>().ok()));
    }
    builds.sort_unstable();
    Ok(builds)
}

/// Removes every build but one, as far as they can be removed: a later writer removes the rest.
pub(super) fn sweep(channel: &Path, kept: Option<u64>) -> io::Result<()> {
    let mut failed = None;
    for build in builds(channel)? {
        if Some(build) != kept {
            failed = fs::remove_dir_all(build_folder(channel, build))
                .err()
                .or(failed);
        }
    }
    failed.map_or(Ok(()), Err)
}

/// Writes a small file.
pub(super) fn save(
    disk: &Disk,
    path: &Path,
    content: impl Serialize,
    op: &'static str,
) -> Result<()> {
    let sealed = sealed::seal(&Versioned {
        format: FORMAT,
        content,
    })
    .map_err(|cause| {
        Error::new(ErrorKind::Unexpected, op, "a small file cannot be written").caused_by(cause)
    })?;
    disk.replace(path, sealed.as_bytes())
        .map_err(|failure| of_disk(op, failure))
}

/// What a small file says.
///
/// # Errors
///
/// [`ErrorKind::Unsupported`] for one of a later format; [`ErrorKind::Corrupt`] for a damaged one.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8], op: &'static str) -> Result<T> {
    let broken = || damage(op, "a small file of the index is damaged");
    let text = std::str::from_utf8(bytes).map_err(|_| broken())?;
    let FormatOnly { format } = sealed::unseal(text).ok_or_else(broken)?;
    if format > FORMAT {
        return Err(Error::new(
            ErrorKind::Unsupported,
            op,
            "the index was written by a later version",
        )
        .with("format", format)
        .with("known", FORMAT));
    }
    sealed::unseal::<Versioned<T>>(text)
        .map(|it| it.content)
        .ok_or_else(broken)
}

/// What the small file says, if it is there.
pub(super) fn load<T: DeserializeOwned>(path: &Path, op: &'static str) -> Result<Option<T>> {
    let bytes = read_small(path).map_err(|failure| of_disk(op, failure))?;
    bytes.map(|bytes| parse(&bytes, op)).transpose()
}

/// What the channel is fenced at. It is kept twice, so that one damaged file does not open the way
/// to late writers.
pub(super) fn load_epoch(channel: &Path, op: &'static str) -> Result<Epoch> {
    let mut epoch = None;
    let mut failed = None;
    for name in EPOCHS {
        match load::<Fence>(&channel.join(name), op) {
            Ok(Some(fence)) => epoch = epoch.max(Some(fence.epoch)),
            Ok(None) => {}
            Err(error) => failed = Some(error),
        }
    }
    match (epoch, failed) {
        (Some(epoch), _) => Ok(epoch),
        (None, None) => Ok(Epoch::default()),
        // Late writers could not be told: the channel has to be fenced again first.
        (None, Some(error)) => Err(error.with("lost", "fence")),
    }
}

/// Writes what the channel is fenced at.
pub(super) fn save_epoch(
    disk: &Disk,
    channel: &Path,
    epoch: Epoch,
    op: &'static str,
) -> Result<()> {
    for name in EPOCHS {
        save(disk, &channel.join(name), Fence { epoch }, op)?;
    }
    Ok(())
}
