//! Writes the summaries that are behind: topics first, then the channel.

use std::collections::{BTreeMap, BTreeSet};

use super::TopicSettings;
use super::knowledge::{Knowledge, Loaded};
use super::point::Place;
use super::run::TopicReport;
use super::summarize::{
    ToldTopic, TopicBrief, channel_made_from, channel_summary, channel_task, largest, made_from,
    topic_summary, topic_task,
};
use super::telling::SeenFact;
use super::title;
use crate::components::Components;
use crate::error::{ErrorKind, Result};
use crate::llm::{Role, fingerprint, serve};
use crate::model::{
    AtomicFact, ChannelSummary, ContentHash, Fingerprint, Membership, Standing, Stored,
    TopicCluster, TopicId, TopicSummary,
};
use crate::ports::{ChannelScope, CommitBuilder, Epoch, Partition};
use crate::stage;

/// The version of the rules of summing up; also what writes where no model is asked.
const RULES: &str = "summary 1";

/// Brings every summary up to date, as far as the provider answers.
pub(super) async fn summaries(
    parts: &Components,
    channel: &ChannelScope,
    settings: &TopicSettings,
    report: &mut TopicReport,
) -> Result<()> {
    let records = parts.records.as_ref();
    let partition = Partition::of(channel);
    let epoch = stage::epoch(records, channel).await?;
    let mut last = CommitBuilder::new(epoch);
    let rules = rules(parts, settings);
    let follows = [
        AtomicFact::COLLECTION,
        Standing::COLLECTION,
        Membership::COLLECTION,
    ];
    let pending = stage::pending(
        records,
        &partition,
        &mut last,
        ("topic_summary", &rules),
        &follows,
    )
    .await?;
    if pending.is_empty() {
        return Ok(());
    }
    let known = Knowledge::load(records, &partition).await?;
    let memberships = Loaded::<Membership>::load(records, &partition).await?;
    let mut behind = Behind {
        parts,
        partition: &partition,
        settings,
        epoch,
        topics: Loaded::load(records, &partition).await?,
        stored: Loaded::load(records, &partition).await?,
        told: BTreeMap::new(),
        commit: CommitBuilder::new(epoch),
        is_out: false,
    };
    let members = known.members(&memberships);
    for summary in behind.stored.values.values() {
        if members.contains_key(&summary.topic) {
            (behind.told).insert(summary.topic.clone(), summary.clone());
        }
    }
    let mut order: Vec<(&TopicId, &Vec<SeenFact<'_>>)> = members.iter().collect();
    order.sort_by_cached_key(|(_, members)| members.first().map(|it| Place::of(it.fact)));
    for (topic, members) in order {
        behind.write(topic, members, report).await?;
    }
    behind.flush().await?;
    behind.write_channel(&known, &members, report).await?;
    if report.failed.is_empty() {
        pending.finish(&mut last)?;
        stage::commit(records, &partition, last).await?;
    }
    Ok(())
}

/// What is behind, and what is written of it.
struct Behind<'a> {
    parts: &'a Components,
    partition: &'a Partition,
    settings: &'a TopicSettings,
    epoch: Epoch,
    topics: Loaded<TopicCluster>,
    stored: Loaded<TopicSummary>,
    /// The summaries as they stand.
    told: BTreeMap<TopicId, TopicSummary>,
    commit: CommitBuilder,
    /// Whether the provider does not answer: nothing more is asked in this run.
    is_out: bool,
}

