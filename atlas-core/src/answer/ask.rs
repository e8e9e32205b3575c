//! Answers a question: searches, has a draft written, checks it, and keeps the turn.

use std::collections::BTreeMap;

use super::AnswerSettings;
use super::offer::{Offered, offer};
use super::verify::verify;
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::llm::router::Router;
use crate::llm::{AnswererInput, Role, fingerprint, serve};
use crate::maintain::bills;
use crate::model::{
    AbstentionReason, AnswerOutcome, AtomicFact, Bill, ChannelId, ContentHash, FactId, MessageId,
    Turn, TurnId,
};
use crate::ports::{ChannelScope, CommitBuilder, Epoch, Partition, RecordStoreExt, Scope};
use crate::retrieve::{
    Degraded, Found, Hit, RetrieveSettings, SearchOptions, SearchOutcome, search,
};
use crate::stage;

/// What a question may be told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AskOptions {
    /// How the evidence is looked for; its limit is the settings'.
    pub search: SearchOptions,
}

impl AskOptions {
    /// Sets how the evidence is looked for.
    #[must_use]
    pub fn with_search(mut self, search: SearchOptions) -> Self {
        self.search = search;
        self
    }
}

/// An answer with what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The turn, as it is kept.
    pub turn: Turn,
    /// What did not work on the way.
    pub degraded: Vec<Degraded>,
}

impl Answer {
    /// What was answered.
    pub fn outcome(&self) -> &AnswerOutcome {
        &self.turn.outcome
    }

    /// What models were asked for it and what that came to.
    pub fn bill(&self) -> &Bill {
        &self.turn.bill
    }
}

/// Answers a question from one channel or several, in one call of the model at most. The models
/// among the parts are behind the router, whose handle tells what the answer came to.
///
/// Every sentence of the answer cites what it stands on; where nothing can be said, the answer is
/// an abstention that tells why.
///
/// # Errors
///
/// What the stores fail with when the turn is kept. A part that cannot be reached while looking
/// or drafting is an abstention, [`AbstentionReason::CouldNotLook`].
///
/// # Cancel safety
///
/// Safe: the turn is kept whole or not at all.
pub async fn ask(
    (parts, router): (&Components, &Router),
    scope: &Scope,
    question: &str,
    options: &AskOptions,
    (retrieving, answering): (&RetrieveSettings, &AnswerSettings),
) -> Result<Answer> {
    let options = options
        .search
        .clone()
        // Twice as many as are offered: a message and the fact that stands on it are one.
        .with_limit(answering.max_evidence.max(1).saturating_mul(2));
    let mut degraded = Vec::new();
    // Read before anything is looked for, so that a purge meanwhile refuses the turn.
    let epochs = epochs(parts, scope).await?;
    let found = match search(parts, scope, question, &options, retrieving).await {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::Unavailable => {
            degraded.push(Degraded {
                leg: None,
                reason: error.to_string(),
            });
            let drafted = Drafted::abstained(AbstentionReason::CouldNotLook);
            return keep(
                (parts, router),
                (scope, epochs),
                question,
                drafted,
                degraded,
            )
            .await;
        }
        Err(error) => return Err(error),
    };
    degraded.extend(found.degraded.clone());
    let drafted = draft(parts, question, &found, answering, &mut degraded).await?;
    keep(
        (parts, router),
        (scope, epochs),
        question,
        drafted,
        degraded,
    )
    .await
}

/// An outcome with what it stands on.
struct Drafted {
    outcome: AnswerOutcome,
    used: Vec<Offered>,
    dropped: Vec<String>,
}

impl Drafted {
    fn abstained(reason: AbstentionReason) -> Self {
        Self {
            outcome: AnswerOutcome::Abstained { reason },
            used: Vec::new(),
            dropped: Vec::new(),
        }
    }
}

