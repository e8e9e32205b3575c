//! An export as the platform hands it out: one zip.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use atlas_core::{ErrorKind, Result};
use zip::ZipArchive;

use super::{Entry, Limits, error, failed, path, read_at_most, too_many_files};
use crate::report::{Report, SkipReason};

#[derive(Debug)]
pub(super) struct Zipped {
    archive: Mutex<ZipArchive<BufReader<File>>>,
}

impl Zipped {
    pub(super) fn open(
        path: &Path,
        limits: Limits,
        report: &mut Report,
    ) -> Result<(Self, Vec<Entry>)> {
        let file = File::open(path).map_err(|cause| failed(path, cause))?;
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|cause| {
            error(
                ErrorKind::Invalid,
                "neither a folder nor a readable zip",
                path,
            )
            .caused_by(cause)
        })?;
        if archive.len() > limits.files {
            return Err(too_many_files(path, limits));
        }
        // Entries that share their bytes are how a small zip unpacks to a huge one.
        if archive.has_overlapping_files().unwrap_or(true) {
            return Err(error(ErrorKind::Invalid, "the zip's files overlap", path));
        }
        let entries = list(&archive, path, limits, report)?;
        let zipped = Self {
            archive: Mutex::new(archive),
        };
        Ok((zipped, entries))
    }

    pub(super) fn read(
        &self,
        entry: &Entry,
        limit: u64,
    ) -> std::result::Result<Vec<u8>, SkipReason> {
        // A reader that panicked left nothing half done: each read seeks by itself.
        let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let file = archive
            .by_index(entry.index)
            .map_err(|_| SkipReason::Unreadable)?;
        if file.size() > limit {
            return Err(SkipReason::TooLarge);
        }
        read_at_most(file, limit)
    }
}

fn list(
    archive: &ZipArchive<BufReader<File>>,
    zip_path: &Path,
    limits: Limits,
    report: &mut Report,
) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut total: u64 = 0;
    for index in 0..archive.len() {
        let Ok(file) = archive.by_index_data(index) else {
            report.skip_file(SkipReason::Unreadable, &format!("entry {index}"));
            continue;
        };
        total = total.saturating_add(file.size());
        let name = name(file.name_raw(), file.name().ok().as_deref());
        if file.is_symlink() {
            report.skip_file(SkipReason::Symlink, &name);
            continue;
        }
        match path::parts(&name) {
            Err(path::UnsafePath) => report.skip_file(SkipReason::UnsafePath, &name),
            Ok(_) if file.is_dir() => {}
            Ok(parts) => entries.push(Entry { parts, index }),
        }
    }
    if total > limits.total_bytes {
        let message = "unpacks to more bytes than the limit";
        return Err(error(ErrorKind::Invalid, message, zip_path)
            .with("bytes", total)
            .with("limit", limits.total_bytes));
    }
    Ok(entries)
}

/// The name of an entry: `decoded` follows the UTF-8 flag, else code page 437.
///
/// Many writers forget the flag; bytes that are valid UTF-8 with letters beyond ASCII are hardly
/// ever anything else.
fn name(raw: &[u8], decoded: Option<&str>) -> String {
    match (std::str::from_utf8(raw), decoded) {
        (Ok(utf8), _) => utf8.to_owned(),
        (Err(_), Some(decoded)) => decoded.to_owned(),
        (Err(_), None) => String::from_utf8_lossy(raw).into_owned(),
    }
}
