//! Channels to make wikis of.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::model::{
    ActionItem, ActionStatus, AtomicFact, ChannelId, FactId, FactKind, FactState, Fingerprint,
    GlossaryTerm, Importance, Language, TopicId, TopicSummary, WikiPage,
};
use crate::topic::TopicSettings;
use crate::topic::summarize::{TopicBrief, topic_summary};
use crate::topic::telling::SeenFact;
use crate::topic::tests::given::{channel, of_kind, tagged};
use crate::topic::title::same;
use crate::wiki::WikiSettings;
use crate::wiki::brief::PageBrief;
use crate::wiki::merge::{Wiki, Written, join};
use crate::wiki::plan::{Sources, plan};
use crate::wiki::write::{Sheet, n_cited};

/// A channel with topics and their summaries.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) channel: ChannelId,
    pub(super) facts: Vec<(AtomicFact, FactState)>,
    pub(super) topics: BTreeMap<FactId, TopicId>,
    pub(super) summaries: BTreeMap<TopicId, TopicSummary>,
}

impl Given {
    pub(super) fn new(facts: Vec<(AtomicFact, FactState, &str)>) -> Self {
        let mut given = Self {
            channel: channel(),
            facts: Vec::new(),
            topics: BTreeMap::new(),
            summaries: BTreeMap::new(),
        };
        for (fact, state, topic) in facts {
            if state.is_visible() {
                given.topics.insert(fact.id.clone(), TopicId::new(topic));
            }
            given.facts.push((fact, state));
        }
        given.summarise();
        given
    }

    pub(super) fn summarise(&mut self) {
        self.summaries.clear();
        let mut summaries: BTreeMap<TopicId, TopicSummary> = BTreeMap::new();
        for (topic, members) in self.members() {
            let taken = summaries.values().map(|it| same(&it.title)).collect();
            let brief = TopicBrief {
                topic: &topic,
                members: &members,
                taken: &taken,
                writer: &writer(),
            };
            let (summary, _) = topic_summary(&brief, None, &TopicSettings::default());
            summaries.insert(topic, summary);
        }
        self.summaries = summaries;
    }

    pub(super) fn seen(&self) -> BTreeMap<&FactId, SeenFact<'_>> {
        let pairs = self.facts.iter();
        pairs
            .map(|(fact, state)| (&fact.id, SeenFact { fact, state }))
            .collect()
    }

    fn members(&self) -> BTreeMap<TopicId, Vec<SeenFact<'_>>> {
        let mut members: BTreeMap<TopicId, Vec<SeenFact<'_>>> = BTreeMap::new();
        for (id, seen) in self.seen() {
            if let Some(topic) = self.topics.get(id) {
                members.entry(topic.clone()).or_default().push(seen);
            }
        }
        for facts in members.values_mut() {
            *facts = crate::topic::summarize::in_order(facts);
        }
        members
    }

    pub(super) fn sources(&self) -> Sources<'_> {
        Sources {
            channel: &self.channel,
            facts: self.seen(),
            entities: Vec::new(),
            members: self.members(),
            summaries: (self.summaries.iter())
                .map(|(topic, summary)| (topic.clone(), summary))
                .collect(),
            channel_summary: None,
            reserved_titles: Vec::new(),
        }
    }

    pub(super) fn plan(&self) -> Vec<PageBrief> {
        plan(&self.sources(), &WikiSettings::default())
    }

    /// The wiki in the facts' own words, after the pages that stood before.
    pub(super) fn build(&self, before: &[WikiPage]) -> Wiki {
        let facts = self.seen();
        let mut written = Vec::new();
        for brief in self.plan() {
            let old = before.iter().find(|it| it.id == brief.id);
            let sections: Vec<_> = old.into_iter().flat_map(|it| &it.sections).collect();
            let sheet = Sheet::new(&brief, &facts, &sections, (&writer(), &english()));
            let (sections, _) = sheet.compose(None);
            if n_cited(&sections) >= WikiSettings::default().min_sentences {
                written.push(Written {
                    id: brief.id.clone(),
                    kind: brief.kind.clone(),
                    title: brief.title.clone(),
                    sections,
                });
            }
        }
        let stays = std::collections::BTreeSet::new();
        join(before, &stays, written, (&writer(), &english()))
    }
}

pub(super) fn writer() -> Fingerprint {
    Fingerprint::new("writer")
}

pub(super) fn english() -> Language {
    Language::new("en")
}

/// What a fact is made of: hour, subject, verb, kind, state, topic and whether it explains a term.
type Made = (u32, usize, usize, usize, usize, usize, bool);

const SUBJECTS: [&str; 6] = ["billing", "maps", "launch", "汇率", "search", "office"];
const VERBS: [&str; 5] = [
    "moved",
    "uses postgres",
    "is blocked by :tada: <@U9>",
    "was bought",
    "needs `<#C1>` work",
];

/// Channels with facts of every kind and state, some of which say the same.
pub(super) fn channels() -> impl Strategy<Value = Given> {
    let one = (
        0_u32..20_000,
        0..SUBJECTS.len(),
        0..VERBS.len(),
        0_usize..5,
        0_usize..8,
        0_usize..14,
        any::<bool>(),
    );
    prop::collection::vec(one, 0..60).prop_map(|all| given(&all))
}

fn given(all: &[Made]) -> Given {
    let mut facts: Vec<(AtomicFact, FactState, &str)> = Vec::new();
    for (hour, subject, verb, kind, state, topic, explains) in all {
        let (subject, verb) = (SUBJECTS[*subject], VERBS[*verb]);
        let text = format!("The {subject} {verb} in round {}.", hour % 50);
        let kinds = [
            FactKind::Observation,
            FactKind::Decision,
            FactKind::ActionItem,
            FactKind::Question,
            FactKind::Opinion,
        ];
        let mut fact = of_kind(kinds[*kind], tagged(*hour, &text, &[subject]));
        if fact.claim.kind == FactKind::ActionItem {
            fact.claim.action = Some(ActionItem {
                owner: None,
                due: None,
                status: if *explains {
                    ActionStatus::Open
                } else {
                    ActionStatus::Done
                },
            });
        }
        if *explains {
            fact.claim.importance = Importance::High;
            fact.claim.glossary.push(GlossaryTerm {
                term: subject.to_owned(),
                definition: format!("what {verb}"),
            });
        }
        let first = facts.first().map(|(fact, ..)| fact.id.clone());
        let state = match (state, first) {
            (0, Some(by)) => FactState::Superseded { by },
            (1, _) => FactState::Retracted,
            (2, Some(with)) => FactState::Disputed { with: vec![with] },
            _ => FactState::Live,
        };
        if facts.iter().all(|(known, ..)| known.id != fact.id) {
            let topics = [
                "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n",
            ];
            facts.push((fact, state, topics[*topic]));
        }
    }
    Given::new(facts)
}
