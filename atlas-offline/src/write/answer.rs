//! A question and evidence to the sentences that answer it.

use std::collections::BTreeSet;

use atlas_core::extract::when;
use atlas_core::llm::{AnswererInput, AnswererOutput, LabelledEvidence, LabelledSentence};
use atlas_core::model::{EntityType, FactKind};

use super::tell::sentence;
use crate::facts::question::{Wanted, wanted};
use crate::names::spot::spot;
use crate::text::cue::Cue;
use crate::text::plain::plain;
use crate::text::sentence::sentences;
use crate::text::stem::{content_stems, frequencies, overlap, stem_set};

/// The share of the question's weight that evidence must cover.
const LEAST_COVERAGE: f32 = 0.5;
/// The share that evidence of the wrong kind (no time for `when`) must cover.
const LEAST_OTHERWISE: f32 = 0.75;
/// The share that is enough where nothing carries more, if two words of the question are in it.
const LEAST_AT_ALL: f32 = 0.34;
/// How near to the best a further sentence must come.
const NEAR: f32 = 0.72;

/// Words of questions that the answer need not have, stemmed.
const ASKING: [&str; 29] = [
    "date", "day", "person", "peopl", "reason", "mani", "much", "name", "tell", "show", "list",
    "explain", "describ", "current", "status", "happen", "plan", "latest", "say", "about", "find",
    "place", "price", "cost", "number", "summari", "summar", "anyon", "known",
];

/// Pairs of stems that mean the same in questions and answers.
const SAME: [(&str, &str); 17] = [
    ("own", "respons"),
    ("own", "maintain"),
    ("lead", "head"),
    ("launch", "ship"),
    ("launch", "releas"),
    ("ship", "releas"),
    ("deploy", "ship"),
    ("fix", "resolv"),
    ("choos", "decid"),
    ("choos", "pick"),
    ("use", "choos"),
    ("use", "go"),
    ("bug", "issu"),
    ("issu", "problem"),
    ("like", "love"),
    ("like", "prefer"),
    ("hate", "dislik"),
];

static BECAUSE: Cue = Cue::new(
    r"(?i)\b(?:because|since|due to|so that|reason|weil|porque|parce que)\b|因为|由于|为了",
);

/// A sentence that may be told.
struct Candidate<'e> {
    evidence: &'e LabelledEvidence,
    text: String,
    stems: BTreeSet<String>,
    /// The stems of the question that it is said in answer to.
    asked: BTreeSet<String>,
    place: usize,
}

/// Chooses the sentences that cover the question; none if nothing covers enough of it.
///
/// A question that asks several things is answered one after the other.
pub(crate) fn answer(input: &AnswererInput) -> AnswererOutput {
    let mut told: Vec<LabelledSentence> = Vec::new();
    for question in parts(&input.question) {
        let part = AnswererInput {
            question,
            ..input.clone()
        };
        for sentence in answer_one(&part).sentences {
            let is_new = !told.iter().any(|it| it.text == sentence.text);
            if is_new && told.len() < input.max_sentences {
                told.push(sentence);
            }
        }
    }
    AnswererOutput { sentences: told }
}

/// The questions that are joined by a comma or `and` before a word that asks.
fn parts(question: &str) -> Vec<String> {
    static JOINT: Cue = Cue::new(
        r"(?i)[,;]?\s+and\s+(?:until\s+)?(?:why|when|who|where|what|how|which)\b|[?？]\s*",
    );
    let mut parts = Vec::new();
    let mut from = 0;
    for joint in JOINT.all(question).into_iter().flatten() {
        let Some(found) = joint.get(0) else { continue };
        parts.push(question.get(from..found.start()).unwrap_or_default());
        let skipped = found
            .as_str()
            .to_lowercase()
            .find("and")
            .map_or(found.len(), |at| at + 3);
        from = found.start() + skipped;
    }
    parts.push(question.get(from..).unwrap_or_default());
    parts
        .into_iter()
        .map(str::trim)
        .filter(|part| part.chars().any(char::is_alphanumeric))
        .map(str::to_owned)
        .collect()
}

