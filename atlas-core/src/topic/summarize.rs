//! Members of a topic to its summary, and topics to the channel's summary.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::TopicSettings;
use super::point::Place;
use super::telling::{Dropped, Offer, SeenFact};
use super::title;
use crate::llm::{
    ChannelSummarizerInput, ChannelSummarizerOutput, TopicDigest, TopicSummarizerInput,
    TopicSummarizerOutput,
};
use crate::model::{
    ChannelSummary, CitedSentence, ContentHash, FactId, FactKind, Fingerprint, TopicId,
    TopicSummary,
};

/// A hash of everything in the members that a summary depends on. Any order gives the same.
pub fn made_from(members: &[SeenFact<'_>]) -> ContentHash {
    let parts: Vec<String> = (in_order(members).iter())
        .flat_map(SeenFact::parts)
        .collect();
    ContentHash::of_parts(&parts)
}

/// Facts in canonical order: by first evidence, then id.
pub fn in_order<'a>(facts: &[SeenFact<'a>]) -> Vec<SeenFact<'a>> {
    let mut ordered = facts.to_vec();
    ordered.sort_by_cached_key(|it| Place::of(it.fact));
    ordered
}

/// Facts by weight: importance, then quality, then the latest, then the id.
pub fn by_weight<'a>(facts: &[SeenFact<'a>]) -> Vec<SeenFact<'a>> {
    let mut ranked = facts.to_vec();
    ranked.sort_by_cached_key(|it| {
        let claim = &it.fact.claim;
        let said_at = it.fact.latest().map(|it| it.sent_at);
        let weight = (claim.importance, claim.quality, said_at);
        (Reverse(weight), it.fact.id.clone())
    });
    ranked
}

/// What a topic's summary is asked from: the members of most weight, in the order they were said.
pub fn topic_task<'a>(
    members: &[SeenFact<'a>],
    other_titles: Vec<String>,
    settings: &TopicSettings,
) -> (Offer<'a>, TopicSummarizerInput) {
    let mut chosen = by_weight(members);
    chosen.truncate(settings.max_facts_a_summary);
    let offer = Offer::new(in_order(&chosen));
    let input = TopicSummarizerInput {
        facts: offer.labelled(),
        other_titles,
    };
    (offer, input)
}

/// What a topic's summary is about, and what its title must not be.
#[derive(Clone, Copy, Debug)]
pub struct TopicBrief<'a> {
    /// The topic.
    pub topic: &'a TopicId,
    /// Its visible members, never none.
    pub members: &'a [SeenFact<'a>],
    /// The titles of other topics, normalised by [`title::same`].
    pub taken: &'a BTreeSet<String>,
    /// What writes the summary.
    pub writer: &'a Fingerprint,
}

/// The summary of a topic: what stands the check of the reply; where nothing does, or there is no
/// reply, the key facts in their own words.
pub fn topic_summary(
    brief: &TopicBrief<'_>,
    reply: Option<(&Offer<'_>, &TopicSummarizerOutput)>,
    settings: &TopicSettings,
) -> (TopicSummary, Dropped) {
    let ranked = by_weight(brief.members);
    let mut dropped = Dropped::default();
    let mut checked = |part: fn(&TopicSummarizerOutput) -> &Vec<crate::llm::LabelledSentence>| {
        let Some((offer, output)) = reply else {
            return Vec::new();
        };
        let (kept, left_out) = offer.check(part(output));
        dropped.add(left_out);
        kept
    };
    let mut sentences = checked(|it| &it.summary);
    let current_state = checked(|it| &it.current_state);
    let open_questions = checked(|it| &it.open_questions);
    let impact = checked(|it| &it.impact);
    let mut key_facts: Vec<FactId> = Vec::new();
    let mut faq = answered(brief.members);
    if let Some((offer, output)) = reply {
        let find = |label: &String| offer.find(label);
        for seen in output.key_facts.iter().filter_map(find) {
            if !key_facts.contains(&seen.fact.id) {
                key_facts.push(seen.fact.id.clone());
            }
        }
        for it in &output.faq {
            let pair = find(&it.question).zip(find(&it.answer));
            let pair = pair.filter(|(asked, answer)| {
                asked.fact.claim.kind == FactKind::Question
                    && answer.fact.claim.kind != FactKind::Question
            });
            let pair = pair.map(|(asked, answer)| (asked.fact.id.clone(), answer.fact.id.clone()));
            faq.extend(pair);
        }
    }
    if key_facts.is_empty() {
        key_facts = ranked.iter().map(|it| it.fact.id.clone()).collect();
    }
    key_facts.truncate(settings.max_key_facts);
    faq.sort();
    faq.dedup();
    if sentences.is_empty() {
        sentences = own_words_of(&key_facts, &ranked);
    }
    let proposed = reply.map(|(_, output)| output.title.as_str());
    let summary = TopicSummary {
        topic: brief.topic.clone(),
        made_from: made_from(brief.members),
        writer: brief.writer.clone(),
        title: title::choose(proposed, &ranked, brief.taken, brief.topic.as_str()),
        sentences,
        current_state,
        open_questions,
        impact,
        key_facts,
        faq,
    };
    (summary, dropped)
}

fn own_words_of(ids: &[FactId], facts: &[SeenFact<'_>]) -> Vec<CitedSentence> {
    let own = ids.iter().filter_map(|id| {
        let seen = facts.iter().find(|it| it.fact.id == *id)?;
        seen.own_words()
    });
    super::sentence::once(own.collect())
}

/// The questions among the facts with the facts that answer them.
pub fn answered(facts: &[SeenFact<'_>]) -> Vec<(FactId, FactId)> {
    let questions: BTreeSet<&FactId> = facts
        .iter()
        .filter(|it| it.fact.claim.kind == FactKind::Question)
        .map(|it| &it.fact.id)
        .collect();
    let mut pairs: Vec<(FactId, FactId)> = facts
        .iter()
        .filter_map(|it| {
            let asked = it.fact.claim.answers.as_ref()?;
            (questions.contains(asked)).then(|| (asked.clone(), it.fact.id.clone()))
        })
        .collect();
    pairs.sort();
    pairs
}

/// A topic as the channel's summary sees it.
#[derive(Clone, Debug)]
pub struct ToldTopic<'a> {
    /// Its summary.
    pub summary: &'a TopicSummary,
    /// How many members it has.
    pub n_members: usize,
    /// Its key facts.
    pub key_facts: Vec<SeenFact<'a>>,
}

/// The topics that the channel's summary is made from: largest first, ties by title, then id.
pub fn largest<'a>(mut topics: Vec<ToldTopic<'a>>, settings: &TopicSettings) -> Vec<ToldTopic<'a>> {
    topics.sort_by(|a, b| {
        (Reverse(a.n_members), &a.summary.title, &a.summary.topic).cmp(&(
            Reverse(b.n_members),
            &b.summary.title,
            &b.summary.topic,
        ))
    });
    topics.truncate(settings.max_topics_a_channel);
    topics
}

