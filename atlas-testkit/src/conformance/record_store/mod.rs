//! The contract of [`RecordStore`](atlas_core::ports::RecordStore).

mod commits;
mod durable;
mod feed;
mod feed_pages;
mod lives;
mod partitions;
mod reading;
mod wire;

use commits::{
    rs_4_commit_writes_all_or_nothing, rs_5_commits_are_numbered_without_a_gap,
    rs_6_a_broken_expect_is_conflict, rs_7_expects_cover_what_is_only_read,
    rs_9_a_key_named_twice_is_invalid, rs_10_an_empty_commit_only_checks,
    rs_24_a_key_without_an_id_is_invalid,
};
use durable::rs_23_what_was_acknowledged_is_there_again;
use feed::{
    rs_12_changes_gives_last_writes_by_revision_then_key,
    rs_13_private_collections_stay_out_of_changes, rs_14_deleted_records_are_tombstones,
    rs_17_a_diverged_cursor_is_gone, rs_18_digests_are_chained,
    rs_22_deleting_what_is_not_there_is_no_error,
};
use feed_pages::{
    rs_15_pages_hold_whole_commits, rs_16_nothing_appears_at_or_below_a_shown_cursor,
};
use lives::{rs_8_other_epochs_are_fenced, rs_20_purge_leaves_no_residue};
use partitions::{
    rs_3_partitions_do_not_see_each_other, rs_19_partitions_lists_those_that_hold_records,
};
use reading::{
    rs_1_get_keeps_order_and_gaps, rs_2_bytes_and_ids_are_kept_exactly,
    rs_11_list_goes_by_bytes_under_the_prefix, rs_21_a_limit_of_nought_is_invalid,
};

/// The table: every check once, with the words of its clause.
#[doc(hidden)]
#[macro_export]
macro_rules! __record_store_table {
    { ($($then:tt)+) $first:tt } => { $($then)+! { $first
        rs_1_get_keeps_order_and_gaps: "RS-1 get answers one slot a key, in the order asked; none where there is none.";
        rs_2_bytes_and_ids_are_kept_exactly: "RS-2 a record keeps its bytes exactly, whatever they are, and its key's id exactly.";
        rs_3_partitions_do_not_see_each_other: "RS-3 a record of another partition is not there.";
        rs_4_commit_writes_all_or_nothing: "RS-4 commit writes all of its puts and deletes or nothing.";
        rs_5_commits_are_numbered_without_a_gap: "RS-5 commits are numbered from 1 without a gap in each partition, and a record's revision is its last commit.";
        rs_6_a_broken_expect_is_conflict: "RS-6 a commit one of whose expects does not hold is Conflict and writes nothing.";
        rs_7_expects_cover_what_is_only_read: "RS-7 expects cover records that are read and not written.";
        rs_8_other_epochs_are_fenced: "RS-8 a commit of another epoch than the partition's is Fenced and writes nothing; so is a fence of a lower one, and one of the same is idle.";
        rs_9_a_key_named_twice_is_invalid: "RS-9 a commit that names a key twice among its puts and deletes is Invalid and writes nothing.";
        rs_10_an_empty_commit_only_checks: "RS-10 a commit without puts and deletes checks its expects, takes no number and answers the last one.";
        rs_11_list_goes_by_bytes_under_the_prefix: "RS-11 list goes by the bytes of the id, each record once, under the prefix, a limit at a time.";
        rs_12_changes_gives_last_writes_by_revision_then_key: "RS-12 changes gives the last write of each record after the cursor, by revision, then key.";
        rs_13_private_collections_stay_out_of_changes: "RS-13 private collections never enter changes, and a commit of theirs alone moves no cursor.";
        rs_14_deleted_records_are_tombstones: "RS-14 deleted records stay in changes as tombstones, and get and list do not show them.";
        rs_15_pages_hold_whole_commits: "RS-15 a page of changes holds whole commits and at least one entry if there is any.";
        rs_16_nothing_appears_at_or_below_a_shown_cursor: "RS-16 once changes has ended at a cursor, nothing at or below it appears later.";
        rs_17_a_diverged_cursor_is_gone: "RS-17 a cursor that is ahead or of another digest is Gone as Diverged; the start never is.";
        rs_18_digests_are_chained: "RS-18 the digest after a commit that writes projected collections is [`Commit::digest_after`].";
        rs_19_partitions_lists_those_that_hold_records: "RS-19 partitions lists those that hold records, by kind, in the order of the bytes of their ids.";
        rs_20_purge_leaves_no_residue: "RS-20 purge leaves no residue in its partition, touches no other, and keeps the epoch.";
        rs_21_a_limit_of_nought_is_invalid: "RS-21 a limit of nought is Invalid.";
        rs_22_deleting_what_is_not_there_is_no_error: "RS-22 deleting a record that is not there is no error and leaves a tombstone only where a record was.";
        rs_23_what_was_acknowledged_is_there_again: "RS-23 what was acknowledged, epochs, revisions and cursors included, is there when a durable store is opened again.";
        rs_24_a_key_without_an_id_is_invalid: "RS-24 a key without an id or without the name of a collection is Invalid and nothing is written.";
    } };
}

__record_store_table! { (checks_from_table) [RecordStore, store] }

/// Tests a [`RecordStore`](atlas_core::ports::RecordStore): one named test a clause.
///
/// It takes a closure that makes an empty store, such as `|| async { MyStore::new() }`, or for a
/// durable one a [`Harness`](crate::conformance::Harness), and makes a module `record_store` of tests. A
/// module can hold it once. The suite brings its runtime.
#[macro_export]
macro_rules! record_store_conformance {
    ($factory:expr $(,)?) => {
        $crate::__record_store_table! {
            ($crate::__conformance_tests)
            [record_store, RecordStore, __harness_of_record_store, $factory]
        }
    };
}
