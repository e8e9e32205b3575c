//! Briefs to the sections of a page.

use std::collections::BTreeMap;

use atlas_core::llm::{LabelledFact, WikiWriterInput, WikiWriterOutput, WrittenSection};

use super::tell::sentences;

/// Tells the facts of each brief as sentences: those of one subject beside each other, subjects in
/// the order of the brief.
pub(crate) fn write(input: &WikiWriterInput) -> WikiWriterOutput {
    let facts: BTreeMap<&str, &LabelledFact> = input
        .facts
        .iter()
        .map(|fact| (fact.label.as_str(), fact))
        .collect();
    let sections = input
        .sections
        .iter()
        .map(|brief| {
            let told: Vec<&LabelledFact> = brief
                .facts
                .iter()
                .filter_map(|label| facts.get(label.as_str()).copied())
                .collect();
            WrittenSection {
                id: brief.id.clone(),
                sentences: sentences(grouped(told).into_iter()),
            }
        })
        .collect();
    WikiWriterOutput { sections }
}

/// The facts with those of one subject side by side, in the order in which subjects come up.
fn grouped(facts: Vec<&LabelledFact>) -> Vec<&LabelledFact> {
    let mut groups: Vec<(Option<&str>, Vec<&LabelledFact>)> = Vec::new();
    for fact in facts {
        let subject = fact.slot.as_ref().map(|slot| slot.subject.as_str());
        let group = groups
            .iter_mut()
            .find(|(known, _)| subject.is_some() && *known == subject);
        match group {
            Some((_, members)) => members.push(fact),
            None => groups.push((subject, vec![fact])),
        }
    }
    groups
        .into_iter()
        .flat_map(|(_, members)| members)
        .collect()
}
