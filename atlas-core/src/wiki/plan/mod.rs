//! Facts, topics and summaries to briefs of pages.

mod decisions;
mod gather;
mod lists;
mod overview;
mod people;
mod sections;
mod topics;

use std::collections::{BTreeMap, BTreeSet};

use super::WikiSettings;
use super::brief::{PageBrief, SectionBrief, page_id};
use super::labels::Labels;
use crate::model::{
    ChannelId, ChannelSummary, CitedSentence, FactId, GraphEntity, PageId, PageKind, TopicId,
    TopicSummary,
};
use crate::topic::sentence::key;
use crate::topic::telling::SeenFact;
use crate::topic::title::same;

/// What pages are planned from.
#[derive(Debug)]
pub struct Sources<'a> {
    /// The channel.
    pub channel: &'a ChannelId,
    /// Every fact with its state, visible or not.
    pub facts: BTreeMap<&'a FactId, SeenFact<'a>>,
    /// The entities of the channel, in order of id.
    pub entities: Vec<&'a GraphEntity>,
    /// The visible members of each topic, in canonical order.
    pub members: BTreeMap<TopicId, Vec<SeenFact<'a>>>,
    /// The topics' summaries.
    pub summaries: BTreeMap<TopicId, &'a TopicSummary>,
    /// The channel's summary.
    pub channel_summary: Option<&'a ChannelSummary>,
    /// The titles of pages that no generator touches.
    pub reserved_titles: Vec<&'a str>,
}

impl<'a> Sources<'a> {
    /// The facts that readers see, in canonical order.
    pub fn visible(&self) -> Vec<SeenFact<'a>> {
        let visible: Vec<SeenFact<'a>> = (self.facts.values())
            .filter(|it| it.state.is_visible())
            .copied()
            .collect();
        crate::topic::summarize::in_order(&visible)
    }

    /// A fact, if readers see it.
    pub fn seen(&self, fact: &FactId) -> Option<SeenFact<'a>> {
        self.facts
            .get(fact)
            .filter(|it| it.state.is_visible())
            .copied()
    }

    /// The facts that readers see and that nothing speaks against, in canonical order.
    fn calm(&self) -> Vec<SeenFact<'a>> {
        let mut facts = self.visible();
        facts.retain(|it| !it.is_disputed());
        facts
    }

    /// The sentences all of whose facts readers see still, none of them disputed: what is disputed
    /// is told as such.
    fn standing(&self, sentences: &[CitedSentence]) -> Vec<CitedSentence> {
        let stands = |id: &FactId| self.seen(id).is_some_and(|it| !it.is_disputed());
        sentences
            .iter()
            .filter(|it| !it.facts.is_empty() && it.facts.iter().all(stands))
            .cloned()
            .collect()
    }
}

/// The briefs of all pages, the overview first.
///
/// Every visible fact that can be told is told by a topic's page, a theme's, the notes of its year
/// or the overview, whatever else tells it. A page that comes out too thin is not written; what it
/// alone would have told is in the report's `untold`.
pub fn plan(sources: &Sources<'_>, settings: &WikiSettings) -> Vec<PageBrief> {
    let mut draft = Draft::new(sources, settings);
    let small = topics::pages(&mut draft);
    let left = gather::pages(&mut draft, small);
    decisions::page(&mut draft);
    lists::action_items(&mut draft);
    lists::open_questions(&mut draft);
    lists::glossary(&mut draft);
    people::page(&mut draft);
    topics::relate(&mut draft);
    overview::page(&mut draft, &left);
    draft.pages
}

/// A wiki that is being planned.
struct Draft<'a> {
    sources: &'a Sources<'a>,
    settings: &'a WikiSettings,
    labels: &'static Labels,
    /// Titles that are taken, normalised.
    taken: BTreeSet<String>,
    pages: Vec<PageBrief>,
}

impl<'a> Draft<'a> {
    fn new(sources: &'a Sources<'a>, settings: &'a WikiSettings) -> Self {
        let labels = Labels::of(&settings.language);
        let fixed = labels.fixed_titles();
        let reserved = sources.reserved_titles.iter().copied();
        Self {
            sources,
            settings,
            labels,
            taken: fixed.into_iter().chain(reserved).map(same).collect(),
            pages: Vec::new(),
        }
    }

    fn id(&self, kind: &PageKind) -> PageId {
        page_id(self.sources.channel, &self.settings.language, kind)
    }

    /// The id of a page, if it is planned.
    fn planned(&self, kind: &PageKind) -> Option<PageId> {
        let page = self.pages.iter().find(|it| it.kind == *kind)?;
        Some(page.id.clone())
    }

    /// Adds a page, if there is enough to tell; answers whether.
    fn add(&mut self, kind: PageKind, title: &str, sections: Vec<SectionBrief>) -> bool {
        let sections: Vec<SectionBrief> =
            sections.into_iter().filter(|it| !it.is_empty()).collect();
        if self.n_tellable(&sections) < self.settings.min_sentences {
            return false;
        }
        self.taken.insert(same(title));
        self.pages.push(PageBrief {
            id: self.id(&kind),
            kind,
            title: title.to_owned(),
            sections,
        });
        true
    }

    /// How many different sentences there are at least to tell.
    fn n_tellable(&self, sections: &[SectionBrief]) -> usize {
        use super::brief::Telling;
        let mut keys = BTreeSet::new();
        for section in sections {
            match &section.telling {
                Telling::Sentences(sentences) => {
                    keys.extend(sentences.iter().map(|it| key(&it.text)));
                }
                Telling::Facts(facts) => {
                    let seen = facts.iter().filter_map(|id| self.sources.facts.get(id));
                    keys.extend(seen.filter_map(|it| Some(key(&it.own_words()?.text))));
                }
            }
        }
        keys.len()
    }
}
