//! Broken adapters of [`RecordStore`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use atlas_core::model::{ChannelId, ContentHash};
use atlas_core::ports::{
    Change, Commit, Cursor, Epoch, Feed, Head, Key, Listing, Partition, PartitionKind, Record,
    RecordStore, RecordStoreCapabilities, Residue, Revision,
};
use atlas_core::{Error, ErrorKind, Result, async_trait};

use atlas_store_memory::MemoryStore;

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
    /// It says that it is durable, and is not.
    SaysDurable,
    /// Deletions are remembered until it is closed.
    ForgetsDeletions,
    /// Deleted records of private collections are fed.
    FeedsPrivateDeletes,
    /// The end of a page is looked up after its entries.
    ReadsHeadApart,
    /// Digests are of its own making.
    SaltsDigests,
    /// A write without an id is left out.
    SkipsNameless,
    /// The fence is looked up by the first read only.
    ReadsFenceLate,
    /// A lower fence is passed over.
    IdlesAtLowerFence,
    /// It has none: it keeps what it was told.
    Nothing,
}

/// An adapter with a defect.
struct Broken {
    inner: Arc<dyn RecordStore>,
    defect: Defect,
    is_durable: bool,
    /// Whether anything was read since it was opened.
    was_read: AtomicBool,
    /// What each record's first revision was, and what was ever deleted.
    first: Mutex<BTreeMap<Key, Revision>>,
    deleted: Mutex<BTreeSet<Key>>,
    /// Cursors as they were told, and what they mean.
    cursors: Mutex<Vec<(Cursor, Cursor)>>,
}

impl Broken {
    /// An adapter that is gone with its process.
    fn of(defect: Defect) -> Self {
        Self {
            is_durable: defect == Defect::SaysDurable,
            ..Self::over(store(), defect)
        }
    }

    /// An adapter whose store stays when it goes.
    fn over(store: MemoryStore, defect: Defect) -> Self {
        Self {
            inner: Arc::new(store),
            defect,
            is_durable: true,
            was_read: AtomicBool::default(),
            first: Mutex::default(),
            deleted: Mutex::default(),
            cursors: Mutex::default(),
        }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == defect
    }

    /// The cursor as it is told.
    fn told(&self, cursor: Cursor) -> Cursor {
        if !self.has(Defect::SaltsDigests) || cursor == Cursor::start() {
            return cursor;
        }
        let told = Cursor {
            digest: ContentHash::of_parts(&["salt", &cursor.digest.to_string()]),
            ..cursor
        };
        let mut known = self.cursors.lock().unwrap();
        if !known.iter().any(|(it, _)| *it == told) {
            known.push((told.clone(), cursor));
        }
        told
    }

    /// The cursor that was told so.
    fn meant(&self, told: &Cursor) -> Cursor {
        let known = self.cursors.lock().unwrap();
        let meant = known.iter().find(|(it, _)| it == told);
        meant.map_or_else(|| told.clone(), |(_, meant)| meant.clone())
    }

    fn read(&self) {
        self.was_read.store(true, Ordering::Relaxed);
    }

    /// Whether this call comes before the adapter knows the fence.
    fn is_unaware(&self) -> bool {
        self.has(Defect::ReadsFenceLate) && !self.was_read.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl RecordStore for Broken {
    fn capabilities(&self) -> RecordStoreCapabilities {
        self.inner.capabilities().with_durable(self.is_durable)
    }

    async fn get(&self, partition: &Partition, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        self.read();
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
        self.read();
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
                changed.expects.retain(|expect| {
                    let key = expect.key();
                    let is_key = !key.id.is_empty() && key.collection.as_str().len() > 1;
                    written.contains(key) || !is_key
                });
            }
            Defect::TakesLaterEpoch => {
                changed.epoch = commit.epoch.min(self.inner.head(partition).await?.epoch);
            }
            Defect::TakesLastOfTwo => {
                let puts: BTreeMap<_, _> = commit.puts.iter().cloned().collect();
                changed.puts = puts.into_iter().collect();
            }
            Defect::SkipsNameless => changed.puts.retain(|(key, _)| !key.id.is_empty()),
            Defect::ReadsFenceLate if self.is_unaware() => {
                changed.epoch = commit.epoch.max(self.inner.head(partition).await?.epoch);
            }
            Defect::ReadsHeadApart => tokio::task::yield_now().await,
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
        self.read();
        let mut since = self.meant(since);
        let head = self.inner.head(partition).await?.cursor;
        if self.has(Defect::IgnoresDigest) && since.revision == head.revision {
            since = head;
        }
        let limit = match self.defect {
            Defect::FeedsAll if limit > 0 => usize::MAX,
            _ => limit,
        };
        let mut feed = self.inner.changes(partition, &since, limit).await?;
        if self.has(Defect::ReadsHeadApart) {
            // Another task may come in between.
            tokio::task::yield_now().await;
            let end = self.inner.head(partition).await?.cursor;
            if let Feed::Page {
                to,
                has_more: false,
                ..
            } = &mut feed
            {
                *to = end;
            }
        }
        if let Feed::Page { entries, to, .. } = &mut feed {
            *to = self.told(to.clone());
            let deleted = self.deleted.lock().unwrap().clone();
            if self.has(Defect::ForgetsDeletions) {
                entries.retain(|it| it.value.is_some() || deleted.contains(&it.key));
            }
            if self.has(Defect::FeedsPrivateDeletes) && since.revision < to.revision {
                let private = deleted.iter().filter(|key| key.collection.is_private());
                entries.extend(private.map(|key| Change {
                    key: key.clone(),
                    revision: to.revision,
                    value: None,
                }));
            }
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
        self.read();
        let mut head = self.inner.head(partition).await?;
        head.cursor = self.told(head.cursor);
        Ok(head)
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
        match self.defect {
            Defect::IdlesAtLowerFence if epoch < self.inner.head(partition).await?.epoch => Ok(()),
            _ => self.inner.fence(partition, epoch).await,
        }
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

defects! {
    record_store: [
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
    feeds_deletes_of_private_records: FeedsPrivateDeletes => [rs_13_private_collections_stay_out_of_changes];
    reads_the_end_of_a_page_apart: ReadsHeadApart => [rs_16_nothing_appears_at_or_below_a_shown_cursor];
    has_digests_of_its_own: SaltsDigests => [rs_18_digests_are_chained];
    says_that_it_is_durable: SaysDurable => [rs_23_what_was_acknowledged_is_there_again];
    leaves_out_what_has_no_id: SkipsNameless => [rs_24_a_key_without_an_id_is_invalid];
    passes_over_a_lower_fence: IdlesAtLowerFence => [rs_8_other_epochs_are_fenced];
    ]
    opened again: [
    a_durable_store_keeps_the_contract: Nothing => [];
    forgets_deletions_when_it_closes: ForgetsDeletions => [
        rs_14_deleted_records_are_tombstones,
        rs_16_nothing_appears_at_or_below_a_shown_cursor,
        rs_22_deleting_what_is_not_there_is_no_error,
        rs_23_what_was_acknowledged_is_there_again
    ];
    looks_up_the_fence_too_late: ReadsFenceLate => [rs_23_what_was_acknowledged_is_there_again];
    ]
}
