//! Conversations to outcomes: asks the extractors and checks what they propose.

use std::collections::{BTreeMap, BTreeSet};

use super::admit::Admission;
use super::batch::{Budget, Piece, pieces};
use super::kept::Part;
use super::lease::Leases;
use super::names::Names;
use super::reader::Reader;
use super::role::{Mentions, Statements};
use super::settings::ExtractSettings;
use crate::components::Components;
use crate::error::{Error, Result};
use crate::llm::{Role, fingerprint};
use crate::model::{DeadReason, Fingerprint, Message};
use crate::ports::Key;

/// What was made of one message.
pub(super) type Reading = (Admission, Names);

/// What was made of conversations.
#[derive(Debug, Default)]
pub(super) struct Readings {
    /// By the record id of the message; a message that was not read is not here.
    pub(super) by_message: BTreeMap<String, Reading>,
    /// Messages, by record id, that are given up while the rest of their conversation stands.
    pub(super) dead: BTreeMap<String, DeadReason>,
    /// Conversations, by place, that could not be read, and why.
    pub(super) failed: BTreeMap<usize, (DeadReason, String)>,
    /// Conversations, by place, that were not reached because the model did not answer.
    pub(super) not_reached: BTreeSet<usize>,
    /// Why the model did not answer.
    pub(super) outage: Option<Error>,
    /// Kept replies, by the place of their conversation: they go when its outcome is committed.
    pub(super) kept: Vec<(usize, Key)>,
    /// What reading came to.
    pub(super) effort: Effort,
}

/// What reading came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effort {
    /// Calls of the provider.
    pub(super) calls: usize,
    /// Proposals that name no offered message.
    pub(super) stray: usize,
    /// Replies that broke off.
    pub(super) splits: usize,
    /// Pieces of which a kept reply was found.
    pub(super) recalled: usize,
}

/// Names what extracts: both roles and what the gates let through.
pub(super) fn extractor(parts: &Components, settings: &ExtractSettings) -> Fingerprint {
    Fingerprint::new(format!(
        "{}+{}+{}",
        fingerprint(parts.llm.as_ref(), Role::FactExtractor),
        fingerprint(parts.llm.as_ref(), Role::EntityExtractor),
        gates(settings),
    ))
}

/// Names what the gates let through.
pub(super) fn gates(settings: &ExtractSettings) -> String {
    format!(
        "gates/1:{}:{}:{}:{}",
        settings.max_facts_per_message,
        settings.min_quality.get(),
        settings.min_relation_confidence.get(),
        settings.utc_offset_seconds,
    )
}

/// Reads conversations, a batch at a time, with both extractors side by side. A batch that fails
/// costs only its conversations, and only the extractor that failed is asked again.
///
/// # Errors
///
/// What the store fails with. A model that fails is no error.
pub(super) async fn read(
    leases: &mut Leases<'_>,
    conversations: &[Vec<&Message>],
    left_out: BTreeMap<usize, (DeadReason, String)>,
    settings: &ExtractSettings,
) -> Result<Readings> {
    let (parts, channel) = (leases.parts, leases.channel);
    let budget = Budget {
        tokens: settings.batch_tokens,
        messages: settings.batch_messages,
    };
    let mut all: Vec<Piece> = pieces(conversations, budget);
    all.retain(|it| !left_out.contains_key(&it.conversation));
    let reader = (parts, channel, conversations, settings);
    let mut statements = Reader::<Statements>::begin(reader, all.clone(), budget).await?;
    let mut mentions = Reader::<Mentions>::begin(reader, all, budget).await?;
    loop {
        let (one, other) = (statements.next(), mentions.next());
        if one.is_none() && other.is_none() {
            break;
        }
        let (one, other) = futures::join!(statements.request(one), mentions.request(other));
        statements.take(one)?;
        mentions.take(other)?;
        if statements.outage.is_some() || mentions.outage.is_some() {
            break;
        }
        leases.renew().await?;
    }
    Ok(joined(statements, mentions, left_out))
}

/// A conversation is read where both extractors have read all of it.
fn joined(
    mut statements: Reader<'_, Statements>,
    mut mentions: Reader<'_, Mentions>,
    failed: BTreeMap<usize, (DeadReason, String)>,
) -> Readings {
    let mut readings = Readings {
        failed,
        ..Readings::default()
    };
    readings.failed.append(&mut statements.failed);
    readings.failed.append(&mut mentions.failed);
    readings.not_reached = statements.left();
    readings.not_reached.extend(mentions.left());
    readings
        .not_reached
        .retain(|it| !readings.failed.contains_key(it));
    readings.outage = statements.outage.or(mentions.outage);
    readings.kept = statements.kept;
    readings.kept.append(&mut mentions.kept);
    let (a, b) = (statements.effort, mentions.effort);
    readings.effort = Effort {
        calls: a.calls + b.calls,
        stray: a.stray + b.stray,
        splits: a.splits + b.splits,
        recalled: a.recalled + b.recalled,
    };
    for (id, said) in statements.by_message {
        match (said, mentions.by_message.remove(&id)) {
            (Part::Read(said), Some(Part::Read(named))) => {
                readings.by_message.insert(id, (said, named));
            }
            (Part::Dead(reason), _) | (_, Some(Part::Dead(reason))) => {
                readings.dead.insert(id, reason);
            }
            (Part::Read(_), None) => {}
        }
    }
    readings
}
