//! Slugs: a page's place in links. They are presentation; the page's id is what stays.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::model::{PageId, WikiPage};

/// The most letters of a slug, without what sets it apart.
const MAX_LETTERS: usize = 60;

/// Slugs that file names of their own have.
const RESERVED: [&str; 2] = ["readme", "index"];

/// The slug that a title gives: letters and digits of any script in lower case, the rest as
/// hyphens. Empty if the title has none.
pub fn of_title(title: &str) -> String {
    let lower: String = title.nfkc().flat_map(char::to_lowercase).nfc().collect();
    let mut slug = String::new();
    let mut n_letters = 0;
    for part in lower.split(|c: char| !(c.is_alphanumeric() || is_combining_mark(c))) {
        let n_part = part.chars().count();
        if n_part == 0 {
            continue;
        }
        if n_letters + n_part > MAX_LETTERS && n_letters > 0 {
            break;
        }
        if n_letters > 0 {
            slug.push('-');
        }
        slug.extend(part.chars().take(MAX_LETTERS));
        n_letters += n_part + 1;
    }
    slug
}

/// The slug that a title gives a page, apart from those that are taken.
pub fn choose(title: &str, page: &PageId, taken: &BTreeSet<String>) -> String {
    let mut base = of_title(title);
    if base.is_empty() {
        base = page.as_str().chars().take(8).collect();
    }
    let is_free = |slug: &String| !taken.contains(slug) && !RESERVED.contains(&slug.as_str());
    let numbered = (2_u32..).map(|number| format!("{base}-{number}"));
    let mut candidates = std::iter::once(base.clone()).chain(numbered);
    candidates.find(is_free).unwrap_or_default()
}

/// The page that a slug leads to: the one that has it, else the one that had it.
pub fn resolve<'a>(slug: &str, pages: &'a [WikiPage]) -> Option<&'a WikiPage> {
    let has = |page: &&WikiPage| page.slug == slug;
    let had = |page: &&WikiPage| page.old_slugs.iter().any(|it| it == slug);
    pages.iter().find(has).or_else(|| pages.iter().find(had))
}

/// Gives a page its slug, and keeps those that it had. `taken` holds the slugs that other pages
/// have or had; what it gives is added.
pub fn give(page: &mut WikiPage, before: Option<&WikiPage>, taken: &mut BTreeSet<String>) {
    let Some(before) = before else {
        page.slug = choose(&page.title, &page.id, taken);
        taken.insert(page.slug.clone());
        return;
    };
    page.old_slugs.clone_from(&before.old_slugs);
    page.slug = if before.title == page.title && !taken.contains(&before.slug) {
        before.slug.clone()
    } else {
        choose(&page.title, &page.id, taken)
    };
    if page.slug != before.slug {
        page.old_slugs.push(before.slug.clone());
    }
    page.old_slugs.retain(|it| *it != page.slug);
    taken.insert(page.slug.clone());
    taken.extend(page.old_slugs.iter().cloned());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(title: &str, slug: &str) {
        assert_eq!(of_title(title), slug);
    }

    #[test]
    fn slugs_keep_letters_of_every_script() {
        check("Billing: the 2nd try!", "billing-the-2nd-try");
        check("汇率换算", "汇率换算");
        check("Straße & Café", "straße-café");
        check("ｆｕｌｌ", "full");
        check("สวัสดี", "สวัสดี");
        check("../../etc/passwd", "etc-passwd");
        check("🎉", "");
        let long = of_title(&"word ".repeat(40));
        assert!(long.chars().count() <= MAX_LETTERS && !long.ends_with('-'));
    }
}
