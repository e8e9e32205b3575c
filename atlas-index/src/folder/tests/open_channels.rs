//! Few channels stay open.

use atlas_core::ports::Leg;

use super::super::{FolderFactIndex, FolderSettings};
use super::{apply, entry, found, space};

#[test]
fn no_more_channels_stay_open_than_may() {
    let dir = tempfile::tempdir().unwrap();
    let settings = FolderSettings::default().with_max_open_channels(3);
    let index = FolderFactIndex::open(dir.path(), space(), settings).unwrap();
    assert_eq!(index.inner.slots.n_open(), 0);
    let names: Vec<String> = (0..8).map(|at| format!("c{at}")).collect();
    for name in &names {
        apply(&index, name, (0, 1), &[entry("1", "alpha")]).unwrap();
        assert!(index.inner.slots.n_open() <= 4);
    }
    for name in names.iter().chain(&names) {
        assert_eq!(found(&index, name, Leg::Recent).unwrap().len(), 1);
    }
    index.inner.slots.close_surplus();
    assert!(index.inner.slots.n_open() <= 3);
}
