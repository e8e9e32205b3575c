//! Whether everything that is stored agrees with everything else.

use std::collections::{BTreeMap, BTreeSet};

use crate::components::Components;
use crate::error::Result;
use crate::extract::assemble::{assemble, facts_of};
use crate::lifecycle::fold::fold;
use crate::llm::{Role, fingerprint};
use crate::model::{
    AtomicFact, FactId, FactState, GraphEntity, GraphRelation, Judgement, Membership,
    MessageOutcome, Standing, Stored, TopicCluster, WikiPage,
};
use crate::ports::{ChannelScope, MessageStore, Partition, RecordStoreExt};

/// What must always be true of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invariant {
    /// Every quote stands in the version of the message that the evidence names.
    QuoteStands,
    /// No evidence is of another channel.
    OneChannel,
    /// A fact is exactly what its outcomes say, and each claim of an outcome has its fact.
    FactIsFold,
    /// A standing is exactly the fold over its judgements.
    StandingIsFold,
    /// A superseded fact names one that exists and is not superseded itself.
    SupersessionEnds,
    /// Every fact that does not count has a judgement with a reason.
    Reasoned,
    /// Both ends of a relation exist.
    EndsExist,
    /// A topic has as many members as there are memberships that name it.
    MembersCount,
    /// Every sentence of a page cites facts, and all of them exist.
    PageCites,
    /// No two pages have one title or one slug.
    PagesDiffer,
}

/// Something that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// What must be true.
    pub invariant: Invariant,
    /// Which record breaks it.
    pub record: String,
    /// What was seen.
    pub seen: String,
}

/// Checks a settled channel against every invariant. An empty list means that all of them hold.
///
/// # Errors
///
/// What the stores fail with.
pub async fn check(parts: &Components, channel: &ChannelScope) -> Result<Vec<Violation>> {
    let partition = Partition::of(channel);
    let records = parts.records.as_ref();
    let stored = Stores {
        facts: by_id(records.load_all::<AtomicFact>(&partition).await?, |it| {
            it.id.clone()
        }),
        outcomes: records
            .load_all::<MessageOutcome>(&partition)
            .await?
            .into_iter()
            .map(|it| it.value)
            .collect(),
        standings: by_id(records.load_all::<Standing>(&partition).await?, |it| {
            it.fact.clone()
        }),
        judgements: records
            .load_all::<Judgement>(&partition)
            .await?
            .into_iter()
            .map(|it| it.value)
            .collect(),
    };
    let mut found = Vec::new();
    stored
        .check_quotes(parts.messages.as_ref(), channel, &mut found)
        .await?;
    stored.check_facts(channel, &mut found);
    stored.check_standings(parts, &mut found);
    check_graph(parts, &partition, &mut found).await?;
    check_topics(parts, &partition, &mut found).await?;
    stored.check_pages(parts, &partition, &mut found).await?;
    found.sort();
    Ok(found)
}

fn by_id<T, K: Ord>(all: Vec<crate::ports::Versioned<T>>, id: impl Fn(&T) -> K) -> BTreeMap<K, T> {
    all.into_iter()
        .map(|it| (id(&it.value), it.value))
        .collect()
}

struct Stores {
    facts: BTreeMap<FactId, AtomicFact>,
    outcomes: Vec<MessageOutcome>,
    standings: BTreeMap<FactId, Standing>,
    judgements: Vec<Judgement>,
}

impl Stores {
    async fn check_quotes(
        &self,
        messages: &dyn MessageStore,
        channel: &ChannelScope,
        found: &mut Vec<Violation>,
    ) -> Result<()> {
        for fact in self.facts.values() {
            for evidence in &fact.evidence {
                let mut violate = |invariant, seen: String| {
                    found.push(Violation {
                        invariant,
                        record: fact.key().to_string(),
                        seen,
                    });
                };
                if evidence.message.channel != *channel.channel() {
                    violate(Invariant::OneChannel, evidence.message.to_string());
                    continue;
                }
                let versions = messages.versions(channel, &evidence.message).await?;
                let version = versions.iter().find(|it| it.version == evidence.version);
                let said = version.and_then(|it| evidence.span.of(&it.message.text));
                if said != Some(evidence.quote.as_str()) {
                    violate(Invariant::QuoteStands, format!("{:?}", evidence.quote));
                }
            }
        }
        Ok(())
    }

    fn check_facts(&self, channel: &ChannelScope, found: &mut Vec<Violation>) {
        let mut by_fact: BTreeMap<FactId, Vec<&MessageOutcome>> = BTreeMap::new();
        for outcome in &self.outcomes {
            for fact in facts_of(channel.channel(), outcome) {
                by_fact.entry(fact).or_default().push(outcome);
            }
        }
        let ids: BTreeSet<&FactId> = by_fact.keys().chain(self.facts.keys()).collect();
        for id in ids {
            let said = by_fact.get(id).map(Vec::as_slice).unwrap_or_default();
            if assemble(channel.channel(), id, said).as_ref() != self.facts.get(id) {
                found.push(Violation {
                    invariant: Invariant::FactIsFold,
                    record: AtomicFact::key_of(id.as_str()).to_string(),
                    seen: format!("{} outcomes say it", said.len()),
                });
            }
        }
    }

