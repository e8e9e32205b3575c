//! Facts to summaries and pages, in the facts' own sentences.

mod rank;
mod title;

use std::collections::{BTreeMap, BTreeSet};

use atlas_core::llm::{
    ChannelSummarizerInput, ChannelSummarizerOutput, LabelledFact, LabelledSentence,
    TopicSummarizerInput, TopicSummarizerOutput, WikiWriterInput, WikiWriterOutput, WrittenSection,
};
use atlas_core::model::{FactKind, Importance};

use crate::text::stem::{overlap, stem_set};

/// Sentences of a topic's summary.
const SUMMARY: usize = 3;
/// Sentences of its current state.
const STATE: usize = 2;
/// Open questions that are told.
const QUESTIONS: usize = 5;
/// Key facts that are named.
const KEY_FACTS: usize = 5;
/// Sentences of a channel's summary.
const CHANNEL: usize = 6;
/// The share of words from which two sentences tell the same.
const SAME: f32 = 0.8;

/// A topic's summary: its most central facts, its latest ones, and what is open.
pub(crate) fn topic(input: &TopicSummarizerInput) -> TopicSummarizerOutput {
    let ranked = rank::rank(&input.facts);
    let statements: Vec<&LabelledFact> = ranked
        .iter()
        .copied()
        .filter(|it| it.kind != FactKind::Question)
        .collect();
    let mut told = Telling::default();
    let mut summary: Vec<&LabelledFact> = statements
        .iter()
        .copied()
        .filter(|it| told.is_new(it))
        .take(SUMMARY)
        .collect();
    summary.sort_by_key(|it| (it.said_at, &it.label));
    let mut latest = statements.clone();
    latest.sort_by_key(|it| std::cmp::Reverse((it.said_at, &it.label)));
    let state: Vec<&LabelledFact> = latest
        .into_iter()
        .filter(|it| told.is_new(it))
        .take(STATE)
        .collect();
    let impact: Vec<&LabelledFact> = statements
        .iter()
        .copied()
        .filter(|it| it.importance >= Importance::High && told.is_new(it))
        .take(1)
        .collect();
    let answered: BTreeSet<&str> = input
        .facts
        .iter()
        .filter_map(|it| it.answers.as_deref())
        .collect();
    let open = ranked
        .iter()
        .filter(|it| it.kind == FactKind::Question && !answered.contains(it.label.as_str()));
    TopicSummarizerOutput {
        title: title::title(&input.facts, &ranked, &input.other_titles),
        summary: sentences(summary),
        current_state: sentences(state),
        open_questions: sentences(open.copied().take(QUESTIONS)),
        impact: sentences(impact),
        key_facts: statements
            .iter()
            .take(KEY_FACTS)
            .map(|it| it.label.clone())
            .collect(),
        faq: faq(&input.facts),
    }
}

fn faq(facts: &[LabelledFact]) -> Vec<(String, String)> {
    let questions: BTreeSet<&str> = facts
        .iter()
        .filter(|it| it.kind == FactKind::Question)
        .map(|it| it.label.as_str())
        .collect();
    facts
        .iter()
        .filter_map(|it| Some((it.answers.as_deref()?, it)))
        .filter(|(question, _)| questions.contains(question))
        .map(|(question, answer)| (question.to_owned(), answer.label.clone()))
        .collect()
}

/// A channel's summary: what matters most in each topic, the largest first.
pub(crate) fn channel(input: &ChannelSummarizerInput) -> ChannelSummarizerOutput {
    let by_label: BTreeMap<&str, &LabelledFact> = input
        .facts
        .iter()
        .map(|it| (it.label.as_str(), it))
        .collect();
    let mut told = Telling::default();
    let chosen = input.topics.iter().filter_map(|(_, labels)| {
        let facts = labels
            .iter()
            .filter_map(|label| by_label.get(label.as_str()).copied());
        facts.into_iter().find(|it| told.is_new(it))
    });
    let chosen: Vec<&LabelledFact> = chosen.take(CHANNEL).collect();
    ChannelSummarizerOutput {
        summary: sentences(chosen),
        themes: input
            .topics
            .iter()
            .take(CHANNEL)
            .map(|(title, _)| title.clone())
            .collect(),
    }
}

/// The sections of a page: the facts of each brief in order, those that tell the same told once
/// with the citations of both.
pub(crate) fn page(input: &WikiWriterInput) -> WikiWriterOutput {
    let by_label: BTreeMap<&str, &LabelledFact> = input
        .facts
        .iter()
        .map(|it| (it.label.as_str(), it))
        .collect();
    let sections = input
        .sections
        .iter()
        .map(|brief| {
            let mut written: Vec<(BTreeSet<String>, LabelledSentence)> = Vec::new();
            for fact in brief
                .facts
                .iter()
                .filter_map(|label| by_label.get(label.as_str()))
            {
                let stems = stem_set(&fact.text);
                let same = written.iter_mut().find(|(told, sentence)| {
                    overlap(told, &stems) >= SAME && numbers(&sentence.text) == numbers(&fact.text)
                });
                match same {
                    Some((_, sentence)) => sentence.cites.push(fact.label.clone()),
                    None => written.push((stems, sentence(fact))),
                }
            }
            let sentences = written.into_iter().map(|(_, sentence)| sentence).collect();
            WrittenSection {
                id: brief.id.clone(),
                sentences,
            }
        })
        .collect();
    WikiWriterOutput { sections }
}

/// What was told, so that nothing is told twice.
#[derive(Default)]
struct Telling(Vec<BTreeSet<String>>);

impl Telling {
    fn is_new(&mut self, fact: &LabelledFact) -> bool {
        let stems = stem_set(&fact.text);
        let is_new = !self.0.iter().any(|told| overlap(told, &stems) >= SAME);
        if is_new {
            self.0.push(stems);
        }
        is_new
    }
}

fn numbers(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '.' && c != ',');
    let with_digit = words.filter(|word| word.chars().any(char::is_numeric));
    with_digit
        .map(|word| word.trim_matches(['.', ',']).to_owned())
        .collect()
}

fn sentences<'a>(facts: impl IntoIterator<Item = &'a LabelledFact>) -> Vec<LabelledSentence> {
    facts.into_iter().map(sentence).collect()
}

fn sentence(fact: &LabelledFact) -> LabelledSentence {
    LabelledSentence {
        text: closed(&fact.text),
        cites: vec![fact.label.clone()],
    }
}

/// A text that ends as a sentence does.
pub(crate) fn closed(text: &str) -> String {
    let text = text.trim();
    if text.ends_with([
        '.', '!', '?', '…', '。', '！', '？', ':', '"', '”', '`', ')',
    ]) {
        text.to_owned()
    } else if text
        .chars()
        .last()
        .is_some_and(atlas_core::grounding::is_dense_script)
    {
        format!("{text}。")
    } else {
        format!("{text}.")
    }
}
