//! The stores keep the contracts of their ports.

use atlas_core::ports::EmbeddingSpace;
use atlas_store_memory::MemoryStore;

fn store() -> MemoryStore {
    MemoryStore::new(EmbeddingSpace {
        model: "test".to_owned(),
        revision: "1".to_owned(),
        dimensions: 4,
        is_normalised: false,
    })
}

atlas_testkit::message_store_conformance!(|| async { store() });
atlas_testkit::record_store_conformance!(|| async { store() });
atlas_testkit::fact_index_conformance!(|| async { store() });
atlas_testkit::graph_store_conformance!(|| async { store() });
