//! From an answer to its facts, from a fact to its messages, and what was judged of it.

use crate::components::Components;
use crate::error::Result;
use crate::lifecycle::judgements_of;
use crate::model::{
    AnswerOutcome, AnswerSentence, AtomicFact, Evidence, FactId, FactState, Judgement, Standing,
    Turn, TurnId,
};
use crate::ports::{
    ChannelScope, MessageStoreExt, Partition, RecordStoreExt, StoredMessage, Versioned,
};

/// Where a fact comes from and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct FactTrace {
    /// The fact with the revision of its record.
    pub fact: Versioned<AtomicFact>,
    /// Where it stands.
    pub state: FactState,
    /// Its evidence, each with the message as it is at this moment; none if that is gone.
    pub evidence: Vec<(Evidence, Option<StoredMessage>)>,
    /// What was judged of it, each with the texts of the other facts it names, oldest first.
    pub judgements: Vec<(Judgement, Vec<AtomicFact>)>,
}

/// Where an answer comes from and whether it still stands.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerTrace {
    /// The turn as it was kept.
    pub turn: Turn,
    /// Its sentences, each with the facts that it cites.
    pub sentences: Vec<SentenceTrace>,
    /// Whether a fact that it stood on counts no longer, or a message that it cites says something
    /// else by now.
    pub is_stale: bool,
}

/// A sentence of an answer with the facts that it cites.
#[derive(Clone, Debug, PartialEq)]
pub struct SentenceTrace {
    /// The sentence with its citations.
    pub sentence: AnswerSentence,
    /// The facts; one that is gone is left out.
    pub facts: Vec<FactTrace>,
}

/// Traces a fact to its messages; none if there is no such fact.
///
/// # Errors
///
/// What the stores fail with.
pub async fn trace_fact(
    parts: &Components,
    channel: &ChannelScope,
    id: &FactId,
) -> Result<Option<FactTrace>> {
    let partition = Partition::of(channel);
    let records = parts.records.as_ref();
    let Some(fact) = records.load::<AtomicFact>(&partition, id.as_str()).await? else {
        return Ok(None);
    };
    let standing = records.load::<Standing>(&partition, id.as_str()).await?;
    let mut evidence = Vec::new();
    for said in &fact.value.evidence {
        let stored = parts.messages.get_one(channel, &said.message).await?;
        evidence.push((said.clone(), stored));
    }
    let mut judgements = Vec::new();
    for judgement in judgements_of(records, &partition, id).await? {
        let others: Vec<String> = judgement
            .judged
            .facts()
            .into_iter()
            .filter(|other| *other != id)
            .map(ToString::to_string)
            .collect();
        let others = records.load_many::<AtomicFact>(&partition, &others).await?;
        judgements.push((
            judgement,
            others.into_iter().flatten().map(|it| it.value).collect(),
        ));
    }
    judgements.sort_by(|(a, _): &(Judgement, Vec<AtomicFact>), (b, _)| {
        (a.recorded_at, &a.id).cmp(&(b.recorded_at, &b.id))
    });
    let state = standing.map_or(FactState::Live, |it| it.value.state);
    Ok(Some(FactTrace {
        fact,
        state,
        evidence,
        judgements,
    }))
}

/// Traces an answer to its facts and messages; none if there is no such turn.
///
/// # Errors
///
/// What the stores fail with.
pub async fn trace_answer(
    parts: &Components,
    channel: &ChannelScope,
    id: &TurnId,
) -> Result<Option<AnswerTrace>> {
    let partition = Partition::of(channel);
    let Some(turn) = parts.records.load::<Turn>(&partition, id.as_str()).await? else {
        return Ok(None);
    };
    let turn = turn.value;
    let mut is_stale = false;
    for (fact, _) in &turn.stood_on {
        let trace = trace_fact(parts, channel, fact).await?;
        is_stale |= trace.is_none_or(|it| !it.state.is_visible());
    }
    let mut sentences = Vec::new();
    if let AnswerOutcome::Answered { sentences: said } = &turn.outcome {
        for sentence in said {
            for said in sentence.citations.iter().map(|it| &it.evidence) {
                let stored = parts.messages.get_one(channel, &said.message).await?;
                is_stale |=
                    stored.is_none_or(|it| it.message.is_deleted || it.version != said.version);
            }
            let mut facts = Vec::new();
            for fact in sentence.citations.iter().filter_map(|it| it.fact.as_ref()) {
                facts.extend(trace_fact(parts, channel, fact).await?);
            }
            sentences.push(SentenceTrace {
                sentence: sentence.clone(),
                facts,
            });
        }
    }
    Ok(Some(AnswerTrace {
        turn,
        sentences,
        is_stale,
    }))
}
