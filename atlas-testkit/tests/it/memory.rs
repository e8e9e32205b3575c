//! The memory adapter keeps every contract.

use atlas_core::ports::EmbeddingSpace;
use atlas_store_memory::MemoryStore;

/// An empty store.
pub(crate) fn store() -> MemoryStore {
    MemoryStore::new(EmbeddingSpace {
        model: "test".to_owned(),
        revision: "1".to_owned(),
        dimensions: 8,
        is_normalised: true,
    })
}

atlas_testkit::message_store_conformance!(|| async { store() });
atlas_testkit::record_store_conformance!(|| async { store() });
atlas_testkit::graph_store_conformance!(|| async { store() });
atlas_testkit::fact_index_conformance!(|| async { store() });
