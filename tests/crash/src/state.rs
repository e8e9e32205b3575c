//! Everything that a channel holds, in a form that can be sent and compared.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use atlas_core::maintain::Invariant;
use atlas_core::model::{AtomicFact, ChannelId, Judge, Judgement, MessageOutcome, Stored, Turn};
use atlas_core::ports::{
    ChannelScope, FactIndex, MessageStore, Partition, ReadCursor, RecordStoreExt,
};
use atlas_core::project::catch_up;
use atlas_core::text::normalise_claim;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::world::World;

/// What a channel holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The current version of each message.
    pub messages: BTreeMap<String, String>,
    /// Every kept version of each message.
    pub versions: BTreeMap<String, Vec<String>>,
    /// What is known, by key, as JSON text: numbers do not survive being read and written again.
    pub knowledge: BTreeMap<String, String>,
    /// What is written, by key, as JSON text.
    pub written: BTreeMap<String, String>,
    /// The turns that were kept.
    pub turns: BTreeSet<String>,
    /// Documents of the index and those with a vector, after it has caught up.
    pub documents: (u64, u64),
    /// Broken invariants: the name, and what was seen.
    pub violations: Vec<(String, String)>,
    /// What is there twice.
    pub repeated: Vec<String>,
}

/// What a folder holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inspection {
    /// The channels that were looked at.
    pub channels: BTreeMap<ChannelId, State>,
    /// What the store finds wrong with its folder.
    pub problems: Vec<String>,
}

/// Invariants that hold at any moment; the others speak of a channel that is settled.
pub fn holds_always(invariant: &str) -> bool {
    [
        Invariant::OneChannel,
        Invariant::FactIsFold,
        Invariant::EndsExist,
        Invariant::MembersCount,
        Invariant::PagesDiffer,
    ]
    .iter()
    .any(|it| format!("{it:?}") == invariant)
}

/// Reads everything that channels hold, lets their indexes catch up, and verifies the folder.
///
/// # Errors
///
/// What the parts fail with.
pub async fn inspect(world: &World, channels: &[ChannelId]) -> Result<Inspection> {
    let mut inspection = Inspection::default();
    for channel in channels {
        let state = state(world, channel).await?;
        inspection.channels.insert(channel.clone(), state);
    }
    inspection.problems = world.verify().await?;
    Ok(inspection)
}

/// Reads everything that a channel holds.
///
/// # Errors
///
/// What the parts fail with.
pub async fn state(world: &World, channel: &ChannelId) -> Result<State> {
    let parts = world.atlas.components();
    let scope = ChannelScope::new(channel.clone());
    let handle = world.channel(channel);
    let snapshot = handle.snapshot().await?;
    let mut state = State {
        messages: snapshot.messages,
        knowledge: texts(&snapshot.knowledge),
        written: texts(&snapshot.written),
        ..State::default()
    };
    messages(world, &scope, &mut state).await?;
    records(world, &scope, &mut state).await?;
    catch_up(parts, &scope).await?;
    let counted = parts.facts.stats(&scope).await?;
    state.documents = (counted.n_documents, counted.n_vectors);
    state.violations = handle
        .check()
        .await?
        .into_iter()
        .map(|it| {
            (
                format!("{:?}", it.invariant),
                format!("{}: {}", it.record, it.seen),
            )
        })
        .collect();
    Ok(state)
}

fn texts(values: &BTreeMap<String, Value>) -> BTreeMap<String, String> {
    values
        .iter()
        .map(|(key, value)| (key.clone(), value.to_string()))
        .collect()
}

async fn messages(world: &World, scope: &ChannelScope, state: &mut State) -> Result<()> {
    const PAGE: usize = 500;
    let store = &world.atlas.components().messages;
    let mut after: Option<ReadCursor> = None;
    let mut seen = BTreeSet::new();
    loop {
        let page = store.read(scope, after.as_ref(), PAGE).await?;
        after = page
            .last()
            .map(|it| (it.message.sent_at, it.message.id.clone()));
        for stored in &page {
            let id = stored.message.id.record_id();
            if !seen.insert(id.clone()) {
                state.repeated.push(format!("message {id}"));
            }
            let versions: Vec<String> = store
                .versions(scope, &stored.message.id)
                .await?
                .into_iter()
                .map(|it| it.version.to_string())
                .collect();
            if versions.iter().collect::<BTreeSet<_>>().len() < versions.len() {
                state.repeated.push(format!("version of {id}"));
            }
            state.versions.insert(id, versions);
        }
        if page.len() < PAGE {
            return Ok(());
        }
    }
}

async fn records(world: &World, scope: &ChannelScope, state: &mut State) -> Result<()> {
    let records = &world.atlas.components().records;
    let partition = Partition::of(scope);
    let mut seen = Seen::default();
    for it in records.load_all::<MessageOutcome>(&partition).await? {
        seen.add("outcome of", &it.value.message.record_id());
    }
    for it in records.load_all::<AtomicFact>(&partition).await? {
        let fact = it.value;
        seen.add("claim", &normalise_claim(fact.text()));
        for evidence in &fact.evidence {
            let place = (evidence.message.record_id(), evidence.span);
            seen.add("evidence", &format!("{} {place:?}", fact.id));
        }
    }
    for it in records.load_all::<Judgement>(&partition).await? {
        let it = it.value;
        // A detector judges a pair once, a person once at a time.
        let when = match it.judge {
            Judge::Person(_) => format!("{:?} {}", it.verdict, it.recorded_at),
            Judge::Detector(_) => String::new(),
        };
        seen.add(
            "judgement",
            &format!("{:?} {:?} {when}", it.judged, it.judge),
        );
    }
    for it in records.load_all::<Turn>(&partition).await? {
        state.turns.insert(it.value.record_id());
    }
    state.repeated.extend(seen.twice);
    Ok(())
}

/// Finds what comes twice.
#[derive(Default)]
struct Seen {
    once: BTreeSet<String>,
    twice: Vec<String>,
}

impl Seen {
    fn add(&mut self, what: &str, name: &str) {
        let name = format!("{what} {name}");
        if !self.once.insert(name.clone()) {
            self.twice.push(name);
        }
    }
}
