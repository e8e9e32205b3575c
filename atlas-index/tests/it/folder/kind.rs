//! Which index is tested.

use std::cell::RefCell;
use std::path::Path;

use atlas_index::{FolderFactIndex, FolderSettings};
use tempfile::TempDir;

use super::setup::space;

pub(crate) type Index = FolderFactIndex;

thread_local! {
    /// The folders of a test, which go with its thread.
    static FOLDERS: RefCell<Vec<TempDir>> = const { RefCell::new(Vec::new()) };
}

pub(crate) fn index() -> Index {
    let dir = tempfile::tempdir().unwrap();
    let index = open(dir.path());
    FOLDERS.with_borrow_mut(|folders| folders.push(dir));
    index
}

pub(crate) fn open(dir: &Path) -> Index {
    let settings = FolderSettings::default().with_n_threads(2);
    FolderFactIndex::open(dir, space(), settings).unwrap()
}
