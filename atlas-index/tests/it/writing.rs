//! FI-1 to FI-4, FI-12 to FI-14, FI-16: what goes in, and when it is refused.

use atlas_core::ErrorKind;
use atlas_core::model::Language;
use atlas_core::ports::{Cursor, Document, Epoch, FactIndex, IndexEntry, Leg, Residue};
use futures::executor::block_on;
use proptest::prelude::*;

use super::setup::{
    Index, apply, by_words, channel, cursor, document, entries, entry, hits, ids, index, refused,
    request, second, try_apply,
};

fn applied(index: &Index) -> Cursor {
    block_on(index.applied(&channel("c"))).unwrap()
}

fn n_documents(index: &Index) -> u64 {
    block_on(index.stats(&channel("c"))).unwrap().n_documents
}

#[test]
fn documents_of_an_origin_replace_what_it_had() {
    let index = index();
    let two = vec![document("1", "alpha"), document("2", "beta")];
    apply(
        &index,
        "c",
        &[entry("o", two), entry("p", vec![document("3", "alpha")])],
    );
    apply(&index, "c", &[entry("o", vec![document("1", "gamma")])]);
    assert_eq!(ids(&index, &["c"], &by_words("alpha")), ["c/3"]);
    assert_eq!(ids(&index, &["c"], &by_words("beta")), [""; 0]);
    assert_eq!(ids(&index, &["c"], &by_words("gamma")), ["c/1"]);
    apply(&index, "c", &[entry("o", vec![])]);
    assert_eq!(n_documents(&index), 1);
    // The last entry of an origin counts.
    apply(
        &index,
        "c",
        &[
            entry("q", vec![document("4", "delta")]),
            entry("q", vec![document("5", "delta")]),
        ],
    );
    assert_eq!(ids(&index, &["c"], &by_words("delta")), ["c/5"]);
}

#[test]
fn a_document_that_two_origins_give_is_found_once() {
    let index = index();
    let twice = [
        entry("o", vec![document("1", "alpha")]),
        entry(
            "p",
            vec![document("1", "alpha alpha"), document("2", "alpha")],
        ),
    ];
    apply(&index, "c", &twice);
    for leg in [
        Leg::Recent,
        Leg::Lexical {
            text: "alpha".to_owned(),
        },
    ] {
        let mut it = request(leg);
        for limit in [1, 2, 10] {
            it.limit = limit;
            let mut found = ids(&index, &["c"], &it);
            found.dedup();
            assert_eq!(found.len(), limit.min(2));
        }
    }
}

#[test]
fn a_batch_begins_where_the_last_one_ended() {
    let index = index();
    let batch = entries(vec![document("1", "alpha")]);
    try_apply(&index, "c", (0, 0, 4), &batch).unwrap();
    refused(try_apply(&index, "c", (0, 3, 5), &[]), ErrorKind::Conflict);
    refused(try_apply(&index, "c", (0, 5, 6), &[]), ErrorKind::Conflict);
    refused(
        try_apply(&index, "c", (0, 4, 4), &batch),
        ErrorKind::Invalid,
    );
    refused(try_apply(&index, "c", (0, 4, 3), &[]), ErrorKind::Invalid);
    try_apply(&index, "c", (0, 4, 4), &[]).unwrap();
    assert_eq!((applied(&index), n_documents(&index)), (cursor(4), 1));
}

#[test]
fn a_batch_from_the_start_begins_anew() {
    let index = index();
    apply(&index, "c", &entries(vec![document("1", "alpha")]));
    let batch = entries(vec![document("2", "beta")]);
    try_apply(&index, "c", (0, 0, 9), &batch).unwrap();
    assert_eq!(ids(&index, &["c"], &by_words("alpha beta")), ["c/2"]);
    assert_eq!(applied(&index), cursor(9));
}

#[test]
fn nothing_of_a_bad_batch_is_applied() {
    let bad_vector = |vector: Vec<f32>| {
        let mut it = document("2", "beta");
        it.vector = Some(vector);
        entry("o2", vec![it])
    };
    for bad in [
        bad_vector(vec![1.0]),
        bad_vector(vec![1.0, f32::INFINITY, 0.0]),
        entry("o2", vec![document("", "beta")]),
        entry("o2", vec![document("2", "beta"), document("2", "beta")]),
    ] {
        let index = index();
        let batch = [entry("o1", vec![document("1", "beta")]), bad];
        refused(
            try_apply(&index, "c", (0, 0, 1), &batch),
            ErrorKind::Invalid,
        );
        assert_eq!(hits(&index, &["c"], &by_words("beta")), []);
        assert_eq!(applied(&index), Cursor::start());
    }
}

