//! Proposed statements to claims, each checked against the message that it names.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::narration::is_narration;
use super::offer::Offer;
use super::settings::ExtractSettings;
use super::when;
use crate::grounding::ungrounded;
use crate::llm::{ProposedFact, ProposedSlot};
use crate::model::{
    ActionItem, ActionStatus, AdmittedClaim, Attribution, Claim, FactId, FactKind, Language, Link,
    Message, RefusalReason, RefusedClaim, Slot, Span, Timestamp, UnitScore,
};
use crate::text::{fold, normalise_claim};

/// What became of the proposals for one message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Admission {
    /// What was admitted, in the order of the text.
    pub claims: Vec<AdmittedClaim>,
    /// What was refused.
    pub refusals: Vec<RefusedClaim>,
}

/// What became of all proposals of a batch: one admission an offered message, in order, and what
/// was refused without a message that it could belong to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Admissions {
    /// One for each offered message.
    pub by_message: Vec<Admission>,
    /// Refusals that name no offered message.
    pub stray: Vec<RefusedClaim>,
}

/// Checks each proposal by itself: a bad one is refused with its reason, the rest stands.
pub fn admit(offer: &Offer<'_>, proposals: &[Value], settings: &ExtractSettings) -> Admissions {
    let mut sorted = Admissions {
        by_message: offer.messages().map(|_| Admission::default()).collect(),
        stray: Vec::new(),
    };
    let mut answers: Vec<(usize, usize, String)> = Vec::new();
    for proposal in proposals {
        match check(offer, proposal, settings) {
            Ok((place, claim, answered)) => {
                if let Some(admission) = sorted.by_message.get_mut(place) {
                    if let Some(label) = answered {
                        answers.push((place, admission.claims.len(), label));
                    }
                    admission.claims.push(claim);
                }
            }
            Err((place, refused)) => {
                match place.and_then(|place| sorted.by_message.get_mut(place)) {
                    Some(admission) => admission.refusals.push(refused),
                    None => sorted.stray.push(refused),
                }
            }
        }
    }
    point_to_questions(offer, &mut sorted, &answers);
    for admission in &mut sorted.by_message {
        choose(admission, settings.max_facts_per_message);
    }
    forget_unadmitted(offer, &mut sorted);
    sorted
}

/// Sets what each answer answers: the first question that the named message of its thread admits.
fn point_to_questions(
    offer: &Offer<'_>,
    sorted: &mut Admissions,
    answers: &[(usize, usize, String)],
) {
    for (place, index, label) in answers {
        let Some((asked_at, asker)) = offer.find(label) else {
            continue;
        };
        let question = sorted.by_message.get(asked_at).and_then(|asked| {
            asked
                .claims
                .iter()
                .find(|it| it.claim.kind == FactKind::Question)
        });
        let Some(question) = question else { continue };
        let id = FactId::of(&asker.id.channel, &normalise_claim(&question.claim.text));
        let answer = sorted
            .by_message
            .get_mut(*place)
            .and_then(|it| it.claims.get_mut(*index));
        if let Some(answer) = answer {
            answer.claim.answers = Some(id);
        }
    }
}

/// Takes back that a statement answers a question that was not admitted.
fn forget_unadmitted(offer: &Offer<'_>, sorted: &mut Admissions) {
    let admitted: BTreeSet<FactId> = offer
        .messages()
        .zip(&sorted.by_message)
        .flat_map(|(message, admission)| {
            let texts = admission
                .claims
                .iter()
                .map(|it| normalise_claim(&it.claim.text));
            texts.map(|text| FactId::of(&message.id.channel, &text))
        })
        .collect();
    for it in sorted.by_message.iter_mut().flat_map(|it| &mut it.claims) {
        it.claim.answers = it.claim.answers.take().filter(|id| admitted.contains(id));
    }
}

