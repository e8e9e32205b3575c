//! Conversations to proposed statements.

use std::collections::{BTreeMap, BTreeSet};

use atlas_core::extract::narration::is_narration;
use atlas_core::extract::when::{self, TimeExpression};
use atlas_core::grounding::ungrounded;
use atlas_core::llm::{
    FactExtractionInput, FactExtractionOutput, PromptMessage, ProposedFact, ProposedSlot,
};
use atlas_core::model::{FactKind, Importance, Mention};

use super::clause::{Clause, Scene};
use super::quality::{Traits, quality};
use super::question::{Wanted, fits, wanted};
use super::tell::{finish, tell};
use super::{action, chatter, choice, date, detail, kind, slot, tags};
use crate::names::extract::first_names;
use crate::text::language::language;
use crate::text::sentence::sentences;

/// Replies after a question among which its answer is looked for.
const ANSWERS_WITHIN: usize = 4;
/// Below this quality nothing is proposed.
const LEAST: f32 = 0.3;
/// Words of matter up to which a reply is understood with its question only.
const FRAGMENT: usize = 3;

/// Proposes statements. What one conversation yields depends on no other.
pub(crate) fn extract(input: &FactExtractionInput, offset: i32) -> FactExtractionOutput {
    let mut conversations: BTreeMap<&str, Vec<(bool, &PromptMessage)>> = BTreeMap::new();
    let all = input
        .context
        .iter()
        .map(|message| (false, message))
        .chain(input.messages.iter().map(|message| (true, message)));
    for (is_read, message) in all {
        let key = message.thread_root.as_deref().unwrap_or(&message.label);
        conversations
            .entry(key)
            .or_default()
            .push((is_read, message));
    }
    let mut proposed: BTreeMap<&str, Vec<ProposedFact>> = BTreeMap::new();
    for (root, members) in &conversations {
        of_conversation(
            root,
            members,
            input.max_facts_per_message,
            offset,
            &mut proposed,
        );
    }
    let facts = input
        .messages
        .iter()
        .filter_map(|message| proposed.remove(message.label.as_str()))
        .flatten()
        .filter_map(|fact| serde_json::to_value(fact).ok())
        .collect();
    FactExtractionOutput { facts }
}

/// A question that waits for its answer.
struct Open<'m> {
    label: &'m str,
    author: &'m str,
    /// The question as it was told, if it is the root of the thread.
    told: Option<String>,
    wanted: Wanted,
    n_replies: usize,
}

fn of_conversation<'m>(
    root: &str,
    members: &[(bool, &'m PromptMessage)],
    most: usize,
    offset: i32,
    proposed: &mut BTreeMap<&'m str, Vec<ProposedFact>>,
) {
    let mut people: BTreeSet<String> = BTreeSet::new();
    for (_, message) in members {
        people.insert(message.author.clone());
        people.extend(
            message
                .mentions
                .iter()
                .map(|it| it.trim_start_matches('@').to_owned()),
        );
    }
    people.extend(first_names(&people));
    people.retain(|name| name.chars().any(char::is_alphanumeric));
    let root_message = members
        .iter()
        .map(|(_, it)| *it)
        .find(|it| it.label == root);
    let root_scene = root_message.map(|it| scene(it, &people, offset));
    let root_clauses = match (root_message, root_scene) {
        (Some(message), Some(scene)) => clauses(message, &times(message, offset), scene),
        _ => Vec::new(),
    };
    let mut open: Option<Open<'m>> = None;
    for (is_read, message) in members {
        let scene = scene(message, &people, offset);
        let is_root = message.label == root;
        let answering = open
            .as_mut()
            .filter(|it| it.author != message.author && it.n_replies < ANSWERS_WITHIN)
            .map(|it| {
                it.n_replies += 1;
                &*it
            });
        let times = times(message, offset);
        let read = clauses(message, &times, scene);
        let reader = Reader {
            message,
            days: days(&times, offset),
            scene,
            root: (!is_root).then(|| root_clauses.first()).flatten(),
            root_text: root_message
                .filter(|_| !is_root)
                .map_or("", |it| it.text.as_str()),
        };
        let mut facts: Vec<ProposedFact> = Vec::new();
        let mut asked: Option<Open<'m>> = None;
        let mut is_answered = false;
        for clause in &read {
            let answer = answering.filter(|_| !is_answered && !clause.is_question);
            let Some(fact) = reader.fact(clause, answer) else {
                continue;
            };
            is_answered |= fact.answers.is_some();
            if fact.kind == FactKind::Question {
                asked = Some(Open {
                    label: &message.label,
                    author: &message.author,
                    told: is_root.then(|| fact.text.clone()),
                    wanted: wanted(&clause.plain),
                    n_replies: 0,
                });
            }
            facts.push(fact);
        }
        if asked.is_some() || is_answered {
            open = asked;
        }
        if *is_read {
            proposed.insert(&message.label, best(facts, most));
        }
    }
}

fn scene<'a>(message: &'a PromptMessage, people: &'a BTreeSet<String>, offset: i32) -> Scene<'a> {
    Scene {
        speaker: &message.author,
        sent_at: message.sent_at,
        offset,
        people,
    }
}

fn clauses<'m>(
    message: &'m PromptMessage,
    times: &[TimeExpression],
    scene: Scene<'_>,
) -> Vec<Clause<'m>> {
    sentences(&message.text)
        .into_iter()
        .filter_map(|sentence| Clause::read(&message.text, sentence, times, scene))
        .collect()
}

