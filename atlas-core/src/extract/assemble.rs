//! Outcomes to facts: a fact is a fold over the outcomes that say it.

use crate::model::{AtomicFact, ChannelId, Evidence, FactId, Fingerprint, MessageOutcome};
use crate::text::normalise_claim;

/// The facts that an outcome says, in order, each once.
pub fn facts_of(channel: &ChannelId, outcome: &MessageOutcome) -> Vec<FactId> {
    let mut ids: Vec<FactId> = outcome
        .claims
        .iter()
        .map(|it| FactId::of(channel, &normalise_claim(&it.claim.text)))
        .collect();
    ids.sort();
    ids.dedup();
    ids
}

/// Assembles a fact from all outcomes that may say it; none if no outcome does.
///
/// The result is the same for any order of the outcomes: evidence is sorted, and the content is
/// that of the earliest evidence. So a fact that loses its first message looks as if that had
/// never been said.
pub fn assemble(
    channel: &ChannelId,
    id: &FactId,
    outcomes: &[&MessageOutcome],
) -> Option<AtomicFact> {
    let mut said: Vec<(Evidence, &MessageOutcome, usize)> = Vec::new();
    for outcome in outcomes {
        for (place, admitted) in outcome.claims.iter().enumerate() {
            let claim = &admitted.claim;
            if FactId::of(channel, &normalise_claim(&claim.text)) == *id {
                let evidence = Evidence {
                    message: outcome.message.clone(),
                    version: outcome.version.clone(),
                    span: claim.span,
                    quote: claim.quote.clone(),
                    author: outcome.author.clone(),
                    sent_at: outcome.sent_at,
                    attribution: admitted.attribution,
                };
                said.push((evidence, outcome, place));
            }
        }
    }
    said.sort_by(|(a, ..), (b, ..)| a.order().cmp(&b.order()));
    said.dedup_by(|(a, ..), (b, ..)| a.order() == b.order());
    let (_, first, place) = said.first()?;
    let learned = said
        .iter()
        .filter_map(|(_, outcome, _)| outcome.extraction.as_ref());
    let recorded_at = learned.map(|it| it.recorded_at).min();
    let extractor = first.extraction.as_ref().map(|it| it.extractor.clone());
    Some(AtomicFact {
        id: id.clone(),
        channel: channel.clone(),
        claim: first.claims.get(*place)?.claim.clone(),
        thread: (first.conversation != first.message).then(|| first.conversation.clone()),
        media: first.media.clone(),
        recorded_at: recorded_at.unwrap_or(first.sent_at),
        extractor: extractor.unwrap_or_else(|| Fingerprint::new("unknown")),
        evidence: said.iter().map(|(evidence, ..)| evidence.clone()).collect(),
    })
}
