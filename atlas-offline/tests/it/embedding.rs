use atlas_core::ErrorKind;
use atlas_core::ports::{Embedder, Purpose};
use atlas_offline::OfflineEmbedder;
use futures::executor::block_on;
use proptest::prelude::*;

fn embed(texts: &[&str]) -> Vec<Vec<f32>> {
    block_on(OfflineEmbedder::new().embed(texts, Purpose::Document)).unwrap()
}

fn length(vector: &[f32]) -> f32 {
    vector.iter().map(|x| x * x).sum::<f32>().sqrt()
}

proptest! {
    #[test]
    fn vectors_keep_the_contract(texts in prop::collection::vec("(?s).{0,60}", 0..6)) {
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        let space = OfflineEmbedder::new().space();
        let together = embed(&borrowed);
        prop_assert_eq!(together.len(), texts.len()); // EM-1
        for (vector, text) in together.iter().zip(&borrowed) {
            prop_assert_eq!(vector.len(), space.dimensions); // EM-2
            prop_assert!(vector.iter().all(|x| x.is_finite()));
            let length = length(vector);
            prop_assert!(length < 1e-6 || (length - 1.0).abs() < 1e-4); // EM-3
            prop_assert_eq!(&embed(&[text])[0], vector); // EM-4
        }
    }
}

#[test]
fn a_text_without_words_is_nowhere() {
    for text in ["", "  ", "!?", "👍"] {
        assert!(length(&embed(&[text])[0]) < 1e-6, "{text}");
    }
}

#[test]
fn a_batch_has_a_limit() {
    let embedder = OfflineEmbedder::new();
    let texts = vec!["a"; embedder.max_batch() + 1];
    let refused = block_on(embedder.embed(&texts, Purpose::Query)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Invalid); // EM-5
}