/// Keeps the best statements of a message, each once, in the order of the text.
fn choose(admission: &mut Admission, limit: usize) {
    let mut claims = std::mem::take(&mut admission.claims);
    claims.sort_by(|a, b| {
        let key = |it: &AdmittedClaim| (std::cmp::Reverse(it.claim.quality), it.claim.span);
        key(a)
            .cmp(&key(b))
            .then_with(|| a.claim.text.cmp(&b.claim.text))
    });
    let mut known = BTreeSet::new();
    for claim in claims {
        let reason = if !known.insert(normalise_claim(&claim.claim.text)) {
            RefusalReason::Repeated
        } else if admission.claims.len() >= limit {
            RefusalReason::TooMany
        } else {
            admission.claims.push(claim);
            continue;
        };
        admission.refusals.push(RefusedClaim {
            text: claim.claim.text,
            reason,
        });
    }
    admission
        .claims
        .sort_by(|a, b| (a.claim.span, &a.claim.text).cmp(&(b.claim.span, &b.claim.text)));
}

type Checked = (usize, AdmittedClaim, Option<String>);
type Refused = (Option<usize>, RefusedClaim);

fn check(
    offer: &Offer<'_>,
    proposal: &Value,
    settings: &ExtractSettings,
) -> Result<Checked, Refused> {
    let proposed: ProposedFact = serde_json::from_value(proposal.clone()).map_err(|cause| {
        let said = |field: &str| proposal.get(field).and_then(Value::as_str);
        let place = said("message")
            .and_then(|label| offer.find(label))
            .map(|(place, _)| place);
        let text = said("text").map_or_else(|| proposal.to_string(), str::to_owned);
        (
            place,
            RefusedClaim {
                text,
                reason: RefusalReason::Malformed(cause.to_string()),
            },
        )
    })?;
    let refuse = |place: Option<usize>, reason: RefusalReason| {
        (
            place,
            RefusedClaim {
                text: proposed.text.clone(),
                reason,
            },
        )
    };
    let (place, message, attribution) = place_of(offer, &proposed).map_err(|r| refuse(None, r))?;
    let refuse = |reason| refuse(Some(place), reason);
    let span = Span::find(&message.text, &proposed.quote, 0)
        .ok_or_else(|| refuse(RefusalReason::QuoteNotFound))?;
    let text = proposed
        .text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if !text.chars().any(char::is_alphanumeric) {
        return Err(refuse(RefusalReason::Empty));
    }
    if is_narration(&text) {
        return Err(refuse(RefusalReason::Narration));
    }
    let quality = UnitScore::new(proposed.quality)
        .map_err(|error| refuse(RefusalReason::Malformed(error.to_string())))?;
    if quality < settings.min_quality {
        return Err(refuse(RefusalReason::LowQuality));
    }
    let times = Times::of(&proposed, message, settings.utc_offset_seconds);
    if !is_grounded(&text, offer, message, &times) {
        return Err(refuse(RefusalReason::NotGrounded));
    }
    let answered = proposed.answers.clone();
    let claim = claim(proposed, text, (span, quality), message, &times);
    Ok((place, AdmittedClaim { claim, attribution }, answered))
}

/// The message that says it: the named one, or the only one that holds the words.
fn place_of<'a>(
    offer: &Offer<'a>,
    proposed: &ProposedFact,
) -> Result<(usize, &'a Message, Attribution), RefusalReason> {
    let (place, message) = offer
        .find(&proposed.message)
        .ok_or(RefusalReason::UnknownMessage)?;
    let has_words = proposed.quote.chars().any(char::is_alphanumeric);
    if has_words && message.text.contains(&proposed.quote) {
        return Ok((place, message, Attribution::Exact));
    }
    if has_words && let Some((place, message)) = offer.only_one_that_says(&proposed.quote) {
        return Ok((place, message, Attribution::Words));
    }
    Err(RefusalReason::QuoteNotFound)
}

/// The times that a proposal names, resolved against its message.
struct Times {
    occurred_at: Option<Timestamp>,
    valid_until: Option<Timestamp>,
    due: Option<Timestamp>,
    /// Dates that the statement may name because the message names them in other words.
    said: Vec<String>,
}

impl Times {
    fn of(proposed: &ProposedFact, message: &Message, offset: i32) -> Self {
        let mut said: Vec<String> = Vec::new();
        for expression in when::find(&message.text, message.sent_at, offset) {
            let local = i64::from(offset) * 1_000_000;
            said.push(expression.start.saturating_add_micros(local).date());
            said.push(expression.end.saturating_add_micros(local - 1).date());
        }
        // A time counts only if it is one that the message names, in whatever words.
        let day = |at: Timestamp| {
            at.saturating_add_micros(i64::from(offset) * 1_000_000)
                .date()
        };
        let resolve = |words: Option<&String>| {
            let words = words?;
            let named: Option<Timestamp> = words.parse().ok();
            let found = || {
                when::find(words, message.sent_at, offset)
                    .first()
                    .map(|it| it.start)
            };
            named.or_else(found).filter(|at| said.contains(&day(*at)))
        };
        let occurred_at = resolve(proposed.occurred_at.as_ref());
        let valid_until = resolve(proposed.valid_until.as_ref());
        let due = resolve(proposed.due.as_ref());
        Self {
            occurred_at,
            valid_until,
            due,
            said,
        }
    }
}

