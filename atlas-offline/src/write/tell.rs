//! Facts to cited sentences.

use atlas_core::llm::{LabelledFact, LabelledSentence};
use atlas_core::text::normalise_claim;

/// The facts as sentences in their order; those that say the same are one with all citations.
pub(super) fn sentences<'f>(
    facts: impl Iterator<Item = &'f LabelledFact>,
) -> Vec<LabelledSentence> {
    let mut told: Vec<(String, LabelledSentence)> = Vec::new();
    for fact in facts {
        let words = normalise_claim(&fact.text);
        if words.is_empty() {
            continue;
        }
        match told.iter_mut().find(|(known, _)| *known == words) {
            Some((_, sentence)) => {
                if !sentence.cites.contains(&fact.label) {
                    sentence.cites.push(fact.label.clone());
                }
            }
            None => told.push((
                words,
                LabelledSentence {
                    text: sentence(&fact.text),
                    cites: vec![fact.label.clone()],
                },
            )),
        }
    }
    told.into_iter().map(|(_, sentence)| sentence).collect()
}

/// A text as a sentence: on one line, with a mark at its end.
pub(super) fn sentence(text: &str) -> String {
    let mut told = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = ['.', '!', '?', '…', '。', '！', '？', ':', '"', '”', '；'];
    if !told.ends_with(ends) {
        let is_dense = told
            .chars()
            .next_back()
            .is_some_and(atlas_core::grounding::is_dense_script);
        told.push(if is_dense { '。' } else { '.' });
    }
    told
}
