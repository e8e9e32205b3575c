//! Importing twice: nothing changes and nothing is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use atlas_core::llm::Role;
use atlas_core::model::Fingerprint;
use atlas_core::ports::{
    Completion, CompletionRequest, CompletionStream, Embedder, EmbeddingSpace, LlmCapabilities,
    LlmProvider, ModelChoice, Purpose, SystemClock,
};
use atlas_core::{Atlas, Components, Result, Settings};
use atlas_offline::{OfflineEmbedder, OfflineLlm};
use atlas_store_memory::MemoryStore;

use crate::sample::{sample, wait};

/// Counts the calls of what it wraps.
#[derive(Clone)]
struct Counted<T> {
    inner: T,
    calls: Arc<AtomicUsize>,
}

impl<T> Counted<T> {
    fn new(inner: T, calls: &Arc<AtomicUsize>) -> Self {
        Self {
            inner,
            calls: Arc::clone(calls),
        }
    }

    fn count(&self) {
        self.calls.fetch_add(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl<T: LlmProvider> LlmProvider for Counted<T> {
    fn capabilities(&self) -> LlmCapabilities {
        self.inner.capabilities()
    }

    fn fingerprint(&self, role: Role, choice: &ModelChoice) -> Fingerprint {
        self.inner.fingerprint(role, choice)
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        self.count();
        self.inner.complete(request).await
    }

    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        self.count();
        self.inner.stream(request).await
    }
}

#[async_trait]
impl<T: Embedder> Embedder for Counted<T> {
    fn space(&self) -> EmbeddingSpace {
        self.inner.space()
    }

    fn max_batch(&self) -> usize {
        self.inner.max_batch()
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        self.count();
        self.inner.embed(texts, purpose).await
    }
}

#[test]
fn importing_again_changes_nothing_and_asks_nothing() {
    let calls = Arc::new(AtomicUsize::new(0));
    let embedder = Counted::new(OfflineEmbedder::default(), &calls);
    let store = MemoryStore::new(embedder.space());
    let llm = Counted::new(OfflineLlm::default(), &calls);
    let parts = Components::new(store, llm, embedder, SystemClock);
    let atlas = Atlas::new(parts, Settings::default()).unwrap();
    let channel = atlas.channel(sample().id("product"));
    let messages = sample().messages("product");

    let (first, settled) = wait(channel.remember(messages)).unwrap();
    assert_eq!(first.accepted, messages.len());
    assert!(settled.is_complete());
    assert!(calls.swap(0, Ordering::SeqCst) > 0);
    let before = wait(channel.snapshot()).unwrap();
    let pages = wait(channel.pages()).unwrap();

    let (again, settled) = wait(channel.remember(messages)).unwrap();
    assert_eq!(again.unchanged, messages.len(), "{again:?}");
    assert_eq!((again.accepted, again.changed, again.queued), (0, 0, 0));
    assert!(settled.is_complete());
    assert_eq!(calls.load(Ordering::SeqCst), 0);
    assert_eq!(wait(channel.snapshot()).unwrap(), before);
    assert_eq!(wait(channel.pages()).unwrap(), pages);
}
