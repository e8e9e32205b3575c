//! The contract of [`FactIndex`](atlas_core::ports::FactIndex).
//!
//! The space of the index has to be at least two wide.

mod applying;
mod dense;
mod documents;
mod durable;
mod filters;
mod lexical;
mod lives;
mod recent;
mod walls;

use applying::{
    fi_1_apply_makes_all_findable_and_moves_the_cursor, fi_2_a_batch_from_elsewhere_is_conflict,
    fi_3_a_batch_from_the_start_empties_first, fi_4_documents_replace_all_of_their_origin,
    fi_19_a_document_without_an_id_refuses_its_batch,
};
use dense::{
    fi_7_dense_search_is_exact, fi_12_a_wrong_vector_is_invalid,
    fi_17_what_has_no_feature_finds_nothing,
};
use durable::fi_18_what_was_acknowledged_is_there_again;
use filters::fi_9_visibility_and_filter_come_before_the_limit;
use lexical::{fi_5_words_are_found_in_any_form_and_script, fi_6_query_language_is_text};
use lives::{
    fi_13_lower_epochs_are_fenced, fi_14_purge_leaves_no_residue, fi_16_stats_count_one_channel,
};
use recent::{fi_8_recent_goes_by_said_time, fi_15_a_limit_of_nought_is_invalid};
use walls::{
    fi_10_nothing_outside_the_scope_counts, fi_11_a_leg_that_is_not_offered_is_unsupported,
};

/// The table: every check once, with the words of its clause.
#[doc(hidden)]
#[macro_export]
macro_rules! __fact_index_table {
    { ($($then:tt)+) $first:tt } => { $($then)+! { $first
        fi_1_apply_makes_all_findable_and_moves_the_cursor: "FI-1 apply makes all entries of a batch findable and moves the cursor to its end, or does neither.";
        fi_2_a_batch_from_elsewhere_is_conflict: "FI-2 a batch that does not begin at the applied cursor is Conflict and changes nothing.";
        fi_3_a_batch_from_the_start_empties_first: "FI-3 a batch that begins at the start empties the channel's index first.";
        fi_4_documents_replace_all_of_their_origin: "FI-4 the documents of an entry replace all documents of its origin.";
        fi_5_words_are_found_in_any_form_and_script: "FI-5 lexical search finds words whatever their case, accents and inflection, in any script.";
        fi_6_query_language_is_text: "FI-6 text that looks like a query language is text: it is never an error.";
        fi_7_dense_search_is_exact: "FI-7 dense search is exact: nearest cosine first, ties by channel, kind and id.";
        fi_8_recent_goes_by_said_time: "FI-8 recent search goes by said time, latest first, ties by channel, kind and id.";
        fi_9_visibility_and_filter_come_before_the_limit: "FI-9 visibility and filter apply before the limit on every leg.";
        fi_10_nothing_outside_the_scope_counts: "FI-10 no document of a channel outside the scope is found, counted or used for a score.";
        fi_11_a_leg_that_is_not_offered_is_unsupported: "FI-11 a leg that is not offered is Unsupported, never an empty answer.";
        fi_12_a_wrong_vector_is_invalid: "FI-12 a vector of another width than the space, or not finite, is Invalid and nothing of its batch is applied.";
        fi_13_lower_epochs_are_fenced: "FI-13 a batch or a fence of a lower epoch is Fenced and changes nothing; a fence of the same epoch is idle.";
        fi_14_purge_leaves_no_residue: "FI-14 purge leaves no residue in its channel, touches no other, and keeps the epoch.";
        fi_15_a_limit_of_nought_is_invalid: "FI-15 a limit of nought is Invalid.";
        fi_16_stats_count_one_channel: "FI-16 stats count documents and vectors of one channel.";
        fi_17_what_has_no_feature_finds_nothing: "FI-17 a text or a vector without any feature (no words, all zero) finds nothing and is no error.";
        fi_18_what_was_acknowledged_is_there_again: "FI-18 what was applied, epochs and cursors included, is there when a durable index is opened again.";
        fi_19_a_document_without_an_id_refuses_its_batch: "FI-19 a document that has no id, or stands twice in its entry, is Invalid and nothing of its batch is applied.";
    } };
}

__fact_index_table! { (checks_from_table) [FactIndex, store] }

/// Tests a [`FactIndex`](atlas_core::ports::FactIndex): one named test a clause.
///
/// It takes a closure that makes an empty index, such as `|| async { MyIndex::new() }`, or for a
/// durable one a [`Harness`](crate::conformance::Harness), and makes a module `fact_index` of tests. A
/// module can hold it once. The suite brings its runtime. The
/// index's space has to be at least two wide.
#[macro_export]
macro_rules! fact_index_conformance {
    ($factory:expr $(,)?) => {
        $crate::__fact_index_table! {
            ($crate::__conformance_tests)
            [fact_index, FactIndex, __harness_of_fact_index, $factory]
        }
    };
}
