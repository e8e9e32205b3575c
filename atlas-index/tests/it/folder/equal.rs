//! Both indexes answer alike, and as a plain list of documents does.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use atlas_core::model::{AuthorId, EntityId, FactKind, Interval, Language};
use atlas_core::ports::{
    Batch, Document, DocumentKind, DocumentState, Epoch, FactIndex, Filter, IndexEntry, IndexHit,
    Key, Leg, LifecycleView, SearchRequest, Visibility,
};
use atlas_index::MemoryFactIndex;
use futures::executor::block_on;
use proptest::prelude::*;

use super::kind::open;
use super::setup::{across, channel, cursor, document, entry, second, space};

const CHANNELS: [&str; 2] = ["a", "b"];

fn any_kind() -> impl Strategy<Value = DocumentKind> {
    prop::sample::select(vec![
        DocumentKind::Fact,
        DocumentKind::Message,
        DocumentKind::Section,
    ])
}

fn any_fact_kind() -> impl Strategy<Value = FactKind> {
    prop::sample::select(vec![
        FactKind::Decision,
        FactKind::Opinion,
        FactKind::Observation,
        FactKind::ActionItem,
        FactKind::Question,
    ])
}

fn any_interval() -> impl Strategy<Value = Interval> {
    (0_i64..6, prop::option::of(1_i64..4)).prop_map(|(start, length)| Interval {
        start: second(start),
        end: length.map(|length| second(start + length)),
    })
}

fn any_names(prefix: &'static str) -> impl Strategy<Value = Vec<String>> {
    let name = (0_u8..3).prop_map(move |at| match at {
        2 => String::new(),
        at => format!("{prefix}{at}"),
    });
    prop::collection::vec(name, 0..3)
}

fn any_document() -> impl Strategy<Value = Document> {
    let vector = prop::option::of(prop_oneof![
        prop::array::uniform3(-2_i8..3).prop_map(|it| it.map(f32::from)),
        prop::array::uniform3(prop::sample::select(vec![1e-30_f32, -1e30, 0.3, 0.0, 3.0])),
    ]);
    let what = (any_kind(), 0_u8..6, "[abc]( [abcd]){0,4}", vector);
    let state = prop::sample::select(vec![
        DocumentState::Current,
        DocumentState::Current,
        DocumentState::Past,
        DocumentState::Void,
    ]);
    let when = (
        state,
        prop::collection::vec(any_interval(), 0..3),
        0_i64..4,
        0_i64..4,
    );
    let who = (
        prop::option::of(any_fact_kind()),
        any_names("tag"),
        any_names("author"),
        any_names("entity"),
    );
    (what, when, who).prop_map(|((kind, id, text, vector), when, who)| {
        let (state, validity, recorded_at, said_at) = when;
        let (fact_kind, tags, authors, entities) = who;
        Document {
            kind,
            language: Language::unknown(),
            vector: vector.map(Vec::from),
            state,
            validity,
            recorded_at: second(recorded_at),
            said_at: second(said_at),
            fact_kind,
            tags,
            authors: authors.into_iter().map(AuthorId::new).collect(),
            entities: entities.into_iter().map(EntityId::new).collect(),
            ..document(&format!("d{id}"), &text)
        }
    })
}

fn any_batch() -> impl Strategy<Value = (usize, bool, Vec<IndexEntry>)> {
    let entries =
        prop::collection::vec((0_u8..7, prop::collection::vec(any_document(), 0..3)), 1..5);
    (0..CHANNELS.len(), prop::bool::weighted(0.1), entries).prop_map(|(at, is_anew, entries)| {
        let entries = entries.into_iter().map(|(origin, mut documents)| {
            documents.sort_by(|a, b| (a.kind, &a.id).cmp(&(b.kind, &b.id)));
            documents.dedup_by(|a, b| (a.kind, &a.id) == (b.kind, &b.id));
            entry(&format!("o{origin}"), documents)
        });
        (at, is_anew, entries.collect())
    })
}

