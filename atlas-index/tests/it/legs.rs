//! FI-5 to FI-11, FI-15, FI-17: what is found, and in which order.

use atlas_core::ErrorKind;
use atlas_core::model::{AuthorId, EntityId, FactKind, Interval, Language};
use atlas_core::ports::{
    DocumentKind, DocumentState, FactIndex, Filter, Leg, LifecycleView, Visibility,
};
use futures::executor::block_on;
use proptest::prelude::*;

use super::setup::{
    across, apply, by_vector, by_words, document, entries, hits, ids, index, request, second,
};

#[test]
fn words_are_found_in_any_script() {
    let index = index();
    let texts = [
        ("zh", "zh", "请检查汇率换算功能是否正常"),
        ("th", "th", "เราจะประชุมกันพรุ่งนี้"),
        ("hi", "hi", "नई कीमत तय हुई"),
        ("ar", "ar", "تم تأجيل الاجتماع"),
        ("ru", "ru", "Релиз перенесли на пятницу"),
        ("en", "en", "We deployed the parser"),
    ];
    let documents = texts.map(|(id, language, text)| {
        let mut it = document(id, text);
        it.language = Language::new(language);
        it
    });
    apply(&index, "c", &entries(documents.to_vec()));
    for (question, id) in [
        ("汇率换算", "c/zh"),
        ("ประชุม", "c/th"),
        ("कीमत", "c/hi"),
        ("الاجتماع", "c/ar"),
        ("РЕЛИЗЫ", "c/ru"),
        ("deploying parsers", "c/en"),
    ] {
        assert_eq!(ids(&index, &["c"], &by_words(question)), [id], "{question}");
    }
}

#[test]
fn a_query_language_is_text() {
    let index = index();
    apply(
        &index,
        "c",
        &entries(vec![
            document("1", "I don't use a/b tests"),
            document("2", "say \"hi\" (python) at 3 GB/s"),
            document("3", "foo AND bar OR NOT baz"),
        ]),
    );
    for (question, id) in [
        ("don't", "c/1"),
        ("a/b", "c/1"),
        ("say \"hi", "c/2"),
        ("(python", "c/2"),
        ("GB/s", "c/2"),
        ("foo AND bar", "c/3"),
        ("`foo`", "c/3"),
        ("body:foo^2 ~[a TO b} \\", "c/3"),
    ] {
        let found = ids(&index, &["c"], &by_words(question));
        assert_eq!(found.first().map(String::as_str), Some(id), "{question}");
    }
    for nothing in ["", "?!", "*", "\"", "((", "\u{0}", "+-"] {
        assert_eq!(hits(&index, &["c"], &by_words(nothing)), [], "{nothing}");
    }
}

#[test]
fn a_megabyte_of_question_is_answered() {
    let index = index();
    apply(&index, "c", &entries(vec![document("1", "the parser")]));
    let mut question = "lorem 12 ipsum(\" ".repeat(60_000);
    question.push_str("parser");
    assert_eq!(ids(&index, &["c"], &by_words(&question)), ["c/1"]);
}

#[test]
fn better_matches_come_first_and_ties_go_by_kind_and_id() {
    let index = index();
    let mut section = document("a", "release plan");
    section.kind = DocumentKind::Section;
    let documents = vec![
        section,
        document("c", "release plan"),
        document("b", "release plan"),
        document("d", "release plan for the release"),
        document("e", "plan"),
    ];
    for order in [documents.clone(), documents.into_iter().rev().collect()] {
        apply(&index, "x", &entries(order.clone()));
        let found = ids(&index, &["x"], &by_words("release plans"));
        assert_eq!(found.len(), 5);
        assert_eq!(found[0..3], ["x/b", "x/c", "x/a"]);
        assert_eq!(found[4], "x/e");
    }
}

