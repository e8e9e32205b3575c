//! Seeded facts, messages and questions.
//!
//! Everything is made from the seed and its place alone, so that nothing is held that can be made
//! again. A message of five sentences says five facts. A sentence names a person, words of one of
//! forty topics, words that are drawn by Zipf's law from twenty thousand, and a number of its own.

mod sentence;
mod vocabulary;

use anyhow::Result;
use atlas_core::model::{
    AtomicFact, Attribution, Author, AuthorId, ChannelId, Claim, Evidence, FactId, FactKind,
    Fingerprint, Importance, Language, Mention, Message, MessageId, Modality, NativeId, Polarity,
    Slot, SourceId, Span, Timestamp, UnitScore,
};
use fastrand::Rng;

use self::sentence::Sentence;
use self::vocabulary::Zipf;

/// Facts that a message says.
pub(crate) const FACTS_A_MESSAGE: usize = 5;
/// Tags that facts are spread over evenly: one keeps two in a hundred.
const TAGS: usize = 50;
/// The kinds that facts are spread over evenly: one keeps twenty in a hundred.
const KINDS: [FactKind; 5] = [
    FactKind::Decision,
    FactKind::Opinion,
    FactKind::Observation,
    FactKind::ActionItem,
    FactKind::Question,
];
/// 2026-01-01T00:00:00Z, when the first message is sent, in microseconds.
const BEGUN: i64 = 1_767_225_600_000_000;
/// Microseconds between two messages.
const PACE: i64 = 60_000_000;

/// The tag of two facts in a hundred.
pub(crate) fn rare_tag() -> String {
    tag(0)
}

/// The kind of twenty facts in a hundred.
pub(crate) fn common_kind() -> FactKind {
    FactKind::Decision
}

fn tag(number: usize) -> String {
    format!("group-{number}")
}

/// A message with the facts that it says.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) message: Message,
    pub(crate) facts: Vec<AtomicFact>,
}

/// Makes facts, messages and questions.
#[derive(Debug)]
pub(crate) struct Corpus {
    seed: u64,
    zipf: Zipf,
}

impl Corpus {
    /// A corpus of the seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            zipf: Zipf::new(sentence::COMMON_WORDS),
        }
    }

    /// The channel of a number.
    pub(crate) fn channel(number: usize) -> ChannelId {
        ChannelId::new(format!("C{number:05}"))
    }

    /// The messages of a channel that say its facts from one number up to another.
    ///
    /// # Errors
    ///
    /// If a record of the model cannot be made, which none of these should be.
    pub(crate) fn said(&self, channel: usize, from: usize, to: usize) -> Result<Vec<Said>> {
        (from..to)
            .step_by(FACTS_A_MESSAGE)
            .map(|first| self.message(channel, first, (first + FACTS_A_MESSAGE).min(to)))
            .collect()
    }

    /// The message of a channel that says one fact.
    ///
    /// # Errors
    ///
    /// If a record of the model cannot be made, which none of these should be.
    pub(crate) fn line(&self, channel: usize, number: usize) -> Result<Message> {
        Ok(self.message(channel, number, number + 1)?.message)
    }

    /// A question on what may have been said.
    pub(crate) fn question(&self, number: usize) -> String {
        let mut rng = self.rng("question", 0, number);
        sentence::question(&mut rng, &self.zipf)
    }

    fn message(&self, channel_number: usize, first: usize, to: usize) -> Result<Said> {
        let channel = Self::channel(channel_number);
        let sentences: Vec<(usize, Sentence)> = (first..to)
            .map(|number| {
                let mut rng = self.rng("fact", channel_number, number);
                (number, Sentence::draw(&mut rng, &self.zipf, number))
            })
            .collect();
        let texts: Vec<&str> = sentences.iter().map(|(_, it)| it.text.as_str()).collect();
        let text = texts.join(" ");
        let id = MessageId::new(
            SourceId::new("bench"),
            channel,
            NativeId::new(first.to_string()),
        );
        let speaker = sentences.first().map_or(0, |(_, it)| it.person);
        let author = Author {
            id: AuthorId::new(format!("U{speaker}")),
            name: sentence::person(speaker),
        };
        let place = i64::try_from(first / FACTS_A_MESSAGE)?;
        let sent_at = Timestamp::from_micros(BEGUN + place * PACE)?;
        let message = Message::new(id, author, sent_at, text);
        let version = message.version();
        let mut start = 0;
        let mut facts = Vec::with_capacity(sentences.len());
        for (number, sentence) in sentences {
            let span = Span {
                start,
                end: start + sentence.text.len(),
            };
            start = span.end + 1;
            let evidence = Evidence {
                message: message.id.clone(),
                version: version.clone(),
                span,
                quote: sentence.text.clone(),
                author: message.author.clone(),
                sent_at,
                attribution: Attribution::Exact,
            };
            let mut rng = self.rng("kind", channel_number, number);
            facts.push(fact(&mut rng, sentence, evidence));
        }
        Ok(Said { message, facts })
    }

    /// Chance that hangs on the seed and the place alone.
    fn rng(&self, purpose: &str, channel: usize, number: usize) -> Rng {
        let parts = [
            purpose,
            &self.seed.to_string(),
            &channel.to_string(),
            &number.to_string(),
        ];
        let hash = atlas_core::model::ContentHash::of_parts(&parts);
        let bits = hash.as_str().get(..16).unwrap_or_default();
        Rng::with_seed(u64::from_str_radix(bits, 16).unwrap_or_default())
    }
}

