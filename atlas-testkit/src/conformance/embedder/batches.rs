//! How texts come in and vectors go out.

use atlas_core::ErrorKind;
use atlas_core::ports::{Embedder, Purpose};
use futures::{FutureExt, join};

use super::vectors::{SENTENCES, alike, of_one};
use crate::conformance::Checked;
use crate::conformance::seen::{refused, same};

pub(super) async fn em_1_embed_answers_one_vector_a_text(embedder: impl Embedder) -> Checked {
    let most = embedder.max_batch().min(SENTENCES.len());
    let texts: Vec<&str> = SENTENCES.iter().copied().take(most).collect();
    let backwards: Vec<&str> = texts.iter().rev().copied().collect();
    for purpose in [Purpose::Document, Purpose::Query] {
        let vectors = embedder.embed(&texts, purpose).await?;
        let mut turned = embedder.embed(&backwards, purpose).await?;
        turned.reverse();
        same("how many vectors", &vectors.len(), &texts.len())?;
        same(
            "how many vectors of the same backwards",
            &turned.len(),
            &texts.len(),
        )?;
        for ((text, vector), turned) in texts.iter().zip(&vectors).zip(&turned) {
            require!(
                alike(vector, turned),
                "{text:?} at another place is another vector"
            );
        }
    }
    Ok(())
}

pub(super) async fn em_5_a_batch_may_have_max_batch_texts(embedder: impl Embedder) -> Checked {
    let most = embedder.max_batch();
    require!(most > 0, "max_batch is nought");
    let names: Vec<String> = (0..=most).map(|n| format!("sentence number {n}")).collect();
    let mut texts: Vec<&str> = names.iter().map(String::as_str).collect();
    let answer = embedder.embed(&texts, Purpose::Document).await;
    let n_vectors = answer.map(|it| it.len());
    refused(
        "one text more than max_batch",
        n_vectors,
        ErrorKind::Invalid,
    )?;
    texts.pop();
    let vectors = embedder.embed(&texts, Purpose::Document).await?;
    same("vectors of a whole batch", &vectors.len(), &most)
}

pub(super) async fn em_6_no_texts_are_no_vectors(embedder: impl Embedder) -> Checked {
    for purpose in [Purpose::Document, Purpose::Query] {
        let vectors = embedder.embed(&[], purpose).await?;
        same("vectors of no texts", &vectors, &Vec::new())?;
    }
    Ok(())
}

pub(super) async fn em_8_a_call_that_is_dropped_leaves_it_usable(
    embedder: impl Embedder,
) -> Checked {
    let [one, other, ..] = SENTENCES;
    let before = of_one(&embedder, one, Purpose::Document).await?;
    let beside = of_one(&embedder, other, Purpose::Query).await?;
    // Asked once whether it is done, then dropped.
    drop(embedder.embed(&[one], Purpose::Document).now_or_never());
    let (left, right) = join!(
        of_one(&embedder, one, Purpose::Document),
        of_one(&embedder, other, Purpose::Query),
    );
    require!(alike(&left?, &before), "{one:?} beside another call");
    require!(alike(&right?, &beside), "{other:?} beside another call");
    Ok(())
}
