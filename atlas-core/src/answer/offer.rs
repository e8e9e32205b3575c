//! Hits to labelled evidence.

use std::collections::BTreeMap;

use unicode_segmentation::UnicodeSegmentation;

use super::AnswerSettings;
use crate::extract::batch::message_tokens;
use crate::llm::LabelledEvidence;
use crate::model::{Attribution, Evidence, FactId, FactState, Span};
use crate::ports::Revision;
use crate::retrieve::{Found, Hit};
use crate::text::{estimate_tokens, words};

/// Something that an answer may stand on.
#[derive(Clone, Debug, PartialEq)]
pub struct Offered {
    /// As the task sees it.
    pub evidence: LabelledEvidence,
    /// The fact and the revision of its record; none for a message.
    pub fact: Option<(FactId, Revision)>,
    /// What is cited.
    pub cited: Evidence,
    /// Everything that the evidence says, for the check.
    pub said: Vec<String>,
}

/// Offers hits as evidence under the labels `e1`, `e2` …, as many as the budget holds.
///
/// Words are offered once: as the fact that stands on them, where that is among the hits, since it
/// tells whether they still hold.
///
/// `questions` are the texts of the questions that facts among the hits answer.
pub fn offer(
    question: &str,
    hits: &[Hit],
    questions: &BTreeMap<FactId, String>,
    settings: &AnswerSettings,
) -> Vec<Offered> {
    let mut offered: Vec<Offered> = Vec::new();
    let mut tokens = 0;
    let told: Vec<&Evidence> = hits
        .iter()
        .filter_map(|hit| match &hit.found {
            Found::Fact { fact, .. } => Some(&fact.value.evidence),
            Found::Message(_) => None,
        })
        .flatten()
        .collect();
    let is_told = |cited: &Evidence| {
        let of_message = told.iter().filter(|it| it.message == cited.message);
        of_message
            .into_iter()
            .any(|it| it.span.start < cited.span.end && cited.span.start < it.span.end)
    };
    for hit in hits {
        if offered.len() >= settings.max_evidence {
            break;
        }
        let label = format!("e{}", offered.len() + 1);
        let Some(mut one) = of_hit(question, hit, label) else {
            continue;
        };
        if one.fact.is_none() && is_told(&one.cited) {
            continue;
        }
        if let Found::Fact { fact, .. } = &hit.found {
            let asked = fact.value.claim.answers.as_ref();
            one.evidence.answers = asked.and_then(|id| questions.get(id)).cloned();
        }
        tokens += message_tokens(&one.evidence.text) + estimate_tokens(&one.evidence.quote);
        if tokens > settings.evidence_tokens && !offered.is_empty() {
            break;
        }
        offered.push(one);
    }
    offered
}

fn of_hit(question: &str, hit: &Hit, label: String) -> Option<Offered> {
    let (text, cited, kind, fact, is_superseded) = match &hit.found {
        Found::Fact { fact, state } => {
            let latest = fact.value.latest()?.clone();
            let id = (fact.value.id.clone(), fact.revision);
            let is_past = !matches!(state, FactState::Live | FactState::Disputed { .. });
            let claim = &fact.value.claim;
            (
                claim.text.clone(),
                latest,
                Some(claim.kind),
                Some(id),
                is_past,
            )
        }
        Found::Message(stored) => {
            let message = &stored.message;
            let span = best_passage(question, &message.text)?;
            let cited = Evidence {
                message: message.id.clone(),
                version: stored.version.clone(),
                span,
                quote: span.of(&message.text)?.to_owned(),
                author: message.author.clone(),
                sent_at: message.sent_at,
                attribution: Attribution::Exact,
            };
            (cited.quote.clone(), cited, None, None, false)
        }
    };
    let mut said = vec![
        text.clone(),
        cited.author.name.clone(),
        cited.sent_at.date(),
    ];
    if let Found::Fact { fact, .. } = &hit.found {
        said.extend(fact.value.evidence.iter().map(|it| it.quote.clone()));
        said.push(fact.value.claim.occurred_at.date());
        said.extend(
            fact.value
                .claim
                .action
                .as_ref()
                .and_then(|it| it.due)
                .map(crate::model::Timestamp::date),
        );
    } else {
        said.push(cited.quote.clone());
    }
    let evidence = LabelledEvidence {
        label,
        text,
        quote: cited.quote.clone(),
        author: cited.author.name.clone(),
        said_at: cited.sent_at,
        kind,
        is_superseded,
        answers: None,
    };
    Some(Offered {
        evidence,
        fact,
        cited,
        said,
    })
}

/// The sentence of a message that shares most words with the question, the first of equals.
fn best_passage(question: &str, text: &str) -> Option<Span> {
    let asked = words(question);
    let mut best: Option<(usize, Span)> = None;
    for (start, sentence) in text.split_sentence_bound_indices() {
        let trimmed = sentence.trim();
        if !trimmed.chars().any(char::is_alphanumeric) {
            continue;
        }
        let start = start + (sentence.len() - sentence.trim_start().len());
        let span = Span {
            start,
            end: start + trimmed.len(),
        };
        let shared = words(trimmed)
            .iter()
            .filter(|word| asked.contains(word))
            .count();
        if best.is_none_or(|(most, _)| shared > most) {
            best = Some((shared, span));
        }
    }
    best.map(|(_, span)| span)
}
