//! A question and evidence to the sentences that answer it.

use std::collections::BTreeSet;

use atlas_core::extract::when;
use atlas_core::llm::{AnswererInput, AnswererOutput, LabelledEvidence, LabelledSentence};
use atlas_core::model::{EntityType, FactKind};
use atlas_core::text::normalise_claim;

use super::tell::sentence;
use crate::facts::question::{Wanted, wanted};
use crate::names::spot::spot;
use crate::text::cue::{Cue, Words, group};
use crate::text::plain::plain;
use crate::text::sentence::sentences;
use crate::text::stem::{content_stems, frequencies, overlap, ratio, stem_set};

/// The share of the question's weight that evidence must cover.
const LEAST_COVERAGE: f32 = 0.55;
/// The share that evidence of the wrong kind (no time for `when`) must cover.
const LEAST_OTHERWISE: f32 = 0.75;
/// The share that is enough where nothing carries more, if two words of the question are in it
/// and it holds the kind of words that the question asks for.
const LEAST_AT_ALL: f32 = 0.34;
/// How near to the best a further sentence must come.
const NEAR: f32 = 0.78;

/// Words of questions that the answer need not have, stemmed.
static ASKING: Words = Words::new(
    "date day person peopl reason mani much name tell show list explain describ current status \
    happen plan latest say about find place price cost number summari summar anyon known run use \
    big larg long kind type exact",
);

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

static ASKS_CHOICE: Cue = Cue::new(
    r"(?i)\b(?:which|what)\b.*\b(?:use|used|using|run|runs|choose|chose|chosen|pick|picked|decide|decided|go with|went with|switch|migrate)\b|用什么|用哪",
);
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

static POINTS_BACK: Cue =
    Cue::new(r"(?i)\b(?:it|its|that|this|they|them|their|he|she|him|her|one|our minds?)\b");
static KIND_ASKED: Cue = Cue::new(r"(?i)\b(?:which|what)\s+(?P<kind>\p{L}+)");

