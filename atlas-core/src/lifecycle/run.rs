//! Compares what changed with what is known, and records what is found.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::plan::{Bench, duplicate, judged};
use super::{LifecycleSettings, ledger, pairs};
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::llm::{ContradictionInput, LabelledFact, Role, fingerprint, serve};
use crate::model::{AtomicFact, ContentHash, FactId, Fingerprint, Judgement, Stored};
use crate::ports::{
    ChannelScope, Collection, CommitBuilder, DocumentKind, Filter, Leg, LifecycleView, Partition,
    RecordStoreExt, Scope, SearchRequest, Visibility,
};
use crate::{stage, vectors};

/// What judging did.
#[derive(Debug, Default)]
pub struct LifecycleReport {
    /// Facts that were compared.
    pub compared: usize,
    /// Pairs that were put before the detector.
    pub pairs: usize,
    /// Judgements that were added.
    pub judgements: usize,
    /// Verdicts that were not taken.
    pub refused: usize,
    /// Facts that wait because the detector failed; they are compared next time.
    pub waiting: usize,
    /// Calls of the provider.
    pub n_calls: usize,
    /// How the detector failed last.
    pub failure: Option<Error>,
}

/// That a fact was compared with everything that was known then. What came later was compared
/// with it when it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Compared {
    fact: FactId,
    by: Fingerprint,
    claim: ContentHash,
}

impl Stored for Compared {
    const COLLECTION: Collection = Collection::literal(".compared");
    const SCHEMA: u32 = 1;

    fn record_id(&self) -> String {
        self.fact.to_string()
    }
}

/// Compares every fact that changed with the channel's facts, and computes where they stand.
///
/// The index must have caught up with the feed.
///
/// # Errors
///
/// What the stores fail with. A detector that fails is no error: the fact waits.
///
/// # Cancel safety
///
/// Safe: everything that was found is one commit.
pub async fn run(
    parts: &Components,
    channel: &ChannelScope,
    settings: &LifecycleSettings,
) -> Result<LifecycleReport> {
    let records = parts.records.as_ref();
    let partition = Partition::of(channel);
    let detector = fingerprint(parts.llm.as_ref(), Role::ContradictionDetector);
    let mut commit = CommitBuilder::new(stage::epoch(records, channel).await?);
    let follows = [AtomicFact::COLLECTION];
    let pending = stage::pending(
        records,
        &partition,
        &mut commit,
        ("lifecycle", &detector),
        &follows,
    )
    .await?;
    let mut report = LifecycleReport::default();
    if pending.is_empty() {
        return Ok(report);
    }
    // Neighbours are looked for in the index: what it does not know would never be compared.
    if parts.facts.applied(channel).await?.revision < pending.cursor().revision {
        return Err(Error::new(
            ErrorKind::Conflict,
            "lifecycle::run",
            "the index has not caught up with the feed",
        ));
    }
    let changed: BTreeSet<FactId> = pending
        .changes
        .iter()
        .map(|it| FactId::new(it.key.id.clone()))
        .collect();
    let known: BTreeMap<FactId, AtomicFact> = records
        .load_all::<AtomicFact>(&partition)
        .await?
        .into_iter()
        .map(|it| (it.value.id.clone(), it.value))
        .collect();
    let bench = Bench {
        detector: &detector,
        now: parts.clock.now(),
    };
    let mut by_slot: BySlot<'_> = BTreeMap::new();
    for fact in known.values() {
        if let Some(slot) = slot_of(fact) {
            by_slot.entry(slot).or_default().push(fact);
        }
    }
    let court = Court {
        parts,
        channel,
        settings,
        known: &known,
        by_slot: &by_slot,
        bench,
    };
    let added = court
        .compare_all(&changed, &mut commit, &mut report)
        .await?;
    for judgement in &added {
        ledger::add(records, &partition, &mut commit, judgement).await?;
    }
    report.judgements = added.len();
    let mut touched = changed;
    touched.extend(added.iter().flat_map(|it| it.judged.facts()).cloned());
    ledger::settle_standings(
        records,
        &partition,
        &mut commit,
        (touched, &added),
        Some(&detector),
    )
    .await?;
    if report.waiting == 0 {
        pending.finish(&mut commit)?;
    }
    stage::commit(records, &partition, commit).await?;
    Ok(report)
}

/// Facts by the property that they speak of: subject and family.
type BySlot<'a> = BTreeMap<(&'a str, &'a str), Vec<&'a AtomicFact>>;

fn slot_of(fact: &AtomicFact) -> Option<(&str, &str)> {
    let slot = fact.claim.slot.as_ref()?;
    Some((slot.subject.as_str(), slot.family.as_str()))
}

/// A comparison of facts with all that is known.
struct Court<'a> {
    parts: &'a Components,
    channel: &'a ChannelScope,
    settings: &'a LifecycleSettings,
    known: &'a BTreeMap<FactId, AtomicFact>,
    by_slot: &'a BySlot<'a>,
    bench: Bench<'a>,
}

