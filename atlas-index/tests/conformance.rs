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
    use atlas_core::Result;
    use atlas_index::{FolderFactIndex, FolderSettings};
    use atlas_testkit::conformance::Harness;
    use tempfile::TempDir;

    /// Indexes in folders of their own.
    struct Folders;

    impl Harness for Folders {
        type Store = FolderFactIndex;
        type Place = TempDir;

        async fn fresh_place(&self) -> TempDir {
            tempfile::tempdir().unwrap()
        }

        async fn open(&self, place: &TempDir) -> Result<FolderFactIndex> {
            // Few may stay open, so that channels close and open again.
            let settings = FolderSettings::default()
                .with_max_open_channels(2)
                .with_n_threads(2);
            FolderFactIndex::open(place.path(), super::space(), settings)
        }
    }

    atlas_testkit::fact_index_conformance!(Folders);
}