/// Chooses the sentences that cover the question; none if nothing covers enough of it.
///
/// A question of several parts is answered part by part, as far as the evidence goes.
pub(crate) fn answer(input: &AnswererInput) -> AnswererOutput {
    let candidates = candidates(input);
    let parts = parts(&input.question);
    let mut told: Vec<(&Candidate<'_>, LabelledSentence)> = Vec::new();
    let share = input.max_sentences.div_ceil(parts.len().max(1));
    let mut before: BTreeSet<String> = BTreeSet::new();
    for part in &parts {
        let mut matter = matter(part);
        // `and what moved it` is about what the part before is about.
        if POINTS_BACK.is_in(part) {
            matter.extend(before.iter().cloned());
        }
        let most = input.max_sentences.min(told.len() + share);
        tell(part, &matter, &candidates, most, &mut told);
        before = matter;
    }
    AnswererOutput {
        sentences: told.into_iter().map(|(_, sentence)| sentence).collect(),
    }
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

/// The words of matter that an answer to the question must have.
fn matter(question: &str) -> BTreeSet<String> {
    let all: BTreeSet<String> = content_stems(question).into_iter().collect();
    // `which engine` asks for a name that is seldom given with the word engine.
    let kind: BTreeSet<String> = KIND_ASKED
        .captures(question)
        .map(|captures| stem_set(group(&captures, "kind")))
        .unwrap_or_default();
    let is_asking = |stem: &&String| ASKING.has(stem) || kind.contains(*stem);
    let matter: BTreeSet<String> = all
        .iter()
        .filter(|stem| !is_asking(stem))
        .cloned()
        .collect();
    if matter.is_empty() { all } else { matter }
}

/// Adds the sentences that answer one question, up to so many in all.
fn tell<'c, 'e>(
    question: &str,
    matter: &BTreeSet<String>,
    candidates: &'c [Candidate<'e>],
    most: usize,
    told: &mut Vec<(&'c Candidate<'e>, LabelledSentence)>,
) {
    let scored = score(question, matter, candidates);
    let Some(best) = scored.first().map(|(score, _)| *score) else {
        return;
    };
    for (score, candidate) in scored {
        let is_question = candidate.evidence.kind == Some(FactKind::Question)
            || (candidate.text.ends_with(['?', '？']) && candidate.evidence.answers.is_none());
        if score < best * NEAR || is_question {
            continue;
        }
        let has_room = told.len() < most;
        match told
            .iter_mut()
            .find(|(known, _)| overlap(&known.stems, &candidate.stems) >= 0.85)
        {
            Some((known, sentence)) => {
                let says_the_same =
                    normalise_claim(&known.text) == normalise_claim(&candidate.text);
                if says_the_same && !sentence.cites.contains(&candidate.evidence.label) {
                    sentence.cites.push(candidate.evidence.label.clone());
                }
            }
            None if has_room => told.push((
                candidate,
                LabelledSentence {
                    text: sentence(&candidate.text),
                    cites: vec![candidate.evidence.label.clone()],
                },
            )),
            None => {}
        }
    }
}

/// The candidates that cover enough of the question, the best first. If any holds the kind of
/// words that the question asks for, the others are left out.
fn score<'c, 'e>(
    question: &str,
    matter: &BTreeSet<String>,
    candidates: &'c [Candidate<'e>],
) -> Vec<(f32, &'c Candidate<'e>)> {
    let wanted = wanted(question);
    let sets: Vec<BTreeSet<String>> = candidates.iter().map(|it| it.stems.clone()).collect();
    let counts = frequencies(&sets);
    // A word that few candidates have tells more than one that all have; one that none has tells
    // that the question is about something else.
    let weight = |stem: &str| 1.0 + 1.0 / (1.0 + ratio(counts.get(stem).copied().unwrap_or(0), 1));
    let total: f32 = matter.iter().map(|stem| weight(stem)).sum();
    let asks_choice = ASKS_CHOICE.is_in(question);
    let all = |at_all: bool| -> Vec<(f32, bool, &'c Candidate<'e>)> {
        let scored = candidates.iter().filter_map(|candidate| {
            let held: Vec<&String> = matter.iter().filter(|stem| has(candidate, stem)).collect();
            let coverage = held.iter().map(|stem| weight(stem)).sum::<f32>() / total;
            let is_fit = is_fit(candidate, wanted, question);
            let needed = match (at_all, is_fit) {
                (true, _) => LEAST_AT_ALL,
                (false, true) => LEAST_COVERAGE,
                (false, false) => LEAST_OTHERWISE,
            };
            let is_told = coverage >= needed && (!at_all || (is_fit && held.len() > 1));
            is_told.then(|| {
                let rank = rank(candidate, coverage, is_fit, asks_choice);
                (rank, is_fit, candidate)
            })
        });
        scored.collect()
    };
    if matter.is_empty() {
        return Vec::new();
    }
    let mut scored = all(false);
    if scored.is_empty() {
        scored = all(true);
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.place.cmp(&b.2.place)));
    if scored.iter().any(|(_, is_fit, _)| *is_fit) {
        scored.retain(|(_, is_fit, _)| *is_fit);
    }
    // A question that nobody answered is no answer.
    let is_question = |it: &Candidate<'_>| it.evidence.kind == Some(FactKind::Question);
    if scored.iter().all(|(_, _, it)| is_question(it)) {
        scored.clear();
    }
    scored
        .into_iter()
        .map(|(score, _, candidate)| (score, candidate))
        .collect()
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
fn is_fit(candidate: &Candidate<'_>, wanted: Wanted, question: &str) -> bool {
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
                || owner_first(text, question)
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

fn rank(candidate: &Candidate<'_>, coverage: f32, is_fit: bool, asks_choice: bool) -> f32 {
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
        (
            asks_choice && evidence.kind == Some(FactKind::Decision),
            0.5,
        ),
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
