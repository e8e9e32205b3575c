//! Broken adapters of [`RecordStore`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use atlas_core::model::ChannelId;
use atlas_core::ports::{
    Commit, Cursor, Epoch, Feed, Head, Key, Listing, Partition, PartitionKind, Record, RecordStore,
    RecordStoreCapabilities, Residue, Revision,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};

use crate::memory::store;

/// What is wrong with the adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defect {
    /// A key that is asked twice is answered once.
    DropsRepeated,
    /// Bytes are read as text.
    ReadsText,
    /// A user finds what belongs to the installation.
    SharesInstallation,
    /// A large commit loses its last delete.
    ForgetsDelete,
    /// A record keeps the revision of its first commit.
    KeepsFirstRevision,
    /// A large commit that conflicts leaves its first put.
    CommitsHalf,
    /// What is only read is not compared.
    IgnoresReads,
    /// A commit of a later epoch is let in.
    TakesLaterEpoch,
    /// Of two puts of a key the last one counts.
    TakesLastOfTwo,
    /// A commit of nothing takes a number.
    NumbersNothing,
    /// A later page loses its last record.
    LosesLastPage,
    /// A commit is fed backwards.
    FeedsBackwards,
    /// What is written again stays deleted in the feed.
    KeepsTombstones,
    /// The feed knows no limit.
    FeedsAll,
    /// The number of the head is enough for a cursor.
    IgnoresDigest,
    /// A later page loses its last partition.
    LosesPartitions,
    /// Nothing is ever counted as left.
    CountsNothing,
    /// A limit of nought is taken for one.
    OneForNought,
    /// Deleting what is partly there is refused.
    RefusesPartly,
}

/// An adapter with a defect.
struct Broken {
    inner: Arc<dyn RecordStore>,
    defect: Defect,
    /// What each record's first revision was, and what was ever deleted.
    first: Mutex<BTreeMap<Key, Revision>>,
    deleted: Mutex<BTreeSet<Key>>,
}

impl Broken {
    fn new(defect: Defect) -> Self {
        Self {
            inner: Arc::new(store()),
            defect,
            first: Mutex::default(),
            deleted: Mutex::default(),
        }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == defect
    }
}

#[async_trait]
impl RecordStore for Broken {
    fn capabilities(&self) -> RecordStoreCapabilities {
        self.inner.capabilities()
    }

    async fn get(&self, partition: &Partition, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        let mut found = self.inner.get(partition, keys).await?;
        match self.defect {
            Defect::DropsRepeated => {
                let mut seen = BTreeSet::new();
                let mut is_first = keys.iter().map(|key| seen.insert(key));
                found.retain(|_| is_first.next().unwrap());
            }
            Defect::ReadsText => {
                for record in found.iter_mut().flatten() {
                    record.value = String::from_utf8_lossy(&record.value)
                        .into_owned()
                        .into_bytes();
                }
            }
            Defect::SharesInstallation if partition.kind() == PartitionKind::Principal => {
                let shared = self.inner.get(&Partition::Installation, keys).await?;
                for (slot, shared) in found.iter_mut().zip(shared) {
                    *slot = slot.take().or(shared);
                }
            }
            Defect::KeepsFirstRevision => {
                let first = self.first.lock().unwrap();
                for record in found.iter_mut().flatten() {
                    record.revision = first[&record.key];
                }
            }
            _ => {}
        }
        Ok(found)
    }

    async fn list(&self, partition: &Partition, listing: &Listing) -> Result<Vec<Record>> {
        let mut listing = listing.clone();
        if self.has(Defect::OneForNought) {
            listing.limit = listing.limit.max(1);
        }
        let mut page = self.inner.list(partition, &listing).await?;
        if self.has(Defect::LosesLastPage) && listing.after.is_some() && page.len() == listing.limit
        {
            page.pop();
        }
        Ok(page)
    }

    async fn commit(&self, partition: &Partition, commit: &Commit) -> Result<Revision> {
        let mut changed = commit.clone();
        match self.defect {
            Defect::ForgetsDelete if commit.puts.len() > 2 && commit.deletes.len() > 1 => {
                changed.deletes.pop();
            }
            Defect::IgnoresReads if !commit.is_empty() => {
                let puts = commit.puts.iter().map(|(key, _)| key);
                let written: BTreeSet<&Key> = puts.chain(&commit.deletes).collect();
                changed
                    .expects
                    .retain(|expect| written.contains(expect.key()));
            }
            Defect::TakesLaterEpoch => {
                changed.epoch = commit.epoch.min(self.inner.head(partition).await?.epoch);
            }
            Defect::TakesLastOfTwo => {
                let puts: BTreeMap<_, _> = commit.puts.iter().cloned().collect();
                changed.puts = puts.into_iter().collect();
            }
            Defect::RefusesPartly if commit.puts.is_empty() && commit.deletes.len() == 2 => {
                let found = self.inner.get(partition, &commit.deletes).await?;
                if found.iter().any(Option::is_some) && found.iter().any(Option::is_none) {
                    return Err(Error::new(ErrorKind::NotFound, "commit", "not there"));
                }
            }
            _ => {}
        }
        let answer = self.inner.commit(partition, &changed).await;
        match answer {
            Err(error)
                if self.has(Defect::CommitsHalf)
                    && error.kind() == ErrorKind::Conflict
                    && commit.puts.len() > 2 =>
            {
                changed.expects.clear();
                changed.deletes.clear();
                changed.puts.truncate(1);
                self.inner.commit(partition, &changed).await?;
                Err(error)
            }
            Ok(revision) if self.has(Defect::NumbersNothing) && commit.is_empty() => {
                Ok(Revision(revision.0 + 1))
            }
            Ok(revision) => {
                let mut first = self.first.lock().unwrap();
                for (key, _) in &changed.puts {
                    first.entry(key.clone()).or_insert(revision);
                }
                self.deleted.lock().unwrap().extend(changed.deletes);
                Ok(revision)
            }
            refused => refused,
        }
    }

