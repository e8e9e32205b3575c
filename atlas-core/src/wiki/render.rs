//! Pages to Markdown files that link to each other.

use std::collections::{BTreeMap, BTreeSet};

use super::escape::{code, inline};
use super::labels::Labels;
use crate::model::{
    AtomicFact, CitedSentence, Curation, Evidence, FactId, Language, PageId, PageKind, Section,
    WikiPage,
};

/// The most pieces of evidence that a footnote shows, the latest ones.
const MAX_EVIDENCE: usize = 3;

/// Sections that read as a text; the sentences of others stand one by one.
const PROSE: [&str; 2] = ["summary", "state"];

/// A file of the wiki.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedFile {
    /// Its path from the wiki's folder, such as `decisions.md`.
    pub path: String,
    /// What stands in it.
    pub markdown: String,
}

/// The pages that readers find in lists.
pub fn listed(pages: Vec<WikiPage>, curations: &[Curation]) -> Vec<WikiPage> {
    let hidden: BTreeSet<&PageId> = (curations.iter())
        .filter(|it| it.is_hidden)
        .map(|it| &it.page)
        .collect();
    let mut pages = pages;
    pages.retain(|it| !hidden.contains(&it.id));
    pages
}

/// Renders pages: `README.md` with the overview and the list of all pages first, then one file a
/// page. Every sentence carries the footnotes of its facts: who said it, when (UTC), in which
/// words, in which message. What people said is escaped, so that it shows as it was said.
///
/// # Shape
///
/// A sentence none of whose facts is among `facts` is left out, and so are links to pages that are
/// not given. Pages are of one language.
pub fn render(
    pages: &[WikiPage],
    facts: &BTreeMap<FactId, AtomicFact>,
    channel_name: &str,
) -> Vec<RenderedFile> {
    let language = pages
        .first()
        .map_or_else(Language::unknown, |it| it.language.clone());
    let writer = Renderer {
        labels: Labels::of(&language),
        facts,
        pages: pages.iter().map(|it| (&it.id, it)).collect(),
    };
    let mut files = vec![RenderedFile {
        path: README.to_owned(),
        markdown: writer.readme(channel_name),
    }];
    let others = in_order(pages);
    let others = others
        .into_iter()
        .filter(|it| it.kind != PageKind::Overview);
    files.extend(others.map(|page| RenderedFile {
        path: path(page),
        markdown: writer.page(page),
    }));
    files
}

/// The file that the folder shows first.
const README: &str = "README.md";

/// Where a page is.
fn path(page: &WikiPage) -> String {
    match page.kind {
        PageKind::Overview => README.to_owned(),
        PageKind::Topic(_)
        | PageKind::People
        | PageKind::Decisions
        | PageKind::ActionItems
        | PageKind::OpenQuestions
        | PageKind::Glossary
        | PageKind::Theme(_)
        | PageKind::Notes(_) => format!("{}.md", page.slug),
    }
}

/// Fixed pages first, then topics and themes by title, then notes by year.
fn in_order(pages: &[WikiPage]) -> Vec<&WikiPage> {
    let rank = |page: &WikiPage| match page.kind {
        PageKind::Overview => 0,
        PageKind::Decisions => 1,
        PageKind::ActionItems => 2,
        PageKind::OpenQuestions => 3,
        PageKind::People => 4,
        PageKind::Glossary => 5,
        PageKind::Topic(_) | PageKind::Theme(_) => 6,
        PageKind::Notes(_) => 7,
    };
    let mut ordered: Vec<&WikiPage> = pages.iter().collect();
    ordered.sort_by(|a, b| (rank(a), &a.title, &a.id).cmp(&(rank(b), &b.title, &b.id)));
    ordered
}

struct Renderer<'a> {
    labels: &'static Labels,
    facts: &'a BTreeMap<FactId, AtomicFact>,
    pages: BTreeMap<&'a PageId, &'a WikiPage>,
}

