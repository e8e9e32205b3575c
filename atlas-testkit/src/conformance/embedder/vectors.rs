//! What a vector is.

use atlas_core::ports::{Embedder, EmbedderExt, Purpose};

use crate::conformance::corpus::texts;
use crate::conformance::seen::same;
use crate::conformance::{Checked, Seen};

/// Texts that say different things in different words.
pub(super) const SENTENCES: [&str; 5] = [
    "The launch was moved to Friday.",
    "Bees make honey in summer.",
    "Our database needs another index.",
    "Nobody answered the phone yesterday.",
    "Paint dries slowly when it rains.",
];

/// How far a number of a vector may be off: an endpoint may add in another order.
const TOLERANCE: f32 = 1e-3;
/// The longest text that has to fit whatever window a model has.
const LONGEST: usize = 1_024;

/// Whether two vectors are the same, but for how they were added up.
pub(super) fn alike(left: &[f32], right: &[f32]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(a, b)| (a - b).abs() <= TOLERANCE)
}

/// The vector of a text that is embedded alone.
pub(super) async fn of_one(
    embedder: &impl Embedder,
    text: &str,
    purpose: Purpose,
) -> Result<Vec<f32>, Seen> {
    let mut vectors = embedder.embed(&[text], purpose).await?;
    require!(vectors.len() == 1, "{} vectors of one text", vectors.len());
    vectors.pop().ok_or_else(|| Seen::new("no vector"))
}

/// The vectors of texts of every sort, with their texts.
async fn of_any_sort(embedder: &impl Embedder) -> Result<Vec<(String, Vec<f32>)>, Seen> {
    let mut texts = texts();
    texts.retain(|text| text.len() <= LONGEST);
    texts.extend(SENTENCES.map(str::to_owned));
    let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut all = Vec::new();
    for purpose in [Purpose::Document, Purpose::Query] {
        let vectors = embedder.embed_all(&borrowed, purpose).await?;
        all.extend(texts.iter().cloned().zip(vectors));
    }
    Ok(all)
}

pub(super) async fn em_2_vectors_have_the_width_of_the_space(embedder: impl Embedder) -> Checked {
    let width = embedder.space().dimensions;
    for (text, vector) in of_any_sort(&embedder).await? {
        same(&format!("the width for {text:?}"), &vector.len(), &width)?;
        let is_finite = vector.iter().all(|number| number.is_finite());
        require!(is_finite, "{text:?} has numbers that are not finite");
    }
    Ok(())
}

pub(super) async fn em_3_vectors_of_a_normalised_space_have_length_one(
    embedder: impl Embedder,
) -> Checked {
    if !embedder.space().is_normalised {
        return Ok(());
    }
    for (text, vector) in of_any_sort(&embedder).await? {
        let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
        let is_zero = vector.iter().all(|number| *number == 0.0);
        let says_nothing = !text.chars().any(char::is_alphanumeric);
        require!(
            (length - 1.0).abs() <= TOLERANCE || is_zero && says_nothing,
            "{text:?} has length {length}"
        );
    }
    Ok(())
}

pub(super) async fn em_4_the_same_text_gives_the_same_vector(embedder: impl Embedder) -> Checked {
    for purpose in [Purpose::Document, Purpose::Query] {
        for text in SENTENCES {
            let alone = of_one(&embedder, text, purpose).await?;
            for others in SENTENCES.chunks(embedder.max_batch().saturating_sub(1).max(1)) {
                let mut batch = vec![text];
                batch.extend(others);
                batch.truncate(embedder.max_batch());
                let together = embedder.embed(&batch, purpose).await?;
                let is_alike = together.first().is_some_and(|first| alike(first, &alone));
                require!(is_alike, "{text:?} beside {others:?} is another vector");
            }
        }
    }
    Ok(())
}

pub(super) async fn em_7_the_space_is_named_and_stays(embedder: impl Embedder) -> Checked {
    let space = embedder.space();
    require!(
        !space.model.is_empty() && !space.revision.is_empty() && space.dimensions > 1,
        "{space:?}"
    );
    of_one(&embedder, "anything", Purpose::Document).await?;
    same("the space after a call", &embedder.space(), &space)
}

pub(super) async fn em_9_both_purposes_share_the_space(embedder: impl Embedder) -> Checked {
    let mut found = Vec::new();
    for text in SENTENCES {
        found.push(of_one(&embedder, text, Purpose::Document).await?);
    }
    for text in SENTENCES {
        let query = of_one(&embedder, text, Purpose::Query).await?;
        let nearness = |vector: &Vec<f32>| cosine(&query, vector);
        let nearest = SENTENCES
            .iter()
            .zip(&found)
            .max_by(|a, b| nearness(a.1).total_cmp(&nearness(b.1)));
        same("what is nearest", &nearest.map(|it| *it.0), &Some(text))?;
    }
    Ok(())
}

fn cosine(left: &[f32], right: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let lengths = (dot(left, left) * dot(right, right)).sqrt();
    if lengths > 0.0 {
        dot(left, right) / lengths
    } else {
        0.0
    }
}
