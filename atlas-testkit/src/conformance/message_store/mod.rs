//! The contract of [`MessageStore`](atlas_core::ports::MessageStore).

mod durable;
mod feed;
mod lives;
mod reading;
mod walls;
mod writing;

use durable::ms_16_what_was_acknowledged_is_there_again;
use feed::{
    ms_8_changes_gives_last_writes_in_order, ms_9_nothing_appears_at_or_below_a_shown_sequence,
};
use lives::{
    ms_12_forget_erases_words_and_keeps_places, ms_13_lower_epochs_are_fenced,
    ms_14_purge_leaves_no_residue,
};
use reading::{
    ms_5_get_keeps_order_and_gaps, ms_6_read_goes_by_time_then_id,
    ms_7_thread_gives_root_and_replies, ms_15_a_limit_of_nought_is_invalid,
};
use walls::ms_11_channels_do_not_see_each_other;
use writing::{
    ms_1_append_answers_in_order_and_keeps_every_field,
    ms_2_the_current_version_again_is_unchanged,
    ms_3_a_replacing_version_is_changed_and_a_late_edit_is_not,
    ms_4_every_version_is_kept_in_the_order_of_arrival, ms_10_a_foreign_message_refuses_its_batch,
    ms_17_a_message_without_an_id_refuses_its_batch,
};

/// The table: every check once, with the words of its clause.
#[doc(hidden)]
#[macro_export]
macro_rules! __message_store_table {
    { ($($then:tt)+) $first:tt } => { $($then)+! { $first
        ms_1_append_answers_in_order_and_keeps_every_field: "MS-1 append answers one outcome a message, in the order given, and keeps every field of it.";
        ms_2_the_current_version_again_is_unchanged: "MS-2 appending the current version again is Unchanged and writes nothing.";
        ms_3_a_replacing_version_is_changed_and_a_late_edit_is_not: "MS-3 a version that replaces the current one is Changed; an earlier edit that arrives late is Unchanged.";
        ms_4_every_version_is_kept_in_the_order_of_arrival: "MS-4 every version that was appended is kept, and versions lists them in the order of their arrival.";
        ms_5_get_keeps_order_and_gaps: "MS-5 get answers one slot an id, in the order asked; none where there is none.";
        ms_6_read_goes_by_time_then_id: "MS-6 read goes by sending time, then by id, each message once, a limit at a time.";
        ms_7_thread_gives_root_and_replies: "MS-7 thread gives the root and its replies in reading order; a lost root leaves the replies.";
        ms_8_changes_gives_last_writes_in_order: "MS-8 changes gives the last write of each message after a sequence, in order, a limit at a time.";
        ms_9_nothing_appears_at_or_below_a_shown_sequence: "MS-9 once changes has shown a sequence, nothing at or below it appears later.";
        ms_10_a_foreign_message_refuses_its_batch: "MS-10 a message of another channel is refused as Invalid and nothing of its batch is written.";
        ms_11_channels_do_not_see_each_other: "MS-11 nothing of one channel is seen through another.";
        ms_12_forget_erases_words_and_keeps_places: "MS-12 forget leaves no word of the message in any version, keeps its place, and shows it in changes.";
        ms_13_lower_epochs_are_fenced: "MS-13 a write or a fence of a lower epoch is Fenced and changes nothing; a fence of the same epoch is idle.";
        ms_14_purge_leaves_no_residue: "MS-14 purge leaves no residue in its channel, touches no other, and keeps the epoch.";
        ms_15_a_limit_of_nought_is_invalid: "MS-15 a limit of nought is Invalid.";
        ms_16_what_was_acknowledged_is_there_again: "MS-16 what was acknowledged, epochs and sequences included, is there when a durable store is opened again.";
        ms_17_a_message_without_an_id_refuses_its_batch: "MS-17 a message without an id of its own or of its source is Invalid and nothing of its batch is written.";
    } };
}

__message_store_table! { (checks_from_table) [MessageStore, store] }

/// Tests a [`MessageStore`](atlas_core::ports::MessageStore): one named test a clause.
///
/// It takes a closure that makes an empty store, such as `|| async { MyStore::new() }`, or for a
/// durable one a [`Harness`](crate::conformance::Harness), and makes a module `message_store` of tests. A
/// module can hold it once. The suite brings its runtime.
#[macro_export]
macro_rules! message_store_conformance {
    ($factory:expr $(,)?) => {
        $crate::__message_store_table! {
            ($crate::__conformance_tests)
            [message_store, MessageStore, __harness_of_message_store, $factory]
        }
    };
}
