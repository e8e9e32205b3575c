//! Wiki pages.

use serde::{Deserialize, Serialize};

use super::cited::CitedSentence;
use super::hash::ContentHash;
use super::ids::{FactId, Fingerprint, PageId, PrincipalId, TopicId};
use super::language::Language;
use super::time::Timestamp;

/// What a page is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageKind {
    /// The channel as a whole.
    Overview,
    /// One topic.
    Topic(TopicId),
    /// The people.
    People,
    /// What was decided.
    Decisions,
    /// What is to be done.
    ActionItems,
    /// What was asked and not answered.
    OpenQuestions,
    /// What the words mean.
    Glossary,
    /// Facts of topics too small for a page that share a tag or a name: that, normalised.
    Theme(String),
    /// What is told on no other page, of one year.
    Notes(String),
}

/// A page: one record for each channel, language and page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WikiPage {
    /// Opaque and stable.
    pub id: PageId,
    /// What it is about.
    pub kind: PageKind,
    /// The language of the page's own words (titles, labels).
    pub language: Language,
    /// Its title.
    pub title: String,
    /// Its place in links; presentation only.
    pub slug: String,
    /// The slugs that it had before, oldest first; they resolve for ever.
    pub old_slugs: Vec<String>,
    /// Its revision: one more for each change of content.
    pub revision: u64,
    /// A hash of everything that it was written from.
    pub made_from: ContentHash,
    /// What wrote it.
    pub writer: Fingerprint,
    /// Its body.
    pub sections: Vec<Section>,
}

/// A part of a page with a heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Stable within its page.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// A hash of what it was written from: equal hash, equal bytes.
    pub made_from: ContentHash,
    /// Its sentences.
    pub sentences: Vec<CitedSentence>,
    /// The pages that it points to.
    pub links: Vec<PageId>,
}

impl WikiPage {
    /// The facts that the page cites, each once, in order of id.
    pub fn cited(&self) -> Vec<FactId> {
        let mut facts: Vec<FactId> = self
            .sections
            .iter()
            .flat_map(|section| &section.sentences)
            .flat_map(|sentence| sentence.facts.iter().cloned())
            .collect();
        facts.sort();
        facts.dedup();
        facts
    }
}

/// Who may change a page's body.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum CurationMode {
    /// The generator.
    #[default]
    Auto,
    /// People only.
    Manual,
    /// No one.
    Frozen,
}

/// What people decided about a page; no generator touches it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Curation {
    /// The page.
    pub page: PageId,
    /// Who may change its body.
    pub mode: CurationMode,
    /// Whether readers do not see it in lists.
    pub is_hidden: bool,
    /// Who decided.
    pub by: PrincipalId,
    /// Why.
    pub reason: String,
    /// When.
    pub at: Timestamp,
}
