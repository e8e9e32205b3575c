//! What a reader sees and asks for, before the limit.

use atlas_core::model::{AuthorId, EntityId, FactKind, Interval, Timestamp};
use atlas_core::ports::{
    Document, DocumentKind, DocumentState, FactIndex, Filter, LifecycleView, Scope, SearchRequest,
    Visibility,
};

use super::documents::{document, fill, ids, offered, request};
use crate::conformance::Checked;
use crate::conformance::corpus::{at, channel};
use crate::conformance::seen::same;

/// Documents that crowd out the one that counts, where a filter comes after the limit.
const CROWD: usize = 30;

/// What differs between a document that counts and one that does not.
type Change = fn(Document) -> Document;

struct Row {
    what: &'static str,
    visibility: Visibility,
    filter: Filter,
    counts: Change,
    does_not: Change,
}

fn current(as_of: Option<i64>, known_at: Option<i64>) -> Visibility {
    Visibility {
        view: LifecycleView::Current,
        as_of: as_of.map(at),
        known_at: known_at.map(at),
    }
}

fn view(view: LifecycleView) -> Visibility {
    Visibility {
        view,
        ..Visibility::default()
    }
}

fn span(start: i64, end: Option<i64>) -> Interval {
    Interval {
        start: at(start),
        end: end.map(at),
    }
}

fn in_state(state: DocumentState, document: Document) -> Document {
    Document { state, ..document }
}

fn valid_in(validity: Vec<Interval>, document: Document) -> Document {
    Document {
        validity,
        ..document
    }
}

fn seen_rows() -> Vec<Row> {
    use DocumentState::{Past, Void};
    let row = |what, visibility, counts: Change, does_not: Change| Row {
        what,
        visibility,
        filter: Filter::default(),
        counts,
        does_not,
    };
    vec![
        row(
            "what is past",
            Visibility::default(),
            |it| it,
            |it| in_state(Past, it),
        ),
        row(
            "what is void",
            Visibility::default(),
            |it| it,
            |it| in_state(Void, it),
        ),
        row(
            "what is void, in the history",
            view(LifecycleView::History),
            |it| in_state(Past, it),
            |it| in_state(Void, it),
        ),
        row(
            "what was so later",
            current(Some(10), None),
            |it| in_state(Past, valid_in(vec![span(50, None), span(0, Some(11))], it)),
            |it| valid_in(vec![span(11, None)], it),
        ),
        row(
            "what was so until that instant",
            current(Some(10), None),
            |it| valid_in(vec![span(10, Some(11))], it),
            |it| valid_in(vec![span(0, Some(10)), span(11, None)], it),
        ),
        row(
            "what was never so",
            current(Some(10), None),
            |it| it,
            |it| valid_in(Vec::new(), it),
        ),
        row(
            "what is void as of an instant",
            current(Some(10), None),
            |it| it,
            |it| in_state(Void, it),
        ),
        row(
            "what was learned later",
            current(None, Some(10)),
            |it| Document {
                recorded_at: at(10),
                ..it
            },
            |it| Document {
                recorded_at: at(10).saturating_add_micros(1),
                ..it
            },
        ),
    ]
}

fn filter_rows() -> Vec<Row> {
    let row = |what, filter, counts: Change, does_not: Change| Row {
        what,
        visibility: Visibility::default(),
        filter,
        counts,
        does_not,
    };
    let none = Filter::default;
    vec![
        row(
            "another kind",
            Filter {
                kinds: vec![DocumentKind::Section, DocumentKind::Message],
                ..none()
            },
            |it| Document {
                kind: DocumentKind::Message,
                ..it
            },
            |it| it,
        ),
        row(
            "another kind of fact, or no fact",
            Filter {
                fact_kinds: vec![FactKind::Decision, FactKind::Question],
                ..none()
            },
            |it| Document {
                fact_kind: Some(FactKind::Question),
                ..it
            },
            |it| Document {
                fact_kind: (it.id.len() % 2 == 0).then_some(FactKind::Opinion),
                ..it
            },
        ),
        row(
            "other tags",
            Filter {
                tags: vec!["cost".to_owned(), "größe".to_owned()],
                ..none()
            },
            |it| Document {
                tags: vec!["x".to_owned(), "größe".to_owned()],
                ..it
            },
            |it| Document {
                tags: vec!["costs".to_owned(), "größ".to_owned()],
                ..it
            },
        ),
        row(
            "other authors",
            Filter {
                authors: vec![AuthorId::new("U9"), AuthorId::new("u 1")],
                ..none()
            },
            |it| Document {
                authors: vec![AuthorId::new("U2"), AuthorId::new("u 1")],
                ..it
            },
            |it| Document {
                authors: vec![AuthorId::new("u9"), AuthorId::new("u")],
                ..it
            },
        ),
        row(
            "other entities",
            Filter {
                entities: vec![EntityId::new("e2")],
                ..none()
            },
            |it| Document {
                entities: vec![EntityId::new("e1"), EntityId::new("e2")],
                ..it
            },
            |it| Document {
                entities: vec![EntityId::new("e1"), EntityId::new("e22")],
                ..it
            },
        ),
    ]
}

