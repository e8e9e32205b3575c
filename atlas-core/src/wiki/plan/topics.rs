//! A page for each topic that has enough to tell.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Draft;
use super::sections::{keys, stated, without};
use crate::model::{PageId, PageKind, TopicId};
use crate::topic::sentence::once;
use crate::topic::summarize::by_weight;
use crate::topic::telling::SeenFact;
use crate::topic::title::{choose, gate, same};
use crate::topic::{Mark, Point};

/// Words that topics must have in common to be related.
const COMMON_WORDS: usize = 2;

/// Plans the topics' pages, largest topic first. Answers the facts that no topic's page tells.
pub(super) fn pages<'a>(draft: &mut Draft<'a>) -> Vec<SeenFact<'a>> {
    let sources = draft.sources;
    let mut untold: BTreeSet<_> = sources.visible().iter().map(|it| &it.fact.id).collect();
    let mut topics: Vec<(&TopicId, &Vec<SeenFact<'a>>)> = sources.members.iter().collect();
    topics.sort_by_key(|(id, members)| (Reverse(members.len()), *id));
    for (topic, members) in topics {
        let summary = sources.summaries.get(topic).copied();
        let mut sections = Vec::new();
        let mut body = Vec::new();
        if let Some(summary) = summary {
            let short = once(sources.standing(&summary.sentences));
            let said = keys(&short);
            let mut state = once(sources.standing(&summary.current_state));
            state.retain(|it| !said.contains(&crate::topic::sentence::key(&it.text)));
            body.extend(short.clone());
            body.extend(state.clone());
            sections.push(stated("summary", draft.labels.summary, short));
            sections.push(stated("state", draft.labels.state, state));
        }
        sections.extend(draft.by_kind(&without(members, &keys(&body))));
        let proposed = summary
            .map(|it| it.title.as_str())
            .and_then(gate)
            .filter(|title| !draft.taken.contains(&same(title)));
        let title = proposed
            .unwrap_or_else(|| choose(None, &by_weight(members), &draft.taken, topic.as_str()));
        if draft.add(PageKind::Topic(topic.clone()), &title, sections) {
            for seen in members {
                untold.remove(&seen.fact.id);
            }
        }
    }
    let mut left = sources.visible();
    left.retain(|it| untold.contains(&it.fact.id));
    left
}

/// Points each topic's page to those that speak of the same things, most in common first.
pub(super) fn relate(draft: &mut Draft<'_>) {
    let mut words: BTreeMap<PageId, BTreeSet<String>> = BTreeMap::new();
    for page in &draft.pages {
        let PageKind::Topic(topic) = &page.kind else {
            continue;
        };
        let members = draft.sources.members.get(topic);
        let marks = members
            .into_iter()
            .flatten()
            .flat_map(|it| Point::of(it.fact, Vec::new()).marks);
        let of_page = marks.filter_map(|mark| match mark {
            Mark::Word(word) => Some(word),
            Mark::Thread(_) => None,
        });
        words.insert(page.id.clone(), of_page.collect());
    }
    let mut n_pages: BTreeMap<&String, usize> = BTreeMap::new();
    for word in words.values().flatten() {
        *n_pages.entry(word).or_default() += 1;
    }
    // A word of more than a quarter of the pages relates nothing.
    let tells = |word: &String| {
        n_pages
            .get(word)
            .is_some_and(|n| *n * 4 <= words.len().max(8))
    };
    let title = draft.labels.related;
    for page in &mut draft.pages {
        let Some(own) = words.get(&page.id) else {
            continue;
        };
        let mut near: Vec<(Reverse<usize>, &PageId)> = words
            .iter()
            .filter(|(other, _)| **other != page.id)
            .map(|(other, theirs)| {
                let n_common = own.intersection(theirs).filter(|it| tells(it)).count();
                (Reverse(n_common), other)
            })
            .filter(|(n_common, _)| n_common.0 >= COMMON_WORDS)
            .collect();
        near.sort();
        near.truncate(draft.settings.max_related);
        if !near.is_empty() {
            let mut section = stated("related", title, Vec::new());
            section.links = near.into_iter().map(|(_, id)| id.clone()).collect();
            page.sections.push(section);
        }
    }
}
