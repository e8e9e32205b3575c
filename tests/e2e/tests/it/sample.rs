//! The sample export that ships with the example, read and settled once for all tests.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use atlas_core::model::{AtomicFact, ChannelId, FactState, Message, MessageId, NativeId, SourceId};
use atlas_core::ports::{LifecycleView, Visibility};
use atlas_core::{Atlas, Channel};
use atlas_eval::load::{self, Export};

/// The names of the channels, in the order of their ids.
pub(crate) const CHANNELS: [&str; 3] = ["engineering", "product", "random"];

/// A settled sample.
pub(crate) struct Sample {
    pub(crate) export: Export,
    pub(crate) atlas: Atlas,
}

static SAMPLE: LazyLock<Sample> = LazyLock::new(|| {
    let export = Export::read(&path()).unwrap();
    let (atlas, settled) = wait(load::settled(load::parts(), &export)).unwrap();
    assert!(
        settled
            .iter()
            .all(atlas_core::maintain::Settled::is_complete)
    );
    Sample { export, atlas }
});

/// Where the sample lies.
pub(crate) fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/team-memory/sample")
}

/// The sample, settled.
pub(crate) fn sample() -> &'static Sample {
    &SAMPLE
}

/// Drives a future on this thread.
pub(crate) fn wait<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(future)
}

/// Drives a future on this thread, with time for those who wait on others.
pub(crate) fn wait_in_time<F: Future>(future: F) -> F::Output {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().build().unwrap().block_on(future)
}

impl Sample {
    /// The id of the channel of that name.
    pub(crate) fn id(&self, channel: &str) -> ChannelId {
        self.export.channel(channel).unwrap().clone()
    }

    /// The channel of that name.
    pub(crate) fn channel(&self, name: &str) -> Channel {
        self.atlas.channel(self.id(name))
    }

    /// The messages of a channel, as the export gives them.
    pub(crate) fn messages(&self, channel: &str) -> &[Message] {
        &self.export.messages[&self.id(channel)]
    }

    /// The id of a message by its time stamp, which must be in the export.
    #[track_caller]
    pub(crate) fn message(&self, channel: &str, ts: &str) -> MessageId {
        let id = MessageId::new(
            SourceId::new(atlas_import::slack::SOURCE),
            self.id(channel),
            NativeId::new(ts),
        );
        assert!(self.messages(channel).iter().any(|it| it.id == id), "{ts}");
        id
    }

    /// Every fact of a channel with its state, whatever that is.
    pub(crate) fn facts(&self, channel: &str) -> Vec<(AtomicFact, FactState)> {
        all_facts(&self.channel(channel))
    }

    /// The facts that rest on a message, with their states.
    pub(crate) fn facts_of(&self, message: &MessageId) -> Vec<(AtomicFact, FactState)> {
        let mut facts = all_facts(&self.atlas.channel(message.channel.clone()));
        facts.retain(|(fact, _)| rests_on(fact, message));
        facts
    }
}

/// Every fact of a channel with its state, whatever that is.
pub(crate) fn all_facts(channel: &Channel) -> Vec<(AtomicFact, FactState)> {
    let all = Visibility {
        view: LifecycleView::All,
        ..Visibility::default()
    };
    wait(channel.facts_seen(&all)).unwrap()
}

/// Whether a message is evidence for a fact.
pub(crate) fn rests_on(fact: &AtomicFact, message: &MessageId) -> bool {
    fact.evidence.iter().any(|it| it.message == *message)
}