#[test]
fn a_fence_holds_and_outlives_a_purge() {
    let index = index();
    let batch = entries(vec![document("1", "alpha")]);
    for name in ["c", "d"] {
        apply(&index, name, &batch);
    }
    let fence = |epoch| block_on(index.fence(&channel("c"), Epoch(epoch)));
    fence(2).unwrap();
    refused(fence(1), ErrorKind::Fenced);
    refused(try_apply(&index, "c", (1, 1, 2), &batch), ErrorKind::Fenced);
    refused(
        block_on(index.purge(&channel("c"), Epoch(1))),
        ErrorKind::Fenced,
    );
    assert_eq!(n_documents(&index), 1);
    block_on(index.purge(&channel("c"), Epoch(2))).unwrap();
    let residue = |name| block_on(index.residue(&channel(name))).unwrap();
    assert_eq!(residue("c"), Residue::default());
    assert_eq!(residue("d"), Residue { items: 1, marks: 1 });
    assert_eq!(hits(&index, &["c"], &by_words("alpha")), []);
    refused(try_apply(&index, "c", (1, 0, 2), &batch), ErrorKind::Fenced);
    try_apply(&index, "c", (2, 0, 2), &batch).unwrap();
    assert_eq!(ids(&index, &["c", "d"], &by_words("alpha")), ["c/1", "d/1"]);
}

#[test]
fn a_search_sees_the_channel_before_a_batch_or_after_it() {
    let index = index();
    let state = |round: u32| -> Vec<IndexEntry> {
        let documents = (0..20).map(|at| document(&at.to_string(), &format!("same round{round}")));
        entries(documents.collect())
    };
    apply(&index, "c", &state(0));
    std::thread::scope(|threads| {
        let writer = threads.spawn(|| (1..8).for_each(|round| apply(&index, "c", &state(round))));
        let mut it = by_words("same");
        it.limit = 100;
        while !writer.is_finished() {
            assert_eq!(hits(&index, &["c"], &it).len(), 20);
        }
    });
}

/// A document of the random model: its words, its vector and when it was said.
fn any_document() -> impl Strategy<Value = Document> {
    (
        0_u8..6,
        "[abc]( [abcd]){0,4}",
        prop::option::of(0_i8..4),
        0_i64..3,
    )
        .prop_map(|(id, text, direction, at)| {
            let mut it = document(&id.to_string(), &text);
            it.language = Language::unknown();
            it.vector = direction.map(|x| vec![f32::from(x), 1.0, 0.0]);
            it.said_at = second(at);
            it
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// An index that followed every batch answers, scores too, as one that was built at once.
    #[test]
    fn following_and_rebuilding_are_one(
        batches in prop::collection::vec(
            prop::collection::btree_map(0_u8..6, prop::option::of(any_document()), 1..4),
            1..12,
        ),
    ) {
        let followed = index();
        let mut last = std::collections::BTreeMap::new();
        for batch in &batches {
            let changed: Vec<IndexEntry> = batch
                .iter()
                .map(|(origin, document)| {
                    let documents = document.iter().map(|it| Document { id: origin.to_string(), ..it.clone() });
                    entry(&origin.to_string(), documents.collect())
                })
                .collect();
            last.extend(changed.iter().map(|it| (it.origin.clone(), it.clone())));
            apply(&followed, "c", &changed);
        }
        let rebuilt = index();
        let all: Vec<IndexEntry> = last.into_values().rev().collect();
        apply(&rebuilt, "c", &all);
        for leg in [
            Leg::Recent,
            Leg::Lexical { text: "a b d".to_owned() },
            Leg::Dense { vector: vec![1.0, 0.0, 0.0] },
        ] {
            let it = request(leg);
            prop_assert_eq!(hits(&followed, &["c"], &it), hits(&rebuilt, &["c"], &it));
        }
        prop_assert_eq!(n_documents(&followed), n_documents(&rebuilt));
    }
}
