//! Both adapters keep the contracts of their ports.

use atlas_offline::{OfflineEmbedder, OfflineLlm};

atlas_testkit::llm_provider_conformance!(|| async { OfflineLlm::new() });
atlas_testkit::embedder_conformance!(|| async { OfflineEmbedder::new() });
