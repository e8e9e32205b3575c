//! What is to stand on a page, before it is written.

use crate::model::{ChannelId, CitedSentence, ContentHash, FactId, Language, PageId, PageKind};

/// What is to stand on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageBrief {
    /// Which page.
    pub id: PageId,
    /// What it is about.
    pub kind: PageKind,
    /// Its title.
    pub title: String,
    /// Its sections, in order, each id once.
    pub sections: Vec<SectionBrief>,
}

/// What is to stand in a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionBrief {
    /// Stable within its page.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// How it comes by its sentences.
    pub telling: Telling,
    /// The pages that it points to.
    pub links: Vec<PageId>,
}

/// How a section comes by its sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Telling {
    /// The writer tells these facts, in this order.
    Facts(Vec<FactId>),
    /// The sentences are there: summaries that were checked, or facts in their own words.
    Sentences(Vec<CitedSentence>),
}

impl SectionBrief {
    /// The facts that it is about.
    pub fn facts(&self) -> Vec<&FactId> {
        match &self.telling {
            Telling::Facts(facts) => facts.iter().collect(),
            Telling::Sentences(sentences) => sentences.iter().flat_map(|it| &it.facts).collect(),
        }
    }

    /// Whether there is nothing to tell and nowhere to point.
    pub fn is_empty(&self) -> bool {
        self.facts().is_empty() && self.links.is_empty()
    }
}

/// The id of a page: the same for the same channel, language and kind.
pub fn page_id(channel: &ChannelId, language: &Language, kind: &PageKind) -> PageId {
    let name = kind_name(kind);
    let of = match kind {
        PageKind::Topic(topic) => topic.as_str(),
        PageKind::Theme(name) => name,
        PageKind::Notes(year) => year,
        PageKind::Overview
        | PageKind::People
        | PageKind::Decisions
        | PageKind::ActionItems
        | PageKind::OpenQuestions
        | PageKind::Glossary => "",
    };
    PageId::new(
        ContentHash::of_parts(&["page", channel.as_str(), language.as_str(), name, of]).short(),
    )
}

/// A kind of page as a word.
pub fn kind_name(kind: &PageKind) -> &'static str {
    match kind {
        PageKind::Overview => "overview",
        PageKind::Topic(_) => "topic",
        PageKind::People => "people",
        PageKind::Decisions => "decisions",
        PageKind::ActionItems => "action_items",
        PageKind::OpenQuestions => "open_questions",
        PageKind::Glossary => "glossary",
        PageKind::Theme(_) => "theme",
        PageKind::Notes(_) => "notes",
    }
}
