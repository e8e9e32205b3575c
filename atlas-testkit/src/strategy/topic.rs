//! Topics and what is written of them.

use atlas_core::model::{ChannelSummary, CitedSentence, Membership, TopicCluster, TopicSummary};
use proptest::prelude::*;

use super::{
    arb_content_hash, arb_fact_id, arb_fingerprint, arb_name, arb_text, arb_topic_id, at_least_one,
    some_of,
};

/// A sentence with the facts that it rests on, never none.
pub fn arb_cited_sentence() -> impl Strategy<Value = CitedSentence> {
    (arb_text(), at_least_one(arb_fact_id()))
        .prop_map(|(text, facts)| CitedSentence { text, facts })
}

/// A topic.
pub fn arb_topic() -> impl Strategy<Value = TopicCluster> {
    (arb_topic_id(), any::<u64>(), some_of(any::<i64>())).prop_map(|(id, n_members, vector_sum)| {
        TopicCluster {
            id,
            n_members,
            vector_sum,
        }
    })
}

/// That a fact belongs to a topic.
pub fn arb_membership() -> impl Strategy<Value = Membership> {
    (arb_fact_id(), arb_topic_id()).prop_map(|(fact, topic)| Membership { fact, topic })
}

/// What is written of a topic, in which every field may say something.
pub fn arb_topic_summary() -> impl Strategy<Value = TopicSummary> {
    let sentences = || some_of(arb_cited_sentence());
    (
        arb_topic_id(),
        arb_content_hash(),
        arb_fingerprint(),
        arb_text(),
        sentences(),
        sentences(),
        sentences(),
        sentences(),
        some_of(arb_fact_id()),
        some_of((arb_fact_id(), arb_fact_id())),
    )
        .prop_map(|it| TopicSummary {
            topic: it.0,
            made_from: it.1,
            writer: it.2,
            title: it.3,
            sentences: it.4,
            current_state: it.5,
            open_questions: it.6,
            impact: it.7,
            key_facts: it.8,
            faq: it.9,
        })
}

/// What is written of a channel, in which every field may say something.
pub fn arb_channel_summary() -> impl Strategy<Value = ChannelSummary> {
    (
        arb_content_hash(),
        arb_fingerprint(),
        some_of(arb_cited_sentence()),
        some_of(arb_name()),
    )
        .prop_map(|(made_from, writer, sentences, themes)| ChannelSummary {
            made_from,
            writer,
            sentences,
            themes,
        })
}
