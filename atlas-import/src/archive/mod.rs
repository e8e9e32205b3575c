//! The files of an export, in a folder or in a zip; read one at a time, never unpacked to disk.

mod folder;
mod path;
mod zipped;

use std::io::{self, Read};
use std::path::Path;

use atlas_core::{Error, ErrorKind, Result};

use crate::report::{Report, SkipReason};
use folder::Folder;
use zipped::Zipped;

/// Bounds that keep a hostile archive from taking the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest file that is read, unpacked, in bytes. Slack writes a file a channel and day,
    /// so that a real one has some megabytes at most.
    pub file_bytes: u64,
    /// The most bytes of a whole archive, unpacked.
    pub total_bytes: u64,
    /// The most files of an export.
    pub files: usize,
}

impl Default for Limits {
    /// 256 MiB a file, 64 GiB in all, four million files.
    fn default() -> Self {
        Self {
            file_bytes: 256 << 20,
            total_bytes: 64 << 30,
            files: 4_000_000,
        }
    }
}

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    /// Its path from the root, at least one part.
    pub(crate) parts: Vec<String>,
    /// Where it stands in the zip; 0 in a folder.
    index: usize,
}

impl Entry {
    pub(crate) fn path(&self) -> String {
        self.parts.join("/")
    }
}

/// An opened folder or zip.
#[derive(Debug)]
pub(crate) struct Archive {
    place: Place,
    limits: Limits,
    entries: Vec<Entry>,
}

#[derive(Debug)]
enum Place {
    Folder(Folder),
    Zip(Zipped),
}

impl Archive {
    /// Lists what is there. Paths that lead out and links are not followed but counted.
    pub(crate) fn open(path: &Path, limits: Limits, report: &mut Report) -> Result<Self> {
        let kind = std::fs::metadata(path).map_err(|cause| failed(path, cause))?;
        let (place, mut entries) = if kind.is_dir() {
            let (folder, entries) = Folder::open(path, limits, report)?;
            (Place::Folder(folder), entries)
        } else {
            let (zip, entries) = Zipped::open(path, limits, report)?;
            (Place::Zip(zip), entries)
        };
        entries.sort();
        Ok(Self {
            place,
            limits,
            entries,
        })
    }

    /// The files in the order of their paths.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, entry: &Entry) -> std::result::Result<Vec<u8>, SkipReason> {
        match &self.place {
            Place::Folder(folder) => folder.read(entry, self.limits.file_bytes),
            Place::Zip(zip) => zip.read(entry, self.limits.file_bytes),
        }
    }
}

/// Reads to the end, but no more than `limit` bytes whatever the headers say.
fn read_at_most(source: impl Read, limit: u64) -> std::result::Result<Vec<u8>, SkipReason> {
    let mut bytes = Vec::new();
    source
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|_| SkipReason::Unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(SkipReason::TooLarge);
    }
    Ok(bytes)
}

fn failed(path: &Path, cause: io::Error) -> Error {
    let (kind, message) = if cause.kind() == io::ErrorKind::NotFound {
        (ErrorKind::NotFound, "no such file or folder")
    } else if cause.kind() == io::ErrorKind::PermissionDenied {
        (ErrorKind::Denied, "may not be read")
    } else {
        (ErrorKind::Unavailable, "cannot be read")
    };
    error(kind, message, path).caused_by(cause)
}

fn error(kind: ErrorKind, message: &str, path: &Path) -> Error {
    Error::new(kind, "open export", message).with("path", path.display())
}

fn too_many_files(path: &Path, limits: Limits) -> Error {
    error(ErrorKind::Invalid, "more files than the limit", path).with("limit", limits.files)
}
