//! A question and evidence to an answer in the evidence's own sentences.

mod asked;

use std::collections::{BTreeMap, BTreeSet};

use atlas_core::llm::{AnswererInput, AnswererOutput, LabelledEvidence, LabelledSentence};
use atlas_core::model::FactKind;

use asked::Asked;

use crate::text::stem::{frequencies, overlap, stem_set};
use crate::writing::closed;

/// The share of the question's weight that the best evidence must carry for an answer at all.
const ANSWERS_FROM: f32 = 0.3;
/// The share of the best evidence's score from which a further one is told.
const TOLD_FROM: f32 = 0.6;
/// The share of words from which two sentences tell the same.
const SAME: f32 = 0.7;

/// The sentences that carry most of the question; none if none carries enough.
pub(crate) fn answer(input: &AnswererInput) -> AnswererOutput {
    let asked = Asked::read(&input.question);
    let sets: Vec<BTreeSet<String>> = input.evidence.iter().map(matter).collect();
    let frequencies = frequencies(&sets);
    let weights: BTreeMap<&str, f32> = asked
        .stems
        .iter()
        .map(|stem| {
            (
                stem.as_str(),
                rarity(frequencies.get(stem.as_str()).copied(), sets.len()),
            )
        })
        .collect();
    let whole: f32 = weights.values().sum();
    let is_current = |it: &LabelledEvidence| !it.is_superseded || asked.is_past;
    let has_statement = input
        .evidence
        .iter()
        .any(|it| it.kind != Some(FactKind::Question) && is_current(it));
    let mut scored: Vec<(f32, f32, &LabelledEvidence)> = Vec::new();
    for ((place, evidence), stems) in (1_u8..).zip(&input.evidence).zip(&sets) {
        let is_question =
            evidence.kind == Some(FactKind::Question) || evidence.text.trim_end().ends_with('?');
        if !is_current(evidence) || (is_question && has_statement) {
            continue;
        }
        let covered: f32 = weights
            .iter()
            .filter(|(stem, _)| stems.contains(**stem))
            .map(|(_, x)| x)
            .sum();
        let coverage = if whole > 0.0 { covered / whole } else { 0.0 };
        let score = coverage + asked.bonus(evidence) + 0.15 / f32::from(place);
        scored.push((score, coverage, evidence));
    }
    scored.sort_by(|(x, _, a), (y, _, b)| y.total_cmp(x).then_with(|| a.label.cmp(&b.label)));
    let best = scored.first().map_or(0.0, |(score, ..)| *score);
    let mut told: Vec<BTreeSet<String>> = Vec::new();
    let mut sentences: Vec<(&LabelledEvidence, LabelledSentence)> = Vec::new();
    for (score, coverage, evidence) in scored {
        let is_enough = coverage >= ANSWERS_FROM && score >= TOLD_FROM * best;
        if !is_enough || sentences.len() >= input.max_sentences {
            continue;
        }
        let stems = stem_set(&evidence.text);
        if told.iter().any(|other| overlap(other, &stems) >= SAME) {
            continue;
        }
        told.push(stems);
        let sentence = LabelledSentence {
            text: closed(&evidence.text),
            cites: vec![evidence.label.clone()],
        };
        sentences.push((evidence, sentence));
    }
    if asked.is_past {
        // A story is told from its beginning.
        sentences.sort_by_key(|(evidence, _)| (evidence.said_at, &evidence.label));
    }
    AnswererOutput {
        sentences: sentences
            .into_iter()
            .map(|(_, sentence)| sentence)
            .collect(),
    }
}

/// The words of a piece of evidence, those of the question that it answers among them.
fn matter(evidence: &LabelledEvidence) -> BTreeSet<String> {
    let mut stems = stem_set(&evidence.text);
    stems.extend(stem_set(&evidence.quote));
    stems.extend(
        evidence
            .answers
            .iter()
            .flat_map(|question| stem_set(question)),
    );
    stems.extend(stem_set(&evidence.author));
    stems
}

/// How much a word of the question tells: less, the more of the evidence holds it.
fn rarity(holders: Option<usize>, all: usize) -> f32 {
    let n = |count: usize| f32::from(u16::try_from(count).unwrap_or(u16::MAX));
    1.0 + (n(all.max(1)) / (n(holders.unwrap_or(0)) + 1.0))
        .ln()
        .max(0.0)
}

#[cfg(test)]
mod tests {
    use atlas_core::model::Timestamp;

    use super::*;

    fn evidence(label: &str, text: &str) -> LabelledEvidence {
        LabelledEvidence {
            label: label.to_owned(),
            text: text.to_owned(),
            quote: text.to_owned(),
            author: "Ana".to_owned(),
            said_at: Timestamp::MIN,
            kind: Some(FactKind::Observation),
            is_superseded: false,
            answers: None,
        }
    }

    #[track_caller]
    fn check(question: &str, evidence: Vec<LabelledEvidence>, expected: &[&str]) {
        let input = AnswererInput {
            question: question.to_owned(),
            asked_at: Timestamp::MIN,
            evidence,
            max_sentences: 1,
        };
        let output = answer(&input);
        let cited: Vec<&str> = output
            .sentences
            .iter()
            .flat_map(|it| &it.cites)
            .map(String::as_str)
            .collect();
        assert_eq!(cited, expected, "{question}");
    }

    #[test]
    fn what_carries_the_question_answers_it() {
        let evidence = || {
            vec![
                evidence("e1", "Lunch is at noon on Fridays."),
                evidence("e2", "The launch is on 26 May."),
                evidence("e3", "Priya owns the launch checklist."),
            ]
        };
        check("When is the launch?", evidence(), &["e2"]);
        check("Who owns the launch checklist?", evidence(), &["e3"]);
        check("How do we brew coffee in Tokyo?", evidence(), &[]);
    }

    #[test]
    fn what_was_superseded_answers_only_how_it_came_about() {
        let mut past = evidence("e1", "Search runs on Elasticsearch.");
        past.is_superseded = true;
        let evidence = vec![past, evidence("e2", "Search runs on Postgres.")];
        check("What does search run on?", evidence, &["e2"]);
    }

    #[test]
    fn an_answer_is_found_by_the_words_of_its_question() {
        let mut reply = evidence("e2", "Yes, ten megabytes at most.");
        reply.answers = Some("Is there a limit for uploaded photos?".to_owned());
        check(
            "What is the limit for photos?",
            vec![evidence("e1", "Lunch is ready."), reply],
            &["e2"],
        );
    }
}