fn times(message: &PromptMessage, offset: i32) -> Vec<TimeExpression> {
    when::find(&message.text, message.sent_at, offset)
}

/// The local days on which the times begin and end: what a statement may say besides the words.
fn days(times: &[TimeExpression], offset: i32) -> Vec<String> {
    let local = i64::from(offset) * 1_000_000;
    times
        .iter()
        .flat_map(|it| [it.start, it.end.saturating_add_micros(-1)])
        .map(|at| at.saturating_add_micros(local).date())
        .collect()
}

/// The best statements, in the order of the text.
fn best(facts: Vec<ProposedFact>, most: usize) -> Vec<ProposedFact> {
    let mut places: Vec<usize> = (0..facts.len()).collect();
    let score = |place: &usize| facts.get(*place).map_or(0.0, |fact| fact.quality);
    places.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));
    places.truncate(most);
    facts
        .into_iter()
        .enumerate()
        .filter(|(place, _)| places.contains(place))
        .map(|(_, fact)| fact)
        .collect()
}

/// What kind of statement the sentence is.
fn kind_of(
    clause: &Clause<'_>,
    action: Option<&action::Action>,
    slot: Option<&ProposedSlot>,
) -> FactKind {
    let is_polite = || clause.plain.to_lowercase().contains("please");
    if clause.is_question && action.is_none_or(|it| it.is_weak && !is_polite()) {
        FactKind::Question
    } else if slot::is_reported(&clause.plain) {
        FactKind::Observation
    } else if kind::is_decision(clause)
        && action.is_none_or(|it| it.owner.is_none() || slot.is_some())
    {
        FactKind::Decision
    } else if action.is_some() {
        FactKind::ActionItem
    } else if kind::is_opinion(clause) || slot.is_some_and(|it| it.family == "likes") {
        FactKind::Opinion
    } else {
        FactKind::Observation
    }
}

/// Reads the sentences of one message.
struct Reader<'a> {
    message: &'a PromptMessage,
    /// The days that the message names.
    days: Vec<String>,
    scene: Scene<'a>,
    root: Option<&'a Clause<'a>>,
    root_text: &'a str,
}

