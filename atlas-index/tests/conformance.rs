//! Both indexes keep the contract of their port.

use atlas_core::ports::EmbeddingSpace;

fn space() -> EmbeddingSpace {
    EmbeddingSpace {
        model: "test".to_owned(),
        revision: "1".to_owned(),
        dimensions: 4,
        is_normalised: false,
    }
}

mod memory {
    use atlas_index::MemoryFactIndex;

    atlas_testkit::fact_index_conformance!(|| async { MemoryFactIndex::new(super::space()) });
}

mod folder {
    use std::cell::RefCell;

    use atlas_index::{FolderFactIndex, FolderSettings};
    use tempfile::TempDir;

    thread_local! {
        /// The folders of a test, which go with its thread.
        static FOLDERS: RefCell<Vec<TempDir>> = const { RefCell::new(Vec::new()) };
    }

    atlas_testkit::fact_index_conformance!(|| async {
        let dir = tempfile::tempdir().unwrap();
        // Few may stay open, so that channels close and open again.
        let settings = FolderSettings::default()
            .with_max_open_channels(2)
            .with_n_threads(2);
        let index = FolderFactIndex::open(dir.path(), super::space(), settings).unwrap();
        FOLDERS.with_borrow_mut(|folders| folders.push(dir));
        index
    });
}
