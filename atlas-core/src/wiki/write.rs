//! Briefs to sections: what is asked of the writer, and what stands of its reply.

use std::collections::{BTreeMap, BTreeSet};

use super::brief::{PageBrief, SectionBrief, Telling, kind_name};
use crate::llm::{self, LabelledSentence, WikiWriterInput, WikiWriterOutput};
use crate::model::{CitedSentence, ContentHash, FactId, Fingerprint, Language, PageId, Section};
use crate::topic::sentence::{key, once};
use crate::topic::telling::{Dropped, Offer, SeenFact};

/// Facts by id, as pages cite them.
pub type Facts<'a> = BTreeMap<&'a FactId, SeenFact<'a>>;

/// What a section is written from, as a hash: equal hash, equal bytes.
pub fn section_made_from(
    section: &SectionBrief,
    facts: &Facts<'_>,
    writer: &Fingerprint,
    language: &Language,
) -> ContentHash {
    let mut parts = vec![
        section.id.clone(),
        section.title.clone(),
        language.to_string(),
    ];
    match &section.telling {
        Telling::Facts(ids) => {
            parts.extend(["facts".to_owned(), writer.to_string()]);
            let seen = ids.iter().filter_map(|id| facts.get(id));
            parts.extend(seen.flat_map(SeenFact::parts));
        }
        Telling::Sentences(sentences) => {
            for sentence in sentences {
                parts.extend(["sentence".to_owned(), sentence.text.clone()]);
                parts.extend(sentence.facts.iter().map(FactId::to_string));
            }
        }
    }
    ContentHash::of_parts(&parts)
}

/// A page's sections: those that stand already, and those that are to be written.
#[derive(Debug)]
pub struct Sheet<'a> {
    brief: &'a PageBrief,
    facts: &'a Facts<'a>,
    hashes: Vec<ContentHash>,
    /// One slot a section of the brief: the section as it stands.
    standing: Vec<Option<Section>>,
}

impl<'a> Sheet<'a> {
    /// Compares a brief with sections that were written before: one whose hash is the same stands
    /// byte for byte.
    pub fn new(
        brief: &'a PageBrief,
        facts: &'a Facts<'a>,
        before: &[&Section],
        (writer, language): (&Fingerprint, &Language),
    ) -> Self {
        let hashes: Vec<ContentHash> = brief
            .sections
            .iter()
            .map(|it| section_made_from(it, facts, writer, language))
            .collect();
        let standing = brief
            .sections
            .iter()
            .zip(&hashes)
            .map(|(section, hash)| {
                let same = before
                    .iter()
                    .find(|it| it.id == section.id && it.made_from == *hash)?;
                Some((*same).clone())
            })
            .collect();
        Self {
            brief,
            facts,
            hashes,
            standing,
        }
    }

    /// What is asked of the writer; none if every section stands or tells itself.
    pub fn task(&self) -> Option<(Offer<'a>, WikiWriterInput)> {
        let mut offered: Vec<SeenFact<'a>> = Vec::new();
        let mut stale: Vec<(&SectionBrief, &Vec<FactId>)> = Vec::new();
        for (section, standing) in self.brief.sections.iter().zip(&self.standing) {
            let Telling::Facts(facts) = &section.telling else {
                continue;
            };
            if standing.is_none() && !facts.is_empty() {
                offered.extend(facts.iter().filter_map(|id| self.facts.get(id)));
                stale.push((section, facts));
            }
        }
        if stale.is_empty() {
            return None;
        }
        let mut known = BTreeSet::new();
        offered.retain(|it| known.insert(&it.fact.id));
        let offer = Offer::new(offered);
        let sections = stale
            .into_iter()
            .map(|(section, facts)| llm::SectionBrief {
                id: section.id.clone(),
                title: section.title.clone(),
                facts: facts.iter().filter_map(|id| offer.label(id)).collect(),
            })
            .collect();
        let input = WikiWriterInput {
            page: self.brief.title.clone(),
            kind: kind_name(&self.brief.kind).to_owned(),
            sections,
            facts: offer.labelled(),
        };
        Some((offer, input))
    }

    /// The page's sections: what stands stays as it is; of the reply stands what is cited and
    /// grounded and is said nowhere else on the page; a fact that the reply leaves out speaks for
    /// itself. Without a reply all facts do.
    ///
    /// # Shape
    ///
    /// In the order of the brief, without sections that say nothing and point nowhere.
    pub fn compose(
        &self,
        reply: Option<(&Offer<'_>, &WikiWriterOutput)>,
    ) -> (Vec<Section>, Dropped) {
        let mut dropped = Dropped::default();
        let standing = self.standing.iter().flatten();
        let mut said: BTreeSet<String> = standing
            .flat_map(|it| &it.sentences)
            .map(|it| key(&it.text))
            .collect();
        let mut sections = Vec::new();
        let briefs = self.brief.sections.iter().zip(&self.hashes);
        for ((brief, hash), standing) in briefs.zip(&self.standing) {
            let mut section = match standing {
                Some(section) => section.clone(),
                None => Section {
                    id: brief.id.clone(),
                    title: brief.title.clone(),
                    made_from: hash.clone(),
                    sentences: self.sentences(brief, reply, (&mut said, &mut dropped)),
                    links: Vec::new(),
                },
            };
            section.links.clone_from(&brief.links);
            if !(section.sentences.is_empty() && section.links.is_empty()) {
                sections.push(section);
            }
        }
        (sections, dropped)
    }

    fn sentences(
        &self,
        brief: &SectionBrief,
        reply: Option<(&Offer<'_>, &WikiWriterOutput)>,
        (said, dropped): (&mut BTreeSet<String>, &mut Dropped),
    ) -> Vec<CitedSentence> {
        let mut sentences = match &brief.telling {
            Telling::Sentences(sentences) => sentences.clone(),
            Telling::Facts(facts) => {
                let mut sentences = Vec::new();
                if let Some((offer, output)) = reply {
                    let written: Vec<LabelledSentence> = (output.sections.iter())
                        .filter(|it| it.id == brief.id)
                        .flat_map(|it| it.sentences.clone())
                        .collect();
                    let (kept, left_out) = offer.check(&written);
                    dropped.add(left_out);
                    sentences.extend(kept);
                    // A sentence belongs to the section whose facts it tells.
                    sentences.retain(|it| it.facts.iter().any(|id| facts.contains(id)));
                }
                let untold = facts
                    .iter()
                    .filter(|id| !sentences.iter().any(|it| it.facts.contains(id)));
                let own: Vec<CitedSentence> = untold
                    .filter_map(|id| self.facts.get(id)?.own_words())
                    .collect();
                sentences.extend(own);
                sentences
            }
        };
        sentences = once(sentences);
        sentences.retain(|it| said.insert(key(&it.text)));
        sentences
    }
}

/// How many cited sentences there are.
pub fn n_cited(sections: &[Section]) -> usize {
    let sentences = sections.iter().flat_map(|it| &it.sentences);
    sentences.filter(|it| !it.facts.is_empty()).count()
}

/// A hash of everything that a page is written from.
pub fn page_made_from(title: &str, sections: &[Section]) -> ContentHash {
    let mut parts = vec![title.to_owned()];
    for section in sections {
        parts.extend([section.id.clone(), section.made_from.to_string()]);
        parts.extend(section.links.iter().map(PageId::to_string));
    }
    ContentHash::of_parts(&parts)
}