fn any_request() -> impl Strategy<Value = SearchRequest> {
    let leg = prop_oneof![
        "[abcd]( [abcd]){0,2}".prop_map(|text| Leg::Lexical { text }),
        prop::array::uniform3(-2_i8..3).prop_map(|it| Leg::Dense {
            vector: it.map(f32::from).to_vec()
        }),
        Just(Leg::Recent),
    ];
    let view = prop::sample::select(vec![
        LifecycleView::Current,
        LifecycleView::History,
        LifecycleView::All,
    ]);
    let some = || prop::option::of(0_i64..6);
    let filter = (
        prop::collection::vec(any_kind(), 0..2),
        prop::collection::vec(any_fact_kind(), 0..2),
        (any_names("Tag"), any_names("author"), any_names("entity")),
        prop::option::of(any_interval()),
    );
    // Most searches filter by little, or nothing would be found.
    let filter = prop_oneof![3 => Just(None), 2 => filter.prop_map(Some)];
    (leg, (view, some(), some()), filter, 1_usize..12).prop_map(|(leg, seen, filter, limit)| {
        let (view, as_of, known_at) = seen;
        let filter = filter.map(
            |(kinds, fact_kinds, (tags, authors, entities), said_in)| Filter {
                kinds,
                fact_kinds,
                tags,
                authors: authors.into_iter().map(AuthorId::new).collect(),
                entities: entities.into_iter().map(EntityId::new).collect(),
                said_in,
            },
        );
        SearchRequest {
            leg,
            visibility: Visibility {
                view,
                as_of: as_of.map(second),
                known_at: known_at.map(second),
            },
            filter: filter.unwrap_or_default(),
            limit,
        }
    })
}

/// Whether a document counts, by the words of the port.
fn admits(it: &Document, request: &SearchRequest) -> bool {
    fn any<T: PartialEq>(wanted: &[T], held: &[T]) -> bool {
        wanted.is_empty() || held.iter().any(|it| wanted.contains(it))
    }
    let filter = &request.filter;
    let tags: Vec<String> = filter.tags.iter().map(|tag| tag.to_lowercase()).collect();
    any(&filter.kinds, &[it.kind])
        && any(&filter.fact_kinds, it.fact_kind.as_slice())
        && any(&tags, &it.tags)
        && any(&filter.authors, &it.authors)
        && any(&filter.entities, &it.entities)
        && filter.said_in.is_none_or(|span| span.contains(it.said_at))
        && request
            .visibility
            .admits(it.state, &it.validity, it.recorded_at)
}

type Model = [BTreeMap<Key, Vec<Document>>; 2];

/// The documents that count with their place, each in its best form, if forms can be told apart.
fn counted(model: &Model, request: &SearchRequest) -> Vec<(usize, Document)> {
    let all = model
        .iter()
        .enumerate()
        .flat_map(|(at, origins)| origins.values().flatten().map(move |it| (at, it.clone())));
    all.filter(|(_, it)| admits(it, request)).collect()
}

