//! What is cut off in a copy.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fastrand::Rng;

/// The most files of an index that are cut at once.
const MOST_FILES: usize = 3;

/// Where files of a copy end.
#[derive(Debug)]
pub(super) struct Cut {
    copy: PathBuf,
    /// The log's length before and after.
    log: Option<(u64, u64)>,
    /// Files of the index and their lengths after the cut.
    index: Vec<(PathBuf, u64)>,
    /// Whether the index is gone.
    is_index_gone: bool,
}

impl Cut {
    /// Draws what is cut: the log behind the floor, files of the index anywhere, or both. A log that
    /// has nothing behind the floor loses nothing.
    pub(super) fn draw(rng: &mut Rng, copy: &Path, floor: u64) -> Result<Self> {
        let drawn = rng.u8(0..10);
        let mut cut = Self {
            copy: copy.to_path_buf(),
            log: None,
            index: Vec::new(),
            is_index_gone: drawn == 9,
        };
        let log = log_of(copy);
        if drawn < 8 && log.exists() {
            let length = fs::metadata(&log)?.len();
            // Its last byte always goes, so that no cut leaves a log as it was.
            let most = length.saturating_sub(1).max(floor.min(length));
            cut.log = Some((length, rng.u64(floor.min(length)..=most)));
        }
        if (2..9).contains(&drawn) {
            let files = files_under(&copy.join("index"))?;
            for file in rng.choose_multiple(files, MOST_FILES) {
                let length = fs::metadata(&file)?.len();
                cut.index.push((file, rng.u64(0..=length)));
            }
        }
        Ok(cut)
    }

    /// Cuts, and tells what was cut.
    pub(super) fn apply(&self) -> Result<String> {
        let mut told = Vec::new();
        // Its shared memory is gone with the machine.
        let shared = self.copy.join("atlas.db-shm");
        if shared.exists() {
            fs::remove_file(&shared)?;
        }
        if let Some((before, after)) = self.log {
            truncate(&log_of(&self.copy), after)?;
            told.push(format!("log {before} to {after}"));
        }
        for (file, after) in &self.index {
            truncate(file, *after)?;
            let name = file.strip_prefix(&self.copy).unwrap_or(file);
            told.push(format!("{} to {after}", name.display()));
        }
        if self.is_index_gone && self.copy.join("index").exists() {
            fs::remove_dir_all(self.copy.join("index"))?;
            told.push("no index".to_owned());
        }
        Ok(told.join(", "))
    }

    pub(super) fn log_bytes(&self) -> u64 {
        self.log.map_or(0, |(before, after)| before - after)
    }

    pub(super) fn n_index_files(&self) -> usize {
        self.index.len()
    }
}

fn log_of(dir: &Path) -> PathBuf {
    dir.join("atlas.db-wal")
}

fn truncate(file: &Path, length: u64) -> Result<()> {
    let opened = OpenOptions::new().write(true).open(file)?;
    opened
        .set_len(length)
        .with_context(|| format!("cutting {}", file.display()))
}

/// Every file under a folder, in order of their paths.
pub(super) fn files_under(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(dir) = open.pop() {
        if !dir.exists() {
            continue;
        }
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Copies a folder with everything under it.
pub(super) fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for file in files_under(from)? {
        let target = to.join(file.strip_prefix(from)?);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::copy(&file, &target).with_context(|| format!("copying {}", file.display()))?;
    }
    Ok(())
}
