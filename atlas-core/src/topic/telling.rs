//! Facts as tasks see them, and the check of what tasks write about them.

use std::collections::BTreeMap;

use super::sentence::{clean, once};
use crate::grounding::ungrounded;
use crate::llm::{LabelledFact, LabelledSentence};
use crate::model::{AtomicFact, CitedSentence, FactId, FactState};

/// A visible fact with its state.
#[derive(Clone, Copy, Debug)]
pub struct SeenFact<'a> {
    /// The fact.
    pub fact: &'a AtomicFact,
    /// Its state: [`FactState::Live`] where nobody has judged it.
    pub state: &'a FactState,
}

impl SeenFact<'_> {
    /// Whether other facts speak against it.
    pub fn is_disputed(&self) -> bool {
        matches!(self.state, FactState::Disputed { .. })
    }

    /// The fact's own text as a sentence; none if it is not fit to be read.
    pub fn own_words(&self) -> Option<CitedSentence> {
        own_words(self.fact)
    }

    /// What a text that is made from the fact depends on, as parts of a hash.
    pub fn parts(&self) -> Vec<String> {
        let mut parts = vec![self.fact.id.to_string(), self.fact.text().to_owned()];
        parts.extend(self.fact.evidence.iter().map(|it| it.quote.clone()));
        if let FactState::Disputed { with } = self.state {
            parts.push("disputed".to_owned());
            parts.extend(with.iter().map(FactId::to_string));
        }
        parts.push("end".to_owned());
        parts
    }
}

/// A fact's own text as a sentence; none if it is not fit to be read.
pub fn own_words(fact: &AtomicFact) -> Option<CitedSentence> {
    Some(CitedSentence {
        text: clean(fact.text())?,
        facts: vec![fact.id.clone()],
    })
}

/// What a check left out, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Sentences that cite nothing that was offered.
    pub uncited: usize,
    /// Sentences that say what the facts they cite do not say.
    pub ungrounded: usize,
    /// Sentences that are not fit to be read.
    pub unclean: usize,
}

impl Dropped {
    /// Adds what another check left out.
    pub fn add(&mut self, other: Self) {
        self.uncited += other.uncited;
        self.ungrounded += other.ungrounded;
        self.unclean += other.unclean;
    }
}

/// The facts that a task may cite, by their labels `f1`, `f2` and so on.
#[derive(Clone, Debug)]
pub struct Offer<'a> {
    facts: Vec<SeenFact<'a>>,
}

impl<'a> Offer<'a> {
    /// Offers facts in the order given.
    pub fn new(facts: Vec<SeenFact<'a>>) -> Self {
        Self { facts }
    }

    /// The offered facts.
    pub fn facts(&self) -> &[SeenFact<'a>] {
        &self.facts
    }

    /// The fact of a label; none if it was not offered.
    pub fn find(&self, label: &str) -> Option<SeenFact<'a>> {
        let number: usize = label.trim().strip_prefix('f')?.parse().ok()?;
        self.facts.get(number.checked_sub(1)?).copied()
    }

    /// The label of a fact; none if it was not offered.
    pub fn label(&self, fact: &FactId) -> Option<String> {
        let place = self.facts.iter().position(|it| it.fact.id == *fact)?;
        Some(label(place))
    }

    /// The facts as the task sees them.
    pub fn labelled(&self) -> Vec<LabelledFact> {
        let labels: BTreeMap<&FactId, String> = (self.facts.iter().enumerate())
            .map(|(place, it)| (&it.fact.id, label(place)))
            .collect();
        (self.facts.iter().enumerate())
            .map(|(place, seen)| {
                let claim = &seen.fact.claim;
                let latest = seen.fact.latest();
                LabelledFact {
                    label: label(place),
                    text: claim.text.clone(),
                    quote: latest.map_or_else(String::new, |it| it.quote.clone()),
                    author: latest.map_or_else(String::new, |it| it.author.name.clone()),
                    said_at: latest.map_or(claim.occurred_at, |it| it.sent_at),
                    kind: claim.kind,
                    importance: claim.importance,
                    slot: claim.slot.clone(),
                    tags: claim.topic_tags.clone(),
                    mentions: claim.mentions.iter().map(|it| it.name.clone()).collect(),
                    answers: claim
                        .answers
                        .as_ref()
                        .and_then(|it| labels.get(it).cloned()),
                    is_disputed: seen.is_disputed(),
                }
            })
            .collect()
    }

    /// Checks sentences one by one: what cites nothing that was offered, says what the cited facts
    /// do not say, or is not fit to be read, is left out and counted. What says the same is kept
    /// once.
    pub fn check(&self, reply: &[LabelledSentence]) -> (Vec<CitedSentence>, Dropped) {
        let mut dropped = Dropped::default();
        let mut kept = Vec::new();
        for sentence in reply {
            let mut cited: Vec<SeenFact<'_>> = Vec::new();
            for seen in sentence.cites.iter().filter_map(|label| self.find(label)) {
                if !cited.iter().any(|it| it.fact.id == seen.fact.id) {
                    cited.push(seen);
                }
            }
            let Some(text) = clean(&sentence.text) else {
                dropped.unclean += 1;
                continue;
            };
            if cited.is_empty() {
                dropped.uncited += 1;
            } else if is_grounded(&text, &cited) {
                kept.push(CitedSentence {
                    text,
                    facts: cited.iter().map(|it| it.fact.id.clone()).collect(),
                });
            } else {
                dropped.ungrounded += 1;
            }
        }
        (once(kept), dropped)
    }
}

/// Whether the text says only what the facts say: their texts, quotes and authors' names.
pub fn is_grounded(text: &str, facts: &[SeenFact<'_>]) -> bool {
    let sources: Vec<&str> = facts.iter().flat_map(|seen| sources(seen.fact)).collect();
    ungrounded(text, &sources).is_empty()
}

fn sources(fact: &AtomicFact) -> impl Iterator<Item = &str> {
    let said = fact
        .evidence
        .iter()
        .flat_map(|it| [it.quote.as_str(), it.author.name.as_str()]);
    std::iter::once(fact.text()).chain(said)
}

fn label(place: usize) -> String {
    format!("f{}", place + 1)
}
