//! What a stage that writes about facts reads: facts, where they stand, and where they belong.

use std::collections::BTreeMap;

use super::telling::SeenFact;
use crate::error::Result;
use crate::model::{AtomicFact, FactId, FactState, Membership, Standing, Stored, TopicId};
use crate::ports::{CommitBuilder, Key, Partition, Record, RecordStore, RecordStoreExt};

/// The state of a fact that nobody has judged.
static UNJUDGED: FactState = FactState::Live;

/// Records of a collection as they were read, decoded and raw.
#[derive(Debug)]
pub(crate) struct Loaded<T> {
    pub(crate) values: BTreeMap<String, T>,
    raw: BTreeMap<String, Record>,
}

impl<T: Stored> Loaded<T> {
    pub(crate) async fn load(records: &dyn RecordStore, partition: &Partition) -> Result<Self> {
        let mut loaded = Self {
            values: BTreeMap::new(),
            raw: BTreeMap::new(),
        };
        for record in records.list_all(partition, &T::COLLECTION, "").await? {
            let id = record.key.id.clone();
            loaded.values.insert(id.clone(), T::decode(&record.value)?);
            loaded.raw.insert(id, record);
        }
        Ok(loaded)
    }

    pub(crate) fn get(&self, id: &str) -> Option<&T> {
        self.values.get(id)
    }

    /// Expects the record, or its absence, to stay as read.
    pub(crate) fn expect(&self, commit: &mut CommitBuilder, id: &str) {
        commit.expect(T::key_of(id), self.raw.get(id));
    }

    /// Writes a record that is to replace the one that was read.
    pub(crate) fn put(&self, commit: &mut CommitBuilder, value: &T) -> Result<()> {
        self.expect(commit, &value.record_id());
        commit.put(value)
    }

    /// Deletes a record that was read.
    pub(crate) fn delete(&self, commit: &mut CommitBuilder, id: &str) {
        self.expect(commit, id);
        commit.delete(Key::new(T::COLLECTION, id));
    }
}

/// Facts and where they stand.
#[derive(Debug)]
pub(crate) struct Knowledge {
    pub(crate) facts: Loaded<AtomicFact>,
    pub(crate) standings: Loaded<Standing>,
}

impl Knowledge {
    pub(crate) async fn load(records: &dyn RecordStore, partition: &Partition) -> Result<Self> {
        Ok(Self {
            facts: Loaded::load(records, partition).await?,
            standings: Loaded::load(records, partition).await?,
        })
    }

    /// A fact with its state, whatever that is.
    pub(crate) fn any(&self, fact: &FactId) -> Option<SeenFact<'_>> {
        let fact = self.facts.get(fact.as_str())?;
        let standing = self.standings.get(fact.id.as_str());
        Some(SeenFact {
            fact,
            state: standing.map_or(&UNJUDGED, |it| &it.state),
        })
    }

    /// A fact, if readers see it.
    pub(crate) fn seen(&self, fact: &FactId) -> Option<SeenFact<'_>> {
        self.any(fact).filter(|it| it.state.is_visible())
    }

    /// Every fact with its state, in order of id.
    pub(crate) fn all(&self) -> Vec<SeenFact<'_>> {
        let facts = self.facts.values.values();
        facts.filter_map(|it| self.any(&it.id)).collect()
    }

    /// Every fact that readers see, in order of id.
    pub(crate) fn visible(&self) -> Vec<SeenFact<'_>> {
        let mut facts = self.all();
        facts.retain(|it| it.state.is_visible());
        facts
    }

    /// Expects a fact and its standing to stay as read.
    pub(crate) fn expect(&self, commit: &mut CommitBuilder, fact: &FactId) {
        self.facts.expect(commit, fact.as_str());
        self.standings.expect(commit, fact.as_str());
    }

    /// The visible members of each topic, in canonical order.
    pub(crate) fn members(
        &self,
        memberships: &Loaded<Membership>,
    ) -> BTreeMap<TopicId, Vec<SeenFact<'_>>> {
        let mut members: BTreeMap<TopicId, Vec<SeenFact<'_>>> = BTreeMap::new();
        for membership in memberships.values.values() {
            if let Some(seen) = self.seen(&membership.fact) {
                let topic = membership.topic.clone();
                members.entry(topic).or_default().push(seen);
            }
        }
        for facts in members.values_mut() {
            *facts = super::summarize::in_order(facts);
        }
        members
    }
}
