//! What is offered to an extractor, and under which labels.

use std::collections::BTreeMap;

use super::batch::Piece;
use crate::llm::{EntityExtractionInput, FactExtractionInput, PromptMessage};
use crate::model::Message;

/// Messages under the labels that a reply may use.
#[derive(Clone, Debug, Default)]
pub struct Offer<'a> {
    messages: Vec<(String, &'a Message)>,
    context: Vec<(String, &'a Message)>,
    places: BTreeMap<String, usize>,
}

impl<'a> Offer<'a> {
    /// Offers the messages of the pieces of a batch. Messages of which nothing is to be read are
    /// context too: they are understood, not extracted from.
    pub fn new(
        conversations: &[Vec<&'a Message>],
        batch: &[Piece],
        is_read: impl Fn(&Message) -> bool,
    ) -> Self {
        let mut offer = Self::default();
        for piece in batch {
            let Some(members) = conversations.get(piece.conversation) else {
                continue;
            };
            // The root tells what a thread is about, however far back it is.
            let root = members.first().filter(|_| piece.context.start > 0);
            let before = members.get(piece.context.clone()).unwrap_or_default();
            for message in root.into_iter().chain(before).filter(|it| !it.is_deleted) {
                offer.add_context(message);
            }
            for message in members.get(piece.messages.clone()).unwrap_or_default() {
                if is_read(message) {
                    let label = format!("m{}", offer.messages.len() + 1);
                    offer.places.insert(label.clone(), offer.messages.len());
                    offer.messages.push((label, message));
                } else if !message.text.is_empty() && !message.is_deleted {
                    offer.add_context(message);
                }
            }
        }
        offer
    }

    fn add_context(&mut self, message: &'a Message) {
        self.context
            .push((format!("c{}", self.context.len() + 1), message));
    }

    /// The messages to extract from, in order.
    pub fn messages(&self) -> impl Iterator<Item = &'a Message> {
        self.messages.iter().map(|(_, message)| *message)
    }

    /// The offered message of that label, and its place.
    pub fn find(&self, label: &str) -> Option<(usize, &'a Message)> {
        let place = *self.places.get(label)?;
        Some((place, self.messages.get(place)?.1))
    }

    /// The only offered message that holds the words; none if there is none or more than one.
    pub fn only_one_that_says(&self, words: &str) -> Option<(usize, &'a Message)> {
        let mut holders = self
            .messages()
            .enumerate()
            .filter(|(_, it)| it.text.contains(words));
        let first = holders.next()?;
        holders.next().is_none().then_some(first)
    }

    /// The root of the message's thread, if it is offered or in the context.
    pub fn root_of(&self, message: &Message) -> Option<&'a Message> {
        let root = message.thread_root.as_ref()?;
        self.context
            .iter()
            .chain(&self.messages)
            .map(|(_, it)| *it)
            .find(|other| other.id.native == *root && other.id.source == message.id.source)
    }

    /// The task of finding statements.
    pub fn fact_task(&self, max_facts_per_message: usize) -> FactExtractionInput {
        FactExtractionInput {
            context: self.prompt_messages(&self.context),
            messages: self.prompt_messages(&self.messages),
            max_facts_per_message,
        }
    }

    /// The task of finding names and relations.
    pub fn entity_task(&self) -> EntityExtractionInput {
        EntityExtractionInput {
            messages: self.prompt_messages(&self.messages),
        }
    }

    fn prompt_messages(&self, messages: &[(String, &Message)]) -> Vec<PromptMessage> {
        messages
            .iter()
            .map(|(label, message)| PromptMessage {
                label: label.clone(),
                author: message.author.name.clone(),
                sent_at: message.sent_at,
                text: message.text.clone(),
                thread_root: message.thread_root.as_ref().and_then(|root| {
                    self.context
                        .iter()
                        .chain(&self.messages)
                        .find(|(_, it)| it.id.native == *root && it.id.source == message.id.source)
                        .map(|(label, _)| label.clone())
                }),
                mentions: message.mentions.iter().map(|it| it.name.clone()).collect(),
                links: message.links.iter().map(|it| it.url.clone()).collect(),
            })
            .collect()
    }
}
