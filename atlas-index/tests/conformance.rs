//! The index keeps the contract of its port.

use atlas_core::ports::EmbeddingSpace;
use atlas_index::MemoryFactIndex;

atlas_testkit::fact_index_conformance!(|| async {
    MemoryFactIndex::new(EmbeddingSpace {
        model: "test".to_owned(),
        revision: "1".to_owned(),
        dimensions: 4,
        is_normalised: false,
    })
});
