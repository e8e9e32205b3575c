use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proptest::test_runner::{Config, TestRunner};

use super::given::{Given, channels};
use crate::model::{FactId, FactKind, FactState, PageKind, WikiPage};
use crate::topic::sentence::key;
use crate::topic::tests::given::{fact, of_kind, tagged};
use crate::topic::title::{gate, same};
use crate::wiki::merge::Wiki;

/// What every wiki must be, whatever it is made of. P-P12: every citation is a visible fact, but
/// for the section that says that it is not.
fn check_wiki(given: &Given, wiki: &Wiki) {
    let facts = given.seen();
    let mut titles = BTreeSet::new();
    let mut slugs = BTreeSet::new();
    for page in &wiki.pages {
        assert!(
            titles.insert(same(&page.title)),
            "two pages are called {}",
            page.title
        );
        assert!(
            slugs.insert(page.slug.clone()),
            "two pages have {}",
            page.slug
        );
        assert!(gate(&page.title).is_some(), "{} names nothing", page.title);
        let sentences: Vec<_> = page.sections.iter().flat_map(|it| &it.sentences).collect();
        assert!(sentences.len() >= 3, "{} is thin", page.title);
        let mut said = BTreeSet::new();
        let mut ids = BTreeSet::new();
        for section in &page.sections {
            assert!(
                ids.insert(&section.id),
                "two sections are called {}",
                section.id
            );
            for link in &section.links {
                assert!(
                    wiki.pages
                        .iter()
                        .any(|it| it.id == *link && it.id != page.id)
                );
            }
            for sentence in &section.sentences {
                assert!(
                    said.insert(key(&sentence.text)),
                    "said twice: {}",
                    sentence.text
                );
                assert!(!sentence.facts.is_empty());
                for id in &sentence.facts {
                    let is_past = section.id.starts_with("replaced");
                    let seen = facts[id];
                    assert_eq!(seen.state.is_visible(), !is_past, "{}", sentence.text);
                    if seen.is_disputed() {
                        assert!(
                            section.title.contains("Disputed") || is_past,
                            "{}",
                            section.title
                        );
                    }
                }
            }
        }
    }
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "what was exercised is part of the result"
)]
fn every_wiki_keeps_the_rules_of_pages() {
    let exercised: RefCell<BTreeMap<String, usize>> = RefCell::default();
    let mut runner = TestRunner::new(Config {
        cases: 80,
        max_shrink_iters: 200,
        ..Config::default()
    });
    runner
        .run(&channels(), |given| {
            let wiki = given.build(&[]);
            check_wiki(&given, &wiki);
            // What can be told is told on some page, unless there is too little for any.
            let cited: BTreeSet<_> = wiki.pages.iter().flat_map(WikiPage::cited).collect();
            let said: BTreeSet<String> = (wiki.pages.iter())
                .flat_map(|it| &it.sections)
                .flat_map(|it| &it.sentences)
                .map(|it| key(&it.text))
                .collect();
            let tellable: Vec<_> = (given.sources().visible().into_iter())
                .filter_map(|it| it.own_words())
                .collect();
            // What only a page that came out too thin would have told is in the report's `untold`.
            let briefs = given.plan();
            let thin: BTreeSet<FactId> = (briefs.iter())
                .filter(|brief| !wiki.pages.iter().any(|page| page.id == brief.id))
                .flat_map(|brief| &brief.sections)
                .flat_map(|section| section.facts().into_iter().cloned())
                .collect();
            let untold: BTreeSet<String> = (tellable.iter())
                .filter(|own| {
                    !cited.contains(&own.facts[0])
                        && !said.contains(&key(&own.text))
                        && !thin.contains(&own.facts[0])
                })
                .map(|own| key(&own.text))
                .collect();
            let least = crate::wiki::WikiSettings::default().min_sentences;
            assert!(untold.len() < least, "untold: {untold:?}");
            // Nothing changed: every page is as it was.
            assert_eq!(given.build(&wiki.pages).pages, wiki.pages);
            let mut counts = exercised.borrow_mut();
            for page in &wiki.pages {
                let kind = crate::wiki::brief::kind_name(&page.kind);
                *counts.entry(kind.to_owned()).or_default() += 1;
                for section in &page.sections {
                    let id = section.id.split('-').next().unwrap_or_default();
                    *counts.entry(format!("section {id}")).or_default() += 1;
                }
            }
            Ok(())
        })
        .unwrap();
    let counts = exercised.into_inner();
    println!("exercised: {counts:?}");
    for kind in [
        "overview",
        "topic",
        "theme",
        "notes",
        "people",
        "decisions",
        "glossary",
    ] {
        assert!(
            counts.get(kind).is_some_and(|n| *n >= 5),
            "{kind} hardly occurs"
        );
    }
    for section in ["disputed", "replaced", "summary", "related"] {
        let id = format!("section {section}");
        assert!(
            counts.get(&id).is_some_and(|n| *n >= 5),
            "{id} hardly occurs"
        );
    }
}

#[test]
fn a_reversed_decision_is_told_as_such() {
    let decided = |hour, text| of_kind(FactKind::Decision, tagged(hour, text, &["launch"]));
    let old = decided(1, "We launch on 12 May.");
    let current = decided(2, "We launch on 26 May.");
    let state = FactState::Superseded {
        by: current.id.clone(),
    };
    let given = Given::new(vec![
        (old.clone(), state, "t"),
        (current.clone(), FactState::Live, "t"),
        (decided(3, "We skip the party."), FactState::Live, "t"),
    ]);
    let wiki = given.build(&[]);
    let page = wiki
        .pages
        .iter()
        .find(|it| it.kind == PageKind::Decisions)
        .unwrap();
    let titles: Vec<&str> = page.sections.iter().map(|it| it.title.as_str()).collect();
    assert_eq!(titles, ["Current decisions", "Reversed or replaced"]);
    assert_eq!(page.sections[0].sentences[1].facts, [current.id]);
    assert_eq!(page.sections[1].sentences[0].facts[0], old.id);
    let elsewhere = wiki
        .pages
        .iter()
        .filter(|it| it.kind != PageKind::Decisions);
    assert!(elsewhere.flat_map(WikiPage::cited).all(|id| id != old.id));
}

#[test]
fn small_matters_are_told_together_by_what_they_name() {
    let mut facts: Vec<_> = (0..4)
        .map(|n| {
            let text = format!("Geocoding run {n} took {n} hours.");
            (tagged(n, &text, &["geocoding"]), FactState::Live)
        })
        .collect();
    facts.extend((0..3).map(|n| {
        (
            fact(100 + n, &format!("Something rare happened {n} times.")),
            FactState::Live,
        )
    }));
    let topics = ["a", "b", "c", "d", "e", "f", "g"];
    let given = Given::new(
        (facts.into_iter().zip(topics))
            .map(|((fact, state), topic)| (fact, state, topic))
            .collect(),
    );
    let titles: Vec<String> = given.plan().into_iter().map(|it| it.title).collect();
    assert_eq!(
        titles,
        ["Overview", "Geocoding", "Notes from 2026", "People"]
    );
}

#[test]
fn too_little_makes_no_page() {
    let given = Given::new(vec![
        (fact(1, "The server is up."), FactState::Live, "t"),
        (fact(2, "The server is up again."), FactState::Live, "t"),
    ]);
    assert!(given.plan().is_empty());
}
