//! Questions and their answers.

use atlas_core::llm::Role;
use atlas_core::model::{
    AbstentionReason, AnswerOutcome, AnswerSentence, Bill, BillKey, Citation, Latency, ModelRole,
    Tally, Turn,
};
use proptest::prelude::*;
use proptest::sample::select;

use super::{
    arb_channel_id, arb_evidence, arb_fact_id, arb_fingerprint, arb_message_id, arb_principal_id,
    arb_text, arb_timestamp, arb_turn_id, at_least_one, maybe, some_of,
};

fn arb_sentence() -> impl Strategy<Value = AnswerSentence> {
    let citation = (maybe(arb_fact_id()), arb_evidence())
        .prop_map(|(fact, evidence)| Citation { fact, evidence });
    (arb_text(), at_least_one(citation))
        .prop_map(|(text, citations)| AnswerSentence { text, citations })
}

/// An answer, or why there is none.
pub fn arb_answer_outcome() -> impl Strategy<Value = AnswerOutcome> {
    let reason = select(vec![
        AbstentionReason::EmptyQuestion,
        AbstentionReason::NothingFound,
        AbstentionReason::NotAnswered,
        AbstentionReason::NotVerified,
        AbstentionReason::CouldNotLook,
    ]);
    prop_oneof![
        2 => at_least_one(arb_sentence()).prop_map(|sentences| AnswerOutcome::Answered { sentences }),
        1 => reason.prop_map(|reason| AnswerOutcome::Abstained { reason }),
    ]
}

/// What models came to, with lines of several roles.
pub fn arb_bill() -> impl Strategy<Value = Bill> {
    let role = prop_oneof![
        Just(ModelRole::Embedder),
        select(Role::ALL.to_vec()).prop_map(ModelRole::Task),
    ];
    let key = (role, arb_text(), arb_text()).prop_map(|(role, endpoint, model)| BillKey {
        role,
        endpoint,
        model,
    });
    let tally = any::<[u32; 11]>().prop_map(|n| {
        let n = n.map(u64::from);
        Tally {
            calls: n[0],
            attempts: n[1],
            failures: n[2],
            turned_away: n[3],
            input_tokens: n[4],
            output_tokens: n[5],
            uncounted: n[6],
            cost_micros: n[7],
            unpriced: n[8],
            latency: Latency {
                sum_micros: n[9],
                max_micros: n[10],
            },
        }
    });
    some_of((key, tally)).prop_map(|lines| {
        let mut bill = Bill::default();
        for (key, tally) in &lines {
            bill.charge(key.clone(), tally);
        }
        bill
    })
}

/// A turn in which every field may say something.
pub fn arb_turn() -> impl Strategy<Value = Turn> {
    (
        arb_turn_id(),
        maybe(arb_principal_id()),
        at_least_one((arb_channel_id(), any::<u64>())),
        arb_text(),
        arb_answer_outcome(),
        some_of((arb_fact_id(), any::<u64>())),
        some_of(arb_message_id()),
        some_of(arb_text()),
        arb_fingerprint(),
        arb_bill(),
        arb_timestamp(),
    )
        .prop_map(|it| Turn {
            id: it.0,
            asked_by: it.1,
            channels: it.2,
            question: it.3,
            outcome: it.4,
            stood_on: it.5,
            messages: it.6,
            dropped: it.7,
            answerer: it.8,
            bill: it.9,
            at: it.10,
        })
}
