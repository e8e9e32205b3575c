//! Plans the pages, writes what changed, and puts the whole wiki in place at once.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::WikiSettings;
use super::brief::PageBrief;
use super::merge::{Written, join};
use super::plan::{Sources, plan};
use super::write::{Facts, Sheet, n_cited};
use crate::components::Components;
use crate::error::{Error, ErrorKind, Result};
use crate::llm::{Role, fingerprint, serve};
use crate::model::{
    AtomicFact, ChannelSummary, ContentHash, Curation, CurationMode, FactId, Fingerprint,
    GraphEntity, Language, Membership, PageId, Section, Standing, Stored, TopicSummary, WikiPage,
};
use crate::ports::{ChannelScope, Collection, CommitBuilder, Epoch, LlmProvider, Partition};
use crate::stage;
use crate::topic::knowledge::{Knowledge, Loaded};
use crate::topic::telling::Dropped;

/// The version of the rules of planning and writing.
const RULES: &str = "wiki 1";

/// What this stage did.
#[derive(Debug, Default)]
pub struct WikiReport {
    /// Pages of the wiki, where anything was looked at.
    pub pages: usize,
    /// Pages that were written.
    pub written: usize,
    /// Pages that are gone.
    pub deleted: usize,
    /// Pages that a person keeps as they are.
    pub curated: usize,
    /// Pages that could not be written and stay as they were, with why.
    pub failed: Vec<(PageId, Error)>,
    /// Titles of planned pages that came out with too few cited sentences and were not written.
    pub thin: Vec<String>,
    /// Visible facts that no page cites.
    pub untold: Vec<FactId>,
    /// Calls of the provider.
    pub n_calls: usize,
    /// Sentences that did not stand the check.
    pub dropped: Dropped,
}

/// Sections of a page that were written for a wiki that is not in place yet, so that a build that
/// is broken off pays for nothing twice.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PageDraft {
    page: PageId,
    language: Language,
    sections: Vec<Section>,
}

impl Stored for PageDraft {
    const COLLECTION: Collection = Collection::literal(".page_draft");
    const SCHEMA: u32 = 1;

    fn record_id(&self) -> String {
        self.page.to_string()
    }
}

