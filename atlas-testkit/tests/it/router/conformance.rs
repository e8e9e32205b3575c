//! The router keeps the contracts of the ports that it calls.

use std::collections::BTreeMap;
use std::sync::Arc;

use atlas_core::llm::router::{
    BreakerSettings, EndpointSettings, ModelSettings, RoutedEmbedder, Router,
};
use atlas_testkit::double::HashEmbedder;

use super::{at, clock, router};
use crate::models::llm;

/// The suite fails more often in a row than an endpoint may that is not left alone.
fn patient(settings: ModelSettings) -> ModelSettings {
    let breaker = BreakerSettings {
        failures: 100,
        ..BreakerSettings::default()
    };
    let endpoint = EndpointSettings {
        max_concurrent: Some(4),
        breaker,
        ..EndpointSettings::default()
    };
    settings.with_endpoint("a", endpoint)
}

atlas_testkit::llm_provider_conformance!(|| async {
    router(&[("a", llm())], clock(), patient(at(&["a"])))
});

atlas_testkit::embedder_conformance!(|| async {
    let nobody = BTreeMap::from([("default".to_owned(), Arc::new(llm()) as _)]);
    let router = Router::new(&nobody, Arc::new(clock()), ModelSettings::default()).unwrap();
    RoutedEmbedder::new(Arc::new(HashEmbedder::new(64)), router)
});
