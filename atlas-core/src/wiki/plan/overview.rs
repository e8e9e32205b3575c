//! The channel as a whole, and the way to all else.

use std::collections::BTreeSet;

use super::Draft;
use super::decisions::standing;
use super::lists::{actions, unanswered};
use super::sections::{keys, stated};
use crate::model::{ActionStatus, CitedSentence, PageId, PageKind};
use crate::topic::sentence::{key, once};
use crate::topic::telling::SeenFact;
use crate::wiki::brief::{PageBrief, Telling};

/// Plans the overview, which comes first, and tells there what is told on no other page.
pub(super) fn page(draft: &mut Draft<'_>, left: &[SeenFact<'_>]) {
    let labels = draft.labels;
    let most = draft.settings.max_overview_items;
    let summary = draft.sources.channel_summary;
    let summary = summary.map_or_else(Vec::new, |it| draft.sources.standing(&it.sentences));
    let (_, decisions) = standing(draft);
    let latest = |mut facts: Vec<SeenFact<'_>>| {
        facts.truncate(most);
        facts
            .iter()
            .filter_map(SeenFact::own_words)
            .collect::<Vec<_>>()
    };
    let link = |kind: &PageKind| Vec::from_iter(draft.planned(kind));
    let (topics, topic_links) = topics(draft, most);
    let mut parts = vec![
        ("summary", labels.summary, summary, Vec::new()),
        ("topics", labels.topics, topics, topic_links),
        (
            "decisions",
            labels.current_decisions,
            latest(decisions),
            link(&PageKind::Decisions),
        ),
        (
            "actions",
            labels.action_items,
            latest(actions(draft, ActionStatus::Open)),
            link(&PageKind::ActionItems),
        ),
        (
            "questions",
            labels.open_questions,
            latest(unanswered(draft)),
            link(&PageKind::OpenQuestions),
        ),
    ];
    let (disputed, calm): (Vec<_>, Vec<_>) = left.iter().partition(|it| it.is_disputed());
    for (id, title, facts) in [
        ("also", labels.also, calm),
        ("disputed", labels.disputed, disputed),
    ] {
        let own = facts.into_iter().filter_map(SeenFact::own_words);
        parts.push((id, title, own.collect(), Vec::new()));
    }
    let mut said: BTreeSet<String> = BTreeSet::new();
    let mut sections = Vec::new();
    for (id, title, sentences, links) in parts {
        let mut sentences = once(sentences);
        sentences.retain(|it| !said.contains(&key(&it.text)));
        said.extend(keys(&sentences));
        let mut section = stated(id, title, sentences);
        section.links = links;
        sections.push(section);
    }
    if draft.add(PageKind::Overview, labels.overview, sections) {
        draft.pages.rotate_right(1);
    }
}

/// The first sentence of each of the first pages of topics and themes, and the ways to them. Where
/// these are few, further sentences follow: a small channel has an overview too.
fn topics(draft: &Draft<'_>, most: usize) -> (Vec<CitedSentence>, Vec<PageId>) {
    let is_topic = |kind: &PageKind| matches!(kind, PageKind::Topic(_) | PageKind::Theme(_));
    let is_told = |it: &&PageBrief| is_topic(&it.kind) || matches!(it.kind, PageKind::Notes(_));
    let pages: Vec<&PageBrief> = draft.pages.iter().filter(is_told).take(most).collect();
    let told: Vec<Vec<CitedSentence>> = pages.iter().map(|it| sentences(draft, it)).collect();
    let n_rounds = told.iter().map(Vec::len).max().unwrap_or(0);
    let mut chosen: Vec<CitedSentence> = Vec::new();
    for round in 0..n_rounds {
        if round > 0 && chosen.len() >= draft.settings.min_sentences {
            break;
        }
        chosen.extend(told.iter().filter_map(|it| it.get(round).cloned()));
        chosen = once(chosen);
    }
    (chosen, pages.iter().map(|it| it.id.clone()).collect())
}

/// What a page tells that nothing speaks against, as far as that is known before it is written.
fn sentences(draft: &Draft<'_>, page: &PageBrief) -> Vec<CitedSentence> {
    let sections = page.sections.iter().flat_map(|it| match &it.telling {
        Telling::Sentences(sentences) => sentences.clone(),
        Telling::Facts(facts) => facts
            .iter()
            .filter_map(|id| draft.sources.seen(id)?.own_words())
            .collect(),
    });
    draft.sources.standing(&sections.collect::<Vec<_>>())
}