async fn draft(
    parts: &Components,
    question: &str,
    found: &SearchOutcome,
    settings: &AnswerSettings,
    degraded: &mut Vec<Degraded>,
) -> Result<Drafted> {
    if found.is_empty_question {
        return Ok(Drafted::abstained(AbstentionReason::EmptyQuestion));
    }
    let questions = answered_questions(parts, &found.hits).await?;
    let offered = offer(question, &found.hits, &questions, settings);
    if offered.is_empty() {
        // Nothing found where a part could not look is not the same as nothing there.
        let is_sure = found.degraded.is_empty();
        return Ok(Drafted::abstained(if is_sure {
            AbstentionReason::NothingFound
        } else {
            AbstentionReason::CouldNotLook
        }));
    }
    let task = AnswererInput {
        question: question.to_owned(),
        asked_at: parts.clock.now(),
        evidence: offered.iter().map(|it| it.evidence.clone()).collect(),
        max_sentences: settings.max_sentences,
    };
    let drafted = match serve(parts.llm.as_ref(), &task).await {
        Ok(drafted) => drafted.sentences,
        Err(error) if matches!(error.kind(), ErrorKind::Unavailable | ErrorKind::Invalid) => {
            degraded.push(Degraded {
                leg: None,
                reason: error.to_string(),
            });
            return Ok(Drafted::abstained(AbstentionReason::CouldNotLook));
        }
        Err(error) => return Err(error),
    };
    if drafted.is_empty() {
        return Ok(Drafted::abstained(AbstentionReason::NotAnswered));
    }
    let verified = verify(&drafted, &offered, settings.max_sentences);
    let used = verified
        .used
        .iter()
        .filter_map(|at| offered.get(*at).cloned())
        .collect();
    let outcome = if verified.sentences.is_empty() {
        AnswerOutcome::Abstained {
            reason: AbstentionReason::NotVerified,
        }
    } else {
        AnswerOutcome::Answered {
            sentences: verified.sentences,
        }
    };
    Ok(Drafted {
        outcome,
        used,
        dropped: verified.dropped,
    })
}

/// The texts of the questions that found facts answer.
async fn answered_questions(parts: &Components, hits: &[Hit]) -> Result<BTreeMap<FactId, String>> {
    let mut texts = BTreeMap::new();
    for hit in hits {
        let Found::Fact { fact, .. } = &hit.found else {
            continue;
        };
        let Some(id) = &fact.value.claim.answers else {
            continue;
        };
        let partition = Partition::Channel(hit.channel.clone());
        let question = parts
            .records
            .load::<AtomicFact>(&partition, id.as_str())
            .await?;
        texts.extend(question.map(|it| (id.clone(), it.value.claim.text)));
    }
    Ok(texts)
}

/// The channels of a scope with their epochs, and where its turns are kept: with the principal who
/// asked, or with the channel that was asked.
struct Epochs {
    channels: Vec<(ChannelId, u64)>,
    partition: Partition,
    epoch: Epoch,
}

async fn epochs(parts: &Components, scope: &Scope) -> Result<Epochs> {
    let mut channels = Vec::new();
    for channel in scope.channels() {
        let channel_scope = ChannelScope::new(channel.clone());
        let epoch = stage::epoch(parts.records.as_ref(), &channel_scope).await?;
        channels.push((channel.clone(), epoch.0));
    }
    let partition = match (scope.principal(), channels.first()) {
        (Some(user), _) => Partition::Principal(user.clone()),
        (None, Some((channel, _))) => Partition::Channel(channel.clone()),
        (None, None) => {
            return Err(Error::new(
                ErrorKind::Unexpected,
                "answer::ask",
                "the scope is empty",
            ));
        }
    };
    let epoch = parts.records.head(&partition).await?.epoch;
    Ok(Epochs {
        channels,
        partition,
        epoch,
    })
}

/// Keeps the turn.
async fn keep(
    (parts, router): (&Components, &Router),
    (scope, epochs): (&Scope, Epochs),
    question: &str,
    drafted: Drafted,
    degraded: Vec<Degraded>,
) -> Result<Answer> {
    let at = parts.clock.now();
    let Epochs {
        channels,
        partition,
        epoch,
    } = epochs;
    let asked_by = scope.principal().cloned();
    let names: Vec<&str> = channels
        .iter()
        .map(|(channel, _)| channel.as_str())
        .collect();
    let id = ContentHash::of_parts(&[&names.join("\u{1f}"), question, &at.to_string()]).short();
    let mut messages: Vec<MessageId> = drafted
        .used
        .iter()
        .map(|it| it.cited.message.clone())
        .collect();
    messages.sort();
    messages.dedup();
    let turn = Turn {
        id: TurnId::new(id),
        asked_by,
        channels,
        question: question.to_owned(),
        outcome: drafted.outcome,
        stood_on: drafted
            .used
            .iter()
            .filter_map(|it| it.fact.as_ref())
            .map(|(fact, revision)| (fact.clone(), revision.0))
            .collect(),
        messages,
        dropped: drafted.dropped,
        answerer: fingerprint(parts.llm.as_ref(), Role::Answerer),
        bill: router.bill(),
        at,
    };
    let records = parts.records.as_ref();
    let mut tries = 0;
    loop {
        let mut commit = CommitBuilder::new(epoch);
        commit.put(&turn)?;
        // The turn has its bill in any case: the day's sum is not worth an answer.
        let is_summed = tries < bills::TRIES;
        if is_summed {
            bills::add(records, &partition, &mut commit, (&turn.bill, at)).await?;
        }
        tries += 1;
        match stage::commit(records, &partition, commit).await {
            Err(error) if error.kind() == ErrorKind::Conflict && is_summed => {}
            Err(error) => return Err(error),
            Ok(_) => return Ok(Answer { turn, degraded }),
        }
    }
}
