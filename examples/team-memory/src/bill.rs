//! What calls of models came to, and what they proposed in vain, as printed.

use std::collections::BTreeMap;

use atlas_core::Atlas;
use atlas_core::model::{Bill, OutcomeStage, RefusalReason, Tally};

use crate::failure::Failure;
use crate::load::Loaded;

/// Facts and refusals that are shown.
const SHOWN: usize = 20;

/// What was refused of the proposals, by reason, and some of the facts with the words that prove
/// them: for whoever tries a model.
///
/// # Errors
///
/// What the store fails with.
pub(crate) async fn accepted(atlas: &Atlas, loaded: &Loaded) -> Result<String, Failure> {
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut facts = Vec::new();
    let mut n_given_up = 0;
    for of in &loaded.channels {
        let channel = atlas.channel(of.channel.id.clone());
        for outcome in channel.outcomes().await? {
            n_given_up += usize::from(matches!(outcome.stage, OutcomeStage::Dead { .. }));
            for refusal in outcome.refusals {
                *refused
                    .entry(reason(&refusal.reason).to_owned())
                    .or_default() += 1;
            }
        }
        facts.extend(channel.facts().await?.into_iter().map(|(fact, _)| fact));
    }
    let n_refused: usize = refused.values().sum();
    let mut lines = vec![format!(
        "Proposals {} facts, {n_refused} refused",
        facts.len()
    )];
    lines.extend(
        refused
            .iter()
            .map(|(reason, n)| format!("          {n} {reason}")),
    );
    if n_given_up > 0 {
        lines.push(format!("          {n_given_up} messages given up"));
    }
    // Spread over all, not the first ones.
    let step = facts.len().div_ceil(SHOWN).max(1);
    for fact in facts.iter().step_by(step) {
        let quote = fact
            .latest()
            .map(|it| it.quote.as_str())
            .unwrap_or_default();
        lines.push(format!("Fact      {}", crate::print::one_line(fact.text())));
        lines.push(format!("          “{}”", crate::print::one_line(quote)));
    }
    Ok(lines.join("\n") + "\n")
}

fn reason(reason: &RefusalReason) -> &'static str {
    match reason {
        RefusalReason::Malformed(_) => "have not the shape that was asked for",
        RefusalReason::UnknownMessage => "name a message that was not offered",
        RefusalReason::QuoteNotFound => "quote what nobody wrote",
        RefusalReason::NotGrounded => "say what their quote does not say",
        RefusalReason::LowQuality => "are below the quality that is asked for",
        RefusalReason::TooMany => "are more than a message may have",
        RefusalReason::Narration => "say only that somebody said something",
        RefusalReason::Empty => "are empty",
        RefusalReason::Repeated => "are repeated",
        RefusalReason::LowConfidence => "are too unsure",
    }
}

/// The bill, a line a role.
pub(crate) fn told(bill: &Bill) -> String {
    let mut lines = vec![format!(
        "{:<24}{:>8}{:>10}{:>10}{:>14}{:>12}{:>10}",
        "Bill", "calls", "requests", "failures", "tokens in", "tokens out", "seconds"
    )];
    for (key, tally) in bill.lines() {
        lines.push(line(&format!("{} ({})", key.role, key.endpoint), tally));
    }
    let total = bill.total();
    lines.push(line("all", &total));
    if total.uncounted > 0 {
        lines.push(format!(
            "{} requests were not counted by the server",
            total.uncounted
        ));
    }
    lines.join("\n") + "\n"
}

fn line(name: &str, tally: &Tally) -> String {
    let tenths = tally.latency.sum_micros / 100_000;
    format!(
        "{name:<24}{:>8}{:>10}{:>10}{:>14}{:>12}{:>10}",
        tally.calls,
        tally.attempts,
        tally.failures,
        tally.input_tokens,
        tally.output_tokens,
        format!("{}.{}", tenths / 10, tenths % 10),
    )
}