impl Renderer<'_> {
    fn readme(&self, channel_name: &str) -> String {
        let overview = self.pages.values().find(|it| it.kind == PageKind::Overview);
        let mut notes = Footnotes::default();
        let mut blocks = vec![format!("# {}", inline(channel_name))];
        let sections = overview.map_or(&[][..], |it| it.sections.as_slice());
        blocks.extend(sections.iter().flat_map(|it| self.section(it, &mut notes)));
        let all: Vec<WikiPage> = self.pages.values().map(|it| (*it).clone()).collect();
        let listed: Vec<String> = in_order(&all)
            .into_iter()
            .filter(|it| it.kind != PageKind::Overview)
            .map(|it| format!("- {}", link(it)))
            .collect();
        if !listed.is_empty() {
            blocks.push(format!("## {}", self.labels.pages));
            blocks.push(listed.join("\n"));
        }
        blocks.extend(notes.blocks(self.facts));
        blocks.join("\n\n") + "\n"
    }

    fn page(&self, page: &WikiPage) -> String {
        let mut notes = Footnotes::default();
        let mut blocks = vec![format!("# {}", inline(&page.title))];
        blocks.extend(
            page.sections
                .iter()
                .flat_map(|it| self.section(it, &mut notes)),
        );
        let home = format!("[{}]({README})", self.labels.overview);
        blocks.push(home);
        blocks.extend(notes.blocks(self.facts));
        blocks.join("\n\n") + "\n"
    }

    fn section(&self, section: &Section, notes: &mut Footnotes) -> Vec<String> {
        let sentences: Vec<String> = section
            .sentences
            .iter()
            .filter_map(|it| self.sentence(it, notes))
            .collect();
        let links: Vec<String> = section
            .links
            .iter()
            .filter_map(|it| self.pages.get(it))
            .map(|it| link(it))
            .collect();
        if sentences.is_empty() && links.is_empty() {
            return Vec::new();
        }
        let mut blocks = vec![format!("## {}", inline(&section.title))];
        if !sentences.is_empty() {
            blocks.push(if PROSE.contains(&section.id.as_str()) {
                sentences.join(" ")
            } else {
                let items: Vec<String> = sentences.iter().map(|it| format!("- {it}")).collect();
                items.join("\n")
            });
        }
        if !links.is_empty() {
            blocks.push(format!("→ {}", links.join(" · ")));
        }
        blocks
    }

    fn sentence(&self, sentence: &CitedSentence, notes: &mut Footnotes) -> Option<String> {
        let cited = sentence
            .facts
            .iter()
            .filter(|it| self.facts.contains_key(*it));
        let marks: Vec<String> = cited.map(|it| format!("[^{}]", notes.number(it))).collect();
        let marks = marks.concat();
        (!marks.is_empty()).then(|| format!("{}{marks}", inline(&sentence.text)))
    }
}

fn link(page: &WikiPage) -> String {
    format!("[{}]({})", inline(&page.title), path(page))
}

/// The footnotes of a file, numbered in the order in which they are first called.
#[derive(Default)]
struct Footnotes {
    facts: Vec<FactId>,
}

impl Footnotes {
    fn number(&mut self, fact: &FactId) -> usize {
        if let Some(place) = self.facts.iter().position(|it| it == fact) {
            return place + 1;
        }
        self.facts.push(fact.clone());
        self.facts.len()
    }

    fn blocks(self, facts: &BTreeMap<FactId, AtomicFact>) -> Vec<String> {
        let cited = self.facts.iter().enumerate();
        cited
            .filter_map(|(place, id)| {
                let evidence = &facts.get(id)?.evidence;
                let hidden = evidence.len().saturating_sub(MAX_EVIDENCE);
                let shown: Vec<String> = evidence.iter().skip(hidden).map(said).collect();
                Some(format!("[^{}]: {}", place + 1, shown.join("; ")))
            })
            .collect()
    }
}

/// Who said it, when, in which words, where.
fn said(evidence: &Evidence) -> String {
    format!(
        "{}, {}: “{}” ({})",
        inline(&evidence.author.name),
        evidence.sent_at.date(),
        inline(&evidence.quote),
        code(&evidence.message.record_id())
    )
}