impl Court<'_> {
    async fn compare_all(
        &self,
        changed: &BTreeSet<FactId>,
        commit: &mut CommitBuilder,
        report: &mut LifecycleReport,
    ) -> Result<Vec<Judgement>> {
        let partition = Partition::of(self.channel);
        let records = self.parts.records.as_ref();
        let ids: Vec<String> = changed.iter().map(ToString::to_string).collect();
        let compared = commit
            .load_many::<Compared>(records, &partition, &ids)
            .await?;
        let mut seen: BTreeSet<(FactId, FactId)> = BTreeSet::new();
        let mut added = Vec::new();
        for (id, compared) in changed.iter().zip(compared) {
            let Some(fact) = self.known.get(id) else {
                commit.delete(Compared::key_of(id.as_str()));
                continue;
            };
            let mark = Compared {
                fact: id.clone(),
                by: self.bench.detector.clone(),
                claim: claim_hash(fact),
            };
            if !pairs::is_comparable(fact) || compared.is_some_and(|it| it.value == mark) {
                continue;
            }
            let mut rivals = self.rivals(fact).await?;
            rivals.retain(|(other, _)| {
                let pair = if other.id < *id {
                    (&other.id, id)
                } else {
                    (id, &other.id)
                };
                seen.insert((pair.0.clone(), pair.1.clone()))
            });
            match self.compare(fact, &rivals, report).await {
                Ok(found) => {
                    added.extend(found);
                    commit.put(&mark)?;
                    report.compared += 1;
                }
                // The model failed on this fact: it waits, the others go on.
                Err(error) => {
                    report.waiting += 1;
                    let is_outage = error.kind() == ErrorKind::Unavailable;
                    report.failure = Some(error);
                    if is_outage {
                        break;
                    }
                }
            }
        }
        Ok(added)
    }

    /// The facts that a fact is compared with, with their cosines, in order of id.
    async fn rivals(&self, fact: &AtomicFact) -> Result<Vec<(&AtomicFact, f32)>> {
        let near = self.near(fact).await?;
        let compare_from = self.settings.compare_from;
        // Whoever is compared shares the slot or is near: nobody else is looked at.
        let of_slot = slot_of(fact).and_then(|slot| self.by_slot.get(&slot));
        let of_slot = of_slot.into_iter().flatten().copied();
        let others = near.keys().filter_map(|id| self.known.get(id));
        let others: BTreeMap<&FactId, &AtomicFact> =
            of_slot.chain(others).map(|it| (&it.id, it)).collect();
        Ok(others
            .into_values()
            .map(|other| (other, near.get(&other.id).copied().unwrap_or(-1.0)))
            .filter(|(other, cosine)| pairs::are_compared(fact, other, *cosine, compare_from))
            .collect())
    }

    /// The facts near in meaning, every one of them, by exact search.
    async fn near(&self, fact: &AtomicFact) -> Result<BTreeMap<FactId, f32>> {
        let partition = Partition::of(self.channel);
        let kept = vectors::kept(self.parts, &partition, &[fact.text()]).await?;
        let Some(vector) = kept.into_iter().next().flatten() else {
            return Ok(BTreeMap::new());
        };
        let scope = Scope::from(self.channel);
        let mut limit = 32;
        loop {
            let request = SearchRequest {
                leg: Leg::Dense {
                    vector: vector.clone(),
                },
                visibility: Visibility {
                    view: LifecycleView::All,
                    ..Visibility::default()
                },
                filter: Filter {
                    kinds: vec![DocumentKind::Fact],
                    ..Filter::default()
                },
                limit,
            };
            let hits = self.parts.facts.search(&scope, &request).await?;
            let is_all = hits.len() < limit
                || hits
                    .last()
                    .is_none_or(|hit| hit.score < self.settings.compare_from);
            if is_all {
                let near = hits
                    .into_iter()
                    .filter(|it| it.score >= self.settings.compare_from);
                return Ok(near.map(|hit| (FactId::new(hit.id), hit.score)).collect());
            }
            limit *= 4;
        }
    }

    async fn compare(
        &self,
        fact: &AtomicFact,
        rivals: &[(&AtomicFact, f32)],
        report: &mut LifecycleReport,
    ) -> Result<Vec<Judgement>> {
        let mut added = Vec::new();
        let mut open: Vec<&AtomicFact> = Vec::new();
        for (other, cosine) in rivals {
            match duplicate(fact, other, *cosine, self.settings, &self.bench) {
                Some(judgement) => added.push(judgement),
                None => open.push(other),
            }
        }
        for candidates in open.chunks(self.settings.candidates_per_call.max(1)) {
            let task = ContradictionInput {
                fact: labelled(fact, "fact".to_owned()),
                candidates: candidates
                    .iter()
                    .enumerate()
                    .map(|(place, it)| labelled(it, format!("f{}", place + 1)))
                    .collect(),
            };
            report.n_calls += 1;
            report.pairs += candidates.len();
            let reply = serve(self.parts.llm.as_ref(), &task).await?;
            let mut judged_labels: BTreeSet<String> = BTreeSet::new();
            for verdict in reply.verdicts {
                let place = task
                    .candidates
                    .iter()
                    .position(|it| it.label == verdict.candidate);
                let other = place.and_then(|place| candidates.get(place));
                let is_first = judged_labels.insert(verdict.candidate.clone());
                let (Some(other), true) = (other, is_first) else {
                    report.refused += 1;
                    continue;
                };
                match judged((fact, other), &verdict, self.settings, &self.bench) {
                    Ok(judgement) => added.extend(judgement),
                    Err(_) => report.refused += 1,
                }
            }
        }
        Ok(added)
    }
}

/// Names what was compared: everything that the claim says, not its words alone.
fn claim_hash(fact: &AtomicFact) -> ContentHash {
    // Serialising plain data with string keys does not fail.
    ContentHash::of(&serde_json::to_vec(&fact.claim).unwrap_or_default())
}

fn labelled(fact: &AtomicFact, label: String) -> LabelledFact {
    LabelledFact::new(fact, label, false)
}
