//! A folder of tantivy's whose writes pass a gate.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};

use super::Gate;

/// A directory in which every write, sync and replacement passes the gate first.
#[derive(Clone, Debug)]
pub(super) struct GatedDirectory {
    directory: MmapDirectory,
    gate: Arc<dyn Gate>,
}

impl GatedDirectory {
    pub(super) fn new(directory: MmapDirectory, gate: Arc<dyn Gate>) -> Self {
        Self { directory, gate }
    }
}

impl Directory for GatedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.directory.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.directory.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.directory.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.gate
            .pass(path)
            .map_err(|failure| OpenWriteError::wrap_io_error(failure, path.to_path_buf()))?;
        let writer = self.directory.open_write(path)?;
        Ok(BufWriter::new(Box::new(GatedWriter {
            writer,
            path: path.to_path_buf(),
            gate: Arc::clone(&self.gate),
        })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.directory.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.gate.pass(path)?;
        self.directory.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.gate.pass(Path::new("."))?;
        self.directory.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.directory.acquire_lock(lock)
    }

    fn watch(&self, watch_callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.directory.watch(watch_callback)
    }
}

struct GatedWriter {
    writer: WritePtr,
    path: PathBuf,
    gate: Arc<dyn Gate>,
}

impl Write for GatedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.gate.pass(&self.path)?;
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl TerminatingWrite for GatedWriter {
    fn terminate_ref(&mut self, token: AntiCallToken) -> io::Result<()> {
        self.gate.pass(&self.path)?;
        self.writer.terminate_ref(token)
    }
}
