//! Vectors as records: kept by embedding space and text, so that no text is embedded twice.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::model::{ContentHash, Stored};
use crate::ports::{
    Collection, CommitBuilder, Embedder, EmbedderExt, EmbeddingSpace, Partition, Purpose,
    RecordStoreExt,
};

/// The vector of a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredVector {
    /// Its space.
    pub space: EmbeddingSpace,
    /// The hash of its text.
    pub text: ContentHash,
    /// Its components.
    pub vector: Vec<f32>,
}

impl Stored for StoredVector {
    const COLLECTION: Collection = Collection::literal(".vector");
    const SCHEMA: u32 = 1;

    fn record_id(&self) -> String {
        record_id(&self.space, &self.text)
    }
}

fn record_id(space: &EmbeddingSpace, text: &ContentHash) -> String {
    format!("{space}/{text}")
}

/// The kept vectors of texts: one slot a text, none where there is none yet. Calls no embedder.
///
/// # Errors
///
/// What the store fails with.
pub async fn kept(
    parts: &Components,
    partition: &Partition,
    texts: &[&str],
) -> Result<Vec<Option<Vec<f32>>>> {
    let space = parts.embedder.space();
    let ids: Vec<String> = texts
        .iter()
        .map(|text| record_id(&space, &ContentHash::of(text.as_bytes())))
        .collect();
    let found = parts
        .records
        .load_many::<StoredVector>(partition, &ids)
        .await?;
    Ok(found
        .into_iter()
        .map(|slot| slot.map(|it| it.value.vector))
        .collect())
}

/// The vectors of texts: one slot a text, none where the embedder would not embed it. What is not
/// kept yet is embedded and put into the commit.
///
/// # Errors
///
/// What the store fails with; what the embedder fails with if it cannot be reached.
pub async fn ensure(
    parts: &Components,
    partition: &Partition,
    commit: &mut CommitBuilder,
    texts: &[&str],
) -> Result<Vec<Option<Vec<f32>>>> {
    let space = parts.embedder.space();
    let known = kept(parts, partition, texts).await?;
    let missing: BTreeSet<&str> = texts
        .iter()
        .zip(&known)
        .filter(|(_, slot)| slot.is_none())
        .map(|(text, _)| *text)
        .collect();
    let missing: Vec<&str> = missing.into_iter().collect();
    let made = embed(parts, &space, &missing).await?;
    let mut embedded: BTreeMap<&str, Vec<f32>> = BTreeMap::new();
    for (text, vector) in missing.into_iter().zip(made) {
        let Some(vector) = vector else { continue };
        let hash = ContentHash::of(text.as_bytes());
        commit.put(&StoredVector {
            space: space.clone(),
            text: hash,
            vector: vector.clone(),
        })?;
        embedded.insert(text, vector);
    }
    let slots = texts.iter().zip(known);
    Ok(slots
        .map(|(text, slot)| slot.or_else(|| embedded.get(text).cloned()))
        .collect())
}

/// Embeds texts, all at once if the embedder takes them, else each by itself: one that it does not
/// take costs no other.
async fn embed(
    parts: &Components,
    space: &EmbeddingSpace,
    texts: &[&str],
) -> Result<Vec<Option<Vec<f32>>>> {
    let sound = |vector: Vec<f32>| check(space, &vector).is_ok().then_some(vector);
    match parts.embedder.embed_all(texts, Purpose::Document).await {
        Ok(vectors) if vectors.len() == texts.len() => {
            return Ok(vectors.into_iter().map(sound).collect());
        }
        Err(error) if error.kind() == ErrorKind::Unavailable => return Err(error),
        Ok(_) | Err(_) => {}
    }
    let mut vectors = Vec::with_capacity(texts.len());
    for text in texts {
        vectors.push(
            match parts.embedder.embed(&[text], Purpose::Document).await {
                Ok(made) => made.into_iter().next().and_then(sound),
                Err(error) if error.kind() == ErrorKind::Unavailable => return Err(error),
                Err(_) => None,
            },
        );
    }
    Ok(vectors)
}

/// The vector of a question. It is not kept.
///
/// # Errors
///
/// What the embedder fails with; [`ErrorKind::Invalid`] for a vector that does not fit its space.
pub async fn of_question(embedder: &dyn Embedder, question: &str) -> Result<Vec<f32>> {
    let made = embedder.embed(&[question], Purpose::Query).await?;
    let vector = made.into_iter().next().unwrap_or_default();
    check(&embedder.space(), &vector)?;
    Ok(vector)
}

fn check(space: &EmbeddingSpace, vector: &[f32]) -> Result<()> {
    if vector.len() == space.dimensions && vector.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Invalid,
        "vectors::check",
        "a vector does not fit its space",
    )
    .with("space", space)
    .with("width", vector.len()))
}

/// The cosine of two vectors; nought if one has no length.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot: f32 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let length = |v: &[f32]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
    let lengths = length(a) * length(b);
    if lengths > 0.0 { dot / lengths } else { 0.0 }
}
