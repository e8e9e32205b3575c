//! The contract of [`GraphStore`](atlas_core::ports::GraphStore).

mod applying;
mod durable;
mod finding;
mod graph;
mod lives;
mod walking;

use applying::{
    gs_1_apply_takes_in_all_and_moves_the_cursor, gs_2_a_batch_from_elsewhere_is_conflict,
    gs_3_a_batch_from_the_start_empties_first, gs_4_an_item_replaces_what_its_origin_had,
    gs_15_what_is_foreign_or_has_no_id_refuses_its_batch,
};
use durable::gs_14_what_was_acknowledged_is_there_again;
use finding::{gs_5_find_answers_one_list_a_name, gs_9_nothing_outside_the_scope_is_found};
use lives::{
    gs_10_lower_epochs_are_fenced, gs_11_purge_leaves_no_residue, gs_13_stats_count_one_channel,
};
use walking::{
    gs_6_neighbours_go_by_confidence_then_id, gs_7_an_edge_without_an_end_is_not_walked,
    gs_8_an_instant_keeps_the_edges_that_hold_then, gs_12_a_limit_of_nought_is_invalid,
};

/// The table: every check once, with the words of its clause.
#[doc(hidden)]
#[macro_export]
macro_rules! __graph_store_table {
    { ($($then:tt)+) $first:tt } => { $($then)+! { $first
        gs_1_apply_takes_in_all_and_moves_the_cursor: "GS-1 apply takes in all entries of a batch and moves the cursor to its end, or does neither.";
        gs_2_a_batch_from_elsewhere_is_conflict: "GS-2 a batch that does not begin at the applied cursor is Conflict and changes nothing.";
        gs_3_a_batch_from_the_start_empties_first: "GS-3 a batch that begins at the start empties the channel's graph first.";
        gs_4_an_item_replaces_what_its_origin_had: "GS-4 the item of an entry replaces what its origin had; none removes it.";
        gs_5_find_answers_one_list_a_name: "GS-5 find answers one list a query, in the order asked: entities of that name or alias, by channel, then id.";
        gs_6_neighbours_go_by_confidence_then_id: "GS-6 neighbours answers one list an entity, in the order asked: its edges by falling confidence, then id.";
        gs_7_an_edge_without_an_end_is_not_walked: "GS-7 an edge one of whose ends is not there is not walked, and is when the end comes.";
        gs_8_an_instant_keeps_the_edges_that_hold_then: "GS-8 an as-of instant keeps the edges that hold then, before the limit.";
        gs_9_nothing_outside_the_scope_is_found: "GS-9 nothing of a channel outside the scope is found or walked to.";
        gs_10_lower_epochs_are_fenced: "GS-10 a batch or a fence of a lower epoch is Fenced and changes nothing; a fence of the same epoch is idle.";
        gs_11_purge_leaves_no_residue: "GS-11 purge leaves no residue in its channel, touches no other, and keeps the epoch.";
        gs_12_a_limit_of_nought_is_invalid: "GS-12 a limit of nought is Invalid.";
        gs_13_stats_count_one_channel: "GS-13 stats count nodes and edges of one channel.";
        gs_14_what_was_acknowledged_is_there_again: "GS-14 what was applied, epochs and cursors included, is there when a durable store is opened again.";
        gs_15_what_is_foreign_or_has_no_id_refuses_its_batch: "GS-15 an entity of another channel, and an item without an id, is Invalid and nothing of its batch is applied.";
    } };
}

__graph_store_table! { (checks_from_table) [GraphStore, store] }

/// Tests a [`GraphStore`](atlas_core::ports::GraphStore): one named test a clause.
///
/// It takes a closure that makes an empty store, such as `|| async { MyStore::new() }`, or for a
/// durable one a [`Harness`](crate::conformance::Harness), and makes a module `graph_store` of tests. A
/// module can hold it once. The suite brings its runtime.
#[macro_export]
macro_rules! graph_store_conformance {
    ($factory:expr $(,)?) => {
        $crate::__graph_store_table! {
            ($crate::__conformance_tests)
            [graph_store, GraphStore, __harness_of_graph_store, $factory]
        }
    };
}
