//! The contract of [`LlmProvider`](atlas_core::ports::LlmProvider).
//!
//! The suite asks for small tasks of every role. What answers them has to answer the same request
//! the same: an endpoint of the test's own, recorded replies, or rules. Two requests are for it to
//! play a part, unless the provider needs no model: what says [`REFUSE`] has to be refused by the
//! endpoint, and what says [`FAIL`] must not be answered at all.

mod answering;
mod asking;
mod failing;
mod streaming;

use answering::{
    lp_1_complete_answers_with_the_whole_text, lp_5_the_fingerprint_stays,
    lp_7_usage_counts_tokens, lp_9_replies_keep_to_the_schema, lp_11_any_text_may_stand_in_a_task,
};
pub use asking::{FAIL, REFUSE};
use failing::{
    lp_3_a_limit_that_was_reached_is_length, lp_4_a_refusal_is_no_error,
    lp_6_an_endpoint_that_does_not_answer_is_unavailable,
    lp_10_a_role_that_is_not_served_is_unsupported,
};
use streaming::{
    lp_2_stream_gives_the_same_text_in_parts, lp_8_a_call_that_is_dropped_leaves_it_usable,
};

/// The table: every check once, with the words of its clause.
#[doc(hidden)]
#[macro_export]
macro_rules! __llm_provider_table {
    { ($($then:tt)+) $first:tt } => { $($then)+! { $first
        lp_1_complete_answers_with_the_whole_text: "LP-1 complete answers with the whole text and Stop, whatever else is asked at the same time.";
        lp_2_stream_gives_the_same_text_in_parts: "LP-2 stream gives the same text in parts, then exactly one Finished, last, with the same end and usage.";
        lp_3_a_limit_that_was_reached_is_length: "LP-3 a reply that reached the limit ends with Length, never with Stop, and is no longer than the limit.";
        lp_4_a_refusal_is_no_error: "LP-4 a refusal is a reply that ends with Refused, not an error.";
        lp_5_the_fingerprint_stays: "LP-5 the fingerprint of a role and a choice names what answers, and changes only when the same request may be answered otherwise.";
        lp_6_an_endpoint_that_does_not_answer_is_unavailable: "LP-6 an endpoint that does not answer is Unavailable with a retry answer, and the next call may succeed.";
        lp_7_usage_counts_tokens: "LP-7 usage counts the tokens of prompt and reply as the server does, is none where it does not, and nought for a provider without a model.";
        lp_8_a_call_that_is_dropped_leaves_it_usable: "LP-8 a call or a stream that is dropped midway leaves the provider usable.";
        lp_9_replies_keep_to_the_schema: "LP-9 where replies keep to the schema, the text is one JSON value of it and nothing else.";
        lp_10_a_role_that_is_not_served_is_unsupported: "LP-10 a role that is not served is Unsupported, by complete and by stream; at least one is served.";
        lp_11_any_text_may_stand_in_a_task: "LP-11 any text may stand in a task: it is data and never an error.";
    } };
}

__llm_provider_table! { (checks_from_table) [LlmProvider, model] }

/// Tests an [`LlmProvider`](atlas_core::ports::LlmProvider): one named test a clause.
///
/// It takes a closure that makes a provider, such as `|| async { MyLlm::new() }`, or a
/// [`Harness`](crate::conformance::Harness) whose place is what answers, and makes a module
/// `llm_provider` of tests. A module can hold it once. The suite brings its runtime; what the
/// endpoint has to play is said in the [module](crate::conformance::llm_provider).
#[macro_export]
macro_rules! llm_provider_conformance {
    ($harness:expr $(,)?) => {
        $crate::__llm_provider_table! {
            ($crate::__conformance_tests)
            [llm_provider, LlmProvider, __harness_of_llm_provider, $harness]
        }
    };
}
