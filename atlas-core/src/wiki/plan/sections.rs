//! Facts to sections: by kind, and in parts where there are many.

use std::collections::{BTreeMap, BTreeSet};

use super::Draft;
use crate::model::{CitedSentence, FactKind, Timestamp};
use crate::topic::sentence::key;
use crate::topic::summarize::answered;
use crate::topic::telling::SeenFact;
use crate::wiki::brief::{SectionBrief, Telling};

/// A section that the writer writes.
pub(super) fn told(id: &str, title: &str, facts: &[SeenFact<'_>]) -> SectionBrief {
    SectionBrief {
        id: id.to_owned(),
        title: title.to_owned(),
        telling: Telling::Facts(facts.iter().map(|it| it.fact.id.clone()).collect()),
        links: Vec::new(),
    }
}

/// A section whose sentences are there.
pub(super) fn stated(id: &str, title: &str, sentences: Vec<CitedSentence>) -> SectionBrief {
    SectionBrief {
        id: id.to_owned(),
        title: title.to_owned(),
        telling: Telling::Sentences(sentences),
        links: Vec::new(),
    }
}

/// When a fact was said first.
pub(super) fn said_at(seen: &SeenFact<'_>) -> Timestamp {
    let first = seen.fact.first();
    first.map_or(seen.fact.claim.occurred_at, |it| it.sent_at)
}

/// What the sentences say, as keys.
pub(super) fn keys(sentences: &[CitedSentence]) -> BTreeSet<String> {
    sentences.iter().map(|it| key(&it.text)).collect()
}

/// The facts whose own words are not among the keys.
pub(super) fn without<'a>(facts: &[SeenFact<'a>], keys: &BTreeSet<String>) -> Vec<SeenFact<'a>> {
    facts
        .iter()
        .filter(|it| !keys.contains(&key(it.fact.text())))
        .copied()
        .collect()
}

impl Draft<'_> {
    /// Sections of a matter: disputed facts, decisions, tasks, questions with answers, open
    /// questions, and all else. Each fact is in one of them.
    pub(super) fn by_kind(&self, facts: &[SeenFact<'_>]) -> Vec<SectionBrief> {
        let labels = self.labels;
        let (disputed, calm): (Vec<_>, Vec<_>) = facts.iter().partition(|it| it.is_disputed());
        let pairs = answered(&calm);
        let place: BTreeMap<_, usize> = (calm.iter().enumerate())
            .map(|(place, it)| (&it.fact.id, place))
            .collect();
        let mut paired = BTreeSet::new();
        let mut dialogue: Vec<SeenFact<'_>> = Vec::new();
        let mut ordered: Vec<(usize, usize)> = (pairs.iter())
            .filter_map(|(asked, answer)| Some((*place.get(asked)?, *place.get(answer)?)))
            .collect();
        ordered.sort_unstable();
        for at in ordered
            .into_iter()
            .flat_map(|(asked, answer)| [asked, answer])
        {
            if paired.insert(at) {
                dialogue.extend(calm.get(at).copied());
            }
        }
        let single = (calm.iter().enumerate()).filter(|(place, _)| !paired.contains(place));
        let mut decisions = Vec::new();
        let mut actions = Vec::new();
        let mut questions = Vec::new();
        let mut rest = Vec::new();
        for (_, seen) in single {
            match seen.fact.claim.kind {
                FactKind::Decision => decisions.push(*seen),
                FactKind::ActionItem => actions.push(*seen),
                FactKind::Question => questions.push(*seen),
                FactKind::Opinion | FactKind::Observation => rest.push(*seen),
            }
        }
        let mut sections = self.in_parts("disputed", labels.disputed, &disputed);
        sections.extend(self.in_parts("decisions", labels.decisions, &decisions));
        sections.extend(self.in_parts("actions", labels.action_items, &actions));
        sections.extend(self.in_parts("answered", labels.answered, &dialogue));
        sections.extend(self.in_parts("questions", labels.open_questions, &questions));
        sections.extend(self.in_parts("details", labels.details, &rest));
        sections
    }

    /// One section, or, where the facts are too many for one, one a month in the order given, and
    /// where a month's are too many, parts of it. What is earlier does not move when more is said.
    pub(super) fn in_parts(
        &self,
        id: &str,
        title: &str,
        facts: &[SeenFact<'_>],
    ) -> Vec<SectionBrief> {
        let most = self.settings.max_facts_a_section.max(1);
        if facts.len() <= most {
            return vec![told(id, title, facts)];
        }
        let mut months: Vec<(String, Vec<SeenFact<'_>>)> = Vec::new();
        for seen in facts {
            let month = said_at(seen).date().chars().take(7).collect();
            match months.iter_mut().find(|(known, _)| *known == month) {
                Some((_, facts)) => facts.push(*seen),
                None => months.push((month, vec![*seen])),
            }
        }
        let mut sections = Vec::new();
        for (month, facts) in months {
            let named = facts
                .first()
                .map_or_else(String::new, |it| self.labels.month(said_at(it)));
            for (place, part) in facts.chunks(most).enumerate() {
                let number = place + 1;
                let (id, title) = if place == 0 {
                    (format!("{id}-{month}"), format!("{title}, {named}"))
                } else {
                    let part = self.labels.part;
                    (
                        format!("{id}-{month}-{number}"),
                        format!("{title}, {named}, {part} {number}"),
                    )
                };
                sections.push(told(&id, &title, part));
            }
        }
        sections
    }
}
