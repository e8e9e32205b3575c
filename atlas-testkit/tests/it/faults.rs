//! Faults strike the call that they name, before or after its effect.

use std::sync::Arc;

use atlas_core::ErrorKind;
use atlas_core::model::ChannelId;
use atlas_core::ports::{
    ChannelScope, Collection, Commit, Embedder, Epoch, Expect, Key, MessageStore, Partition,
    Purpose, RecordStore, RecordStoreExt, Revision, Sequence,
};
use atlas_testkit::double::{Fault, Faults, Faulty, HashEmbedder};
use futures::executor::block_on;

use crate::memory::store;

fn partition() -> Partition {
    Partition::Channel(ChannelId::new("c"))
}

fn key(id: &str) -> Key {
    Key::new(Collection::literal("fact"), id)
}

fn faulty_records(faults: &Faults) -> Faulty<Arc<dyn RecordStore>> {
    Faulty::new(Arc::new(store()), faults)
}

fn put(id: &str) -> Commit {
    Commit {
        puts: vec![(key(id), id.as_bytes().to_vec())],
        expects: vec![Expect::Absent(key(id))],
        ..Commit::default()
    }
}

#[test]
fn calls_are_counted_across_ports_and_only_the_named_one_fails() {
    let faults = Faults::default();
    let records = faulty_records(&faults);
    let messages: Faulty<Arc<dyn MessageStore>> = Faulty::new(Arc::new(store()), &faults);
    let embedder = Faulty::new(HashEmbedder::new(4), &faults);
    let channel = ChannelScope::new(ChannelId::new("c"));
    faults.set(Fault::at(3, ErrorKind::Unavailable));
    block_on(async {
        records.head(&partition()).await.unwrap();
        messages.changes(&channel, Sequence(0), 9).await.unwrap();
        let error = embedder.embed(&["a"], Purpose::Query).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.op()),
            (ErrorKind::Unavailable, "Embedder::embed")
        );
        embedder.embed(&["a"], Purpose::Query).await.unwrap();
    });
    let calls = [
        "RecordStore::head",
        "MessageStore::changes",
        "Embedder::embed",
        "Embedder::embed",
    ];
    assert_eq!(faults.calls(), calls);
    assert_eq!((faults.n_calls(), faults.n_failed()), (4, 1));
    faults.clear();
    assert_eq!(faults.n_calls(), 0);
}

#[test]
fn a_lost_acknowledgement_is_of_a_call_that_took_effect() {
    let faults = Faults::default();
    let records = faulty_records(&faults);
    let fault = Fault::at(1, ErrorKind::Unavailable);
    for (fault, is_there) in [(fault, false), (fault.after_effect(), true)] {
        faults.set(fault);
        let id = format!("{is_there}");
        let answer = block_on(records.commit(&partition(), &put(&id)));
        assert_eq!(answer.unwrap_err().kind(), ErrorKind::Unavailable);
        let found = block_on(records.get(&partition(), &[key(&id)])).unwrap();
        assert_eq!(found[0].is_some(), is_there);
    }
}

#[test]
fn a_call_that_is_refused_anyway_says_why() {
    let faults = Faults::default();
    let records = faulty_records(&faults);
    faults.set(Fault::at(1, ErrorKind::Unavailable).after_effect());
    let fenced = Commit {
        epoch: Epoch(9),
        ..put("a")
    };
    let answer = block_on(records.commit(&partition(), &fenced));
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::Fenced);
}

/// A careful writer of two records: it reads what is there and writes what is missing.
async fn write_both(records: &dyn RecordStore) -> atlas_core::Result<()> {
    for id in ["a", "b"] {
        let found = records.get(&partition(), &[key(id)]).await?;
        if found.iter().all(Option::is_none) {
            records.commit(&partition(), &put(id)).await?;
        }
    }
    Ok(())
}

#[test]
fn a_sweep_over_every_call_reaches_every_call() {
    let unbroken = Faults::default();
    block_on(write_both(&faulty_records(&unbroken))).unwrap();
    let n_calls = unbroken.n_calls();
    assert_eq!(n_calls, 4);
    for call in 1..=n_calls {
        let before = Fault::at(call, ErrorKind::Unavailable);
        for fault in [
            before,
            before.after_effect(),
            before.for_ever(),
            before.after_effect().for_ever(),
        ] {
            let faults = Faults::default();
            let records = faulty_records(&faults);
            faults.set(fault);
            assert!(block_on(write_both(&records)).is_err());
            let again = block_on(write_both(&records));
            let lasts = [before.for_ever(), before.after_effect().for_ever()].contains(&fault);
            assert_eq!(again.is_err(), lasts);
            // The process is started again.
            block_on(write_both(records.inner())).unwrap();
            let inner = records.inner();
            let all =
                block_on(inner.list_all(&partition(), &Collection::literal("fact"), "")).unwrap();
            let ids: Vec<_> = all
                .iter()
                .map(|it| (it.key.id.as_str(), it.revision))
                .collect();
            assert_eq!(ids, [("a", Revision(1)), ("b", Revision(2))]);
        }
    }
}
