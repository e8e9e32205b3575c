//! The doubles of models keep their contracts.

use atlas_core::ErrorKind;
use atlas_core::llm::{
    AnswererOutput, ChannelSummarizerOutput, ContradictionOutput, EntityExtractionOutput,
    FactExtractionOutput, Role, TopicSummarizerOutput, WikiWriterOutput,
};
use atlas_core::ports::{LlmCapabilities, Usage};
use atlas_testkit::conformance::llm_provider::{FAIL, REFUSE};
use atlas_testkit::double::{HashEmbedder, Reply, Rule, ScriptedLlm};

fn reply(role: Role) -> Reply {
    let reply = match role {
        Role::FactExtractor => Reply::json(&FactExtractionOutput::default()),
        Role::EntityExtractor => Reply::json(&EntityExtractionOutput::default()),
        Role::ContradictionDetector => Reply::json(&ContradictionOutput::default()),
        Role::TopicSummarizer => Reply::json(&TopicSummarizerOutput::default()),
        Role::ChannelSummarizer => Reply::json(&ChannelSummarizerOutput::default()),
        Role::WikiWriter => Reply::json(&WikiWriterOutput::default()),
        Role::Answerer => Reply::json(&AnswererOutput::default()),
    };
    reply.with_usage(usage(9))
}

fn usage(output_tokens: u64) -> Usage {
    Usage {
        input_tokens: 30,
        output_tokens,
    }
}

/// A model that plays what the suite asks an endpoint to play.
pub(crate) fn llm() -> ScriptedLlm {
    let rules = Role::ALL.into_iter().flat_map(|role| {
        [
            Rule::always(role, Reply::refused().with_usage(usage(0))).saying(REFUSE),
            Rule::always(role, Reply::fails(ErrorKind::Unavailable)).saying(FAIL),
            Rule::always(role, Reply::cut_off("{").with_usage(usage(1)))
                .when(|request| request.choice.parameters.max_output_tokens == Some(1)),
            Rule::always(role, reply(role)),
        ]
    });
    ScriptedLlm::new(rules).with_capabilities(LlmCapabilities::default().with_schema(true))
}

atlas_testkit::llm_provider_conformance!(|| async { llm() });
atlas_testkit::embedder_conformance!(|| async { HashEmbedder::new(64) });