    async fn changes(&self, partition: &Partition, since: &Cursor, limit: usize) -> Result<Feed> {
        let mut since = since.clone();
        let head = self.inner.head(partition).await?.cursor;
        if self.has(Defect::IgnoresDigest) && since.revision == head.revision {
            since = head;
        }
        let limit = match self.defect {
            Defect::FeedsAll if limit > 0 => usize::MAX,
            _ => limit,
        };
        let mut feed = self.inner.changes(partition, &since, limit).await?;
        if let Feed::Page { entries, .. } = &mut feed {
            if self.has(Defect::FeedsBackwards) {
                entries.sort_by(|a, b| (a.revision, &b.key).cmp(&(b.revision, &a.key)));
            }
            if self.has(Defect::KeepsTombstones) {
                let deleted = self.deleted.lock().unwrap();
                for change in entries.iter_mut().filter(|it| deleted.contains(&it.key)) {
                    change.value = None;
                }
            }
        }
        Ok(feed)
    }

    async fn head(&self, partition: &Partition) -> Result<Head> {
        self.inner.head(partition).await
    }

    async fn partitions(
        &self,
        kind: PartitionKind,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Partition>> {
        let mut page = self.inner.partitions(kind, after, limit).await?;
        if self.has(Defect::LosesPartitions) && after.is_some() && page.len() == limit {
            page.pop();
        }
        Ok(page)
    }

    async fn fence(&self, partition: &Partition, epoch: Epoch) -> Result<()> {
        self.inner.fence(partition, epoch).await
    }

    async fn purge(&self, partition: &Partition, epoch: Epoch) -> Result<()> {
        self.inner.purge(partition, epoch).await
    }

    async fn residue(&self, partition: &Partition) -> Result<Residue> {
        match self.defect {
            Defect::CountsNothing if *partition == Partition::Channel(ChannelId::new("here")) => {
                Ok(Residue::default())
            }
            _ => self.inner.residue(partition).await,
        }
    }
}

defects! { record_store
    answers_a_key_that_is_asked_twice_once: DropsRepeated => [rs_1_get_keeps_order_and_gaps];
    reads_bytes_as_text: ReadsText => [rs_2_bytes_and_ids_are_kept_exactly];
    leaks_partitions: SharesInstallation => [rs_3_partitions_do_not_see_each_other];
    forgets_a_delete_of_a_large_commit: ForgetsDelete => [rs_4_commit_writes_all_or_nothing];
    keeps_the_first_revision: KeepsFirstRevision => [rs_5_commits_are_numbered_without_a_gap];
    commits_half: CommitsHalf => [rs_6_a_broken_expect_is_conflict];
    ignores_expects_of_unwritten_keys: IgnoresReads => [rs_7_expects_cover_what_is_only_read];
    takes_a_later_epoch: TakesLaterEpoch => [rs_8_other_epochs_are_fenced];
    takes_the_last_of_two_puts: TakesLastOfTwo => [rs_9_a_key_named_twice_is_invalid];
    numbers_an_empty_commit: NumbersNothing => [rs_10_an_empty_commit_only_checks];
    loses_the_last_page: LosesLastPage => [rs_11_list_goes_by_bytes_under_the_prefix];
    feeds_a_commit_backwards: FeedsBackwards => [rs_12_changes_gives_last_writes_by_revision_then_key];
    keeps_a_tombstone_over_a_record: KeepsTombstones => [rs_14_deleted_records_are_tombstones];
    feeds_more_than_a_page: FeedsAll => [rs_15_pages_hold_whole_commits];
    ignores_the_digest: IgnoresDigest => [rs_17_a_diverged_cursor_is_gone];
    loses_partitions: LosesPartitions => [rs_19_partitions_lists_those_that_hold_records];
    counts_no_residue: CountsNothing => [rs_20_purge_leaves_no_residue];
    takes_nought_for_one: OneForNought => [rs_21_a_limit_of_nought_is_invalid];
    refuses_to_delete_what_is_partly_there: RefusesPartly => [rs_22_deleting_what_is_not_there_is_no_error];
}
