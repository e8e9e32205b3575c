//! What a pushed body says.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::model::{
    Author, AuthorId, ChannelId, Message, MessageId, NativeId, SourceId, Timestamp,
};

/// How much may be pushed at once; each limit is included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushLimits {
    /// Bytes of the body.
    pub body: usize,
    /// Events.
    pub events: usize,
    /// Characters of a text.
    pub text: usize,
    /// Characters of an id of a message, a thread or a channel.
    pub id: usize,
    /// Characters of an author's id and name.
    pub author: usize,
}

impl Default for PushLimits {
    fn default() -> Self {
        Self {
            body: 10 * 1_024 * 1_024,
            events: 1_000,
            text: 100_000,
            id: 512,
            author: 256,
        }
    }
}

/// Why nothing of a push was taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PushRefusal {
    /// The source is not known, or did not sign it, or not now.
    #[error("not authenticated")]
    Unauthenticated,
    /// The source may not push to the channel.
    #[error("the source may not push to this channel")]
    ChannelNotAllowed,
    /// The body is larger than the limit.
    #[error("the body is larger than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// There are more events than the limit.
    #[error("there are more than {limit} events")]
    TooManyEvents {
        /// The limit.
        limit: usize,
    },
    /// The body is not what a push is.
    #[error("malformed: {0}")]
    Malformed(String),
    /// The key was used for another body.
    #[error("the idempotency key was used for another request")]
    KeyReused,
}

/// What became of one event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventResult {
    /// It is in the log.
    Taken,
    /// It is not, and why.
    Refused(String),
}

/// An event that can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PushedEvent {
    /// A message as it now is: new, or edited.
    Message(Box<Message>),
    /// A message is no more.
    Delete {
        /// The message.
        id: MessageId,
        /// When it was sent.
        sent_at: Timestamp,
    },
}

/// A body that was read: each event by itself, in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushRequest {
    /// The channel.
    pub channel: ChannelId,
    /// The events, or why one cannot be taken.
    pub events: Vec<Result<PushedEvent, String>>,
}

#[derive(Deserialize)]
struct RawRequest {
    channel_id: String,
    events: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Message,
    Edit,
    Delete,
}

#[derive(Deserialize)]
struct RawEvent {
    #[serde(default = "message_kind")]
    kind: Kind,
    message_id: String,
    timestamp: Timestamp,
    #[serde(default)]
    author: String,
    author_name: Option<String>,
    #[serde(default)]
    content: String,
    thread_id: Option<String>,
    edited_at: Option<Timestamp>,
    #[serde(default)]
    is_bot: bool,
}

fn message_kind() -> Kind {
    Kind::Message
}

/// Reads a body of JSON: `channel_id`, and `events` of which each has a `kind` (`message`, `edit`
/// or `delete`; a message if there is none), `message_id`, `timestamp` (RFC 3339: when the message
/// was sent) and, unless it is a deletion, `author`, `author_name`, `content`, `thread_id`,
/// `edited_at` (an edit needs it) and `is_bot`.
///
/// # Errors
///
/// [`PushRefusal`] if nothing of it can be taken. An event that cannot be costs no other.
pub fn read(
    source: &SourceId,
    body: &[u8],
    limits: &PushLimits,
) -> Result<PushRequest, PushRefusal> {
    if body.len() > limits.body {
        return Err(PushRefusal::TooLarge { limit: limits.body });
    }
    let raw: RawRequest =
        serde_json::from_slice(body).map_err(|cause| PushRefusal::Malformed(cause.to_string()))?;
    if raw.channel_id.is_empty() || is_longer(&raw.channel_id, limits.id) {
        let fault = format!("channel_id has 1 to {} characters", limits.id);
        return Err(PushRefusal::Malformed(fault));
    }
    if raw.events.len() > limits.events {
        return Err(PushRefusal::TooManyEvents {
            limit: limits.events,
        });
    }
    let channel = ChannelId::new(raw.channel_id);
    let events = raw
        .events
        .into_iter()
        .map(|it| event((source, &channel), it, limits))
        .collect();
    Ok(PushRequest { channel, events })
}

