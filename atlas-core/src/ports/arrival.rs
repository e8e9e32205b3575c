//! What becomes of a version of a message when it arrives: one rule for every message store.

use super::Appended;
use crate::model::{ContentHash, Message};

/// What a store holds of a message when a version of it arrives.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// The current version.
    pub current: &'a Message,
    /// The name of the current version.
    pub version: &'a ContentHash,
    /// Whether the version that arrives was kept before, current or not.
    pub has_arrived: bool,
    /// Whether the message was forgotten: it takes in no words again, whatever arrives.
    pub is_forgotten: bool,
}

/// What a store does with a version that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// Keep it; it is the first of its message.
    First,
    /// Keep it and make it current.
    Replaces,
    /// Keep it beside the current one, which is later.
    Late,
    /// Keep nothing.
    Known,
}

impl Arrival {
    /// Decides what becomes of a message whose version is named so.
    pub fn of(message: &Message, version: &ContentHash, held: Option<Held<'_>>) -> Self {
        let Some(held) = held else {
            return Self::First;
        };
        if held.is_forgotten || held.version == version {
            return Self::Known;
        }
        if message.replaces(held.current) {
            Self::Replaces
        } else if held.has_arrived {
            Self::Known
        } else {
            Self::Late
        }
    }

    /// What the caller is told.
    pub fn outcome(self) -> Appended {
        match self {
            Self::First => Appended::New,
            Self::Replaces => Appended::Changed,
            Self::Late | Self::Known => Appended::Unchanged,
        }
    }
}
