//! The tunables of pages.

use crate::model::Language;

/// The tunables of this stage.
#[derive(Clone, Debug, PartialEq)]
pub struct WikiSettings {
    /// The language of the pages' own words: titles of fixed pages and of sections. What people
    /// said stays in their language. Languages that have no words here get English ones.
    pub language: Language,
    /// A page with fewer cited sentences is not written; what it would tell is told elsewhere.
    pub min_sentences: usize,
    /// The most facts of a section; more of them go on in further sections.
    pub max_facts_a_section: usize,
    /// Facts that share a name get a page of their own from this many on.
    pub theme_from: usize,
    /// The most people on the people's page, those with the most facts first.
    pub max_people: usize,
    /// The most facts told of one person on the people's page.
    pub max_facts_a_person: usize,
    /// The most topics, decisions, tasks and questions that the overview names, each.
    pub max_overview_items: usize,
    /// The most related topics that a topic's page points to.
    pub max_related: usize,
}

impl Default for WikiSettings {
    fn default() -> Self {
        Self {
            language: Language::new("en"),
            min_sentences: 3,
            max_facts_a_section: 12,
            theme_from: 4,
            max_people: 30,
            max_facts_a_person: 6,
            max_overview_items: 6,
            max_related: 5,
        }
    }
}
