//! Sentences and what they rest on.

use std::collections::BTreeMap;

use atlas_core::model::{ChannelId, Message};

use super::page::{Evidence, Note, Page};

/// The sentences that no footnote follows.
pub fn uncited(page: &Page) -> Vec<String> {
    let bare = page.sentences.iter().filter(|it| it.notes.is_empty());
    bare.map(|it| it.text.clone()).collect()
}

/// The messages that a wiki may cite.
#[derive(Debug)]
pub struct Sources<'a> {
    by_channel: BTreeMap<&'a ChannelId, BTreeMap<String, &'a Message>>,
}

impl<'a> Sources<'a> {
    /// The messages of each channel by their ids.
    pub fn new(messages: &'a BTreeMap<ChannelId, Vec<Message>>) -> Self {
        let by_id = |messages: &'a Vec<Message>| {
            let all = messages.iter();
            all.map(|it| (it.id.record_id(), it)).collect()
        };
        let all = messages.iter();
        Self {
            by_channel: all.map(|(id, them)| (id, by_id(them))).collect(),
        }
    }

    /// The channel that has most of the messages that the pages cite, the first of equals.
    pub fn channel_of<'p>(&self, pages: impl Iterator<Item = &'p Page>) -> Option<&'a ChannelId> {
        let cited: Vec<&Evidence> = pages
            .flat_map(|page| page.notes.values().flatten())
            .filter_map(|note| match note {
                Note::Evidence(evidence) => Some(evidence),
                Note::Unreadable(_) => None,
            })
            .collect();
        let mut best: Option<(usize, &ChannelId)> = None;
        for (channel, messages) in &self.by_channel {
            let known = cited.iter().filter(|it| fault(it, messages).is_none());
            let known = known.count();
            if known > best.map_or(0, |(most, _)| most) {
                best = Some((known, channel));
            }
        }
        best.map(|(_, channel)| channel)
    }

    /// What a page cites that proves nothing: footnotes that cannot be read or that nothing calls,
    /// and evidence that the channel's messages do not give. A mark without a footnote is none: it
    /// shows as it stands.
    pub fn unproven(&self, page: &Page, channel: Option<&ChannelId>) -> Vec<String> {
        let nothing = BTreeMap::new();
        let messages = channel.and_then(|it| self.by_channel.get(it));
        let messages = messages.unwrap_or(&nothing);
        let mut found = Vec::new();
        let called: Vec<&String> = page.sentences.iter().flat_map(|it| &it.notes).collect();
        for (label, notes) in &page.notes {
            if !called.contains(&label) {
                found.push(format!("[^{label}] is called by no sentence"));
            }
            for note in notes {
                let fault = match note {
                    Note::Unreadable(text) => Some(format!("not to be read: {text}")),
                    Note::Evidence(evidence) => fault(evidence, messages),
                };
                found.extend(fault.map(|fault| format!("[^{label}] {fault}")));
            }
        }
        found
    }
}

/// Why the messages do not give the evidence; none if they do.
fn fault(evidence: &Evidence, messages: &BTreeMap<String, &Message>) -> Option<String> {
    let Some(message) = messages.get(&evidence.message) else {
        return Some(format!("no message {} in the channel", evidence.message));
    };
    let quote = plain(&evidence.quote);
    if quote.is_empty() || !plain(&message.text).contains(&quote) {
        return Some(format!("{} does not say: {quote}", evidence.message));
    }
    if plain(&message.author.name) != plain(&evidence.author) {
        return Some(format!(
            "{} is by {}, not by {}",
            evidence.message, message.author.name, evidence.author
        ));
    }
    let date = message.sent_at.date();
    (date != evidence.date).then(|| format!("{} is of {date}", evidence.message))
}

/// A text as it shows on a page: on one line, without the marks of code.
fn plain(text: &str) -> String {
    let shown: String = text.chars().filter(|c| *c != '`').collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}
