//! What is wrong with a written wiki.
//!
//! Strings in, findings out. [`page`] reads Markdown as a reader's program does, so that what is
//! checked is what is shown; the rules are in [`marks`] (remains of markup), [`cites`] (sentences
//! and their sources), [`titles`] and [`links`].
//!
//! A wiki is a folder a channel, with an index at the top that leads to them. `README.md` of a
//! channel is its overview.

pub mod cites;
pub mod links;
pub mod marks;
pub mod page;
pub mod titles;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use atlas_core::model::{ChannelId, Message};

use cites::Sources;
use page::Page;

/// A file of a wiki.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WikiFile {
    /// Its path from the wiki's folder, parts joined by `/`.
    pub path: String,
    /// What stands in it.
    pub markdown: String,
}

/// A rule that a wiki keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Nothing of the platform's markup is left: `<@`, `<#`, `&amp;`, `:name:` outside code.
    Markup,
    /// Every sentence has a citation.
    Cited,
    /// Every citation names a message of the channel that has the quoted words, with who said it
    /// and when.
    Proven,
    /// A page tells at least three cited sentences.
    Full,
    /// No two pages of a channel have one title.
    OneTitle,
    /// A title names a thing.
    Title,
    /// A link to a page leads to a file.
    Link,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Markup => "remains of markup",
            Self::Cited => "sentence without a citation",
            Self::Proven => "citation that proves nothing",
            Self::Full => "page that tells too little",
            Self::OneTitle => "title of two pages",
            Self::Title => "title that names nothing",
            Self::Link => "link that leads nowhere",
        })
    }
}

/// A place where a wiki breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The file.
    pub path: String,
    /// What stands there.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.path, self.rule, self.what)
    }
}

/// What was checked, and what is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Pages, the index not among them.
    pub pages: usize,
    /// Sentences on them.
    pub sentences: usize,
    /// Pieces of evidence that were looked up.
    pub citations: usize,
    /// What is wrong, in the order of the rules and files.
    pub findings: Vec<Finding>,
}

/// The fewest cited sentences of a page.
pub const MIN_SENTENCES: usize = 3;

/// The name of the index and of each channel's overview.
const README: &str = "README.md";

/// Checks a wiki against the messages that it was made from.
///
/// The messages of a folder's pages must all be of one channel.
pub fn lint(files: &[WikiFile], messages: &BTreeMap<ChannelId, Vec<Message>>) -> Verdict {
    let sources = Sources::new(messages);
    let paths: BTreeSet<&str> = files.iter().map(|it| it.path.as_str()).collect();
    let mut verdict = Verdict::default();
    let mut folders: BTreeMap<&str, Vec<(&WikiFile, Page)>> = BTreeMap::new();
    for file in files {
        let page = Page::read(&file.markdown);
        let found = marks::remains(&file.markdown, &page);
        verdict.add(Rule::Markup, &file.path, found);
        verdict.add(
            Rule::Link,
            &file.path,
            links::broken(&file.path, &page, &paths),
        );
        if let Some((folder, _)) = file.path.rsplit_once('/') {
            folders.entry(folder).or_default().push((file, page));
        }
    }
    for pages in folders.values() {
        verdict.folder(pages, &sources);
    }
    verdict.findings.sort();
    verdict
}

impl Verdict {
    fn add(&mut self, rule: Rule, path: &str, found: Vec<String>) {
        self.findings.extend(found.into_iter().map(|what| Finding {
            rule,
            path: path.to_owned(),
            what,
        }));
    }

    fn folder(&mut self, pages: &[(&WikiFile, Page)], sources: &Sources<'_>) {
        let channel = sources.channel_of(pages.iter().map(|(_, page)| page));
        for (file, page) in pages {
            self.pages += 1;
            self.sentences += page.sentences.len();
            self.citations += page.notes.values().map(Vec::len).sum::<usize>();
            self.add(Rule::Cited, &file.path, cites::uncited(page));
            let unproven = sources.unproven(page, channel);
            self.add(Rule::Proven, &file.path, unproven);
            let cited = page.sentences.iter().filter(|it| !it.notes.is_empty());
            let cited = cited.count();
            if cited < MIN_SENTENCES {
                let told = format!("{cited} cited sentences");
                self.add(Rule::Full, &file.path, vec![told]);
            }
            // The overview has the channel's name, which people chose.
            if !file.path.ends_with(README) {
                self.add(Rule::Title, &file.path, titles::faults(page));
            }
        }
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for (file, page) in pages.iter().filter(|(it, _)| !it.path.ends_with(README)) {
            let title = page.title.to_lowercase();
            if let Some(other) = seen.insert(title, &file.path) {
                let told = format!("{}, as {other}", page.title);
                self.add(Rule::OneTitle, &file.path, vec![told]);
            }
        }
    }
}

#[cfg(test)]
mod tests;
