//! A draft to the sentences that stand.

use super::offer::Offered;
use crate::grounding::ungrounded;
use crate::llm::LabelledSentence;
use crate::model::{AnswerSentence, Citation};

/// A draft after the check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verified {
    /// The sentences that stand, with their citations.
    pub sentences: Vec<AnswerSentence>,
    /// The places of the evidence that they cite, each once, in order.
    pub used: Vec<usize>,
    /// The sentences that do not stand.
    pub dropped: Vec<String>,
}

/// Checks a draft sentence by sentence against what it cites.
///
/// A sentence stands if it cites something that was offered and says only what that says; labels
/// of what was not offered count for nothing.
pub fn verify(draft: &[LabelledSentence], offered: &[Offered], limit: usize) -> Verified {
    let mut verified = Verified::default();
    for sentence in draft {
        let mut cited: Vec<usize> = sentence
            .cites
            .iter()
            .filter_map(|label| offered.iter().position(|it| it.evidence.label == *label))
            .collect();
        cited.sort_unstable();
        cited.dedup();
        let evidence: Vec<&Offered> = cited.iter().filter_map(|at| offered.get(*at)).collect();
        let said: Vec<&str> = evidence
            .iter()
            .flat_map(|it| it.said.iter().map(String::as_str))
            .collect();
        let stands = !evidence.is_empty()
            && sentence.text.chars().any(char::is_alphanumeric)
            && ungrounded(&sentence.text, &said).is_empty();
        if !stands || verified.sentences.len() >= limit {
            verified.dropped.push(sentence.text.clone());
            continue;
        }
        let citations = evidence
            .iter()
            .map(|it| Citation {
                fact: it.fact.as_ref().map(|(id, _)| id.clone()),
                evidence: it.cited.clone(),
            })
            .collect();
        verified.sentences.push(AnswerSentence {
            text: sentence.text.clone(),
            citations,
        });
        verified.used.extend(cited);
    }
    verified.used.sort_unstable();
    verified.used.dedup();
    verified
}