/// Brings the wiki up to date.
///
/// Sections whose facts did not change stay byte for byte and cost nothing; pages that people keep
/// are not touched; a page that cannot be written stays as it was and is told in the report, and
/// the next run tries again. The whole wiki changes in one commit. Where nothing changed, nothing
/// is asked and nothing is written.
///
/// # Errors
///
/// What the store fails with; [`ErrorKind::Conflict`] if somebody else wrote meanwhile, curated a
/// page for one: run again, what was written is not paid for again.
///
/// # Cancel safety
///
/// Safe: readers see the wiki as it was until the one commit at the end.
pub async fn run(
    parts: &Components,
    channel: &ChannelScope,
    settings: &WikiSettings,
) -> Result<WikiReport> {
    let records = parts.records.as_ref();
    let partition = Partition::of(channel);
    let epoch = stage::epoch(records, channel).await?;
    let mut commit = CommitBuilder::new(epoch);
    let rules = rules(parts, settings);
    let follows = [
        AtomicFact::COLLECTION,
        Standing::COLLECTION,
        GraphEntity::COLLECTION,
        Membership::COLLECTION,
        TopicSummary::COLLECTION,
        ChannelSummary::COLLECTION,
        Curation::COLLECTION,
    ];
    let name = format!("wiki/{}", settings.language);
    let pending =
        stage::pending(records, &partition, &mut commit, (&name, &rules), &follows).await?;
    if pending.is_empty() {
        return Ok(WikiReport::default());
    }
    let read = Read::load(parts, &partition).await?;
    let before: Vec<WikiPage> = (read.pages.values.values())
        .filter(|it| it.language == settings.language)
        .cloned()
        .collect();
    let curated: BTreeSet<PageId> = (read.curations.values.values())
        .filter(|it| it.mode != CurationMode::Auto)
        .map(|it| it.page.clone())
        .collect();
    let sources = read.sources(channel, &before, &curated);
    let briefs = plan(&sources, settings);
    let mut build = Build {
        parts,
        partition: &partition,
        epoch,
        read: &read,
        before: &before,
        facts: &sources.facts,
        settings,
        writer: fingerprint(parts.llm.as_ref(), Role::WikiWriter),
        stays: BTreeSet::new(),
        written: Vec::new(),
        is_out: false,
        report: WikiReport::default(),
    };
    for page in before.iter().filter(|it| curated.contains(&it.id)) {
        build.stays.insert(page.id.clone());
        build.report.curated += 1;
    }
    for brief in &briefs {
        if !curated.contains(&brief.id) {
            build.page(brief).await?;
        }
    }
    let (writer, mut report) = (build.writer, build.report);
    let (stays, written) = (build.stays, build.written);
    let wiki = join(&before, &stays, written, (&writer, &settings.language));
    for page in wiki.pages.iter().filter(|it| !stays.contains(&it.id)) {
        read.curations.expect(&mut commit, page.id.as_str());
        if read.pages.get(page.id.as_str()) != Some(page) {
            report.written += 1;
            read.pages.put(&mut commit, page)?;
            for fact in page.cited() {
                read.known.expect(&mut commit, &fact);
            }
        }
    }
    for id in &wiki.deleted {
        read.curations.expect(&mut commit, id.as_str());
        read.pages.delete(&mut commit, id.as_str());
    }
    let drafts = Loaded::<PageDraft>::load(records, &partition).await?;
    let is_whole = report.failed.is_empty();
    if is_whole {
        let own = drafts.values.iter();
        for (id, _) in own.filter(|(_, it)| it.language == settings.language) {
            drafts.delete(&mut commit, id);
        }
        pending.finish(&mut commit)?;
    }
    stage::commit(records, &partition, commit).await?;
    let cited: BTreeSet<FactId> = wiki.pages.iter().flat_map(WikiPage::cited).collect();
    report.untold = (sources.visible().iter())
        .map(|it| it.fact.id.clone())
        .filter(|id| !cited.contains(id))
        .collect();
    report.pages = wiki.pages.len();
    report.deleted = wiki.deleted.len();
    Ok(report)
}

/// What the stage reads.
struct Read {
    known: Knowledge,
    memberships: Loaded<Membership>,
    summaries: Loaded<TopicSummary>,
    channel: Loaded<ChannelSummary>,
    entities: Loaded<GraphEntity>,
    pages: Loaded<WikiPage>,
    curations: Loaded<Curation>,
    drafts: Loaded<PageDraft>,
}

impl Read {
    async fn load(parts: &Components, partition: &Partition) -> Result<Self> {
        let records = parts.records.as_ref();
        Ok(Self {
            known: Knowledge::load(records, partition).await?,
            memberships: Loaded::load(records, partition).await?,
            summaries: Loaded::load(records, partition).await?,
            channel: Loaded::load(records, partition).await?,
            entities: Loaded::load(records, partition).await?,
            pages: Loaded::load(records, partition).await?,
            curations: Loaded::load(records, partition).await?,
            drafts: Loaded::load(records, partition).await?,
        })
    }

    fn sources<'a>(
        &'a self,
        channel: &'a ChannelScope,
        before: &'a [WikiPage],
        curated: &BTreeSet<PageId>,
    ) -> Sources<'a> {
        let facts = self.known.all();
        let members = self.known.members(&self.memberships);
        let summaries = self.summaries.values.values();
        let kept = before.iter().filter(|it| curated.contains(&it.id));
        Sources {
            channel: channel.channel(),
            facts: facts.into_iter().map(|it| (&it.fact.id, it)).collect(),
            entities: self.entities.values.values().collect(),
            summaries: summaries.map(|it| (it.topic.clone(), it)).collect(),
            members,
            channel_summary: self.channel.values.values().next(),
            reserved_titles: kept.map(|it| it.title.as_str()).collect(),
        }
    }
}

