//! A worker over several channels.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use atlas_core::llm::Role;
use atlas_core::maintain::WorkerSettings;
use atlas_core::model::{ChannelId, Message};

use crate::model::Manner;
use crate::rig::{Rig, drive, message};

fn of_channel(channel: &str, n: usize) -> Vec<Message> {
    let place = |n| {
        let mut message = message(n, 0);
        message.id.channel = ChannelId::new(channel);
        message
    };
    (0..n).map(|n| place(n * 3)).collect()
}

#[test]
fn a_worker_reads_all_channels_until_it_is_told_to_stop() {
    let rig = Rig::new();
    let atlas = rig.atlas("worker");
    let sizes = [("large", 150), ("small", 2), ("none", 0)];
    for (name, n) in sizes {
        let channel = atlas.channel(ChannelId::new(name));
        drive(channel.ingest(&of_channel(name, n))).unwrap();
    }
    rig.model
        .plan([Manner::Malformed, Manner::Good, Manner::Unavailable]);
    let channels = sizes.map(|(name, _)| ChannelId::new(name));
    let end = rig.parts.clock.now().saturating_add_micros(3_600_000_000);
    let clock = Arc::clone(&rig.parts.clock);
    let stop = poll_fn(move |_| {
        if clock.now() > end {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    });
    let settings = WorkerSettings {
        max_channels: 2,
        ..WorkerSettings::default()
    };
    let report = drive(atlas.worker(&channels, &settings, stop));
    for (name, n) in sizes {
        let work = &report[&ChannelId::new(name)];
        assert_eq!((work.conversations, work.failures), (n, 0), "{name}");
        let channel = atlas.channel(ChannelId::new(name));
        assert_eq!(drive(channel.check()).unwrap(), []);
        assert_eq!(drive(channel.facts()).unwrap().is_empty(), n == 0);
    }
    // Those that have little to do get their turns while the large one is read.
    let turns = |name: &str| report[&ChannelId::new(name)].turns;
    assert!(turns("large") >= 3, "{report:?}");
    assert!(turns("small") > 10 && turns("none") > 10, "{report:?}");
    assert_eq!(report.values().map(|it| it.outages).sum::<u64>(), 1);
    assert!(rig.model.n_calls(Role::WikiWriter) > 0);
}