    fn check_standings(&self, parts: &Components, found: &mut Vec<Violation>) {
        let facts: Vec<&AtomicFact> = self.facts.values().collect();
        let judgements: Vec<&Judgement> = self.judgements.iter().collect();
        let judged: BTreeSet<&FactId> =
            judgements.iter().flat_map(|it| it.judged.facts()).collect();
        let detector = fingerprint(parts.llm.as_ref(), Role::ContradictionDetector);
        let mut expected: BTreeMap<FactId, Standing> = fold(&facts, &judgements, Some(&detector))
            .into_iter()
            .filter(|it| judged.contains(&it.fact))
            .map(|it| (it.fact.clone(), it))
            .collect();
        for (id, standing) in &self.standings {
            let mut violate = |invariant, seen: String| {
                found.push(Violation {
                    invariant,
                    record: standing.key().to_string(),
                    seen,
                });
            };
            let folded = expected.remove(id);
            if folded.as_ref() != Some(standing) {
                violate(Invariant::StandingIsFold, format!("{folded:?}"));
            }
            if let FactState::Superseded { by } = &standing.state {
                let end = self.standings.get(by).map(|it| &it.state);
                let is_end = !matches!(end, Some(FactState::Superseded { .. }));
                if !self.facts.contains_key(by) || !is_end {
                    violate(Invariant::SupersessionEnds, by.to_string());
                }
            }
            let is_reasoned = self
                .judgements
                .iter()
                .any(|it| it.judged.facts().contains(&id) && !it.reason.trim().is_empty());
            if !standing.state.is_visible() && !is_reasoned {
                violate(Invariant::Reasoned, format!("{:?}", standing.state));
            }
        }
        for standing in expected.values() {
            found.push(Violation {
                invariant: Invariant::StandingIsFold,
                record: standing.key().to_string(),
                seen: "it is not stored".to_owned(),
            });
        }
    }

    async fn check_pages(
        &self,
        parts: &Components,
        partition: &Partition,
        found: &mut Vec<Violation>,
    ) -> Result<()> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for page in parts.records.load_all::<WikiPage>(partition).await? {
            let page = page.value;
            let mut violate = |invariant, seen: String| {
                found.push(Violation {
                    invariant,
                    record: page.key().to_string(),
                    seen,
                });
            };
            let language = &page.language;
            for name in [
                format!("{language} title {}", page.title.to_lowercase()),
                format!("{language} slug {}", page.slug),
            ] {
                if !names.insert(name.clone()) {
                    violate(Invariant::PagesDiffer, name);
                }
            }
            for fact in page.cited() {
                if !self.facts.contains_key(&fact) {
                    violate(Invariant::PageCites, fact.to_string());
                }
            }
            if page
                .sections
                .iter()
                .flat_map(|it| &it.sentences)
                .any(|it| it.facts.is_empty())
            {
                violate(Invariant::PageCites, "a sentence cites nothing".to_owned());
            }
        }
        Ok(())
    }
}

async fn check_graph(
    parts: &Components,
    partition: &Partition,
    found: &mut Vec<Violation>,
) -> Result<()> {
    let entities = parts.records.load_all::<GraphEntity>(partition).await?;
    let entities = by_id(entities, |it| it.id.clone());
    for relation in parts.records.load_all::<GraphRelation>(partition).await? {
        let relation = relation.value;
        for end in [&relation.source, &relation.target] {
            if !entities.contains_key(end) {
                found.push(Violation {
                    invariant: Invariant::EndsExist,
                    record: relation.key().to_string(),
                    seen: end.to_string(),
                });
            }
        }
    }
    Ok(())
}

async fn check_topics(
    parts: &Components,
    partition: &Partition,
    found: &mut Vec<Violation>,
) -> Result<()> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for membership in parts.records.load_all::<Membership>(partition).await? {
        *counts
            .entry(membership.value.topic.to_string())
            .or_default() += 1;
    }
    for topic in parts.records.load_all::<TopicCluster>(partition).await? {
        let topic = topic.value;
        let counted = counts.remove(topic.id.as_str()).unwrap_or_default();
        if counted != topic.n_members {
            found.push(Violation {
                invariant: Invariant::MembersCount,
                record: topic.key().to_string(),
                seen: format!("{counted} memberships"),
            });
        }
    }
    found.extend(counts.into_iter().map(|(topic, counted)| Violation {
        invariant: Invariant::MembersCount,
        record: TopicCluster::key_of(topic).to_string(),
        seen: format!("{counted} memberships and no topic"),
    }));
    Ok(())
}
