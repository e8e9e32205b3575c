//! What was said, exactly as it came.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::hash::ContentHash;
use super::ids::{AuthorId, MessageId, NativeId};
use super::time::Timestamp;

/// Who said it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Author {
    /// The platform's id of the author.
    pub id: AuthorId,
    /// The name as shown; the id where the platform gives no name.
    pub name: String,
}

/// A file or other thing that hangs on a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Attachment {
    /// Its name or title.
    pub name: String,
    /// Its media type, such as `image/png`, where the platform tells it.
    pub media_type: Option<String>,
    /// Where it is.
    pub url: Option<String>,
}

/// A reaction and who gave it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Reaction {
    /// The emoji itself or the platform's name of it.
    pub name: String,
    /// Who reacted, as raw ids.
    pub users: Vec<AuthorId>,
}

/// A link in a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Link {
    /// Where it leads.
    pub url: String,
    /// Its label or the title of the page.
    pub title: Option<String>,
}

/// A message of a channel.
///
/// Its identity is its [`MessageId`]; a version of it is named by [`Message::version`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Which message this is.
    pub id: MessageId,
    /// Who said it.
    pub author: Author,
    /// When it was said.
    pub sent_at: Timestamp,
    /// The text as a reader of the channel sees it; empty if it was deleted.
    pub text: String,
    /// The root of the thread that it belongs to; the root itself has none.
    pub thread_root: Option<NativeId>,
    /// The people whom the text addresses by handle, with the names that stand in the text.
    pub mentions: Vec<Author>,
    /// What hangs on it.
    pub attachments: Vec<Attachment>,
    /// The reactions to it.
    pub reactions: Vec<Reaction>,
    /// The links in it.
    pub links: Vec<Link>,
    /// When it was last edited.
    pub edited_at: Option<Timestamp>,
    /// Whether a program said it.
    pub is_bot: bool,
    /// Whether it was deleted; a deleted message keeps its place in its thread and has no text.
    pub is_deleted: bool,
    /// The platform's name for a message that no one wrote, such as `channel_topic`.
    pub system: Option<String>,
    /// What else the platform tells, by its own names.
    pub metadata: BTreeMap<String, String>,
}

impl Message {
    /// A plain text message; everything optional is empty.
    pub fn new(id: MessageId, author: Author, sent_at: Timestamp, text: impl Into<String>) -> Self {
        Self {
            id,
            author,
            sent_at,
            text: text.into(),
            thread_root: None,
            mentions: Vec::new(),
            attachments: Vec::new(),
            reactions: Vec::new(),
            links: Vec::new(),
            edited_at: None,
            is_bot: false,
            is_deleted: false,
            system: None,
            metadata: BTreeMap::new(),
        }
    }

    /// Names this version: a hash of everything in the message.
    pub fn version(&self) -> ContentHash {
        // Serialising plain data with string keys does not fail.
        ContentHash::of(&serde_json::to_vec(self).unwrap_or_default())
    }

    /// The root of its conversation: the thread's root, or itself.
    pub fn conversation(&self) -> MessageId {
        match &self.thread_root {
            Some(root) => MessageId {
                native: root.clone(),
                ..self.id.clone()
            },
            None => self.id.clone(),
        }
    }

    /// Whether this version replaces `current`, which is another version of the same message.
    ///
    /// A deletion beats what is not deleted, then the later edit wins; where both say the same,
    /// the one that arrives later does.
    pub fn replaces(&self, current: &Self) -> bool {
        (self.is_deleted, self.edited_at) >= (current.is_deleted, current.edited_at)
    }

    /// The same message with every word gone: what is left after it was forgotten.
    #[must_use]
    pub fn without_words(&self) -> Self {
        let nobody = Author {
            id: AuthorId::new(""),
            name: String::new(),
        };
        let mut bare = Self::new(self.id.clone(), nobody, self.sent_at, "");
        bare.thread_root.clone_from(&self.thread_root);
        bare.is_deleted = true;
        bare
    }
}
