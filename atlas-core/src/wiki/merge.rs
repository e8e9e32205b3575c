//! What was written and what stood before to the wiki as it is to stand.

use std::collections::{BTreeMap, BTreeSet};

use super::slug;
use super::write::page_made_from;
use crate::model::{FactId, Fingerprint, Language, PageId, PageKind, Section, WikiPage};
use crate::topic::title::same;

/// A page as it was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// Which page.
    pub id: PageId,
    /// What it is about.
    pub kind: PageKind,
    /// Its title.
    pub title: String,
    /// Its sections.
    pub sections: Vec<Section>,
}

/// The wiki as it is to stand.
#[derive(Clone, Debug, Default)]
pub struct Wiki {
    /// Every page of it, those that stay as they are included, in order of id.
    pub pages: Vec<WikiPage>,
    /// Pages that are gone.
    pub deleted: Vec<PageId>,
}

/// Joins what was written with what stays: pages in `stays` are not touched, pages that are neither
/// written nor stay are gone, and their slugs lead to the page that tells most of what they told.
///
/// # Shape
///
/// A page whose content is as before is equal to what it was; else its revision is one more.
/// Titles are apart, and so are slugs; links lead to pages that there are.
pub fn join(
    before: &[WikiPage],
    stays: &BTreeSet<PageId>,
    written: Vec<Written>,
    (writer, language): (&Fingerprint, &Language),
) -> Wiki {
    let old: BTreeMap<&PageId, &WikiPage> = before.iter().map(|it| (&it.id, it)).collect();
    let kept: Vec<&WikiPage> = before.iter().filter(|it| stays.contains(&it.id)).collect();
    let mut titles: BTreeSet<String> = kept.iter().map(|it| same(&it.title)).collect();
    let mut slugs: BTreeSet<String> = kept.iter().flat_map(|it| all_slugs(it)).collect();
    let ids: BTreeSet<PageId> = written
        .iter()
        .map(|it| it.id.clone())
        .chain(stays.iter().cloned())
        .collect();
    let mut pages: Vec<WikiPage> = Vec::new();
    for page in written.into_iter().filter(|it| !stays.contains(&it.id)) {
        let title = apart(&page.title, &mut titles);
        let mut sections = page.sections;
        for section in &mut sections {
            section
                .links
                .retain(|it| ids.contains(it) && *it != page.id);
        }
        sections.retain(|it| !(it.sentences.is_empty() && it.links.is_empty()));
        pages.push(WikiPage {
            id: page.id,
            kind: page.kind,
            language: language.clone(),
            made_from: page_made_from(&title, &sections),
            title,
            slug: String::new(),
            old_slugs: Vec::new(),
            revision: 1,
            writer: writer.clone(),
            sections,
        });
    }
    give_slugs(&mut pages, &old, &mut slugs);
    let deleted: Vec<&WikiPage> = before.iter().filter(|it| !ids.contains(&it.id)).collect();
    for gone in &deleted {
        if let Some(heir) = heir(gone, &mut pages) {
            let taken: BTreeSet<String> = all_slugs(heir).collect();
            let inherited = all_slugs(gone).filter(|it| !taken.contains(it) && !slugs.contains(it));
            let inherited: Vec<String> = inherited.collect();
            heir.old_slugs.extend(inherited);
        }
    }
    for page in &mut pages {
        if let Some(before) = old.get(&page.id) {
            page.revision = before.revision;
            let is_same = page.title == before.title && page.sections == before.sections;
            if is_same {
                // The writer is who wrote the words that stand.
                page.writer = before.writer.clone();
                page.made_from = before.made_from.clone();
            } else {
                page.revision += 1;
            }
        }
    }
    pages.extend(kept.into_iter().cloned());
    pages.sort_by(|a, b| a.id.cmp(&b.id));
    Wiki {
        pages,
        deleted: deleted.into_iter().map(|it| it.id.clone()).collect(),
    }
}

/// Pages that keep their titles keep their slugs, so they come first.
fn give_slugs(
    pages: &mut [WikiPage],
    old: &BTreeMap<&PageId, &WikiPage>,
    taken: &mut BTreeSet<String>,
) {
    // What a page had leads to it for ever, so no other page may have it.
    let had = |page: &WikiPage| old.get(&page.id).map(|it| it.old_slugs.clone());
    let histories: BTreeMap<PageId, Vec<String>> = pages
        .iter()
        .filter_map(|page| Some((page.id.clone(), had(page)?)))
        .collect();
    let keeps = |page: &WikiPage| old.get(&page.id).is_some_and(|it| it.title == page.title);
    for turn in [true, false] {
        for page in pages.iter_mut().filter(|it| keeps(it) == turn) {
            let mut others = taken.clone();
            for (id, slugs) in &histories {
                if *id != page.id {
                    others.extend(slugs.iter().cloned());
                }
            }
            slug::give(page, old.get(&page.id).copied(), &mut others);
            taken.extend(all_slugs(page));
        }
    }
}

fn all_slugs(page: &WikiPage) -> impl Iterator<Item = String> {
    page.old_slugs.iter().cloned().chain([page.slug.clone()])
}

/// A title that no other page has: itself, or with a number.
fn apart(title: &str, taken: &mut BTreeSet<String>) -> String {
    let numbered = (2_u32..).map(|number| format!("{title} ({number})"));
    let mut candidates = std::iter::once(title.to_owned()).chain(numbered);
    let free = candidates.find(|it| taken.insert(same(it)));
    free.unwrap_or_else(|| title.to_owned())
}

/// The page that tells most of what a page told; where none tells any, the overview.
fn heir<'a>(gone: &WikiPage, pages: &'a mut [WikiPage]) -> Option<&'a mut WikiPage> {
    let told: BTreeSet<FactId> = gone.cited().into_iter().collect();
    let n_common = |page: &WikiPage| page.cited().iter().filter(|it| told.contains(*it)).count();
    let is_own = |page: &WikiPage| !matches!(page.kind, PageKind::Overview);
    pages
        .iter_mut()
        .filter(|it| n_common(it) > 0 || !is_own(it))
        .max_by(|a, b| (n_common(a), &b.id).cmp(&(n_common(b), &a.id)))
}