fn fact(rng: &mut Rng, sentence: Sentence, evidence: Evidence) -> AtomicFact {
    let kind = rng.choice(KINDS).unwrap_or(FactKind::Observation);
    let channel = evidence.message.channel.clone();
    let sent_at = evidence.sent_at;
    let claim = Claim {
        span: evidence.span,
        quote: sentence.text.clone(),
        kind,
        slot: Some(Slot {
            subject: sentence.subject.clone(),
            family: "uses".to_owned(),
            value: sentence.value.clone(),
            polarity: Polarity::Positive,
            modality: Modality::Asserted,
        }),
        action: None,
        importance: Importance::Medium,
        quality: UnitScore::clamped(0.8),
        topic_tags: vec![tag(rng.usize(..TAGS)), sentence.subject.clone()],
        action_tags: vec![sentence.verb.to_owned()],
        mentions: vec![Mention {
            name: evidence.author.name.clone(),
            kind: atlas_core::model::EntityType::Person,
        }],
        language: Language::new("en"),
        occurred_at: sent_at,
        valid_until: None,
        rationale: None,
        alternatives: Vec::new(),
        consequences: Vec::new(),
        numbers: Vec::new(),
        sentiment: None,
        glossary: Vec::new(),
        links: Vec::new(),
        answers: None,
        text: sentence.text,
    };
    AtomicFact {
        id: FactId::of(&channel, &claim.text.to_lowercase()),
        channel,
        claim,
        evidence: vec![evidence],
        thread: None,
        media: Vec::new(),
        recorded_at: sent_at,
        extractor: Fingerprint::new("bench"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn facts(seed: u64, channel: usize, from: usize, to: usize) -> Vec<AtomicFact> {
        let said = Corpus::new(seed).said(channel, from, to).unwrap();
        said.into_iter().flat_map(|it| it.facts).collect()
    }

    #[test]
    fn facts_hang_on_seed_and_place_alone() {
        let all = facts(7, 3, 0, 100);
        assert_eq!(all.len(), 100);
        assert_eq!(facts(7, 3, 50, 100), all[50..]);
        assert_ne!(facts(8, 3, 0, 100)[0].claim.text, all[0].claim.text);
        assert_ne!(facts(7, 4, 0, 100)[0].claim.text, all[0].claim.text);
        let ids: BTreeSet<&FactId> = all.iter().map(|it| &it.id).collect();
        assert_eq!(ids.len(), 100);
    }

    #[test]
    fn evidence_stands_in_its_message() {
        for said in Corpus::new(7).said(0, 0, 12).unwrap() {
            for fact in &said.facts {
                let evidence = fact.first().unwrap();
                assert_eq!(evidence.version, said.message.version());
                let words = evidence.span.of(&said.message.text).unwrap();
                assert_eq!(words, evidence.quote);
            }
        }
    }

    #[test]
    fn filters_keep_their_share() {
        let all = facts(7, 0, 0, 10_000);
        let n_tagged = all
            .iter()
            .filter(|it| it.claim.topic_tags.contains(&rare_tag()));
        assert!((150..250).contains(&n_tagged.count()));
        let n_kind = all.iter().filter(|it| it.claim.kind == common_kind());
        assert!((1_900..2_100).contains(&n_kind.count()));
    }
}
