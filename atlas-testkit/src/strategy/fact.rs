//! Facts and where they stand.

use atlas_core::model::{AtomicFact, Attribution, Evidence, FactState, Standing};
use proptest::prelude::*;
use proptest::sample::select;

use super::{
    arb_attachment, arb_author, arb_channel_id, arb_claim, arb_content_hash, arb_fact_id,
    arb_fingerprint, arb_interval, arb_message_id, arb_span, arb_text, arb_timestamp, at_least_one,
    in_order, maybe, some_of,
};

pub(super) fn arb_attribution() -> impl Strategy<Value = Attribution> {
    select(vec![Attribution::Exact, Attribution::Words])
}

/// Evidence of any message.
pub fn arb_evidence() -> impl Strategy<Value = Evidence> {
    (
        arb_message_id(),
        arb_content_hash(),
        arb_span(),
        arb_text(),
        arb_author(),
        arb_timestamp(),
        arb_attribution(),
    )
        .prop_map(
            |(message, version, span, quote, author, sent_at, attribution)| Evidence {
                message,
                version,
                span,
                quote,
                author,
                sent_at,
                attribution,
            },
        )
}

/// A fact in which every field may say something; its evidence is in order and never empty.
///
/// Its id is arbitrary: a test that needs the hash of its claim sets it.
pub fn arb_fact() -> impl Strategy<Value = AtomicFact> {
    (
        arb_fact_id(),
        arb_channel_id(),
        arb_claim(),
        at_least_one(arb_evidence()),
        maybe(arb_message_id()),
        some_of(arb_attachment()),
        arb_timestamp(),
        arb_fingerprint(),
    )
        .prop_map(
            |(id, channel, claim, mut evidence, thread, media, recorded_at, extractor)| {
                evidence.sort_by(|a, b| a.order().cmp(&b.order()));
                AtomicFact {
                    id,
                    channel,
                    claim,
                    evidence,
                    thread,
                    media,
                    recorded_at,
                    extractor,
                }
            },
        )
}

/// Any state of a fact.
pub fn arb_fact_state() -> impl Strategy<Value = FactState> {
    let disputed = at_least_one(arb_fact_id()).prop_map(in_order);
    prop_oneof![
        Just(FactState::Live),
        disputed.prop_map(|with| FactState::Disputed { with }),
        arb_fact_id().prop_map(|by| FactState::Superseded { by }),
        arb_fact_id().prop_map(|of| FactState::Duplicate { of }),
        Just(FactState::Expired),
        Just(FactState::Withdrawn),
        Just(FactState::Rejected),
        Just(FactState::Retracted),
    ]
}

/// Where a fact stands.
pub fn arb_standing() -> impl Strategy<Value = Standing> {
    (arb_fact_id(), arb_fact_state(), some_of(arb_interval())).prop_map(
        |(fact, state, validity)| Standing {
            fact,
            state,
            validity: in_order(validity),
        },
    )
}
