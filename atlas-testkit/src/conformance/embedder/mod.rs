//! The contract of [`Embedder`](atlas_core::ports::Embedder).

mod batches;
mod vectors;

use batches::{
    em_1_embed_answers_one_vector_a_text, em_5_a_batch_may_have_max_batch_texts,
    em_6_no_texts_are_no_vectors, em_8_a_call_that_is_dropped_leaves_it_usable,
};
use vectors::{
    em_2_vectors_have_the_width_of_the_space, em_3_vectors_of_a_normalised_space_have_length_one,
    em_4_the_same_text_gives_the_same_vector, em_7_the_space_is_named_and_stays,
    em_9_both_purposes_share_the_space,
};

/// The table: every check once, with the words of its clause.
#[doc(hidden)]
#[macro_export]
macro_rules! __embedder_table {
    { ($($then:tt)+) $first:tt } => { $($then)+! { $first
        em_1_embed_answers_one_vector_a_text: "EM-1 embed answers one vector a text, in the order given.";
        em_2_vectors_have_the_width_of_the_space: "EM-2 every vector has the width of the space and only finite numbers, whatever the text.";
        em_3_vectors_of_a_normalised_space_have_length_one: "EM-3 vectors of a normalised space have length one, or are all zero for a text without features.";
        em_4_the_same_text_gives_the_same_vector: "EM-4 the same text and purpose give the same vector, whatever else is in the batch.";
        em_5_a_batch_may_have_max_batch_texts: "EM-5 a batch may have `max_batch` texts, which is at least one; more are Invalid.";
        em_6_no_texts_are_no_vectors: "EM-6 no texts give no vectors and are no error.";
        em_7_the_space_is_named_and_stays: "EM-7 the space names its model, is at least two wide and does not change.";
        em_8_a_call_that_is_dropped_leaves_it_usable: "EM-8 calls side by side, and one that is dropped midway, leave the embedder usable.";
        em_9_both_purposes_share_the_space: "EM-9 both purposes share the space: a text to find is nearest to itself to be found.";
    } };
}

__embedder_table! { (checks_from_table) [Embedder, model] }

/// Tests an [`Embedder`](atlas_core::ports::Embedder): one named test a clause.
///
/// It takes a closure that makes an embedder, such as `|| async { MyEmbedder::new() }`, or a
/// [`Harness`](crate::conformance::Harness) whose place is what answers, and makes a module
/// `embedder` of tests. A module can hold it once. The suite brings its runtime.
#[macro_export]
macro_rules! embedder_conformance {
    ($harness:expr $(,)?) => {
        $crate::__embedder_table! {
            ($crate::__conformance_tests)
            [embedder, Embedder, __harness_of_embedder, $harness]
        }
    };
}