fn event(
    (source, channel): (&SourceId, &ChannelId),
    value: Value,
    limits: &PushLimits,
) -> Result<PushedEvent, String> {
    let raw: RawEvent = serde_json::from_value(value).map_err(|cause| cause.to_string())?;
    let name = raw.author_name.unwrap_or_else(|| raw.author.clone());
    let thread = raw
        .thread_id
        .filter(|it| *it != raw.message_id && !it.is_empty());
    let rows = [
        ("message_id", raw.message_id.as_str(), limits.id),
        (
            "thread_id",
            thread.as_deref().unwrap_or_default(),
            limits.id,
        ),
        ("author", raw.author.as_str(), limits.author),
        ("author_name", name.as_str(), limits.author),
        ("content", raw.content.as_str(), limits.text),
    ];
    for (field, text, limit) in rows {
        if is_longer(text, limit) {
            return Err(format!("{field} has more than {limit} characters"));
        }
    }
    if raw.message_id.is_empty() {
        return Err("message_id is empty".to_owned());
    }
    let native = NativeId::new(raw.message_id);
    let id = MessageId::new(source.clone(), channel.clone(), native);
    match raw.kind {
        Kind::Delete => {
            return Ok(PushedEvent::Delete {
                id,
                sent_at: raw.timestamp,
            });
        }
        Kind::Edit if raw.edited_at.is_none() => return Err("an edit without edited_at".to_owned()),
        Kind::Message | Kind::Edit => {}
    }
    if raw.author.is_empty() {
        return Err("author is empty".to_owned());
    }
    let author = Author {
        id: AuthorId::new(raw.author),
        name,
    };
    let mut message = Message::new(id, author, raw.timestamp, raw.content);
    message.thread_root = thread.map(NativeId::new);
    message.edited_at = raw.edited_at;
    message.is_bot = raw.is_bot;
    Ok(PushedEvent::Message(Box::new(message)))
}

fn is_longer(text: &str, limit: usize) -> bool {
    text.len() > limit && text.chars().nth(limit).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn one(event: &Value) -> Result<PushedEvent, String> {
        let body = json!({"channel_id": "c", "events": [event]}).to_string();
        let read = read(&SourceId::new("s"), body.as_bytes(), &PushLimits::default());
        read.unwrap().events.remove(0)
    }

    fn said(change: impl FnOnce(&mut Value)) -> Result<PushedEvent, String> {
        let mut event = json!({"message_id": "1", "timestamp": "2026-03-01T00:00:00Z",
            "author": "u", "content": "hello"});
        change(&mut event);
        one(&event)
    }

    #[test]
    fn each_limit_is_included() {
        for (field, limit) in [
            ("message_id", 512),
            ("thread_id", 512),
            ("author", 256),
            ("author_name", 256),
            ("content", 100_000),
        ] {
            assert!(
                said(|it| it[field] = json!("ü".repeat(limit))).is_ok(),
                "{field}"
            );
            let refused = said(|it| it[field] = json!("ü".repeat(limit + 1))).unwrap_err();
            assert!(refused.contains(field), "{refused}");
        }
        let limits = PushLimits {
            body: 60,
            events: 2,
            ..PushLimits::default()
        };
        let source = SourceId::new("s");
        let of = |n: usize| json!({"channel_id": "c", "events": vec![1; n]}).to_string();
        assert_eq!(
            read(&source, of(2).as_bytes(), &limits)
                .unwrap()
                .events
                .len(),
            2
        );
        let many = read(&source, of(3).as_bytes(), &limits).unwrap_err();
        assert_eq!(many, PushRefusal::TooManyEvents { limit: 2 });
        let padded = |n: usize| format!("{:n$}", of(1));
        assert!(read(&source, padded(60).as_bytes(), &limits).is_ok());
        let large = read(&source, padded(61).as_bytes(), &limits).unwrap_err();
        assert_eq!(large, PushRefusal::TooLarge { limit: 60 });
    }

    #[test]
    fn a_bad_event_costs_no_other_and_a_bad_body_is_refused() {
        let body = json!({"channel_id": "c", "events": [
            {"message_id": "1", "timestamp": "yesterday", "author": "u"},
            {"kind": "paint"},
            {"kind": "delete", "message_id": "2", "timestamp": "2026-03-01T00:00:00Z"},
        ]});
        let source = SourceId::new("s");
        let limits = PushLimits::default();
        let events = read(&source, body.to_string().as_bytes(), &limits)
            .unwrap()
            .events;
        let taken: Vec<bool> = events.iter().map(Result::is_ok).collect();
        assert_eq!(taken, [false, false, true]);
        for body in [
            "",
            "[]",
            "{\"events\":[]}",
            "{\"channel_id\":\"\",\"events\":[]}",
        ] {
            let refused = read(&source, body.as_bytes(), &limits);
            assert!(matches!(refused, Err(PushRefusal::Malformed(_))), "{body}");
        }
    }

    #[test]
    fn what_a_message_needs_is_demanded() {
        assert!(said(|_| ()).is_ok());
        assert!(said(|it| it["message_id"] = json!("")).is_err());
        assert!(said(|it| it["author"] = json!("")).is_err());
        assert!(said(|it| it["kind"] = json!("edit")).is_err());
        let edit = said(|it| {
            it["kind"] = json!("edit");
            it["edited_at"] = json!("2026-03-02T00:00:00Z");
        });
        assert!(edit.is_ok());
        // A root that names itself is no reply.
        let Ok(PushedEvent::Message(root)) = said(|it| it["thread_id"] = json!("1")) else {
            panic!("it was refused");
        };
        assert_eq!(root.thread_root, None);
    }
}