/// A hash of everything that the channel's summary depends on.
pub fn channel_made_from(topics: &[ToldTopic<'_>]) -> ContentHash {
    let mut parts = Vec::new();
    for topic in topics {
        let summary = topic.summary;
        parts.extend([
            summary.topic.to_string(),
            summary.title.clone(),
            summary.made_from.to_string(),
            summary.writer.to_string(),
        ]);
    }
    ContentHash::of_parts(&parts)
}

/// What the channel's summary is asked from.
pub fn channel_task<'a>(topics: &[ToldTopic<'a>]) -> (Offer<'a>, ChannelSummarizerInput) {
    let mut facts: Vec<SeenFact<'a>> = Vec::new();
    for seen in topics.iter().flat_map(|it| &it.key_facts) {
        if !facts.iter().any(|it| it.fact.id == seen.fact.id) {
            facts.push(*seen);
        }
    }
    let offer = Offer::new(facts);
    let labels = |topic: &ToldTopic<'_>| {
        let keys = topic.key_facts.iter();
        keys.filter_map(|it| offer.label(&it.fact.id)).collect()
    };
    let input = ChannelSummarizerInput {
        topics: topics
            .iter()
            .map(|it| TopicDigest {
                title: it.summary.title.clone(),
                facts: labels(it),
            })
            .collect(),
        facts: offer.labelled(),
    };
    (offer, input)
}

/// The summary of a channel: what stands the check; else the first key fact of each topic in its
/// own words. Themes that name nothing, or nothing of the channel, give way to the topics' titles.
pub fn channel_summary(
    topics: &[ToldTopic<'_>],
    offer: &Offer<'_>,
    reply: &ChannelSummarizerOutput,
    writer: &Fingerprint,
) -> (ChannelSummary, Dropped) {
    let (mut sentences, dropped) = offer.check(&reply.summary);
    if sentences.is_empty() {
        let firsts = topics.iter().filter_map(|it| it.key_facts.first());
        let own = firsts.filter_map(SeenFact::own_words);
        sentences = super::sentence::once(own.collect());
    }
    let titles: Vec<&str> = topics.iter().map(|it| it.summary.title.as_str()).collect();
    let texts = offer.facts().iter().map(|it| it.fact.text());
    let tags = offer
        .facts()
        .iter()
        .flat_map(|it| &it.fact.claim.topic_tags);
    let sources: Vec<&str> = texts
        .chain(tags.map(String::as_str))
        .chain(titles.iter().copied())
        .collect();
    let mut known = BTreeSet::new();
    let mut themes: Vec<String> = (reply.themes.iter())
        .filter_map(|theme| title::gate(theme))
        .filter(|theme| crate::grounding::ungrounded(theme, &sources).is_empty())
        .filter(|theme| known.insert(title::same(theme)))
        .collect();
    if themes.is_empty() {
        themes = titles.into_iter().map(str::to_owned).collect();
    }
    let summary = ChannelSummary {
        made_from: channel_made_from(topics),
        writer: writer.clone(),
        sentences,
        themes,
    };
    (summary, dropped)
}
