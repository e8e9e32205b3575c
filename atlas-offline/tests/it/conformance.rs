//! Both adapters keep the contracts of their ports, and so they do behind the router.

use atlas_offline::{OfflineEmbedder, OfflineLlm};

atlas_testkit::llm_provider_conformance!(|| async { OfflineLlm::new() });
atlas_testkit::embedder_conformance!(|| async { OfflineEmbedder::new() });

mod routed {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use atlas_core::llm::router::{DEFAULT_PROVIDER, ModelSettings, RoutedEmbedder, Router};
    use atlas_core::ports::{LlmProvider, SystemClock};

    use super::{OfflineEmbedder, OfflineLlm};

    fn router() -> Router {
        let llm: Arc<dyn LlmProvider> = Arc::new(OfflineLlm::new());
        let providers = BTreeMap::from([(DEFAULT_PROVIDER.to_owned(), llm)]);
        Router::new(&providers, Arc::new(SystemClock), ModelSettings::default()).unwrap()
    }

    atlas_testkit::llm_provider_conformance!(|| async { router() });
    atlas_testkit::embedder_conformance!(|| async {
        RoutedEmbedder::new(Arc::new(OfflineEmbedder::new()), router())
    });
}