/// Whether the statement says only what its message, its thread's root, its author and the
/// dates that it names say.
fn is_grounded(text: &str, offer: &Offer<'_>, message: &Message, times: &Times) -> bool {
    let root = offer.root_of(message).map_or("", |root| root.text.as_str());
    let mut sources = vec![message.text.as_str(), message.author.name.as_str(), root];
    sources.extend(message.mentions.iter().map(|it| it.name.as_str()));
    sources.extend(times.said.iter().map(String::as_str));
    ungrounded(text, &sources).is_empty()
}

fn claim(
    proposed: ProposedFact,
    text: String,
    (span, quality): (Span, UnitScore),
    message: &Message,
    times: &Times,
) -> Claim {
    let action = (proposed.kind == FactKind::ActionItem).then(|| ActionItem {
        owner: proposed
            .owner
            .clone()
            .filter(|owner| is_named(message, owner)),
        due: times.due,
        status: proposed.status.unwrap_or(ActionStatus::Open),
    });
    let links: Vec<Link> = message
        .links
        .iter()
        .filter(|link| proposed.quote.contains(&link.url))
        .cloned()
        .collect();
    Claim {
        text,
        span,
        kind: proposed.kind,
        slot: proposed.slot.as_ref().and_then(slot),
        action,
        importance: proposed.importance,
        quality,
        topic_tags: tags(&proposed.topic_tags),
        action_tags: tags(&proposed.action_tags),
        mentions: proposed
            .mentions
            .into_iter()
            .filter(|it| {
                fold(&message.text).contains(&fold(&it.name)) || it.name == message.author.name
            })
            .collect(),
        language: proposed
            .language
            .map_or_else(Language::unknown, Language::new),
        occurred_at: times.occurred_at.unwrap_or(message.sent_at),
        valid_until: times.valid_until,
        rationale: proposed
            .rationale
            .filter(|it| message.text.contains(it.as_str())),
        alternatives: said_in(message, proposed.alternatives),
        consequences: said_in(message, proposed.consequences),
        numbers: proposed
            .numbers
            .into_iter()
            .filter(|it| !it.number.is_empty() && message.text.contains(&it.number))
            .collect(),
        sentiment: proposed.sentiment,
        glossary: proposed
            .glossary
            .into_iter()
            .filter(|it| message.text.contains(&it.term) && message.text.contains(&it.definition))
            .collect(),
        links,
        answers: None,
        quote: proposed.quote,
    }
}

fn slot(proposed: &ProposedSlot) -> Option<Slot> {
    let subject = normalise_claim(&proposed.subject);
    let family = normalise_claim(&proposed.family).replace(' ', "_");
    if subject.is_empty() || family.is_empty() {
        return None;
    }
    Some(Slot {
        subject,
        family,
        value: fold(&proposed.value),
        polarity: proposed.polarity,
        modality: proposed.modality,
    })
}

fn tags(proposed: &[String]) -> Vec<String> {
    let tags: BTreeSet<String> = proposed
        .iter()
        .map(|tag| fold(tag))
        .filter(|tag| !tag.is_empty())
        .collect();
    tags.into_iter().collect()
}

/// Whether the name is the author's, one that the message addresses, or stands in its text.
fn is_named(message: &Message, name: &str) -> bool {
    let name = fold(name.trim_start_matches('@'));
    let people = message.mentions.iter().chain([&message.author]);
    !name.is_empty()
        && (people.into_iter().any(|it| fold(&it.name) == name)
            || fold(&message.text).contains(&name))
}

/// Keeps the words that the message has.
fn said_in(message: &Message, proposed: Vec<String>) -> Vec<String> {
    proposed
        .into_iter()
        .filter(|it| !it.is_empty() && message.text.contains(it.as_str()))
        .collect()
}
