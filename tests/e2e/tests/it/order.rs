//! Order and batches of an ingest leave no trace in what is known.

use atlas_core::maintain::Snapshot;
use atlas_core::model::Message;
use atlas_core::{Atlas, Settings};
use atlas_eval::load;
use proptest::prelude::*;

use crate::sample::{sample, wait};

/// When a channel is settled.
#[derive(Clone, Copy, Debug)]
enum Settling {
    /// Once, after everything.
    Once,
    /// After each batch.
    Often,
}

fn snapshot(messages: &[Message], batch: usize, settling: Settling) -> Snapshot {
    let atlas = Atlas::new(load::parts(), Settings::default()).unwrap();
    let channel = atlas.channel(messages[0].id.channel.clone());
    wait(async {
        let mut accepted = 0;
        for batch in messages.chunks(batch) {
            accepted += channel.ingest(batch).await.unwrap().accepted;
            if matches!(settling, Settling::Often) {
                channel.settle().await.unwrap();
            }
        }
        assert_eq!(accepted, messages.len());
        assert!(channel.settle().await.unwrap().is_complete());
        assert_eq!(channel.check().await.unwrap(), []);
        channel.snapshot().await.unwrap()
    })
}

fn messages() -> Vec<Message> {
    sample().messages("random").to_vec()
}

fn whole() -> Snapshot {
    snapshot(&messages(), usize::MAX, Settling::Once)
}

/// What differs, by key: whole snapshots are too long to read.
#[track_caller]
pub(crate) fn check_equal(one: &Snapshot, other: &Snapshot, with_written: bool) {
    assert_eq!(one.messages, other.messages);
    let mut parts = vec![(&one.knowledge, &other.knowledge)];
    if with_written {
        parts.push((&one.written, &other.written));
    }
    for (one, other) in parts {
        for key in one.keys().chain(other.keys()) {
            assert_eq!(one.get(key), other.get(key), "{key}");
        }
    }
}

#[test]
fn the_newest_first_in_small_batches_is_known_alike() {
    let mut reversed = messages();
    reversed.reverse();
    let other = snapshot(&reversed, 7, Settling::Often);
    check_equal(&whole(), &other, false);
}

#[test]
fn one_settle_after_any_ingest_writes_alike() {
    let mut reversed = messages();
    reversed.reverse();
    for batch in [1, 10] {
        let other = snapshot(&reversed, batch, Settling::Once);
        check_equal(&whole(), &other, true);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn any_order_and_any_batches_are_known_alike(
        shuffled in Just(messages()).prop_shuffle(),
        batch in 1_usize..40,
        often in any::<bool>(),
    ) {
        let settling = if often { Settling::Often } else { Settling::Once };
        let other = snapshot(&shuffled, batch, settling);
        check_equal(&whole(), &other, !often);
    }
}
