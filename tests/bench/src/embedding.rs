//! Vectors of the facts and questions.

use atlas_core::ports::{Embedder, EmbeddingSpace, Purpose};
use atlas_core::{Result, async_trait};
use atlas_offline::OfflineEmbedder;

/// Hashed features of words, turned so that no number of a vector is nought.
///
/// Texts that share words are near each other as with [`OfflineEmbedder`], of which this is a
/// rotation. Its vectors have many noughts, which are shorter as JSON and rounder in one byte than
/// those of a language model; these are as full as a model's.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DenseFeatures {
    features: OfflineEmbedder,
}

#[async_trait]
impl Embedder for DenseFeatures {
    fn space(&self) -> EmbeddingSpace {
        EmbeddingSpace {
            model: "dense-features".to_owned(),
            ..self.features.space()
        }
    }

    fn max_batch(&self) -> usize {
        self.features.max_batch()
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let mut vectors = self.features.embed(texts, purpose).await?;
        for vector in &mut vectors {
            rotate(vector);
        }
        Ok(vectors)
    }
}

/// Flips signs by a fixed pattern, then the Walsh-Hadamard transform: lengths and angles stay, up
/// to rounding. The width is a power of two.
fn rotate(vector: &mut [f32]) {
    let mut signs = fastrand::Rng::with_seed(1);
    for number in vector.iter_mut() {
        if signs.bool() {
            *number = -*number;
        }
    }
    let mut half = 1;
    while half < vector.len() {
        for pair in vector.chunks_exact_mut(half * 2) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        for number in vector {
            *number /= length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_stay_and_noughts_go() {
        let texts = ["the launch moved to May", "the launch is in May"];
        let dot = |v: &[Vec<f32>]| -> f32 { v[0].iter().zip(&v[1]).map(|(a, b)| a * b).sum() };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let (plain, dense) = runtime.block_on(async {
            let plain = OfflineEmbedder::new();
            let plain = plain.embed(&texts, Purpose::Document).await.unwrap();
            let dense = DenseFeatures::default();
            let dense = dense.embed(&texts, Purpose::Document).await.unwrap();
            (plain, dense)
        });
        assert!((dot(&plain) - dot(&dense)).abs() < 1e-4);
        let n_noughts = |v: &[f32]| v.iter().filter(|x| x.abs() < 1e-6).count();
        assert!(n_noughts(&plain[0]) > 200);
        assert!(n_noughts(&dense[0]) < 60);
    }
}