fn time_rows() -> Vec<Row> {
    let row = |what, filter, counts: Change, does_not: Change| Row {
        what,
        visibility: Visibility::default(),
        filter,
        counts,
        does_not,
    };
    let none = Filter::default;
    vec![
        row(
            "another time",
            Filter {
                said_in: Some(span(-20, Some(-10))),
                ..none()
            },
            |it| Document {
                said_at: at(-20),
                ..it
            },
            |it| Document {
                said_at: at(if it.id.len() % 2 == 0 { -10 } else { -21 }),
                ..it
            },
        ),
        row(
            "one of two that have to hold",
            Filter {
                tags: vec!["tag".to_owned()],
                said_in: Some(span(-5, None)),
                authors: vec![AuthorId::new("U1")],
                ..none()
            },
            |it| Document {
                said_at: at(-5),
                ..it
            },
            |it| Document {
                tags: Vec::new(),
                said_at: at(99),
                ..it
            },
        ),
    ]
}

pub(super) async fn fi_9_visibility_and_filter_come_before_the_limit(
    index: impl FactIndex,
) -> Checked {
    let mut rows = seen_rows();
    rows.extend(filter_rows());
    rows.extend(time_rows());
    for (n, row) in rows.into_iter().enumerate() {
        let here = channel(&format!("c{n}"));
        let scope = Scope::from(&here);
        // The crowd says the word oftener, was said later, and comes first by id.
        let mut documents: Vec<Document> = (0..CROWD)
            .map(|n| {
                let loud = Document {
                    said_at: at(50),
                    ..document(&index, &format!("a{n}"), "launch launch launch")
                };
                (row.does_not)(loud)
            })
            .collect();
        let quiet = document(
            &index,
            "z",
            "the launch is one of many things that are said here",
        );
        documents.push((row.counts)(quiet));
        fill(&index, &here, documents).await?;
        for leg in offered(&index, "launch") {
            for limit in [1, 10] {
                let request = SearchRequest {
                    visibility: row.visibility,
                    filter: row.filter.clone(),
                    ..request(leg.clone(), limit)
                };
                let hits = index.search(&scope, &request).await?;
                let what = format!("{} crowds out, {leg:?}, limit {limit}", row.what);
                same(&what, &ids(&hits), &vec!["z"])?;
            }
            let all = SearchRequest {
                visibility: view(LifecycleView::All),
                ..request(leg.clone(), CROWD + 9)
            };
            let hits = index.search(&scope, &all).await?;
            let what = format!("{}: all that there is, {leg:?}", row.what);
            same(&what, &hits.len(), &(CROWD + 1))?;
        }
    }
    // Validity has no end here, and the earliest instant is an instant too.
    let here = channel("edges");
    fill(&index, &here, vec![document(&index, "1", "launch")]).await?;
    for as_of in [Timestamp::MIN, Timestamp::MAX] {
        let seen = SearchRequest {
            visibility: Visibility {
                as_of: Some(as_of),
                ..Visibility::default()
            },
            ..request(atlas_core::ports::Leg::Recent, 5)
        };
        let hits = index.search(&Scope::from(&here), &seen).await?;
        same(&format!("as of {as_of}"), &ids(&hits), &vec!["1"])?;
    }
    Ok(())
}
