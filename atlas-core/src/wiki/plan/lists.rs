//! What is to be done, what is asked, and what words mean.

use std::collections::{BTreeMap, BTreeSet};

use super::Draft;
use super::sections::stated;
use crate::model::{ActionStatus, CitedSentence, FactId, FactKind, PageKind};
use crate::text::normalise_name;
use crate::topic::sentence::{clean, once};
use crate::topic::telling::{SeenFact, is_grounded};
use crate::topic::title::capitalised;

/// Plans the page of what is to be done: by where it stands, the latest first.
pub(super) fn action_items(draft: &mut Draft<'_>) {
    let labels = draft.labels;
    let mut sections = Vec::new();
    for (id, status) in [
        ("open", ActionStatus::Open),
        ("in-progress", ActionStatus::InProgress),
        ("blocked", ActionStatus::Blocked),
        ("done", ActionStatus::Done),
        ("dropped", ActionStatus::Dropped),
    ] {
        let facts = actions(draft, status);
        sections.extend(draft.in_parts(id, labels.status(status), &facts));
    }
    let disputed = disputed(draft, FactKind::ActionItem);
    sections.extend(draft.in_parts("disputed", labels.disputed, &disputed));
    draft.add(PageKind::ActionItems, labels.action_items, sections);
}

/// The undisputed action items of a status, the latest first.
pub(super) fn actions<'a>(draft: &Draft<'a>, status: ActionStatus) -> Vec<SeenFact<'a>> {
    let mut facts = draft.sources.calm();
    facts.retain(|it| {
        let claim = &it.fact.claim;
        let stands = claim
            .action
            .as_ref()
            .map_or(ActionStatus::Open, |it| it.status);
        claim.kind == FactKind::ActionItem && stands == status
    });
    facts.reverse();
    facts
}

/// Plans the page of what was asked and not answered, the latest first.
pub(super) fn open_questions(draft: &mut Draft<'_>) {
    let labels = draft.labels;
    let mut sections = draft.in_parts("open", labels.open_questions, &unanswered(draft));
    let disputed = disputed(draft, FactKind::Question);
    sections.extend(draft.in_parts("disputed", labels.disputed, &disputed));
    draft.add(
        PageKind::OpenQuestions,
        draft.labels.open_questions,
        sections,
    );
}

/// The undisputed questions that no visible fact answers, the latest first.
pub(super) fn unanswered<'a>(draft: &Draft<'a>) -> Vec<SeenFact<'a>> {
    let visible = draft.sources.visible();
    let answered: BTreeSet<&FactId> = visible
        .iter()
        .filter_map(|it| it.fact.claim.answers.as_ref())
        .collect();
    let mut facts = draft.sources.calm();
    facts.retain(|it| it.fact.claim.kind == FactKind::Question && !answered.contains(&it.fact.id));
    facts.reverse();
    facts
}

/// The disputed facts of a kind, in canonical order.
fn disputed<'a>(draft: &Draft<'a>, kind: FactKind) -> Vec<SeenFact<'a>> {
    let mut facts = draft.sources.visible();
    facts.retain(|it| it.fact.claim.kind == kind && it.is_disputed());
    facts
}

/// Plans the glossary: each term with what it means, in the order of the terms.
pub(super) fn glossary(draft: &mut Draft<'_>) {
    let mut terms: BTreeMap<String, Vec<CitedSentence>> = BTreeMap::new();
    for seen in draft.sources.calm() {
        for term in &seen.fact.claim.glossary {
            let Some(text) = clean(&format!("{}: {}", capitalised(&term.term), term.definition))
            else {
                continue;
            };
            let sentence = if is_grounded(&text, &[seen]) {
                Some(CitedSentence {
                    text,
                    facts: vec![seen.fact.id.clone()],
                })
            } else {
                seen.own_words()
            };
            let of_term = terms.entry(normalise_name(&term.term)).or_default();
            of_term.extend(sentence);
        }
    }
    let sentences = once(terms.into_values().flatten().collect());
    let sections = vec![stated("terms", draft.labels.terms, sentences)];
    draft.add(PageKind::Glossary, draft.labels.glossary, sections);
}