#[test]
fn everything_applies_before_the_limit() {
    let index = index();
    let mut documents = Vec::new();
    for at in 0..50 {
        let mut it = document(&format!("hidden{at:02}"), "parser parser parser");
        it.vector = Some(vec![1.0, 0.0, 0.0]);
        it.said_at = second(1_000 + at);
        it.state = DocumentState::Void;
        documents.push(it);
    }
    let mut seen = document(
        "seen",
        "a word on the parser among many other words that follow",
    );
    seen.vector = Some(vec![0.1, 1.0, 0.0]);
    seen.said_at = second(1);
    seen.tags = vec!["ops".to_owned()];
    seen.authors = vec![AuthorId::new("ann")];
    seen.entities = vec![EntityId::new("e1")];
    seen.fact_kind = Some(FactKind::Decision);
    documents.push(seen);
    apply(&index, "c", &entries(documents));
    let legs = [
        Leg::Lexical {
            text: "parser".to_owned(),
        },
        Leg::Dense {
            vector: vec![1.0, 0.0, 0.0],
        },
        Leg::Recent,
    ];
    let filters = [
        Filter {
            tags: vec!["Ops".to_owned(), "dev".to_owned()],
            ..Filter::default()
        },
        Filter {
            authors: vec![AuthorId::new("ann")],
            ..Filter::default()
        },
        Filter {
            entities: vec![EntityId::new("e1")],
            ..Filter::default()
        },
        Filter {
            fact_kinds: vec![FactKind::Decision],
            ..Filter::default()
        },
        Filter {
            said_in: Some(Interval {
                start: second(0),
                end: Some(second(2)),
            }),
            ..Filter::default()
        },
    ];
    for leg in legs {
        let mut it = request(leg);
        it.limit = 1;
        assert_eq!(ids(&index, &["c"], &it), ["c/seen"], "by state: {it:?}");
        it.visibility.view = LifecycleView::All;
        for filter in &filters {
            it.filter = filter.clone();
            assert_eq!(ids(&index, &["c"], &it), ["c/seen"], "by filter: {it:?}");
        }
        it.filter = Filter {
            kinds: vec![DocumentKind::Message],
            ..Filter::default()
        };
        assert_eq!(hits(&index, &["c"], &it), []);
    }
}

#[test]
fn as_of_sees_what_was_so_then() {
    let index = index();
    let mut old = document("old", "launch in May");
    old.state = DocumentState::Past;
    old.validity = vec![Interval {
        start: second(0),
        end: Some(second(10)),
    }];
    let mut new = document("new", "launch in June");
    new.validity = vec![Interval::since(second(10))];
    new.recorded_at = second(20);
    apply(&index, "c", &entries(vec![old, new]));
    let mut it = by_words("launch");
    assert_eq!(ids(&index, &["c"], &it), ["c/new"]);
    it.visibility.as_of = Some(second(9));
    assert_eq!(ids(&index, &["c"], &it), ["c/old"]);
    it.visibility = Visibility {
        view: LifecycleView::History,
        as_of: None,
        known_at: Some(second(19)),
    };
    assert_eq!(ids(&index, &["c"], &it), ["c/old"]);
}

#[test]
fn a_neighbour_changes_no_score() {
    let alone = index();
    let beside = index();
    let documents = entries(vec![
        document("1", "parser release"),
        document("2", "release notes for the parser and the release"),
    ]);
    apply(&alone, "a", &documents);
    apply(&beside, "a", &documents);
    let many = (0..40)
        .map(|at| {
            document(
                &format!("n{at}"),
                "parser parser and a long tail of other words",
            )
        })
        .collect();
    apply(&beside, "b", &entries(many));
    let it = by_words("parser release");
    assert_eq!(hits(&alone, &["a"], &it), hits(&beside, &["a"], &it));
    // Together they are one collection: a rare word of one is common in both.
    let both = hits(&beside, &["a", "b"], &it);
    let of_a = both.iter().find(|hit| hit.id == "1").unwrap();
    let before = hits(&alone, &["a"], &it);
    let alone = before.iter().find(|hit| hit.id == "1").unwrap();
    assert!((of_a.score - alone.score).abs() > 1e-3);
}

#[test]
fn scores_of_a_scope_do_not_depend_on_how_it_is_split() {
    let texts = [
        "parser release",
        "the parser",
        "release of the parser release",
        "notes",
    ];
    let one = index();
    let two = index();
    for (at, text) in texts.iter().enumerate() {
        apply(&one, "a", &entries(vec![document(&at.to_string(), text)]));
        let half = if at % 2 == 0 { "a" } else { "b" };
        apply(&two, half, &entries(vec![document(&at.to_string(), text)]));
    }
    let it = by_words("release parsers");
    let scores = |found: Vec<atlas_core::ports::IndexHit>| -> Vec<(String, f32)> {
        found.into_iter().map(|hit| (hit.id, hit.score)).collect()
    };
    assert_eq!(
        scores(hits(&one, &["a"], &it)),
        scores(hits(&two, &["a", "b"], &it))
    );
}

