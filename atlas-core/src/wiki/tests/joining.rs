use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::given::{english, writer};
use crate::model::{
    CitedSentence, ContentHash, FactId, PageId, PageKind, Section, TopicId, WikiPage,
};
use crate::wiki::merge::{Written, join};
use crate::wiki::slug::resolve;

const TITLES: [&str; 7] = ["Maps", "maps!", "Billing", "汇率", "Maps 2", "🎉", "README"];

fn written(id: usize, title: &str, facts: &[usize]) -> Written {
    let sentences = facts.iter().map(|it| CitedSentence {
        text: format!("Fact {it}."),
        facts: vec![FactId::new(format!("f{it}"))],
    });
    Written {
        id: PageId::new(format!("p{id}")),
        kind: if id == 0 {
            PageKind::Overview
        } else {
            PageKind::Topic(TopicId::new(format!("t{id}")))
        },
        title: title.to_owned(),
        sections: vec![Section {
            id: "s".to_owned(),
            title: "S".to_owned(),
            made_from: ContentHash::of(format!("{facts:?}").as_bytes()),
            sentences: sentences.collect(),
            links: Vec::new(),
        }],
    }
}

/// One step of a wiki's life: which pages there are, how they are called, and which stay.
fn steps() -> impl Strategy<Value = Vec<Vec<(usize, usize, bool)>>> {
    let page = (1_usize..6, 0..TITLES.len(), any::<bool>());
    prop::collection::vec(prop::collection::vec(page, 0..5), 1..8)
}

proptest! {
    /// P-P9: slugs are apart, and every slug that a page ever had leads to a page for ever.
    #[test]
    fn slugs_are_apart_and_lead_somewhere_for_ever(steps in steps()) {
        let mut pages: Vec<WikiPage> = Vec::new();
        let mut published: BTreeSet<String> = BTreeSet::new();
        for step in steps {
            let mut given: BTreeMap<usize, (usize, bool)> = BTreeMap::new();
            for (id, title, stays) in step {
                given.insert(id, (title, stays));
            }
            let stays: BTreeSet<PageId> = (pages.iter())
                .filter(|page| given.iter().any(|(id, it)| page.id.as_str() == format!("p{id}") && it.1))
                .map(|it| it.id.clone())
                .collect();
            let mut all = vec![written(0, "Overview", &[0, 1, 2])];
            all.extend(given.iter().map(|(id, it)| written(*id, TITLES[it.0], &[*id, it.0])));
            let wiki = join(&pages, &stays, all, (&writer(), &english()));
            let mut slugs = BTreeSet::new();
            let mut titles = BTreeSet::new();
            for page in &wiki.pages {
                prop_assert!(slugs.insert(page.slug.clone()) && !page.slug.is_empty());
                prop_assert!(titles.insert(crate::topic::title::same(&page.title)));
                prop_assert!(!page.old_slugs.contains(&page.slug));
                prop_assert_eq!(resolve(&page.slug, &wiki.pages).map(|it| &it.id), Some(&page.id));
                published.insert(page.slug.clone());
                let before = pages.iter().find(|it| it.id == page.id);
                match before {
                    Some(before) if stays.contains(&page.id) => prop_assert_eq!(before, page),
                    Some(before) => {
                        let is_same = (&before.title, &before.sections) == (&page.title, &page.sections);
                        let expected = before.revision + u64::from(!is_same);
                        prop_assert_eq!(page.revision, expected);
                        for slug in &before.old_slugs {
                            prop_assert!(page.old_slugs.contains(slug) || page.slug == *slug);
                        }
                    }
                    None => prop_assert_eq!(page.revision, 1),
                }
            }
            for slug in &published {
                prop_assert!(resolve(slug, &wiki.pages).is_some(), "{} leads nowhere", slug);
            }
            pages = wiki.pages;
        }
    }
}

#[test]
fn a_page_that_is_gone_leads_to_the_one_that_tells_most_of_it() {
    let first = vec![
        written(0, "Overview", &[9]),
        written(1, "Maps", &[1, 2, 3]),
        written(2, "Billing", &[4]),
    ];
    let before = join(&[], &BTreeSet::new(), first, (&writer(), &english())).pages;
    let second = vec![
        written(0, "Overview", &[1]),
        written(2, "Billing", &[2, 3, 4]),
    ];
    let wiki = join(&before, &BTreeSet::new(), second, (&writer(), &english()));
    assert_eq!(wiki.deleted, [PageId::new("p1")]);
    assert_eq!(resolve("maps", &wiki.pages).unwrap().title, "Billing");
    assert!(resolve("nowhere", &wiki.pages).is_none());
}
