//! The pages' own words.

use crate::model::{ActionStatus, Language, Timestamp};

/// The pages' own words in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Labels {
    /// The page of the channel as a whole.
    pub(super) overview: &'static str,
    /// The page of the people.
    pub(super) people: &'static str,
    /// The page of what was decided.
    pub(super) decisions: &'static str,
    /// The page of what is to be done.
    pub(super) action_items: &'static str,
    /// The page of what was asked and not answered.
    pub(super) open_questions: &'static str,
    /// The page of what words mean.
    pub(super) glossary: &'static str,
    /// The page of what is told on no other page, before the year.
    pub(super) notes: &'static str,
    /// What sets a theme apart from a topic of the same name.
    pub(super) more: &'static str,
    /// The section that sums up.
    pub(super) summary: &'static str,
    /// The section of where a matter stands.
    pub(super) state: &'static str,
    /// The section of facts that speak against each other.
    pub(super) disputed: &'static str,
    /// The section of decisions that stand.
    pub(super) current_decisions: &'static str,
    /// The section of decisions that do not stand any longer.
    pub(super) replaced: &'static str,
    /// The section of questions with their answers.
    pub(super) answered: &'static str,
    /// The section of all else.
    pub(super) details: &'static str,
    /// The section of terms.
    pub(super) terms: &'static str,
    /// The section of topics.
    pub(super) topics: &'static str,
    /// The section of what is told nowhere else.
    pub(super) also: &'static str,
    /// What leads to pages near by.
    pub(super) related: &'static str,
    /// The word before the number of a further section.
    pub(super) part: &'static str,
    /// The list of all pages.
    pub(super) pages: &'static str,
    months: [&'static str; 12],
    statuses: [&'static str; 5],
}

const ENGLISH: Labels = Labels {
    overview: "Overview",
    people: "People",
    decisions: "Decisions",
    action_items: "Action items",
    open_questions: "Open questions",
    glossary: "Glossary",
    notes: "Notes from",
    more: "further notes",
    summary: "In short",
    state: "Where it stands",
    disputed: "Disputed",
    current_decisions: "Current decisions",
    replaced: "Reversed or replaced",
    answered: "Questions and answers",
    details: "Details",
    terms: "Terms",
    topics: "Topics",
    also: "Also said",
    related: "See also",
    part: "part",
    pages: "Pages",
    months: [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    statuses: ["Open", "In progress", "Blocked", "Done", "Dropped"],
};

impl Labels {
    /// The words of a language; English ones where there are none.
    pub(super) fn of(_language: &Language) -> &'static Self {
        &ENGLISH
    }

    /// The titles that no topic may have.
    pub(super) fn fixed_titles(&self) -> [&'static str; 6] {
        [
            self.overview,
            self.people,
            self.decisions,
            self.action_items,
            self.open_questions,
            self.glossary,
        ]
    }

    /// The month of an instant in UTC, with its year.
    pub(super) fn month(&self, instant: Timestamp) -> String {
        let date = instant.date();
        let mut parts = date.split('-');
        let year = parts.next().unwrap_or_default();
        let month = parts.next().and_then(|it| it.parse::<usize>().ok());
        let name = month.and_then(|it| self.months.get(it.checked_sub(1)?));
        format!("{} {year}", name.copied().unwrap_or_default())
    }

    /// The word for where an action item stands.
    pub(super) fn status(&self, status: ActionStatus) -> &'static str {
        let [open, in_progress, blocked, done, dropped] = self.statuses;
        match status {
            ActionStatus::Open => open,
            ActionStatus::InProgress => in_progress,
            ActionStatus::Blocked => blocked,
            ActionStatus::Done => done,
            ActionStatus::Dropped => dropped,
        }
    }
}
