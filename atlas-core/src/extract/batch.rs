//! Conversations to batches that fit a budget.

use crate::model::Message;
use crate::text::estimate_tokens;

/// What one call may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Tokens, by [`message_tokens`].
    pub tokens: usize,
    /// Messages.
    pub messages: usize,
}

/// Tokens that a message costs at least: its label, author and time.
const FLOOR: usize = 50;

/// A guess at the tokens of a message or of what was taken from one, by its text.
pub fn message_tokens(text: &str) -> usize {
    FLOOR + estimate_tokens(text)
}

/// A part of a conversation that is read in one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Which conversation, by its place in what was given.
    pub conversation: usize,
    /// Its messages before this part, for context, by their places in the conversation.
    pub context: std::ops::Range<usize>,
    /// The messages to read, by their places in the conversation.
    pub messages: std::ops::Range<usize>,
    /// At most this many messages in a call that reads it.
    pub limit: usize,
    /// Tokens of its messages, by `message_tokens`.
    pub tokens: usize,
}

impl Piece {
    fn new(
        conversation: usize,
        members: &[&Message],
        messages: std::ops::Range<usize>,
        limit: usize,
    ) -> Self {
        let read = members.get(messages.clone()).unwrap_or_default();
        Self {
            conversation,
            context: messages.start.saturating_sub(CONTEXT)..messages.start,
            limit,
            tokens: read.iter().map(|it| message_tokens(&it.text)).sum(),
            messages,
        }
    }

    /// What is left of it from a place on, in pieces of at most so many messages.
    pub fn rest(&self, members: &[&Message], from: usize, limit: usize) -> Vec<Self> {
        let limit = limit.max(1);
        let starts = (from.max(self.messages.start)..self.messages.end).step_by(limit);
        starts
            .map(|start| {
                let end = (start + limit).min(self.messages.end);
                Self::new(self.conversation, members, start..end, limit)
            })
            .collect()
    }
}

/// Splits conversations into batches: each message is read once, conversations stay whole where
/// they fit, and a message that alone exceeds the budget is read alone.
///
/// # Shape
///
/// The pieces of all batches, in order, cover every message of every conversation once, in order.
pub fn batches(conversations: &[Vec<&Message>], budget: Budget) -> Vec<Vec<Piece>> {
    pack(pieces(conversations, budget), budget)
}

/// Splits conversations into pieces that each fit the budget.
pub fn pieces(conversations: &[Vec<&Message>], budget: Budget) -> Vec<Piece> {
    let of_one = |(conversation, members): (usize, &Vec<&Message>)| -> Vec<Piece> {
        let piece = |run| Piece::new(conversation, members, run, budget.messages);
        runs(members, budget).into_iter().map(piece).collect()
    };
    conversations.iter().enumerate().flat_map(of_one).collect()
}

/// Puts pieces together, in order, while they fit the budget and the limit of each.
pub fn pack(pieces: Vec<Piece>, budget: Budget) -> Vec<Vec<Piece>> {
    let mut batches: Vec<Vec<Piece>> = Vec::new();
    let mut open: Vec<Piece> = Vec::new();
    let (mut tokens, mut messages, mut limit) = (0, 0, budget.messages);
    for piece in pieces {
        let count = piece.messages.len();
        let is_full =
            tokens + piece.tokens > budget.tokens || messages + count > limit.min(piece.limit);
        if is_full && !open.is_empty() {
            batches.push(std::mem::take(&mut open));
            (tokens, messages, limit) = (0, 0, budget.messages);
        }
        tokens += piece.tokens;
        messages += count;
        limit = limit.min(piece.limit);
        open.push(piece);
    }
    if !open.is_empty() {
        batches.push(open);
    }
    batches
}

/// Messages before a part of a conversation that are shown with it.
const CONTEXT: usize = 20;

/// Cuts a conversation into runs that fit the budget.
fn runs(members: &[&Message], budget: Budget) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let (mut start, mut cost) = (0, 0);
    for (place, message) in members.iter().enumerate() {
        let tokens = message_tokens(&message.text);
        let is_full = cost + tokens > budget.tokens || place - start >= budget.messages;
        if is_full && place > start {
            runs.push(start..place);
            (start, cost) = (place, 0);
        }
        cost += tokens;
    }
    if start < members.len() {
        runs.push(start..members.len());
    }
    runs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::{Author, AuthorId, ChannelId, MessageId, NativeId, SourceId, Timestamp};

    fn message(text: &str) -> Message {
        let id = MessageId::new(SourceId::new("s"), ChannelId::new("c"), NativeId::new("1"));
        let author = Author {
            id: AuthorId::new("u"),
            name: "U".to_owned(),
        };
        Message::new(id, author, Timestamp::MIN, text)
    }

    proptest! {
        #[test]
        fn every_message_is_read_once_and_budgets_hold(
            sizes in prop::collection::vec(prop::collection::vec(0_usize..2_000, 1..12), 0..8),
            tokens in 60_usize..2_000,
            messages in 1_usize..10,
        ) {
            let texts: Vec<Vec<Message>> = sizes
                .iter()
                .map(|sizes| sizes.iter().map(|n| message(&"a".repeat(*n))).collect())
                .collect();
            let conversations: Vec<Vec<&Message>> =
                texts.iter().map(|texts| texts.iter().collect()).collect();
            let made = batches(&conversations, Budget { tokens, messages });
            let mut read = Vec::new();
            for batch in &made {
                let count: usize = batch.iter().map(|piece| piece.messages.len()).sum();
                prop_assert!(count <= messages && count > 0);
                let cost: usize = batch
                    .iter()
                    .flat_map(|it| &conversations[it.conversation][it.messages.clone()])
                    .map(|message| message_tokens(&message.text))
                    .sum();
                prop_assert!(cost <= tokens || count == 1, "{cost} of {tokens}");
                for piece in batch {
                    prop_assert!(piece.context.end == piece.messages.start);
                    read.extend(piece.messages.clone().map(|place| (piece.conversation, place)));
                }
            }
            let all: Vec<(usize, usize)> = sizes
                .iter()
                .enumerate()
                .flat_map(|(c, sizes)| (0..sizes.len()).map(move |place| (c, place)))
                .collect();
            prop_assert_eq!(read, all);
        }
    }
}