/// A build of the wiki.
struct Build<'a> {
    parts: &'a Components,
    partition: &'a Partition,
    epoch: Epoch,
    read: &'a Read,
    before: &'a [WikiPage],
    facts: &'a Facts<'a>,
    settings: &'a WikiSettings,
    writer: Fingerprint,
    /// Pages that stay as they are.
    stays: BTreeSet<PageId>,
    written: Vec<Written>,
    /// Whether the provider does not answer: nothing more is asked in this run.
    is_out: bool,
    report: WikiReport,
}

impl Build<'_> {
    async fn page(&mut self, brief: &PageBrief) -> Result<()> {
        let old = self.before.iter().find(|it| it.id == brief.id);
        let draft = self.read.drafts.get(brief.id.as_str());
        let known: Vec<&Section> = (old.into_iter().flat_map(|it| &it.sections))
            .chain(draft.into_iter().flat_map(|it| &it.sections))
            .collect();
        let language = &self.settings.language;
        let sheet = Sheet::new(brief, self.facts, &known, (&self.writer, language));
        let sections = match sheet.task() {
            None => sheet.compose(None),
            Some((offer, task)) => match self.ask(&task).await {
                Ok(reply) => {
                    let composed = sheet.compose(Some((&offer, &reply)));
                    self.keep(brief, &composed.0).await?;
                    composed
                }
                Err(failure) => {
                    self.report.failed.push((brief.id.clone(), failure));
                    self.stays.extend(old.map(|it| it.id.clone()));
                    return Ok(());
                }
            },
        };
        let (mut sections, dropped) = sections;
        self.report.dropped.add(dropped);
        if n_cited(&sections) < self.settings.min_sentences {
            // A writer that tells much in few sentences; the facts' own words are more.
            let fresh = Sheet::new(brief, self.facts, &[], (&self.writer, language));
            sections = fresh.compose(None).0;
        }
        if n_cited(&sections) < self.settings.min_sentences {
            self.report.thin.push(brief.title.clone());
            return Ok(());
        }
        self.written.push(Written {
            id: brief.id.clone(),
            kind: brief.kind.clone(),
            title: brief.title.clone(),
            sections,
        });
        Ok(())
    }

    async fn ask<T: crate::llm::Task>(&mut self, task: &T) -> Result<T::Output> {
        if self.is_out {
            return Err(Error::new(
                ErrorKind::Unavailable,
                "wiki::run",
                "waits for the provider to answer again",
            ));
        }
        self.report.n_calls += 1;
        let reply = serve(self.parts.llm.as_ref(), task).await;
        self.is_out |= (reply.as_ref().err()).is_some_and(|it| it.kind() == ErrorKind::Unavailable);
        reply
    }

    /// Keeps what was paid for until the wiki is in place.
    async fn keep(&self, brief: &PageBrief, sections: &[Section]) -> Result<()> {
        if self.parts.llm.capabilities().model_free {
            return Ok(());
        }
        let mut commit = CommitBuilder::new(self.epoch);
        let draft = PageDraft {
            page: brief.id.clone(),
            language: self.settings.language.clone(),
            sections: sections.to_vec(),
        };
        self.read.drafts.put(&mut commit, &draft)?;
        stage::commit(self.parts.records.as_ref(), self.partition, commit).await?;
        Ok(())
    }
}

/// Names the rules, the words and the writer: other ones look at every page again.
fn rules(parts: &Components, settings: &WikiSettings) -> Fingerprint {
    let writer = fingerprint(parts.llm.as_ref(), Role::WikiWriter);
    let all = format!("{RULES} {writer} {settings:?}");
    Fingerprint::new(ContentHash::of(all.as_bytes()).short())
}
