//! An export that was unpacked into a folder.

use std::fs;
use std::path::{Path, PathBuf};

use atlas_core::Result;

use super::{Entry, Limits, failed, read_at_most, too_many_files};
use crate::report::{Report, SkipReason};

/// How deep files are looked for; an export nested one folder down has its days three deep.
const DEPTH: usize = 8;

#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
}

impl Folder {
    pub(super) fn open(
        root: &Path,
        limits: Limits,
        report: &mut Report,
    ) -> Result<(Self, Vec<Entry>)> {
        let mut listing = Listing {
            root,
            limits,
            report,
            entries: Vec::new(),
        };
        listing.visit(root, &[])?;
        let folder = Self {
            root: root.to_owned(),
        };
        Ok((folder, listing.entries))
    }

    pub(super) fn read(
        &self,
        entry: &Entry,
        limit: u64,
    ) -> std::result::Result<Vec<u8>, SkipReason> {
        let path = entry
            .parts
            .iter()
            .fold(self.root.clone(), |mut path, part| {
                path.push(part);
                path
            });
        // Looked at again: a link may have taken the file's place since it was listed.
        let found = fs::symlink_metadata(&path).map_err(|_| SkipReason::Unreadable)?;
        if found.is_symlink() {
            return Err(SkipReason::Symlink);
        }
        if found.len() > limit {
            return Err(SkipReason::TooLarge);
        }
        let file = fs::File::open(&path).map_err(|_| SkipReason::Unreadable)?;
        read_at_most(file, limit)
    }
}

struct Listing<'a> {
    root: &'a Path,
    limits: Limits,
    report: &'a mut Report,
    entries: Vec<Entry>,
}

impl Listing<'_> {
    fn visit(&mut self, folder: &Path, above: &[String]) -> Result<()> {
        for found in fs::read_dir(folder).map_err(|cause| failed(folder, cause))? {
            let found = found.map_err(|cause| failed(folder, cause))?;
            let kind = found.file_type().map_err(|cause| failed(folder, cause))?;
            let name = found.file_name();
            let mut parts = above.to_vec();
            parts.push(name.to_string_lossy().into_owned());
            if kind.is_symlink() {
                self.report.skip_file(SkipReason::Symlink, &parts.join("/"));
            } else if name.to_str().is_none() {
                // The part would not lead back to the file.
                self.report
                    .skip_file(SkipReason::Unreadable, &parts.join("/"));
            } else if kind.is_dir() {
                if parts.len() < DEPTH {
                    self.visit(&found.path(), &parts)?;
                } else {
                    self.report
                        .skip_file(SkipReason::OtherFile, &parts.join("/"));
                }
            } else {
                self.add(parts)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, parts: Vec<String>) -> Result<()> {
        if self.entries.len() >= self.limits.files {
            return Err(too_many_files(self.root, self.limits));
        }
        self.entries.push(Entry { parts, index: 0 });
        Ok(())
    }
}
