//! Messages.

use atlas_core::model::{Attachment, Author, Link, Message, Reaction};
use proptest::collection::btree_map;
use proptest::prelude::*;

use super::ids::arb_native_id;
use super::{arb_author_id, arb_message_id, arb_name, arb_text, arb_timestamp, maybe, some_of};

/// Who said something.
pub fn arb_author() -> impl Strategy<Value = Author> {
    (arb_author_id(), arb_text()).prop_map(|(id, name)| Author { id, name })
}

/// What hangs on a message.
pub fn arb_attachment() -> impl Strategy<Value = Attachment> {
    (arb_text(), maybe(arb_text()), maybe(arb_text())).prop_map(|(name, media_type, url)| {
        Attachment {
            name,
            media_type,
            url,
        }
    })
}

/// A reaction.
pub fn arb_reaction() -> impl Strategy<Value = Reaction> {
    (arb_text(), some_of(arb_author_id())).prop_map(|(name, users)| Reaction { name, users })
}

/// A link.
pub fn arb_link() -> impl Strategy<Value = Link> {
    (arb_text(), maybe(arb_text())).prop_map(|(url, title)| Link { url, title })
}

/// A message of any channel, in which every field may say something.
///
/// A deleted message has no text.
pub fn arb_message() -> impl Strategy<Value = Message> {
    let said = (arb_message_id(), arb_author(), arb_timestamp(), arb_text());
    let hangs = (
        maybe(arb_native_id()),
        some_of(arb_author()),
        some_of(arb_attachment()),
        some_of(arb_reaction()),
        some_of(arb_link()),
    );
    let rest = (
        maybe(arb_timestamp()),
        any::<bool>(),
        prop::bool::weighted(0.2),
        maybe(arb_name()),
        btree_map(arb_text(), arb_text(), 0..=super::MOST),
    );
    (said, hangs, rest).prop_map(|(said, hangs, rest)| {
        let (id, author, sent_at, text) = said;
        let (thread_root, mentions, attachments, reactions, links) = hangs;
        let (edited_at, is_bot, is_deleted, system, metadata) = rest;
        Message {
            id,
            author,
            sent_at,
            text: if is_deleted { String::new() } else { text },
            thread_root,
            mentions,
            attachments,
            reactions,
            links,
            edited_at,
            is_bot,
            is_deleted,
            system,
            metadata,
        }
    })
}
