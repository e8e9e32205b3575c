//! An embedder behind the router: limited, left alone and billed like any endpoint.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures::future::BoxFuture;

use super::call::Answer;
use super::models::{Place, Router};
use crate::error::Result;
use crate::model::ModelRole;
use crate::ports::{Embedder, EmbeddingSpace, Purpose, Usage};
use crate::text::estimate_tokens;

/// An embedder whose calls go through a [`Router`]. Its space and its vectors are the embedder's.
#[derive(Clone)]
pub struct RoutedEmbedder {
    inner: Arc<dyn Embedder>,
    router: Router,
    place: Place,
}

impl RoutedEmbedder {
    /// Puts an embedder behind a router, on the account of its handle.
    pub fn new(inner: Arc<dyn Embedder>, router: Router) -> Self {
        let place = router.place_of_embedder(inner.space().model);
        Self {
            inner,
            router,
            place,
        }
    }

    /// The same embedder on the account of another handle of its router.
    #[must_use]
    pub fn on(&self, router: Router) -> Self {
        Self {
            router,
            ..self.clone()
        }
    }
}

impl Answer for Vec<Vec<f32>> {
    fn usage(&self) -> Option<Usage> {
        None
    }

    fn is_refusal(&self) -> bool {
        false
    }
}

#[async_trait]
impl Embedder for RoutedEmbedder {
    fn space(&self) -> EmbeddingSpace {
        self.inner.space()
    }

    fn max_batch(&self) -> usize {
        self.inner.max_batch()
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let ask =
            |_: usize| -> BoxFuture<'_, Result<Vec<Vec<f32>>>> { self.inner.embed(texts, purpose) };
        let tokens: usize = texts.iter().map(|it| estimate_tokens(it)).sum();
        let call = (
            ModelRole::Embedder,
            u64::try_from(tokens).unwrap_or(u64::MAX),
        );
        let (vectors, attempt) = self.router.call(call, &[&self.place], &ask).await?;
        if let Some(attempt) = attempt {
            attempt.end(None, true);
        }
        Ok(vectors)
    }
}

impl fmt::Debug for RoutedEmbedder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoutedEmbedder")
            .field("space", &self.inner.space())
            .finish_non_exhaustive()
    }
}
