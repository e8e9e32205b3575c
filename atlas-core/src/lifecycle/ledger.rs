//! Reading the ledger: the judgements of facts, and everything that is joined by them.

use std::collections::{BTreeMap, BTreeSet};

use super::fold::fold;
use crate::error::Result;
use crate::model::{AtomicFact, FactId, Fingerprint, Judgement, Standing, Stored};
use crate::ports::{Collection, CommitBuilder, Key, Partition, RecordStore, RecordStoreExt};

/// Points from a fact to the judgements that name it: `fact/judgement`.
const OF_FACT: Collection = Collection::literal(".judgement_of");

/// Changes with every judgement of a fact. Whoever adds one expects it as it was, so that of two
/// writers, neither of whom sees the other's judgement, one decides again.
const JUDGED: Collection = Collection::literal(".judged");

/// Adds a judgement to the ledger, with the pointers to it.
pub(super) async fn add(
    records: &dyn RecordStore,
    partition: &Partition,
    commit: &mut CommitBuilder,
    judgement: &Judgement,
) -> Result<()> {
    let known = commit
        .load_many::<Judgement>(records, partition, &[judgement.id.to_string()])
        .await?;
    // The same verdict again is the one that stands, from when it was given first.
    if known
        .into_iter()
        .flatten()
        .any(|it| it.value.verdict == judgement.verdict)
    {
        return Ok(());
    }
    commit.put(judgement)?;
    for fact in judgement.judged.facts() {
        let id = format!("{fact}/{}", judgement.id);
        let last = judgement.id.as_str().as_bytes().to_vec();
        commit.put_raw(Key::new(OF_FACT, id), last.clone());
        let judged = Key::new(JUDGED, fact.as_str());
        commit
            .get(records, partition, std::slice::from_ref(&judged))
            .await?;
        commit.put_raw(judged, last);
    }
    Ok(())
}

/// The judgements that name a fact, in order of id.
///
/// # Errors
///
/// What the store fails with.
pub async fn judgements_of(
    records: &dyn RecordStore,
    partition: &Partition,
    fact: &FactId,
) -> Result<Vec<Judgement>> {
    let pointers = records
        .list_all(partition, &OF_FACT, &format!("{fact}/"))
        .await?;
    let ids: Vec<String> = pointers
        .iter()
        .filter_map(|it| it.key.id.split_once('/').map(|(_, id)| id.to_owned()))
        .collect();
    let found = records.load_many::<Judgement>(partition, &ids).await?;
    Ok(found.into_iter().flatten().map(|it| it.value).collect())
}

/// The ids of the facts that judgements join to a fact, itself not included.
///
/// # Errors
///
/// What the store fails with.
pub async fn judges_of(
    records: &dyn RecordStore,
    partition: &Partition,
    fact: &FactId,
) -> Result<BTreeSet<FactId>> {
    let judgements = judgements_of(records, partition, fact).await?;
    let named = judgements
        .iter()
        .flat_map(|it| it.judged.facts())
        .filter(|id| *id != fact);
    Ok(named.cloned().collect())
}

/// Computes the standings of facts, and of all that are joined to them, again.
///
/// `added` are judgements that the same commit adds to the ledger.
pub(super) async fn settle_standings(
    records: &dyn RecordStore,
    partition: &Partition,
    commit: &mut CommitBuilder,
    (touched, added): (BTreeSet<FactId>, &[Judgement]),
    detector: Option<&Fingerprint>,
) -> Result<usize> {
    let mut judgements: BTreeMap<String, Judgement> = BTreeMap::new();
    let mut added_of: BTreeMap<&FactId, Vec<&Judgement>> = BTreeMap::new();
    for judgement in added {
        for fact in judgement.judged.facts() {
            added_of.entry(fact).or_default().push(judgement);
        }
    }
    let mut known: BTreeSet<FactId> = BTreeSet::new();
    let mut open: Vec<FactId> = touched.into_iter().collect();
    while let Some(fact) = open.pop() {
        if !known.insert(fact.clone()) {
            continue;
        }
        let mut of_fact = judgements_of(records, partition, &fact).await?;
        // What is stored already stands before what this commit would add under the same id.
        for judgement in added_of.get(&fact).into_iter().flatten() {
            let stored = of_fact.iter().find(|it| it.id == judgement.id);
            if stored.is_none_or(|it| it.verdict != judgement.verdict) {
                of_fact.retain(|it| it.id != judgement.id);
                of_fact.push((*judgement).clone());
            }
        }
        for judgement in of_fact {
            let joined = judgement
                .judged
                .facts()
                .into_iter()
                .filter(|id| !known.contains(*id));
            open.extend(joined.cloned());
            judgements.insert(judgement.id.to_string(), judgement);
        }
    }
    let ids: Vec<String> = known.iter().map(ToString::to_string).collect();
    let facts = commit
        .load_many::<AtomicFact>(records, partition, &ids)
        .await?;
    let facts: Vec<AtomicFact> = facts.into_iter().flatten().map(|it| it.value).collect();
    commit
        .load_many::<Standing>(records, partition, &ids)
        .await?;
    let facts: Vec<&AtomicFact> = facts.iter().collect();
    let judgements: Vec<&Judgement> = judgements.values().collect();
    let judged: BTreeSet<&FactId> = judgements.iter().flat_map(|it| it.judged.facts()).collect();
    let mut standings: BTreeMap<FactId, Standing> = fold(&facts, &judgements, detector)
        .into_iter()
        .filter(|it| judged.contains(&it.fact))
        .map(|it| (it.fact.clone(), it))
        .collect();
    let n_standings = standings.len();
    for id in known {
        // A fact that is gone, or of which nothing is judged, has no standing.
        match standings.remove(&id) {
            Some(standing) => commit.put(&standing)?,
            None => commit.delete(Standing::key_of(id.as_str())),
        }
    }
    Ok(n_standings)
}