fn latest(model: &Model, request: &SearchRequest) -> Vec<(usize, DocumentKind, String)> {
    let mut found: Vec<_> = counted(model, request)
        .into_iter()
        .map(|(at, it)| (Reverse(it.said_at), at, it.kind, it.id))
        .collect();
    found.sort();
    let mut seen = Vec::new();
    for (_, at, kind, id) in found {
        let name = (at, kind, id);
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen.truncate(request.limit);
    seen
}

fn names(hits: &[IndexHit]) -> Vec<(usize, DocumentKind, String)> {
    hits.iter()
        .map(|hit| {
            let at = CHANNELS
                .iter()
                .position(|name| *name == hit.channel.as_str());
            (at.unwrap(), hit.kind, hit.id.clone())
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn folder_and_memory_are_one(
        batches in prop::collection::vec(any_batch(), 1..7),
        requests in prop::collection::vec(any_request(), 12),
        reopens in any::<bool>(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut folder = open(dir.path());
        let memory = MemoryFactIndex::new(space());
        let mut model = Model::default();
        for (at, is_anew, entries) in &batches {
            let scope = channel(CHANNELS[*at]);
            let applied = block_on(memory.applied(&scope)).unwrap();
            let from = if *is_anew { cursor(0) } else { applied.clone() };
            let to = cursor(applied.revision.0 + 1);
            let batch = Batch { epoch: Epoch(0), from: &from, to: &to, entries };
            block_on(memory.apply(&scope, batch.clone())).unwrap();
            block_on(folder.apply(&scope, batch)).unwrap();
            if from == cursor(0) {
                model[*at].clear();
            }
            for entry in entries {
                model[*at].insert(entry.origin.clone(), entry.documents.clone());
            }
        }
        if reopens {
            drop(folder);
            folder = open(dir.path());
        }
        let both = across(&CHANNELS);
        for request in &requests {
            let hits = block_on(memory.search(&both, request)).unwrap();
            prop_assert_eq!(&block_on(folder.search(&both, request)).unwrap(), &hits, "{:?}", request);
            let counted = counted(&model, request);
            for (at, kind, id) in names(&hits) {
                let is_there = counted.iter().any(|(of, it)| (*of, it.kind, &it.id) == (at, kind, &id));
                prop_assert!(is_there, "{at} {kind:?} {id} for {request:?}");
            }
            if request.leg == Leg::Recent {
                prop_assert_eq!(names(&hits), latest(&model, request), "{:?}", request);
            }
            if let Leg::Dense { vector } = &request.leg {
                let mut near: Vec<_> = counted
                    .iter()
                    .filter(|(_, it)| it.vector.as_ref().is_some_and(|it| it.iter().any(|x| x.abs() > 0.0)))
                    .map(|(at, it)| (*at, it.kind, it.id.clone()))
                    .collect();
                near.sort();
                near.dedup();
                let is_nothing = vector.iter().all(|it| it.abs() <= 0.0);
                let expected = if is_nothing { 0 } else { near.len().min(request.limit) };
                prop_assert_eq!(hits.len(), expected, "{:?}", request);
            }
        }
        for (at, name) in CHANNELS.iter().enumerate() {
            let stats = block_on(folder.stats(&channel(name))).unwrap();
            prop_assert_eq!(stats, block_on(memory.stats(&channel(name))).unwrap());
            let n_documents: usize = model[at].values().map(Vec::len).sum();
            prop_assert_eq!(stats.n_documents, n_documents as u64);
            let origins: Vec<Key> = model[at]
                .iter()
                .filter(|(_, documents)| !documents.is_empty())
                .map(|(key, _)| key.clone())
                .collect();
            prop_assert_eq!(block_on(folder.origins(&channel(name))).unwrap(), origins);
            let verification = block_on(folder.verify(&channel(name))).unwrap();
            prop_assert!(verification.is_sound(), "{:?}", verification);
        }
    }
}

/// The plain scan: every cosine in double precision.
fn plain(vectors: &[Vec<f32>], to: &[f32], limit: usize) -> Vec<(String, f32)> {
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| f64::from(*a) * f64::from(*b))
            .sum()
    };
    let mut all: Vec<(f64, usize)> = vectors
        .iter()
        .enumerate()
        .map(|(at, it)| (dot(it, to) / (dot(it, it) * dot(to, to)).sqrt(), at))
        .filter(|(cosine, _)| cosine.is_finite())
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    #[expect(clippy::cast_possible_truncation, reason = "scores are single")]
    let narrow = |cosine: f64| cosine as f32;
    all.into_iter()
        .take(limit)
        .map(|(cosine, at)| (format!("{at:04}"), narrow(cosine)))
        .collect()
}

fn adversarial() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => -1.0_f32..1.0,
        2 => Just(0.0),
        1 => prop::sample::select(vec![1e-38_f32, -1e-42, 1e30, -3e37, 1.0, 0.999_999_94, -0.003_9]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// FI-7 with many rows: near ties, scaled copies, one great number among small ones.
    #[test]
    fn no_neighbour_is_missed(
        base in prop::collection::vec(prop::array::uniform3(adversarial()), 1..60),
        scales in prop::collection::vec(prop::sample::select(vec![1e-3_f32, 1.0, 7.0, 1e4]), 6),
        to in prop::array::uniform3(adversarial()),
        limit in 1_usize..25,
    ) {
        let vectors: Vec<Vec<f32>> = scales
            .iter()
            .flat_map(|scale| base.iter().map(move |it| it.map(|x| x * scale).to_vec()))
            .filter(|it| it.iter().all(|x| x.is_finite()))
            .collect();
        let index = super::kind::index();
        let documents = vectors.iter().enumerate().map(|(at, vector)| {
            let mut it = document(&format!("{at:04}"), "");
            it.vector = Some(vector.clone());
            it
        });
        super::setup::apply(&index, "c", &super::setup::entries(documents.collect()));
        let mut it = super::setup::by_vector(to);
        it.limit = limit;
        let hits = super::setup::hits(&index, &["c"], &it);
        let expected = plain(&vectors, &to, limit);
        prop_assert_eq!(hits.len(), expected.len());
        for (hit, (id, score)) in hits.iter().zip(&expected) {
            // Two sums of one product may differ in the last digit, and then change places.
            prop_assert!((hit.score - score).abs() < 1e-6, "{hit:?} where {id} has {score}");
        }
        for pair in hits.windows(2) {
            let is_in_order = pair[0].score > pair[1].score
                || (pair[0].score.total_cmp(&pair[1].score).is_eq() && pair[0].id < pair[1].id);
            prop_assert!(is_in_order, "{pair:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// FI-7 at a width at which the codes of near vectors are often the same: clusters so tight
    /// that only whole vectors tell their members apart.
    #[test]
    fn near_vectors_are_told_apart(
        centres in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 48), 1..4),
        spread in prop::sample::select(vec![0.0_f32, 1e-6, 1e-4, 1e-2]),
        noise in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 48), 100),
        limit in 1_usize..30,
    ) {
        let vectors: Vec<Vec<f32>> = centres
            .iter()
            .flat_map(|centre| noise.iter().map(move |noise| {
                centre.iter().zip(noise).map(|(x, off)| x + spread * off).collect()
            }))
            .collect();
        let dir = tempfile::tempdir().unwrap();
        let space = atlas_core::ports::EmbeddingSpace { dimensions: 48, ..space() };
        let folder = atlas_index::FolderFactIndex::open(
            dir.path(),
            space,
            atlas_index::FolderSettings::default().with_n_threads(2),
        )
        .unwrap();
        let documents = vectors.iter().enumerate().map(|(at, vector)| {
            let mut it = document(&format!("{at:04}"), "");
            it.vector = Some(vector.clone());
            it
        });
        super::setup::apply(&folder, "c", &super::setup::entries(documents.collect()));
        let to: Vec<f32> = centres[0].iter().zip(&noise[0]).map(|(x, off)| x + 0.01 * off).collect();
        let mut it = super::setup::request(Leg::Dense { vector: to.clone() });
        it.limit = limit;
        let hits = super::setup::hits(&folder, &["c"], &it);
        let expected = plain(&vectors, &to, limit);
        prop_assert_eq!(hits.len(), expected.len());
        for (hit, (id, score)) in hits.iter().zip(&expected) {
            prop_assert!((hit.score - score).abs() < 1e-6, "{hit:?} where {id} has {score}");
        }
    }
}
