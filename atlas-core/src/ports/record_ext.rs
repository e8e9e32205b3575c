//! Typed reading and writing over a [`RecordStore`].

use std::collections::{BTreeMap, BTreeSet};

use super::{Commit, Epoch, Expect, Key, Listing, Partition, Record, RecordStore, Revision};
use crate::error::Result;
use crate::model::Stored;

/// Records a listing asks for at a time.
const PAGE: usize = 500;

/// A value with the revision that it was read at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versioned<T> {
    /// The value.
    pub value: T,
    /// The commit that last wrote it.
    pub revision: Revision,
}

/// Conveniences for callers; never implemented by hand.
pub trait RecordStoreExt: RecordStore {
    /// Reads one record of the model.
    fn load<T: Stored + Send>(
        &self,
        partition: &Partition,
        id: &str,
    ) -> impl Future<Output = Result<Option<Versioned<T>>>> + Send {
        async move {
            let found = self.load_many::<T>(partition, &[id.to_owned()]).await?;
            Ok(found.into_iter().next().flatten())
        }
    }

    /// Reads records of the model: one slot an id, in the order asked.
    fn load_many<T: Stored + Send>(
        &self,
        partition: &Partition,
        ids: &[String],
    ) -> impl Future<Output = Result<Vec<Option<Versioned<T>>>>> + Send {
        async move {
            let keys: Vec<Key> = ids.iter().map(|id| T::key_of(id.clone())).collect();
            let found = self.get(partition, &keys).await?;
            found
                .iter()
                .map(|slot| slot.as_ref().map(decode).transpose())
                .collect()
        }
    }

    /// Reads a whole collection of the model, in the order of the ids.
    fn load_all<T: Stored + Send>(
        &self,
        partition: &Partition,
    ) -> impl Future<Output = Result<Vec<Versioned<T>>>> + Send {
        async move {
            let records = self.list_all(partition, &T::COLLECTION, "").await?;
            records.iter().map(decode).collect()
        }
    }

    /// Reads every record of a collection under a prefix, in the order of the ids.
    fn list_all(
        &self,
        partition: &Partition,
        collection: &super::Collection,
        prefix: &str,
    ) -> impl Future<Output = Result<Vec<Record>>> + Send {
        async move {
            let mut listing = Listing {
                collection: collection.clone(),
                prefix: prefix.to_owned(),
                after: None,
                limit: PAGE,
            };
            let mut all = Vec::new();
            loop {
                let page = self.list(partition, &listing).await?;
                let is_last = page.len() < PAGE;
                listing.after = page.last().map(|record| record.key.id.clone());
                all.extend(page);
                if is_last {
                    return Ok(all);
                }
            }
        }
    }
}

impl<T: RecordStore + ?Sized> RecordStoreExt for T {}

fn decode<T: Stored>(record: &Record) -> Result<Versioned<T>> {
    Ok(Versioned {
        value: T::decode(&record.value)?,
        revision: record.revision,
    })
}

/// Gathers what a decision read and what it writes into one [`Commit`].
///
/// A put of bytes that are stored already is left out, so that deciding the same again writes
/// nothing.
#[derive(Debug, Default)]
pub struct CommitBuilder {
    epoch: Epoch,
    expects: BTreeMap<Key, Option<Revision>>,
    stored: BTreeMap<Key, Vec<u8>>,
    puts: BTreeMap<Key, Vec<u8>>,
    deletes: BTreeSet<Key>,
}

impl CommitBuilder {
    /// Begins a commit of the epoch.
    pub fn new(epoch: Epoch) -> Self {
        Self {
            epoch,
            ..Self::default()
        }
    }

    /// Reads raw records and expects them to stay as read.
    ///
    /// # Errors
    ///
    /// What the store fails with.
    pub async fn get(
        &mut self,
        records: &dyn RecordStore,
        partition: &Partition,
        keys: &[Key],
    ) -> Result<Vec<Option<Record>>> {
        let found = records.get(partition, keys).await?;
        for (key, slot) in keys.iter().zip(&found) {
            self.expect(key.clone(), slot.as_ref());
        }
        Ok(found)
    }

    /// Reads records of the model and expects them to stay as read: one slot an id.
    ///
    /// # Errors
    ///
    /// What the store fails with, and what decoding fails with.
    pub async fn load_many<T: Stored>(
        &mut self,
        records: &dyn RecordStore,
        partition: &Partition,
        ids: &[String],
    ) -> Result<Vec<Option<Versioned<T>>>> {
        let keys: Vec<Key> = ids.iter().map(|id| T::key_of(id.clone())).collect();
        let found = self.get(records, partition, &keys).await?;
        found
            .iter()
            .map(|slot| slot.as_ref().map(decode).transpose())
            .collect()
    }

    /// Expects a record, read elsewhere, to stay as read. The first reading counts.
    pub fn expect(&mut self, key: Key, read: Option<&Record>) {
        if let Some(record) = read {
            self.stored
                .entry(key.clone())
                .or_insert_with(|| record.value.clone());
        }
        self.expects
            .entry(key)
            .or_insert_with(|| read.map(|record| record.revision));
    }

    /// Writes a record of the model.
    ///
    /// # Errors
    ///
    /// [`crate::ErrorKind::Unexpected`] if it does not serialise.
    pub fn put<T: Stored>(&mut self, value: &T) -> Result<()> {
        self.put_raw(value.key(), value.encode()?);
        Ok(())
    }

    /// Writes a raw record.
    pub fn put_raw(&mut self, key: Key, value: Vec<u8>) {
        self.deletes.remove(&key);
        self.puts.insert(key, value);
    }

    /// Deletes a record.
    pub fn delete(&mut self, key: Key) {
        self.puts.remove(&key);
        self.deletes.insert(key);
    }

    /// The commit: what is stored already is not written again, what is absent not deleted.
    pub fn build(self) -> Commit {
        let Self {
            epoch,
            expects,
            stored,
            puts,
            deletes,
        } = self;
        let puts = puts
            .into_iter()
            .filter(|(key, value)| stored.get(key) != Some(value))
            .collect();
        let deletes = deletes
            .into_iter()
            .filter(|key| expects.get(key) != Some(&None))
            .collect();
        let expects = expects
            .into_iter()
            .map(|(key, revision)| match revision {
                Some(revision) => Expect::At(key, revision),
                None => Expect::Absent(key),
            })
            .collect();
        Commit {
            epoch,
            expects,
            puts,
            deletes,
        }
    }
}
