//! A topic's facts to its summary.

use std::collections::BTreeSet;

use atlas_core::llm::{LabelledFact, ProposedAnswer, TopicSummarizerInput, TopicSummarizerOutput};
use atlas_core::model::{FactKind, Importance};

use super::rank::Ranked;
use super::tell::sentences;
use super::title::title;

/// Sentences of the summary at most.
const SUMMARY: usize = 4;
/// Sentences of each other part at most.
const PART: usize = 3;
/// Open questions at most.
const QUESTIONS: usize = 5;
/// Key facts at most.
const KEY_FACTS: usize = 6;

/// Chooses the facts that tell a topic best.
pub(crate) fn summarise(input: &TopicSummarizerInput) -> TopicSummarizerOutput {
    let ranked = Ranked::of(&input.facts);
    let all = || 0..input.facts.len();
    let fact = |place: usize| input.facts.get(place);
    let is_question = |place: &usize| fact(*place).is_some_and(|it| it.kind == FactKind::Question);
    let in_order = |mut places: Vec<usize>| -> Vec<&LabelledFact> {
        places.sort_unstable();
        places.into_iter().filter_map(fact).collect()
    };
    let summary = ranked.best(all().filter(|place| !is_question(place)), SUMMARY);
    let answered: BTreeSet<&str> = input
        .facts
        .iter()
        .filter_map(|it| it.answers.as_deref())
        .collect();
    let open: Vec<&LabelledFact> = input
        .facts
        .iter()
        .rev()
        .filter(|it| it.kind == FactKind::Question && !answered.contains(it.label.as_str()))
        .take(QUESTIONS)
        .collect();
    let weighty = all().filter(|place| {
        fact(*place)
            .is_some_and(|it| it.importance >= Importance::High && it.kind != FactKind::Question)
    });
    let impact = ranked.best(weighty, PART);
    TopicSummarizerOutput {
        title: title(input),
        summary: sentences(in_order(summary).into_iter()),
        current_state: sentences(latest(&input.facts).into_iter()),
        open_questions: sentences(open.into_iter()),
        impact: sentences(in_order(impact).into_iter()),
        key_facts: ranked
            .best(all().filter(|place| !is_question(place)), KEY_FACTS)
            .into_iter()
            .filter_map(fact)
            .map(|it| it.label.clone())
            .collect(),
        faq: faq(&input.facts),
    }
}

/// The latest facts that tell how things stand, one of each slot, oldest first.
fn latest(facts: &[LabelledFact]) -> Vec<&LabelledFact> {
    let mut slots: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut newest: Vec<&LabelledFact> = facts.iter().collect();
    newest.sort_by_key(|it| std::cmp::Reverse(it.said_at));
    let mut chosen: Vec<&LabelledFact> = newest
        .into_iter()
        .filter(|it| match &it.slot {
            Some(slot) => {
                it.kind != FactKind::Question && slots.insert((&slot.subject, &slot.family))
            }
            None => it.kind == FactKind::Decision,
        })
        .take(PART)
        .collect();
    chosen.sort_by(|a, b| (a.said_at, &a.label).cmp(&(b.said_at, &b.label)));
    chosen
}

/// Questions with the latest fact that answers each.
fn faq(facts: &[LabelledFact]) -> Vec<ProposedAnswer> {
    facts
        .iter()
        .filter(|it| it.kind == FactKind::Question)
        .filter_map(|question| {
            let answers = facts
                .iter()
                .filter(|it| it.answers.as_deref() == Some(question.label.as_str()));
            let answer =
                answers.max_by(|a, b| (a.said_at, &b.label).cmp(&(b.said_at, &a.label)))?;
            Some(ProposedAnswer {
                question: question.label.clone(),
                answer: answer.label.clone(),
            })
        })
        .collect()
}