impl Behind<'_> {
    async fn write(
        &mut self,
        topic: &TopicId,
        members: &[SeenFact<'_>],
        report: &mut TopicReport,
    ) -> Result<()> {
        let llm = self.parts.llm.as_ref();
        let asks = members.len() >= self.settings.model_from;
        let writer = if asks {
            fingerprint(llm, Role::TopicSummarizer)
        } else {
            Fingerprint::new(RULES)
        };
        let is_current = (self.told.get(topic))
            .is_some_and(|it| it.made_from == made_from(members) && it.writer == writer);
        if is_current {
            return Ok(());
        }
        let others = || self.told.values().filter(|it| it.topic != *topic);
        let taken: BTreeSet<String> = others().map(|it| title::same(&it.title)).collect();
        let brief = TopicBrief {
            topic,
            members,
            taken: &taken,
            writer: &writer,
        };
        let (summary, dropped) = if asks {
            let titles = others().map(|it| it.title.clone()).collect();
            let (offer, task) = topic_task(members, titles, self.settings);
            let Some(reply) = self.ask(&task, topic, report).await else {
                return Ok(());
            };
            topic_summary(&brief, Some((&offer, &reply)), self.settings)
        } else {
            topic_summary(&brief, None, self.settings)
        };
        report.dropped.add(dropped);
        report.written += 1;
        self.topics.expect(&mut self.commit, topic.as_str());
        self.stored.put(&mut self.commit, &summary)?;
        self.told.insert(topic.clone(), summary);
        // What was paid for is kept at once.
        if asks && !llm.capabilities().model_free {
            self.flush().await?;
        }
        Ok(())
    }

    /// The reply to a task; none if it failed, which is told in the report.
    async fn ask<T: crate::llm::Task>(
        &mut self,
        task: &T,
        topic: &TopicId,
        report: &mut TopicReport,
    ) -> Option<T::Output> {
        let failure = if self.is_out {
            crate::Error::new(
                ErrorKind::Unavailable,
                "topic::run",
                "waits for the provider to answer again",
            )
        } else {
            report.n_calls += 1;
            match serve(self.parts.llm.as_ref(), task).await {
                Ok(reply) => return Some(reply),
                Err(error) => error,
            }
        };
        self.is_out |= failure.kind() == ErrorKind::Unavailable;
        report.failed.push((topic.clone(), failure));
        None
    }

    async fn flush(&mut self) -> Result<()> {
        let commit = std::mem::replace(&mut self.commit, CommitBuilder::new(self.epoch));
        stage::commit(self.parts.records.as_ref(), self.partition, commit).await?;
        Ok(())
    }

    async fn write_channel(
        &mut self,
        known: &Knowledge,
        members: &BTreeMap<TopicId, Vec<SeenFact<'_>>>,
        report: &mut TopicReport,
    ) -> Result<()> {
        let records = self.parts.records.as_ref();
        let stored = Loaded::<ChannelSummary>::load(records, self.partition).await?;
        let current = stored.values.values().next();
        let told = std::mem::take(&mut self.told);
        let topics = told.values().map(|summary| ToldTopic {
            summary,
            n_members: members.get(&summary.topic).map_or(0, Vec::len),
            key_facts: (summary.key_facts.iter())
                .filter_map(|id| known.seen(id))
                .collect(),
        });
        let topics = largest(topics.collect(), self.settings);
        if topics.is_empty() {
            if let Some(summary) = current {
                stored.delete(&mut self.commit, &summary.record_id());
            }
            return self.flush().await;
        }
        let writer = fingerprint(self.parts.llm.as_ref(), Role::ChannelSummarizer);
        let made_from = channel_made_from(&topics);
        if current.is_some_and(|it| it.made_from == made_from && it.writer == writer) {
            return Ok(());
        }
        let (offer, task) = channel_task(&topics);
        let Some(reply) = self.ask(&task, &TopicId::new(""), report).await else {
            return Ok(());
        };
        let (summary, dropped) = channel_summary(&topics, &offer, &reply, &writer);
        report.dropped.add(dropped);
        report.written += 1;
        stored.put(&mut self.commit, &summary)?;
        self.flush().await
    }
}

/// Names the rules and the writers: other ones look at every summary again.
fn rules(parts: &Components, settings: &TopicSettings) -> Fingerprint {
    let TopicSettings {
        model_from,
        max_facts_a_summary,
        max_key_facts,
        max_topics_a_channel,
        ..
    } = settings;
    let topic = fingerprint(parts.llm.as_ref(), Role::TopicSummarizer);
    let channel = fingerprint(parts.llm.as_ref(), Role::ChannelSummarizer);
    let all = format!(
        "{RULES} {topic} {channel} {model_from} {max_facts_a_summary} {max_key_facts} \
         {max_topics_a_channel}"
    );
    Fingerprint::new(ContentHash::of(all.as_bytes()).short())
}
