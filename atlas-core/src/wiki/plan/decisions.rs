//! What was decided, what stands of it, and what does not any longer.

use super::Draft;
use super::sections::stated;
use crate::model::{CitedSentence, FactKind, FactState, PageKind};
use crate::topic::sentence::once;
use crate::topic::summarize::in_order;
use crate::topic::telling::SeenFact;

/// Plans the decisions' page.
pub(super) fn page(draft: &mut Draft<'_>) {
    let labels = draft.labels;
    let (disputed, current) = standing(draft);
    let replaced = once(replaced(draft));
    let mut sections = draft.in_parts("current", labels.current_decisions, &current);
    sections.extend(draft.in_parts("disputed", labels.disputed, &disputed));
    for (place, part) in replaced
        .chunks(draft.settings.max_facts_a_section.max(1))
        .enumerate()
    {
        let (id, title) = if place == 0 {
            (REPLACED.to_owned(), labels.replaced.to_owned())
        } else {
            let number = place + 1;
            (
                format!("{REPLACED}-{number}"),
                format!("{}, {} {number}", labels.replaced, labels.part),
            )
        };
        sections.push(stated(&id, &title, part.to_vec()));
    }
    draft.add(PageKind::Decisions, labels.decisions, sections);
}

/// The beginning of the ids of sections that tell what does not stand any longer.
pub(in crate::wiki) const REPLACED: &str = "replaced";

/// The visible decisions, disputed and others, the latest first.
pub(super) fn standing<'a>(draft: &Draft<'a>) -> (Vec<SeenFact<'a>>, Vec<SeenFact<'a>>) {
    let mut decisions = draft.sources.visible();
    decisions.retain(|it| it.fact.claim.kind == FactKind::Decision);
    decisions.reverse();
    decisions.into_iter().partition(SeenFact::is_disputed)
}

/// Decisions in whose place others stand, in their own words, the latest first.
fn replaced(draft: &Draft<'_>) -> Vec<CitedSentence> {
    let facts = draft.sources.facts.values().filter(|it| {
        let by = match it.state {
            FactState::Superseded { by } => draft.sources.seen(by),
            FactState::Live
            | FactState::Disputed { .. }
            | FactState::Duplicate { .. }
            | FactState::Expired
            | FactState::Withdrawn
            | FactState::Rejected
            | FactState::Retracted => None,
        };
        let is_decision = |it: &SeenFact<'_>| it.fact.claim.kind == FactKind::Decision;
        by.is_some_and(|by| is_decision(&by) || is_decision(it))
    });
    let mut facts = in_order(&facts.copied().collect::<Vec<_>>());
    facts.reverse();
    facts.iter().filter_map(SeenFact::own_words).collect()
}
