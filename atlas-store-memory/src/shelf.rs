//! The records of one partition, its feed and its epoch.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use atlas_core::model::ContentHash;
use atlas_core::ports::{
    Change, Collection, Commit, Cursor, Epoch, Expect, Feed, GoneReason, Head, Key, Listing,
    Record, Residue, Revision, check,
};
use atlas_core::{Error, ErrorKind, Result};

/// One partition.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    /// Kept through a purge.
    pub(crate) epoch: Epoch,
    /// What is there, by the bytes of the id. A collection without records is not here.
    live: BTreeMap<Collection, BTreeMap<String, Slot>>,
    /// Records of projected collections that were deleted, with the commit that deleted them.
    tombstones: BTreeMap<Key, Revision>,
    /// The last write of each record and tombstone of the projected collections.
    feed: BTreeMap<Revision, BTreeSet<Key>>,
    /// The number of the last commit.
    last: Revision,
    /// The digest after each commit that wrote projected collections.
    digests: BTreeMap<Revision, ContentHash>,
}

#[derive(Debug)]
struct Slot {
    revision: Revision,
    value: Vec<u8>,
}

impl Shelf {
    pub(crate) fn get(&self, key: &Key) -> Option<Record> {
        self.slot(key).map(|slot| Record {
            key: key.clone(),
            revision: slot.revision,
            value: slot.value.clone(),
        })
    }

    pub(crate) fn list(&self, listing: &Listing) -> Vec<Record> {
        let from = match &listing.after {
            Some(after) if *after >= listing.prefix => Bound::Excluded(after),
            Some(_) | None => Bound::Included(&listing.prefix),
        };
        self.live
            .get(&listing.collection)
            .into_iter()
            .flat_map(|records| records.range::<String, _>((from, Bound::Unbounded)))
            .take_while(|(id, _)| id.starts_with(&listing.prefix))
            .take(listing.limit)
            .map(|(id, slot)| Record {
                key: Key::new(listing.collection.clone(), id.clone()),
                revision: slot.revision,
                value: slot.value.clone(),
            })
            .collect()
    }

    /// Writes the commit, which names no key twice, whole or not at all.
    pub(crate) fn commit(&mut self, commit: &Commit, op: &'static str) -> Result<Revision> {
        if commit.epoch != self.epoch {
            return Err(check::fenced(self.epoch, commit.epoch, op));
        }
        if let Some(broken) = commit.expects.iter().find(|expect| !self.holds(expect)) {
            return Err(
                Error::new(ErrorKind::Conflict, op, "a record is not as it was read")
                    .with("key", broken.key()),
            );
        }
        if commit.is_empty() {
            return Ok(self.last);
        }
        let revision = Revision(self.last.0.saturating_add(1));
        self.last = revision;
        if commit.is_projected() {
            let digest = commit.digest_after(&self.cursor().digest, revision);
            self.digests.insert(revision, digest);
        }
        for (key, value) in &commit.puts {
            let before = self
                .live
                .entry(key.collection.clone())
                .or_default()
                .insert(
                    key.id.clone(),
                    Slot {
                        revision,
                        value: value.clone(),
                    },
                )
                .map(|slot| slot.revision)
                .or_else(|| self.tombstones.remove(key));
            self.feed_last(key, before, revision);
        }
        for key in &commit.deletes {
            let Some(slot) = self.take(key) else {
                continue;
            };
            self.feed_last(key, Some(slot.revision), revision);
            if !key.collection.is_private() {
                self.tombstones.insert(key.clone(), revision);
            }
        }
        Ok(revision)
    }

    pub(crate) fn changes(&self, since: &Cursor, limit: usize) -> Feed {
        if !self.knows(since) {
            return Feed::Gone {
                reason: GoneReason::Diverged,
            };
        }
        let mut entries: Vec<Change> = Vec::new();
        let mut last = since.revision;
        let after = (Bound::Excluded(since.revision), Bound::Unbounded);
        for (revision, keys) in self.feed.range(after) {
            if entries.len() >= limit {
                // A page that was cut ends with the last commit that it holds.
                return Feed::Page {
                    entries,
                    to: self.cursor_at(last),
                    has_more: true,
                };
            }
            last = *revision;
            entries.extend(keys.iter().map(|key| Change {
                key: key.clone(),
                revision: *revision,
                value: self.slot(key).map(|slot| slot.value.clone()),
            }));
        }
        Feed::Page {
            entries,
            to: self.cursor(),
            has_more: false,
        }
    }

    pub(crate) fn head(&self) -> Head {
        Head {
            epoch: self.epoch,
            revision: self.last,
            cursor: self.cursor(),
        }
    }

    pub(crate) fn holds_records(&self) -> bool {
        !self.live.is_empty()
    }

    /// Raises the epoch.
    pub(crate) fn fence(&mut self, epoch: Epoch, op: &'static str) -> Result<()> {
        check::epoch(self.epoch, epoch, op)?;
        self.epoch = epoch;
        Ok(())
    }

    /// Erases everything but the epoch, which is raised.
    pub(crate) fn purge(&mut self, epoch: Epoch, op: &'static str) -> Result<()> {
        self.fence(epoch, op)?;
        *self = Self {
            epoch,
            ..Self::default()
        };
        Ok(())
    }

    pub(crate) fn residue(&self) -> Residue {
        let n_records: usize = self.live.values().map(BTreeMap::len).sum();
        Residue {
            items: u64::try_from(n_records).unwrap_or(u64::MAX),
            marks: u64::try_from(self.tombstones.len()).unwrap_or(u64::MAX),
        }
    }

    fn slot(&self, key: &Key) -> Option<&Slot> {
        self.live.get(&key.collection)?.get(&key.id)
    }

    fn take(&mut self, key: &Key) -> Option<Slot> {
        let records = self.live.get_mut(&key.collection)?;
        let slot = records.remove(&key.id);
        if records.is_empty() {
            self.live.remove(&key.collection);
        }
        slot
    }

    fn holds(&self, expect: &Expect) -> bool {
        match expect {
            Expect::At(key, revision) => {
                self.slot(key).map(|slot| slot.revision) == Some(*revision)
            }
            Expect::Absent(key) => self.slot(key).is_none(),
        }
    }

    /// Moves the record's entry in the feed to the commit.
    fn feed_last(&mut self, key: &Key, before: Option<Revision>, revision: Revision) {
        if key.collection.is_private() {
            return;
        }
        if let Some(before) = before
            && let Some(keys) = self.feed.get_mut(&before)
        {
            keys.remove(key);
            if keys.is_empty() {
                self.feed.remove(&before);
            }
        }
        self.feed.entry(revision).or_default().insert(key.clone());
    }

    fn cursor(&self) -> Cursor {
        self.digests
            .last_key_value()
            .map_or_else(Cursor::start, |(revision, digest)| Cursor {
                revision: *revision,
                digest: digest.clone(),
            })
    }

    fn cursor_at(&self, revision: Revision) -> Cursor {
        self.digests
            .get(&revision)
            .map_or_else(Cursor::start, |digest| Cursor {
                revision,
                digest: digest.clone(),
            })
    }

    fn knows(&self, cursor: &Cursor) -> bool {
        *cursor == Cursor::start() || self.digests.get(&cursor.revision) == Some(&cursor.digest)
    }
}