impl Reader<'_> {
    fn fact(&self, clause: &Clause<'_>, question: Option<&Open<'_>>) -> Option<ProposedFact> {
        let answers = question.filter(|it| Self::may_answer(clause, it));
        if answers.is_none() && chatter::is_chatter(clause) {
            return None;
        }
        let action = action::action(clause, self.scene);
        let is_fragment = clause.stems.len() < FRAGMENT;
        let due = clause.times.first().filter(|_| action.is_some());
        let due_day = due.map(|time| date::value(time, self.scene.offset));
        let mut slot = slot::slot(clause, self.scene);
        let of = kind_of(clause, action.as_ref(), slot.as_ref());
        let action = action.filter(|_| of == FactKind::ActionItem);
        if let Some(action) = &action {
            slot = action::slot(action, due_day.as_deref()).or(slot);
        }
        let numbers = super::amount::numbers(clause);
        let tongue = language(&clause.plain);
        let score = quality(
            clause,
            Traits {
                kind: of,
                has_slot: slot.is_some(),
                has_number: !numbers.is_empty(),
                has_owner_or_due: action.as_ref().is_some_and(|it| it.owner.is_some())
                    || due.is_some(),
                is_weak: action.as_ref().is_some_and(|it| it.is_weak),
                language_has_cues: tongue != "en",
                answers: answers.is_some(),
                wants_something: of == FactKind::Question
                    && !matches!(wanted(&clause.plain), Wanted::Anything | Wanted::YesOrNo),
                wants_yes_or_no: of == FactKind::Question
                    && wanted(&clause.plain) == Wanted::YesOrNo,
            },
        );
        let sources = self.sources();
        let told = tell(clause, action.as_ref(), self.scene, &sources);
        // A fragment is understood with its question only.
        let with_question = answers
            .and_then(|it| it.told.as_ref())
            .filter(|_| is_fragment)
            .map(|asked| format!("{asked} {}", finish(&told)));
        let (text, score) = match with_question {
            Some(text) => (text, score.max(0.6)),
            None => (told, score),
        };
        if score < LEAST || is_narration(&text) {
            return None;
        }
        // The dates of the question are the root's, not this message's.
        let text = Self::grounded(text, clause, &sources)?;
        let mentions = self.mentions(clause);
        let is_weighty = kind::is_weighty(clause);
        Some(ProposedFact {
            message: self.message.label.clone(),
            quote: clause.quote.to_owned(),
            text,
            kind: of,
            topic_tags: tags::topic_tags(
                clause,
                slot.as_ref()
                    .filter(|it| it.family != "task" && it.subject != choice::WE)
                    .map(|it| it.subject.as_str()),
                self.root,
            ),
            slot,
            owner: action.as_ref().and_then(|it| it.owner.clone()),
            due: due
                .filter(|_| action.is_some())
                .map(|it| it.start.to_string()),
            status: action.as_ref().map(|it| it.status),
            importance: match (of, is_weighty) {
                (FactKind::Decision, true) => Importance::High,
                (FactKind::Decision | FactKind::ActionItem, _) | (_, true) => Importance::Medium,
                (FactKind::Opinion | FactKind::Question | FactKind::Observation, false) => {
                    Importance::Low
                }
            },
            quality: score,
            action_tags: tags::action_tags(clause),
            mentions,
            language: Some(tongue.to_owned()),
            occurred_at: clause.times.first().map(|it| it.start.to_string()),
            valid_until: until(clause),
            rationale: detail::rationale(clause.quote),
            alternatives: choice::alternatives(clause.quote),
            consequences: detail::consequences(clause.quote),
            numbers,
            sentiment: detail::sentiment(&clause.plain),
            glossary: detail::glossary(clause.quote),
            answers: answers.map(|it| it.label.to_owned()),
        })
    }

    /// Whether the sentence may be what the question waits for.
    fn may_answer(clause: &Clause<'_>, question: &Open<'_>) -> bool {
        if fits(clause, question.wanted) {
            return question.wanted != Wanted::Anything || !chatter::is_chatter(clause);
        }
        // A few words right after a question are its answer, if they are no small talk.
        let is_brief =
            question.n_replies <= 1 && clause.words.len() <= 5 && !clause.stems.is_empty();
        if is_brief && question.wanted != Wanted::YesOrNo && !chatter::is_chatter(clause) {
            return true;
        }
        // The first reply answers whatever its form, if it says something.
        let is_loose = matches!(
            question.wanted,
            Wanted::YesOrNo | Wanted::Reason | Wanted::Anything
        );
        is_loose
            && question.n_replies <= 1
            && !chatter::is_chatter(clause)
            && clause.stems.len() >= 2
    }

    /// What a statement of the message may say.
    fn sources(&self) -> Vec<&str> {
        let words = [
            self.message.text.as_str(),
            self.message.author.as_str(),
            self.root_text,
        ];
        words
            .into_iter()
            .chain(self.message.mentions.iter().map(String::as_str))
            .chain(self.days.iter().map(String::as_str))
            .collect()
    }

    /// The statement, if it says no more than what it rests on; else the sentence as it is.
    fn grounded(text: String, clause: &Clause<'_>, sources: &[&str]) -> Option<String> {
        if ungrounded(&text, sources).is_empty() {
            return Some(text);
        }
        let bare = finish(&clause.plain);
        ungrounded(&bare, sources).is_empty().then_some(bare)
    }

    fn mentions(&self, clause: &Clause<'_>) -> Vec<Mention> {
        let mut mentions: Vec<Mention> = clause
            .names
            .iter()
            .map(|it| Mention {
                name: super::person::full_name(
                    it.name.trim_start_matches('@').trim_matches('`'),
                    self.scene,
                )
                .to_owned(),
                kind: it.kind,
            })
            .map(|it| {
                // A full name that the message does not have is told as the message has it.
                if self.message.text.contains(&it.name) || it.name == self.message.author {
                    it
                } else {
                    let said = clause
                        .names
                        .iter()
                        .find(|name| it.name.starts_with(name.name.trim_start_matches('@')));
                    Mention {
                        name: said
                            .map_or(it.name, |name| name.name.trim_start_matches('@').to_owned()),
                        kind: it.kind,
                    }
                }
            })
            .collect();
        let speaks_of_self = clause.says(&["i", "i'm", "i'll", "i've", "i'd", "my", "me"]);
        if speaks_of_self && !self.message.author.is_empty() {
            mentions.push(Mention {
                name: self.message.author.clone(),
                kind: atlas_core::model::EntityType::Person,
            });
        }
        mentions.sort();
        mentions.dedup();
        mentions
    }
}

/// When the statement stops being so, where it says `until`.
fn until(clause: &Clause<'_>) -> Option<String> {
    clause.times.iter().find_map(|time| {
        let before = clause
            .plain
            .get(..time.span.start)?
            .trim_end()
            .to_lowercase();
        let ends = [
            "until", "till", "through", "bis", "hasta", "jusqu'au", "直到",
        ];
        let moves = ["moved", "postponed", "pushed", "delayed", "verschoben"]
            .iter()
            .any(|it| before.contains(it));
        (!moves && ends.iter().any(|it| before.ends_with(it))).then(|| time.end.to_string())
    })
}
