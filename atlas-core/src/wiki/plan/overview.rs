//! The channel as a whole, and the way to all else.

use std::collections::BTreeSet;

use super::Draft;
use super::decisions::standing;
use super::lists::{actions, unanswered};
use super::sections::{keys, stated};
use crate::model::{ActionStatus, CitedSentence, PageId, PageKind};
use crate::topic::sentence::{key, once};
use crate::topic::telling::SeenFact;
use crate::wiki::brief::{SectionBrief, Telling};

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
    let also = left.iter().filter_map(SeenFact::own_words).collect();
    parts.push(("also", labels.also, also, Vec::new()));
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

/// The first sentence of each of the first topics' pages, and the ways to them.
fn topics(draft: &Draft<'_>, most: usize) -> (Vec<CitedSentence>, Vec<PageId>) {
    let pages = draft
        .pages
        .iter()
        .filter(|it| matches!(it.kind, PageKind::Topic(_)));
    let mut sentences = Vec::new();
    let mut links = Vec::new();
    for page in pages.take(most) {
        sentences.extend(page.sections.iter().find_map(|it| first(draft, it)));
        links.push(page.id.clone());
    }
    (sentences, links)
}

fn first(draft: &Draft<'_>, section: &SectionBrief) -> Option<CitedSentence> {
    match &section.telling {
        Telling::Sentences(sentences) => sentences.first().cloned(),
        Telling::Facts(facts) => draft.sources.seen(facts.first()?)?.own_words(),
    }
}