fn answer_one(input: &AnswererInput) -> AnswererOutput {
    let question: BTreeSet<String> = content_stems(&input.question).into_iter().collect();
    let matter: BTreeSet<String> = question
        .iter()
        .filter(|stem| !ASKING.contains(&stem.as_str()))
        .cloned()
        .collect();
    let matter = if matter.is_empty() { question } else { matter };
    let wanted = wanted(&input.question);
    let candidates = candidates(input);
    if matter.is_empty() || candidates.is_empty() {
        return AnswererOutput::default();
    }
    let sets: Vec<BTreeSet<String>> = candidates.iter().map(|it| it.stems.clone()).collect();
    let counts = frequencies(&sets);
    // A word that few candidates have tells more than one that all have; one that none has tells
    // that the question is about something else.
    let weight = |stem: &str| {
        1.0 + 1.0
            / (1.0
                + f32::from(
                    u16::try_from(counts.get(stem).copied().unwrap_or(0)).unwrap_or(u16::MAX),
                ))
    };
    let total: f32 = matter.iter().map(|stem| weight(stem)).sum();
    let score = |at_all: bool| -> Vec<(f32, f32, &Candidate<'_>)> {
        let scored = candidates.iter().filter_map(|candidate| {
            let held: Vec<&String> = matter.iter().filter(|stem| has(candidate, stem)).collect();
            let coverage = held.iter().map(|stem| weight(stem)).sum::<f32>() / total;
            let is_fit = is_fit(candidate, wanted, input);
            let needed = match (at_all, is_fit) {
                (true, _) => LEAST_AT_ALL,
                (false, true) => LEAST_COVERAGE,
                (false, false) => LEAST_OTHERWISE,
            };
            let is_told = coverage >= needed && (!at_all || held.len() > 1);
            is_told.then(|| (rank(candidate, coverage, is_fit), coverage, candidate))
        });
        scored.collect()
    };
    let mut scored = score(false);
    if scored.is_empty() {
        scored = score(true);
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.place.cmp(&b.2.place)));
    let Some(best) = scored.first().map(|(score, ..)| *score) else {
        return AnswererOutput::default();
    };
    // A question that nobody answered is no answer.
    if scored
        .iter()
        .all(|(_, _, it)| it.evidence.kind == Some(FactKind::Question))
    {
        return AnswererOutput::default();
    }
    let mut told: Vec<(&Candidate<'_>, LabelledSentence)> = Vec::new();
    for (score, _, candidate) in &scored {
        if told.len() >= input.max_sentences {
            break;
        }
        let is_question = candidate.evidence.kind == Some(FactKind::Question)
            || candidate.text.ends_with(['?', '？']) && candidate.evidence.answers.is_none();
        if *score < best * NEAR || is_question {
            continue;
        }
        match told
            .iter_mut()
            .find(|(known, _)| overlap(&known.stems, &candidate.stems) >= 0.85)
        {
            Some((known, sentence)) => {
                let says_the_same = atlas_core::text::normalise_claim(&known.text)
                    == atlas_core::text::normalise_claim(&candidate.text);
                if says_the_same && !sentence.cites.contains(&candidate.evidence.label) {
                    sentence.cites.push(candidate.evidence.label.clone());
                }
            }
            None => told.push((
                candidate,
                LabelledSentence {
                    text: sentence(&candidate.text),
                    cites: vec![candidate.evidence.label.clone()],
                },
            )),
        }
    }
    AnswererOutput {
        sentences: told.into_iter().map(|(_, sentence)| sentence).collect(),
    }
}

/// A fact is one sentence; of a message each sentence stands for itself.
fn candidates(input: &AnswererInput) -> Vec<Candidate<'_>> {
    let mut found = Vec::new();
    for (place, evidence) in input.evidence.iter().enumerate() {
        let asked = evidence
            .answers
            .as_deref()
            .map(stem_set)
            .unwrap_or_default();
        let author = stem_set(&evidence.author);
        let mut add = |text: String| {
            let mut stems = stem_set(&text);
            stems.extend(author.iter().cloned());
            found.push(Candidate {
                evidence,
                text,
                stems,
                asked: asked.clone(),
                place,
            });
        };
        if evidence.kind.is_some() {
            add(evidence.text.clone());
        } else {
            for it in sentences(&evidence.text) {
                add(plain(it.span.of(&evidence.text).unwrap_or_default()));
            }
        }
    }
    found
}

fn has(candidate: &Candidate<'_>, stem: &str) -> bool {
    let in_it = |stem: &str| candidate.stems.contains(stem) || candidate.asked.contains(stem);
    in_it(stem)
        || SAME
            .iter()
            .any(|(a, b)| (*a == stem && in_it(b)) || (*b == stem && in_it(a)))
}

/// Whether it holds the kind of words that the question wants.
fn is_fit(candidate: &Candidate<'_>, wanted: Wanted, input: &AnswererInput) -> bool {
    let text = candidate.text.as_str();
    let names = |kinds: &[EntityType]| {
        spot(text, &BTreeSet::new())
            .iter()
            .any(|it| kinds.contains(&it.kind))
    };
    match wanted {
        Wanted::Time => !when::find(text, candidate.evidence.said_at, 0).is_empty(),
        Wanted::Person => {
            !candidate.evidence.author.is_empty() && text.contains(&candidate.evidence.author)
                || names(&[
                    EntityType::Person,
                    EntityType::Team,
                    EntityType::Organization,
                ])
                || text.chars().any(char::is_uppercase)
                    && text
                        .split_whitespace()
                        .skip(1)
                        .any(|it| it.starts_with(char::is_uppercase))
                || candidate.evidence.kind.is_none()
                || text.chars().any(atlas_core::grounding::is_dense_script)
                || owner_first(text, &input.question)
        }
        Wanted::Number => text.chars().any(|c| c.is_ascii_digit()),
        Wanted::Place => {
            names(&[
                EntityType::Place,
                EntityType::Organization,
                EntityType::Document,
            ]) || text.contains(" in ")
                || text.contains(" at ")
        }
        Wanted::Reason => BECAUSE.is_in(text),
        Wanted::YesOrNo | Wanted::Anything => true,
    }
}

/// Whether the text begins with words that the question does not have, as in `Core infra owns it`.
fn owner_first(text: &str, question: &str) -> bool {
    let asked = stem_set(question);
    content_stems(text)
        .first()
        .is_some_and(|first| !asked.contains(first))
}

fn rank(candidate: &Candidate<'_>, coverage: f32, is_fit: bool) -> f32 {
    let evidence = candidate.evidence;
    let place = f32::from(u16::try_from(candidate.place).unwrap_or(u16::MAX));
    let mut score = coverage + 0.15 / (1.0 + place);
    for (holds, change) in [
        (is_fit, 0.25),
        (
            evidence.answers.is_some() && !candidate.asked.is_empty(),
            0.15,
        ),
        (evidence.kind == Some(FactKind::Decision), 0.08),
        (evidence.kind.is_none(), -0.1),
        (evidence.kind == Some(FactKind::Question), -0.6),
        (evidence.is_superseded, -0.5),
        (
            candidate.text.ends_with(['?', '？']) && evidence.answers.is_none(),
            -0.4,
        ),
    ] {
        if holds {
            score += change;
        }
    }
    score
}
