//! Conversations to outcomes: asks the extractors and checks what they propose.

use std::collections::BTreeMap;

use super::admit::{Admission, admit};
use super::batch::{Budget, Piece, batches};
use super::names::{Names, admit_names};
use super::offer::Offer;
use super::settings::ExtractSettings;
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::ingest::skip_reason;
use crate::llm::{EntityExtractionOutput, FactExtractionOutput, Role, fingerprint, serve};
use crate::model::{Fingerprint, Message};

/// What was made of one message.
pub(super) type Reading = (Admission, Names);

/// What was made of conversations.
#[derive(Debug, Default)]
pub(super) struct Readings {
    /// By the record id of the message; a message that was not read is not here.
    pub(super) by_message: BTreeMap<String, Reading>,
    /// Conversations, by place, that could not be read, and why.
    pub(super) failed: BTreeMap<usize, String>,
    /// Conversations, by place, that were not reached because the model did not answer.
    pub(super) not_reached: Vec<usize>,
    /// Why the model did not answer.
    pub(super) outage: Option<Error>,
    /// Calls of the provider.
    pub(super) n_calls: usize,
    /// Proposals that name no offered message.
    pub(super) n_stray: usize,
}

/// Names what extracts: both roles and what the gates let through.
pub(super) fn extractor(parts: &Components, settings: &ExtractSettings) -> Fingerprint {
    Fingerprint::new(format!(
        "{}+{}+gates/1:{}:{}:{}:{}",
        fingerprint(parts.llm.as_ref(), Role::FactExtractor),
        fingerprint(parts.llm.as_ref(), Role::EntityExtractor),
        settings.max_facts_per_message,
        settings.min_quality.get(),
        settings.min_relation_confidence.get(),
        settings.utc_offset_seconds,
    ))
}

/// Reads conversations, a batch at a time. A batch that fails costs only its conversations.
pub(super) async fn read(
    parts: &Components,
    conversations: &[Vec<&Message>],
    settings: &ExtractSettings,
) -> Readings {
    let budget = Budget {
        tokens: settings.batch_tokens,
        messages: settings.batch_messages,
    };
    let mut readings = Readings::default();
    for batch in batches(conversations, budget) {
        if readings.outage.is_some() {
            readings
                .not_reached
                .extend(batch.iter().map(|piece| piece.conversation));
            continue;
        }
        let failed = match read_batch(parts, conversations, &batch, settings, &mut readings).await {
            Ok(()) => continue,
            Err(error) => error,
        };
        if stands_still(&failed) {
            readings
                .not_reached
                .extend(batch.iter().map(|piece| piece.conversation));
            readings.outage = Some(failed);
            continue;
        }
        // One conversation must not cost its neighbours: each is read alone.
        for piece in &batch {
            let alone = std::slice::from_ref(piece);
            let error = match batch.len() {
                1 => Some(Error::new(failed.kind(), failed.op(), failed.message())),
                _ => read_batch(parts, conversations, alone, settings, &mut readings)
                    .await
                    .err(),
            };
            match error {
                None => {}
                Some(error) if stands_still(&error) => {
                    readings.not_reached.push(piece.conversation);
                    readings.outage = Some(error);
                }
                Some(error) => {
                    readings
                        .failed
                        .insert(piece.conversation, error.to_string());
                }
            }
        }
    }
    readings
}

/// Whether the failure is the model's and would meet every conversation: the queue waits then, and
/// no attempt is counted.
fn stands_still(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Unavailable | ErrorKind::Denied | ErrorKind::Unsupported
    )
}

async fn read_batch(
    parts: &Components,
    conversations: &[Vec<&Message>],
    batch: &[Piece],
    settings: &ExtractSettings,
    readings: &mut Readings,
) -> Result<()> {
    let is_read = |message: &Message| skip_reason(message, settings.reads_bots).is_none();
    let offer = Offer::new(conversations, batch, is_read);
    if offer.messages().next().is_none() {
        return Ok(());
    }
    let fact_task = offer.fact_task(settings.max_facts_per_message);
    let entity_task = offer.entity_task();
    let llm = parts.llm.as_ref();
    let (facts, entities): (Result<FactExtractionOutput>, Result<EntityExtractionOutput>) =
        futures::join!(serve(llm, &fact_task), serve(llm, &entity_task));
    readings.n_calls += 2;
    let (facts, entities) = (facts?, entities?);
    let admissions = admit(&offer, &facts.facts, settings);
    let (names, n_stray) = admit_names(&offer, &entities, settings.min_relation_confidence);
    readings.n_stray += admissions.stray.len() + n_stray;
    for ((message, admission), names) in offer.messages().zip(admissions.by_message).zip(names) {
        readings
            .by_message
            .insert(message.id.record_id(), (admission, names));
    }
    Ok(())
}
