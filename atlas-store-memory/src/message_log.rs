//! The messages of one channel: what is current, every version, and the order of writing.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use atlas_core::model::{Message, MessageId};
use atlas_core::ports::{
    Appended, Arrival, Epoch, Held, ReadCursor, Residue, Sequence, StoredMessage,
};

/// The log of one channel.
#[derive(Debug, Default)]
pub(crate) struct MessageLog {
    /// Kept through a purge.
    pub(crate) epoch: Epoch,
    /// Kept through a purge, so that no number is ever shown twice.
    last: Sequence,
    entries: BTreeMap<MessageId, Entry>,
    /// The reading order.
    places: BTreeSet<ReadCursor>,
    /// The reading order of each conversation, by its root.
    threads: BTreeMap<MessageId, BTreeSet<ReadCursor>>,
    /// The last write of each message.
    feed: BTreeMap<Sequence, MessageId>,
}

/// One message with its versions.
#[derive(Debug)]
struct Entry {
    current: StoredMessage,
    /// In the order of arrival, each version once.
    versions: Vec<StoredMessage>,
    /// A message that was forgotten takes in no words again, whatever arrives.
    is_forgotten: bool,
}

impl Entry {
    /// Keeps a version, once.
    fn keep(&mut self, stored: &StoredMessage) {
        let mut known = self.versions.iter_mut();
        match known.find(|kept| kept.version == stored.version) {
            Some(kept) => kept.sequence = stored.sequence,
            None => self.versions.push(stored.clone()),
        }
    }
}

impl MessageLog {
    /// Takes in one message.
    pub(crate) fn append(&mut self, message: &Message) -> Appended {
        let version = message.version();
        let held = self.entries.get(&message.id).map(|entry| Held {
            current: &entry.current.message,
            version: &entry.current.version,
            has_arrived: entry.versions.iter().any(|kept| kept.version == version),
            is_forgotten: entry.is_forgotten,
        });
        let arrival = Arrival::of(message, &version, held);
        if arrival == Arrival::Known {
            return arrival.outcome();
        }
        let stored = StoredMessage {
            message: message.clone(),
            version,
            sequence: self.next_sequence(),
        };
        match self.entries.get_mut(&message.id) {
            None => {
                let entry = Entry {
                    versions: vec![stored.clone()],
                    current: stored.clone(),
                    is_forgotten: false,
                };
                self.entries.insert(message.id.clone(), entry);
                self.place(&stored);
            }
            Some(entry) => {
                entry.keep(&stored);
                if arrival == Arrival::Replaces {
                    let before = std::mem::replace(&mut entry.current, stored.clone());
                    self.displace(&before);
                    self.place(&stored);
                }
            }
        }
        arrival.outcome()
    }

    /// Erases the words of a message in every version. Answers whether it was there.
    pub(crate) fn forget(&mut self, id: &MessageId) -> bool {
        let Some(entry) = self.entries.get_mut(id) else {
            return false;
        };
        if entry.is_forgotten {
            return true;
        }
        let bare = entry.current.message.without_words();
        self.last = Sequence(self.last.0.saturating_add(1));
        let stored = StoredMessage {
            version: bare.version(),
            message: bare,
            sequence: self.last,
        };
        let before = std::mem::replace(&mut entry.current, stored.clone());
        entry.versions = vec![stored.clone()];
        entry.is_forgotten = true;
        self.displace(&before);
        self.place(&stored);
        true
    }

    pub(crate) fn get(&self, id: &MessageId) -> Option<StoredMessage> {
        self.entries.get(id).map(|entry| entry.current.clone())
    }

    pub(crate) fn versions(&self, id: &MessageId) -> Vec<StoredMessage> {
        self.entries
            .get(id)
            .map(|entry| entry.versions.clone())
            .unwrap_or_default()
    }

    pub(crate) fn read(&self, after: Option<&ReadCursor>, limit: usize) -> Vec<StoredMessage> {
        page(&self.places, after)
            .take(limit)
            .filter_map(|(_, id)| self.get(id))
            .collect()
    }

    /// The root, wherever it stands itself, and what was said under it.
    pub(crate) fn thread(
        &self,
        root: &MessageId,
        after: Option<&ReadCursor>,
        limit: usize,
    ) -> Vec<StoredMessage> {
        let mut places: BTreeSet<ReadCursor> = self
            .threads
            .get(root)
            .into_iter()
            .flat_map(|members| page(members, after).take(limit).cloned())
            .collect();
        if let Some(entry) = self.entries.get(root) {
            let place = place_of(&entry.current);
            if after.is_none_or(|after| *after < place) {
                places.insert(place);
            }
        }
        places
            .iter()
            .take(limit)
            .filter_map(|(_, id)| self.get(id))
            .collect()
    }

    pub(crate) fn changes(&self, since: Sequence, limit: usize) -> Vec<StoredMessage> {
        self.feed
            .range((Bound::Excluded(since), Bound::Unbounded))
            .take(limit)
            .filter_map(|(_, id)| self.get(id))
            .collect()
    }

    /// Erases everything but the epoch and the count of writes.
    pub(crate) fn purge(&mut self) {
        *self = Self {
            epoch: self.epoch,
            last: self.last,
            ..Self::default()
        };
    }

    pub(crate) fn residue(&self) -> Residue {
        let mut residue = Residue::default();
        for entry in self.entries.values() {
            let n_versions = u64::try_from(entry.versions.len()).unwrap_or(u64::MAX);
            if entry.is_forgotten {
                residue.marks = residue.marks.saturating_add(n_versions);
            } else {
                residue.items = residue.items.saturating_add(n_versions);
            }
        }
        residue
    }

    fn next_sequence(&mut self) -> Sequence {
        self.last = Sequence(self.last.0.saturating_add(1));
        self.last
    }

    fn place(&mut self, stored: &StoredMessage) {
        let place = place_of(stored);
        self.threads
            .entry(stored.message.conversation())
            .or_default()
            .insert(place.clone());
        self.feed.insert(stored.sequence, place.1.clone());
        self.places.insert(place);
    }

    fn displace(&mut self, stored: &StoredMessage) {
        let place = place_of(stored);
        let conversation = stored.message.conversation();
        if let Some(members) = self.threads.get_mut(&conversation) {
            members.remove(&place);
            if members.is_empty() {
                self.threads.remove(&conversation);
            }
        }
        self.places.remove(&place);
        self.feed.remove(&stored.sequence);
    }
}

fn place_of(stored: &StoredMessage) -> ReadCursor {
    (stored.message.sent_at, stored.message.id.clone())
}

fn page<'a>(
    places: &'a BTreeSet<ReadCursor>,
    after: Option<&'a ReadCursor>,
) -> impl Iterator<Item = &'a ReadCursor> {
    let from = after.map_or(Bound::Unbounded, Bound::Excluded);
    places.range((from, Bound::Unbounded))
}
