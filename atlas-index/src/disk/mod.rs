//! Everything that is written to a disk goes through here.
//!
//! Reads go to the files directly; writes, syncs and renames pass a gate first, so that a test can
//! let any of them fail.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use tantivy::directory::MmapDirectory;
use tantivy::{Directory, TantivyError};

mod gated;

/// Lets a write pass, or fails it.
pub(crate) trait Gate: fmt::Debug + Send + Sync {
    /// Called before each write, sync, creation and rename.
    fn pass(&self, path: &Path) -> io::Result<()>;
}

/// A disk. Its writes pass the gate, if it has one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    gate: Option<Arc<dyn Gate>>,
}

impl Disk {
    /// A disk whose writes pass a gate.
    #[cfg(test)]
    pub(crate) fn behind(gate: Arc<dyn Gate>) -> Self {
        Self { gate: Some(gate) }
    }

    fn pass(&self, path: &Path) -> io::Result<()> {
        self.gate.as_ref().map_or(Ok(()), |gate| gate.pass(path))
    }

    pub(crate) fn open(&self, path: &Path, options: &OpenOptions) -> io::Result<File> {
        self.pass(path)?;
        options.open(path)
    }

    pub(crate) fn write(&self, file: &mut File, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if let Err(refused) = self.pass(path) {
            // A full disk takes a part of what it is given.
            let half = bytes.get(..bytes.len() / 2).unwrap_or_default();
            file.write_all(half)?;
            return Err(refused);
        }
        file.write_all(bytes)
    }

    pub(crate) fn sync(&self, file: &File) -> io::Result<()> {
        self.pass(Path::new("sync"))?;
        file.sync_data()
    }

    /// Makes a folder, and those above it, that survive a power cut.
    pub(crate) fn create_folder(&self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            return Ok(());
        }
        self.pass(path)?;
        fs::create_dir_all(path)?;
        path.parent()
            .map_or(Ok(()), |above| self.sync_folder(above))
    }

    /// Replaces a small file: readers see the old one or the new one, also after a power cut.
    pub(crate) fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let beside = path.with_extension("new");
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        let mut file = self.open(&beside, &options)?;
        self.write(&mut file, &beside, bytes)?;
        self.sync(&file)?;
        drop(file);
        self.pass(path)?;
        fs::rename(&beside, path)?;
        path.parent()
            .map_or(Ok(()), |above| self.sync_folder(above))
    }

    /// Brings the names in a folder to the disk.
    #[cfg(unix)]
    pub(crate) fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.pass(path)?;
        File::open(path)?.sync_all()
    }

    /// Windows keeps names without being asked.
    #[cfg(not(unix))]
    pub(crate) fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.pass(path)
    }

    /// A folder as tantivy sees it.
    pub(crate) fn directory(&self, path: &Path) -> Result<Box<dyn Directory>, TantivyError> {
        let directory = MmapDirectory::open(path)?;
        Ok(match &self.gate {
            None => Box::new(directory),
            Some(gate) => Box::new(gated::GatedDirectory::new(directory, Arc::clone(gate))),
        })
    }
}

/// Reads a small file; none if it is not there.
pub(crate) fn read_small(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(failure) if failure.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Fills the buffer from a place in a file, without moving anything that other readers share.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, into: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, at)
}

/// Fills the buffer from a place in a file; each read names its place.
#[cfg(windows)]
pub(crate) fn read_at(file: &File, mut into: &mut [u8], mut at: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !into.is_empty() {
        let n = file.seek_read(into, at)?;
        if n == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        into = into.get_mut(n..).unwrap_or_default();
        at = at.saturating_add(n as u64);
    }
    Ok(())
}
