//! A channel with a clock, stores and a model that are steered by hand.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use atlas_core::llm::router::ModelSettings;
use atlas_core::model::{
    Author, AuthorId, ChannelId, Message, MessageId, NativeId, SourceId, Timestamp,
};
use atlas_core::ports::{Authorizer, Embedder};
use atlas_core::{Atlas, Channel, Components, Settings};
use atlas_offline::OfflineEmbedder;
use atlas_store_memory::MemoryStore;
use atlas_testkit::double::{Faults, Faulty, FixedClock};

use crate::model::Model;

pub(crate) struct Rig {
    pub(crate) parts: Components,
    pub(crate) clock: FixedClock,
    pub(crate) faults: Faults,
    pub(crate) model: Model,
    /// The same, of which no call fails.
    sound: Components,
}

impl Rig {
    pub(crate) fn new() -> Self {
        let start: Timestamp = "2026-04-01T00:00:00Z".parse().unwrap();
        let clock = FixedClock::at(start);
        let faults = Faults::default();
        let model = Model::new(&clock);
        let embedder = OfflineEmbedder::default();
        let store = MemoryStore::new(embedder.space());
        let parts = Components {
            messages: Arc::new(Faulty::new(store.clone(), &faults)),
            records: Arc::new(Faulty::new(store.clone(), &faults)),
            facts: Arc::new(Faulty::new(store.clone(), &faults)),
            graph: Arc::new(Faulty::new(store.clone(), &faults)),
            llm: Arc::new(model.clone()),
            providers: BTreeMap::new(),
            embedder: Arc::new(embedder),
            clock: Arc::new(clock.clone()),
            authorizer: Authorizer::default(),
        };
        let sound = Components {
            messages: Arc::new(store.clone()),
            records: Arc::new(store.clone()),
            facts: Arc::new(store.clone()),
            graph: Arc::new(store),
            ..parts.clone()
        };
        Self {
            parts,
            clock,
            faults,
            model,
            sound,
        }
    }

    /// A handle of its own, as another process would have it.
    pub(crate) fn atlas(&self, holder: &str) -> Atlas {
        let mut settings = Settings {
            models: ModelSettings {
                attempts: 1,
                ..ModelSettings::default()
            },
            ..Settings::default()
        };
        settings.extract.batch_messages = 6;
        holder.clone_into(&mut settings.extract.holder);
        Atlas::new(self.parts.clone(), settings).unwrap()
    }

    /// The channel, to look at: no call of it fails.
    pub(crate) fn looking(&self) -> Channel {
        let atlas = Atlas::new(self.sound.clone(), Settings::default()).unwrap();
        atlas.channel(ChannelId::new("c"))
    }

    pub(crate) fn channel(&self, holder: &str) -> Channel {
        self.atlas(holder).channel(ChannelId::new("c"))
    }

    pub(crate) fn wait(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }
}

pub(crate) fn id(native: &str) -> MessageId {
    MessageId::new(
        SourceId::new("chat"),
        ChannelId::new("c"),
        NativeId::new(native),
    )
}

const SUBJECTS: [&str; 5] = ["parts search", "billing", "the wiki", "staging", "on-call"];
const TOOLS: [&str; 4] = ["Postgres", "Redis", "Kafka", "Elasticsearch"];

/// The message of that number: every third one replies to the one before the last.
pub(crate) fn message(n: usize, wording: usize) -> Message {
    let author = ["ana", "ben", "cem"][n % 3];
    let author = Author {
        id: AuthorId::new(author),
        name: author.to_owned(),
    };
    let start: Timestamp = "2026-03-02T09:00:00Z".parse().unwrap();
    let at = start.saturating_add(Duration::from_secs(60 * n as u64));
    let text = format!(
        "We decided to use {} for {} in project {}.",
        TOOLS[wording % TOOLS.len()],
        SUBJECTS[(n + wording) % SUBJECTS.len()],
        n
    );
    let mut message = Message::new(id(&n.to_string()), author, at, text);
    let root = n - n % 3;
    message.thread_root = (n != root).then(|| NativeId::new(root.to_string()));
    message
}

/// Polls a future so often, and tells whether it ended.
pub(crate) fn poll_times<F: Future + ?Sized>(
    future: &mut Pin<Box<F>>,
    times: usize,
) -> Option<F::Output> {
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..times {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
    }
    None
}

/// Drives a future to its end.
pub(crate) fn drive<F: Future>(future: F) -> F::Output {
    poll_times(&mut Box::pin(future), 1_000_000).unwrap()
}
