//! Which messages nothing is extracted from.

use crate::model::{Message, SkipReason};

/// Why nothing is extracted from the message; none if it is to be read.
pub fn skip_reason(message: &Message, reads_bots: bool) -> Option<SkipReason> {
    if message.is_deleted {
        Some(SkipReason::Deleted)
    } else if message.system.is_some() {
        Some(SkipReason::System)
    } else if !message.text.chars().any(char::is_alphanumeric) {
        Some(SkipReason::Empty)
    } else if message.is_bot && !reads_bots {
        Some(SkipReason::Bot)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Author, AuthorId, ChannelId, MessageId, NativeId, SourceId, Timestamp};

    #[track_caller]
    fn check(change: impl FnOnce(&mut Message), expected: Option<SkipReason>) {
        let id = MessageId::new(SourceId::new("s"), ChannelId::new("c"), NativeId::new("1"));
        let author = Author {
            id: AuthorId::new("u"),
            name: "U".to_owned(),
        };
        let mut message = Message::new(id, author, Timestamp::MIN, "we ship on Friday");
        change(&mut message);
        assert_eq!(skip_reason(&message, false), expected);
    }

    #[test]
    fn each_reason_is_told_and_the_strongest_first() {
        check(|_| (), None);
        check(|m| m.text = " 👍 … ".to_owned(), Some(SkipReason::Empty));
        check(|m| m.is_bot = true, Some(SkipReason::Bot));
        check(
            |m| m.system = Some("channel_join".to_owned()),
            Some(SkipReason::System),
        );
        check(
            |m| (m.is_deleted, m.is_bot) = (true, true),
            Some(SkipReason::Deleted),
        );
    }
}