#[test]
fn nearest_come_first_and_ties_go_by_channel_kind_and_id() {
    let index = index();
    let with = |id: &str, vector: [f32; 3]| {
        let mut it = document(id, "");
        it.vector = Some(vector.to_vec());
        it
    };
    apply(
        &index,
        "b",
        &entries(vec![
            with("2", [0.3, 0.3, 0.0]),
            with("1", [5.0, 5.0, 0.0]),
            with("zero", [0.0; 3]),
        ]),
    );
    apply(
        &index,
        "a",
        &entries(vec![
            with("9", [1.0, 1.0, 0.0]),
            with("away", [-1.0, -1.0, 0.0]),
            with("near", [1.0, 0.1, 0.0]),
        ]),
    );
    let found = ids(&index, &["b", "a"], &by_vector([2.0, 0.0, 0.0]));
    assert_eq!(found, ["a/near", "a/9", "b/1", "b/2", "a/away"]);
    let stats = block_on(index.stats(&super::setup::channel("b"))).unwrap();
    assert_eq!((stats.n_documents, stats.n_vectors), (3, 3));
    assert_eq!(hits(&index, &["a"], &by_vector([0.0; 3])), []);
}

#[test]
fn the_last_said_come_first() {
    let index = index();
    let at = |id: &str, seconds: i64| {
        let mut it = document(id, "");
        it.said_at = second(seconds);
        it
    };
    apply(&index, "b", &entries(vec![at("1", 5), at("2", 9)]));
    apply(&index, "a", &entries(vec![at("3", 5), at("0", 5)]));
    let mut it = request(Leg::Recent);
    assert_eq!(ids(&index, &["a", "b"], &it), ["b/2", "a/0", "a/3", "b/1"]);
    it.limit = 2;
    assert_eq!(ids(&index, &["a", "b"], &it), ["b/2", "a/0"]);
    assert!((hits(&index, &["b"], &it)[0].score - 9.0).abs() < 1e-6);
}

#[test]
fn wrong_questions_are_invalid() {
    let index = index();
    let mut nought = by_words("x");
    nought.limit = 0;
    for bad in [
        nought,
        request(Leg::Dense { vector: vec![1.0] }),
        by_vector([f32::NAN, 0.0, 0.0]),
    ] {
        let error = block_on(index.search(&across(&["c"]), &bad)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_question_is_answered(question in any::<String>(), text in "\\PC{0,40}") {
        let index = index();
        apply(&index, "c", &entries(vec![document("1", &text)]));
        hits(&index, &["c", "other"], &by_words(&question));
    }

    #[test]
    fn dense_search_is_a_sort_by_cosine(
        vectors in prop::collection::vec(prop::array::uniform3(-3_i8..4), 1..30),
        to in prop::array::uniform3(-3_i8..4),
        limit in 1_usize..10,
    ) {
        let wide = |v: [i8; 3]| v.map(f64::from);
        let cosine = |a: [f64; 3], b: [f64; 3]| {
            let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
        };
        let index = index();
        let documents = vectors.iter().enumerate().map(|(at, vector)| {
            let mut it = document(&format!("{at:02}"), "");
            it.vector = Some(vector.map(f32::from).to_vec());
            it
        });
        apply(&index, "c", &entries(documents.collect()));
        let mut expected: Vec<(String, String)> = vectors.iter().enumerate()
            .map(|(at, vector)| (cosine(wide(*vector), wide(to)), at))
            .filter(|(cosine, _)| cosine.is_finite())
            // Cosines of so small numbers are equal or far apart.
            .map(|(cosine, at)| (format!("{:.9}", 1.0 - cosine), format!("c/{at:02}")))
            .collect();
        expected.sort();
        let mut it = by_vector(to.map(f32::from));
        it.limit = limit;
        let expected: Vec<String> = expected.into_iter().take(limit).map(|(_, id)| id).collect();
        prop_assert_eq!(ids(&index, &["c"], &it), expected);
    }
}
