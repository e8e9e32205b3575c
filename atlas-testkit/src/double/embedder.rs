//! Vectors from words, with planted similarity.

use std::collections::BTreeMap;

use atlas_core::ports::{Embedder, EmbeddingSpace, Purpose};
use atlas_core::text::words;
use atlas_core::{Error, ErrorKind, Result, async_trait};

/// An embedder whose vectors depend on the words of a text alone.
///
/// Texts that share words are near to each other, others are not; where a test needs two texts at
/// an exact distance, it plants it. Vectors have length one, or are all zero for a text that has
/// no words and was not planted.
///
/// ```
/// use atlas_core::ports::{Embedder, Purpose};
/// use atlas_testkit::double::HashEmbedder;
///
/// # futures::executor::block_on(async {
/// let embedder = HashEmbedder::new(64).with_similarity("ship it", "release it", 0.93);
/// let vectors = embedder.embed(&["ship it", "release it"], Purpose::Document).await?;
/// let cosine: f32 = vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum();
/// assert!((cosine - 0.93).abs() < 1e-5);
/// # Ok::<(), atlas_core::Error>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct HashEmbedder {
    dimensions: usize,
    max_batch: usize,
    planted: BTreeMap<String, Vec<f32>>,
}

impl HashEmbedder {
    /// An embedder of that width; a width below two is taken as two.
    pub fn new(dimensions: usize) -> Self {
        Self {
            dimensions: dimensions.max(2),
            max_batch: 16,
            planted: BTreeMap::new(),
        }
    }

    /// Sets the most texts of one call, at least one.
    #[must_use]
    pub fn with_max_batch(mut self, max_batch: usize) -> Self {
        self.max_batch = max_batch.max(1);
        self
    }

    /// Plants `text` at that cosine from `anchor`, which stays where it is.
    ///
    /// Both are exact texts. A text that was planted before can be the anchor of another; a text
    /// that is planted again moves.
    #[must_use]
    pub fn with_similarity(mut self, anchor: &str, text: &str, cosine: f32) -> Self {
        let cosine = cosine.clamp(-1.0, 1.0);
        let near = self.solid(anchor);
        let aside = orthogonal(&near, &self.scattered(text));
        let across = (1.0 - cosine * cosine).sqrt();
        let placed = near
            .iter()
            .zip(aside)
            .map(|(near, aside)| cosine * near + across * aside)
            .collect();
        self.planted.insert(anchor.to_owned(), near);
        self.planted.insert(text.to_owned(), placed);
        self
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        if let Some(planted) = self.planted.get(text) {
            return planted.clone();
        }
        let mut sum = vec![0.0; self.dimensions];
        for word in words(text) {
            for (place, part) in sum.iter_mut().zip(self.scattered(&word)) {
                *place += part;
            }
        }
        normalised(sum)
    }

    /// The text's vector, or for one without words a vector of its own.
    fn solid(&self, text: &str) -> Vec<f32> {
        let vector = self.vector(text);
        if vector.iter().any(|part| *part != 0.0) {
            vector
        } else {
            self.scattered(text)
        }
    }

    /// A vector of length one that depends on every byte.
    fn scattered(&self, text: &str) -> Vec<f32> {
        let mut bytes = vec![0; self.dimensions * 2];
        blake3::Hasher::new()
            .update(text.as_bytes())
            .finalize_xof()
            .fill(&mut bytes);
        let (pairs, _) = bytes.as_chunks::<2>();
        let parts = pairs
            .iter()
            .map(|pair| f32::from(i16::from_le_bytes(*pair)));
        normalised(parts.collect())
    }
}

fn normalised(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
    if length > 0.0 {
        for part in &mut vector {
            *part /= length;
        }
    }
    vector
}

/// The part of `vector` that is orthogonal to `axis`, of length one.
fn orthogonal(axis: &[f32], vector: &[f32]) -> Vec<f32> {
    let along: f32 = axis.iter().zip(vector).map(|(a, b)| a * b).sum();
    let rest = vector
        .iter()
        .zip(axis)
        .map(|(part, axis)| part - along * axis);
    let rest = normalised(rest.collect());
    if rest.iter().any(|part| *part != 0.0) {
        return rest;
    }
    // The vector lies on the axis: turn the two largest parts of the axis by a right angle.
    let mut order: Vec<(usize, f32)> = axis.iter().copied().enumerate().collect();
    order.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let mut turned = vec![0.0; axis.len()];
    if let [(first, a), (second, b), ..] = order.as_slice() {
        for (place, part) in [(*first, -b), (*second, *a)] {
            if let Some(slot) = turned.get_mut(place) {
                *slot = part;
            }
        }
    }
    normalised(turned)
}

#[async_trait]
impl Embedder for HashEmbedder {
    fn space(&self) -> EmbeddingSpace {
        EmbeddingSpace {
            model: "testkit-hash".to_owned(),
            revision: "1".to_owned(),
            dimensions: self.dimensions,
            is_normalised: true,
        }
    }

    fn max_batch(&self) -> usize {
        self.max_batch
    }

    async fn embed(&self, texts: &[&str], _purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        if texts.len() > self.max_batch {
            return Err(Error::new(
                ErrorKind::Invalid,
                "Embedder::embed",
                "more texts than one call takes",
            )
            .with("texts", texts.len())
            .with("max_batch", self.max_batch));
        }
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;

    fn cosine(embedder: &HashEmbedder, a: &str, b: &str) -> f32 {
        let vectors = block_on(embedder.embed(&[a, b], Purpose::Query)).unwrap();
        vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn shared_words_are_near() {
        let embedder = HashEmbedder::new(256);
        assert!((cosine(&embedder, "The launch!", "the LAUNCH") - 1.0).abs() < 1e-5);
        let near = cosine(&embedder, "the launch is late", "the launch is early");
        let far = cosine(&embedder, "the launch is late", "bees make honey");
        assert!(near > 0.5 && far < 0.3, "{near} {far}");
        assert!(cosine(&embedder, "…", "…").abs() < 1e-6);
    }

    #[test]
    fn planted_similarity_is_exact() {
        for width in [2, 3, 64] {
            for planted in [-1.0, 0.0, 0.5, 0.92, 1.0] {
                let embedder = HashEmbedder::new(width)
                    .with_similarity("a", "b", planted)
                    .with_similarity("b", "c", 0.9)
                    .with_similarity("…", "a!", planted);
                for (a, b, expected) in [("a", "b", planted), ("b", "c", 0.9), ("…", "a!", planted)]
                {
                    let seen = cosine(&embedder, a, b);
                    assert!(
                        (seen - expected).abs() < 1e-4,
                        "{width} {a} {b} {expected} {seen}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_batch_that_is_too_large_is_refused() {
        let embedder = HashEmbedder::new(8).with_max_batch(2);
        let refusal = block_on(embedder.embed(&["a", "b", "c"], Purpose::Document)).unwrap_err();
        assert_eq!(refusal.kind(), ErrorKind::Invalid);
    }
}
