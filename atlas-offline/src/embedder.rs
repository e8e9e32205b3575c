//! Texts to vectors of hashed features.

use std::collections::BTreeMap;

use atlas_core::ports::{Embedder, EmbeddingSpace, Purpose};
use atlas_core::{Error, ErrorKind, Result, async_trait};

use crate::text::stem::{content_stems, folded_words, is_stop_word};

/// The width of a vector. At 512, texts of twenty words that share nothing stay within a cosine
/// of 0.1 of each other; half of it doubles that noise, twice of it costs twice the memory.
const DIMENSIONS: usize = 512;
/// Texts of one call.
const MAX_BATCH: usize = 256;

/// What a whole word, two words in a row, a piece of a word and a word of grammar weigh.
const WORD: f32 = 1.0;
const PAIR: f32 = 0.5;
const PIECE: f32 = 0.25;
const GRAMMAR: f32 = 0.05;
/// The lengths of the pieces of words, in letters.
const PIECES: [usize; 2] = [3, 4];

/// An [`Embedder`] that needs no model.
///
/// A text is the bag of its word stems, of pairs of stems in a row and of the pieces of its words.
/// Each feature adds its sub-linear weight to one component, with a sign that comes from its hash
/// too, so that collisions cancel out on average; the sum has length one.
///
/// It finds texts that share words, forms of words or parts of words. It knows no synonyms and no
/// second language: "car" and "automobile" have nothing in common for it.
///
/// # Source
///
/// Weinberger, Dasgupta, Langford, Smola, Attenberg, "Feature hashing", ICML 2009.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfflineEmbedder;

#[async_trait]
impl Embedder for OfflineEmbedder {
    fn space(&self) -> EmbeddingSpace {
        EmbeddingSpace {
            model: "atlas-offline-features".to_owned(),
            revision: "1".to_owned(),
            dimensions: DIMENSIONS,
            is_normalised: true,
        }
    }

    fn max_batch(&self) -> usize {
        MAX_BATCH
    }

    async fn embed(&self, texts: &[&str], _purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        if texts.len() > MAX_BATCH {
            return Err(Error::new(
                ErrorKind::Invalid,
                "OfflineEmbedder::embed",
                "too many texts",
            )
            .with("texts", texts.len())
            .with("max_batch", MAX_BATCH));
        }
        Ok(texts.iter().map(|text| vector(text)).collect())
    }
}

fn vector(text: &str) -> Vec<f32> {
    let mut sum = vec![0.0_f32; DIMENSIONS];
    for (feature, (count, weight)) in features(text) {
        let hash = hash(&feature);
        let at = usize::try_from(hash % DIMENSIONS as u64).unwrap_or_default();
        let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
        if let Some(component) = sum.get_mut(at) {
            *component += sign * weight * (1.0 + count.ln());
        }
    }
    let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        for component in &mut sum {
            *component /= length;
        }
    }
    sum
}

/// The features of a text with how often they stand in it and what each weighs. In order, so that
/// the sum does not depend on a hasher.
fn features(text: &str) -> BTreeMap<String, (f32, f32)> {
    let mut features: BTreeMap<String, (f32, f32)> = BTreeMap::new();
    let mut add = |feature: String, weight: f32| {
        features.entry(feature).or_insert((0.0, weight)).0 += 1.0;
    };
    let stems = content_stems(text);
    for pair in stems.windows(2) {
        add(format!("2 {}", pair.join(" ")), PAIR);
    }
    for stem in stems {
        let letters: Vec<char> = format!("^{stem}$").chars().collect();
        for size in PIECES {
            for piece in letters.windows(size) {
                add(format!("c {}", piece.iter().collect::<String>()), PIECE);
            }
        }
        add(format!("w {stem}"), WORD);
    }
    for word in folded_words(text)
        .into_iter()
        .filter(|word| is_stop_word(word))
    {
        add(format!("g {word}"), GRAMMAR);
    }
    features
}

/// FNV-1a with the finisher of `MurmurHash3`: a fixed hash, the same on every machine.
fn hash(feature: &str) -> u64 {
    let mut hash = feature
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cosine(a: &str, b: &str) -> f32 {
        vector(a).iter().zip(vector(b)).map(|(x, y)| x * y).sum()
    }

    #[track_caller]
    fn check(question: &str, near: &str, far: &str) {
        let (near, far) = (cosine(question, near), cosine(question, far));
        assert!(near > far + 0.15, "{question}: {near} and {far}");
    }

    #[test]
    fn texts_that_share_words_or_forms_are_near() {
        let far = "Lunch is at noon in the kitchen.";
        check("When do we launch?", "The launch moved to 26 May.", far);
        check(
            "deploying the search index",
            "Search indices were deployed.",
            far,
        );
        check("汇率换算", "我们决定用汇率换算服务。", far);
        check("pre-launch checklist", "the prelaunch checklists", far);
    }

    #[test]
    fn a_text_without_features_is_all_zero() {
        for text in ["", " … ", "👍"] {
            assert!(vector(text).iter().all(|x| *x == 0.0), "{text}");
        }
    }

    #[test]
    fn a_batch_that_is_too_large_is_invalid() {
        let texts = vec!["a"; MAX_BATCH + 1];
        let made = futures::executor::block_on(OfflineEmbedder.embed(&texts, Purpose::Document));
        assert_eq!(made.unwrap_err().kind(), ErrorKind::Invalid);
    }

    proptest! {
        #[test]
        fn vectors_are_of_length_one_or_nought(text in ".{0,200}") {
            let made = vector(&text);
            prop_assert_eq!(made.len(), DIMENSIONS);
            prop_assert!(made.iter().all(|x| x.is_finite()));
            let length = made.iter().map(|x| x * x).sum::<f32>().sqrt();
            prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-4);
        }
    }
}
