//! What Slack's subtypes mean for a reader.

/// What an object of a day file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Somebody said it.
    Said,
    /// Somebody said it, by a subtype that this version does not know.
    Unknown,
    /// It was deleted; its replies may still stand.
    Deleted,
    /// It carries another version of a message.
    Change,
    /// It tells that a message was deleted.
    Deletion,
    /// The platform wrote it.
    System,
}

/// Subtypes of what people and programs say.
const SAID: [&str; 8] = [
    "assistant_app_thread",
    "bot_message",
    "file_comment",
    "file_share",
    "me_message",
    "reply_broadcast",
    "slackbot_response",
    "thread_broadcast",
];

/// Subtypes of what the platform writes.
const SYSTEM: [&str; 19] = [
    "app_conversation_join",
    "app_conversation_leave",
    "bot_add",
    "bot_disable",
    "bot_enable",
    "bot_remove",
    "document_mention",
    "ekm_access_denied",
    "file_mention",
    "huddle_thread",
    "joiner_notification",
    "joiner_notification_for_inviter",
    "message_replied",
    "pinned_item",
    "reminder_add",
    "reminder_delete",
    "sh_room_created",
    "sh_room_shared",
    "unpinned_item",
];

/// Beginnings of subtypes of what the platform writes about a conversation.
const SYSTEM_PREFIXES: [&str; 4] = ["channel_", "group_", "mpim_", "im_"];

impl Kind {
    pub(super) fn of(subtype: Option<&str>) -> Self {
        let Some(subtype) = subtype else {
            return Self::Said;
        };
        match subtype {
            "tombstone" => Self::Deleted,
            "message_changed" => Self::Change,
            "message_deleted" => Self::Deletion,
            _ if SAID.contains(&subtype) => Self::Said,
            _ if SYSTEM.contains(&subtype) => Self::System,
            _ if SYSTEM_PREFIXES
                .iter()
                .any(|prefix| subtype.starts_with(prefix)) =>
            {
                Self::System
            }
            _ => Self::Unknown,
        }
    }
}
