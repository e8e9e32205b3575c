//! What became of messages.

use atlas_core::model::{
    AdmittedClaim, DeadReason, Extraction, MessageOutcome, OutcomeStage, RefusalReason,
    RefusedClaim, SkipReason,
};
use proptest::prelude::*;
use proptest::sample::select;

use super::fact::arb_attribution;
use super::{
    arb_attachment, arb_author, arb_claim, arb_content_hash, arb_entity_claim, arb_fingerprint,
    arb_message_id, arb_relation_claim, arb_text, arb_timestamp, maybe, some_of,
};

/// Any stage of a message.
pub fn arb_outcome_stage() -> impl Strategy<Value = OutcomeStage> {
    let reason = select(vec![
        SkipReason::Empty,
        SkipReason::System,
        SkipReason::Bot,
        SkipReason::Deleted,
    ]);
    prop_oneof![
        arb_content_hash().prop_map(|waiting| OutcomeStage::Queued { waiting }),
        reason.prop_map(|reason| OutcomeStage::Skipped { reason }),
        Just(OutcomeStage::Extracted),
        arb_dead_reason().prop_map(|reason| OutcomeStage::Dead { reason }),
    ]
}

/// Any reason for giving a message up.
pub fn arb_dead_reason() -> impl Strategy<Value = DeadReason> {
    prop_oneof![
        arb_text().prop_map(DeadReason::Unreadable),
        arb_text().prop_map(DeadReason::Refused),
        Just(DeadReason::Truncated),
        Just(DeadReason::Abandoned),
    ]
}

/// Any reason for a refusal.
pub fn arb_refusal_reason() -> impl Strategy<Value = RefusalReason> {
    let plain = select(vec![
        RefusalReason::UnknownMessage,
        RefusalReason::QuoteNotFound,
        RefusalReason::NotGrounded,
        RefusalReason::LowQuality,
        RefusalReason::TooMany,
        RefusalReason::Narration,
        RefusalReason::Empty,
        RefusalReason::Repeated,
        RefusalReason::LowConfidence,
    ]);
    prop_oneof![3 => plain, 1 => arb_text().prop_map(RefusalReason::Malformed)]
}

/// What became of a message, in which every field may say something.
pub fn arb_message_outcome() -> impl Strategy<Value = MessageOutcome> {
    let message = (
        arb_message_id(),
        arb_content_hash(),
        arb_message_id(),
        arb_author(),
        arb_timestamp(),
        some_of(arb_attachment()),
    );
    let extraction =
        (arb_fingerprint(), arb_timestamp()).prop_map(|(extractor, recorded_at)| Extraction {
            extractor,
            recorded_at,
        });
    let claim = (arb_claim(), arb_attribution())
        .prop_map(|(claim, attribution)| AdmittedClaim { claim, attribution });
    let refusal =
        (arb_text(), arb_refusal_reason()).prop_map(|(text, reason)| RefusedClaim { text, reason });
    let came_of_it = (
        arb_outcome_stage(),
        maybe(extraction),
        some_of(claim),
        some_of(arb_entity_claim()),
        some_of(arb_relation_claim()),
        some_of(refusal),
    );
    (message, came_of_it).prop_map(|(it, came_of_it)| {
        let (message, version, conversation, author, sent_at, media) = it;
        let (stage, extraction, claims, entities, relations, refusals) = came_of_it;
        MessageOutcome {
            message,
            version,
            conversation,
            author,
            sent_at,
            media,
            stage,
            extraction,
            claims,
            entities,
            relations,
            refusals,
        }
    })
}
