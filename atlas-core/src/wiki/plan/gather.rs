//! What topics too small for a page say: by what they name, else by the year.

use std::collections::{BTreeMap, BTreeSet};

use super::Draft;
use super::sections::said_at;
use crate::model::{EntityType, PageKind};
use crate::text::normalise_name;
use crate::topic::sentence::key;
use crate::topic::telling::SeenFact;
use crate::topic::title::{capitalised, gate, same};

/// Plans the themes' and the years' pages. Answers the facts that none of them tells.
pub(super) fn pages<'a>(draft: &mut Draft<'a>, small: Vec<SeenFact<'a>>) -> Vec<SeenFact<'a>> {
    let left = themes(draft, small);
    notes(draft, left)
}

/// A page for each name that enough facts share, the most shared first; each fact is on one.
fn themes<'a>(draft: &mut Draft<'a>, mut left: Vec<SeenFact<'a>>) -> Vec<SeenFact<'a>> {
    let least = draft.settings.theme_from.max(draft.settings.min_sentences);
    let mut passed_over = BTreeSet::new();
    loop {
        let mut sharing: BTreeMap<String, (String, Vec<SeenFact<'a>>)> = BTreeMap::new();
        for seen in &left {
            for (normal, name) in names(seen) {
                let entry = sharing.entry(normal).or_insert((name, Vec::new()));
                entry.1.push(*seen);
            }
        }
        let n_different = |facts: &[SeenFact<'_>]| {
            let keys: BTreeSet<String> = facts.iter().map(|it| key(it.fact.text())).collect();
            keys.len()
        };
        // The first of equals is the first by name.
        let most = sharing
            .into_iter()
            .filter(|(normal, _)| !passed_over.contains(normal))
            .map(|(normal, (name, facts))| (n_different(&facts), normal, name, facts))
            .filter(|(n, ..)| *n >= least)
            .min_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let Some((_, normal, name, facts)) = most else {
            return left;
        };
        let title = if draft.taken.contains(&same(&name)) {
            format!("{name}, {}", draft.labels.more)
        } else {
            name
        };
        let is_free = !draft.taken.contains(&same(&title));
        let sections = draft.by_kind(&facts);
        if is_free && draft.add(PageKind::Theme(normal.clone()), &title, sections) {
            left.retain(|it| !facts.iter().any(|told| told.fact.id == it.fact.id));
        } else {
            passed_over.insert(normal);
        }
    }
}

/// What a fact names that can be a title, each with its normal form, each once.
fn names(seen: &SeenFact<'_>) -> BTreeMap<String, String> {
    let claim = &seen.fact.claim;
    let things = (claim.mentions.iter())
        .filter(|it| it.kind != EntityType::Person)
        .map(|it| it.name.clone());
    let mut names = BTreeMap::new();
    for name in things.chain(claim.topic_tags.iter().cloned()) {
        if let Some(title) = gate(&capitalised(&name)) {
            names.entry(normalise_name(&title)).or_insert(title);
        }
    }
    names
}

/// A page for each year that has enough to tell, with a section a month.
fn notes<'a>(draft: &mut Draft<'a>, left: Vec<SeenFact<'a>>) -> Vec<SeenFact<'a>> {
    let mut years: BTreeMap<String, Vec<SeenFact<'a>>> = BTreeMap::new();
    for seen in left {
        let year = said_at(&seen).date().chars().take(4).collect();
        years.entry(year).or_default().push(seen);
    }
    let mut untold = Vec::new();
    for (year, facts) in years {
        let mut months: BTreeMap<String, Vec<SeenFact<'a>>> = BTreeMap::new();
        for seen in &facts {
            let month = said_at(seen).date().chars().take(7).collect();
            months.entry(month).or_default().push(*seen);
        }
        let mut sections = Vec::new();
        for (month, facts) in &months {
            let named =
                (facts.first()).map_or_else(String::new, |it| draft.labels.month(said_at(it)));
            let (disputed, calm): (Vec<_>, Vec<_>) = facts.iter().partition(|it| it.is_disputed());
            for (part, kind, facts) in [
                ("calm", "", calm),
                ("disputed", draft.labels.disputed, disputed),
            ] {
                let most = draft.settings.max_facts_a_section.max(1);
                for (place, chunk) in facts.chunks(most).enumerate() {
                    let mut title = named.clone();
                    if !kind.is_empty() {
                        title = format!("{title}: {kind}");
                    }
                    if place > 0 {
                        title = format!("{title}, {} {}", draft.labels.part, place + 1);
                    }
                    let id = format!("{month}-{part}-{}", place + 1);
                    sections.push(super::sections::told(&id, &title, chunk));
                }
            }
        }
        let title = format!("{} {year}", draft.labels.notes);
        if !draft.add(PageKind::Notes(year), &title, sections) {
            untold.extend(facts);
        }
    }
    untold
}
