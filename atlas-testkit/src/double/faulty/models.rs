//! [`LlmProvider`] and [`Embedder`] with faults.

use atlas_core::llm::Role;
use atlas_core::model::Fingerprint;
use atlas_core::ports::{
    Completion, CompletionRequest, CompletionStream, Embedder, EmbeddingSpace, LlmCapabilities,
    LlmProvider, ModelChoice, Purpose,
};
use atlas_core::{Result, async_trait};

use super::Faulty;

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<S: LlmProvider> LlmProvider for Faulty<S> {
    fn capabilities(&self) -> LlmCapabilities {
        self.inner.capabilities()
    }

    fn fingerprint(&self, role: Role, choice: &ModelChoice) -> Fingerprint {
        self.inner.fingerprint(role, choice)
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        self.faults
            .around("LlmProvider::complete", self.inner.complete(request))
            .await
    }

    async fn stream<'a>(&'a self, request: &'a CompletionRequest) -> Result<CompletionStream<'a>> {
        self.faults
            .around("LlmProvider::stream", self.inner.stream(request))
            .await
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl<S: Embedder> Embedder for Faulty<S> {
    fn space(&self) -> EmbeddingSpace {
        self.inner.space()
    }

    fn max_batch(&self) -> usize {
        self.inner.max_batch()
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        self.faults
            .around("Embedder::embed", self.inner.embed(texts, purpose))
            .await
    }
}
