//! One object of a day file to one message.

use atlas_core::model::{
    AuthorId, ChannelId, Message, MessageId, NativeId, Reaction, SourceId, Timestamp,
};
use serde_json::Value;

use super::author::{self, Doubt};
use super::kind::Kind;
use super::names::Names;
use super::saying::says;
use super::scribe::{Named, Scribe};
use super::{SOURCE, blocks, emoji, files, mrkdwn, time, unfurl};
use crate::json::{bool_of, list_of, object_of, text_of};
use crate::report::{DoubtReason, Report, SkipReason};

/// Reads the objects of one channel.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementReader<'a> {
    pub(super) channel: &'a ChannelId,
    pub(super) names: &'a Names,
}

/// A message, and whether it came as the news of a change to an earlier one.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) message: Message,
    pub(super) is_change: bool,
}

impl ElementReader<'_> {
    /// Gives the message, or why there is none. Doubts go to the report; counts do not.
    pub(super) fn read(&self, object: &Value, report: &mut Report) -> Result<Element, SkipReason> {
        if !object.is_object() {
            return Err(SkipReason::Malformed);
        }
        if text_of(object, "type").is_some_and(|kind| kind != "message") {
            return Err(SkipReason::NotAMessage);
        }
        let subtype = text_of(object, "subtype");
        let said = |message| Element {
            message,
            is_change: false,
        };
        match Kind::of(subtype) {
            Kind::System => Err(SkipReason::System(subtype.unwrap_or_default().to_owned())),
            Kind::Deleted => self.deleted(object, "ts", object, report).map(said),
            Kind::Said | Kind::Unknown if bool_of(object, "hidden") => Err(SkipReason::Hidden),
            Kind::Said => self.said(object, report).map(said),
            Kind::Unknown => {
                let message = self.said(object, report)?;
                let kind = subtype.unwrap_or_default();
                report.doubt(DoubtReason::UnknownKind, place(&message, kind));
                Ok(said(message))
            }
            Kind::Change => self.change(object, report),
            Kind::Deletion => {
                let before = object_of(object, "previous_message").unwrap_or(&Value::Null);
                let field = if object.get("deleted_ts").is_some() {
                    "deleted_ts"
                } else {
                    "ts"
                };
                let source = if field == "ts" { before } else { object };
                self.deleted(source, field, before, report)
                    .map(|message| Element {
                        message,
                        is_change: true,
                    })
            }
        }
    }

    /// Somebody's words; an object with neither words nor anything else is skipped.
    fn said(&self, object: &Value, report: &mut Report) -> Result<Message, SkipReason> {
        let message = self.message(object, report)?;
        let is_empty = message.text.trim().is_empty()
            && message.attachments.is_empty()
            && message.links.is_empty();
        if is_empty {
            Err(SkipReason::Empty)
        } else {
            Ok(message)
        }
    }

    fn change(&self, wrapper: &Value, report: &mut Report) -> Result<Element, SkipReason> {
        let object = object_of(wrapper, "message").ok_or(SkipReason::Malformed)?;
        let mut message = match Kind::of(text_of(object, "subtype")) {
            Kind::Deleted => self.deleted(object, "ts", object, report)?,
            Kind::Said | Kind::Unknown => self.message(object, report)?,
            Kind::System => {
                let subtype = text_of(object, "subtype").unwrap_or_default();
                return Err(SkipReason::System(subtype.to_owned()));
            }
            Kind::Change | Kind::Deletion => return Err(SkipReason::Malformed),
        };
        if message.edited_at.is_none() {
            message.edited_at = time::of(wrapper, "ts").map(|(_, instant)| instant);
        }
        Ok(Element {
            message,
            is_change: true,
        })
    }

    /// A message whose words are gone; `object`'s `field` names it, `before` is what it was.
    fn deleted(
        &self,
        object: &Value,
        field: &str,
        before: &Value,
        report: &mut Report,
    ) -> Result<Message, SkipReason> {
        let (native, sent_at) = when(object, field)?;
        let mut message = self.start(&native, sent_at, before, report);
        message.is_deleted = true;
        Ok(message)
    }

    fn message(&self, object: &Value, report: &mut Report) -> Result<Message, SkipReason> {
        let (native, sent_at) = when(object, "ts")?;
        let mut message = self.start(&native, sent_at, object, report);
        let (text, named) = self.words(object);
        message.text = text;
        message.mentions = named.mentions;
        message.links = named.links;
        message.attachments = files::of(object);
        message.reactions = reactions(object);
        message.edited_at = object_of(object, "edited")
            .and_then(|edited| time::of(edited, "ts"))
            .map(|(_, instant)| instant);
        for id in named.unresolved {
            report.doubt(DoubtReason::UnresolvedMention, place(&message, &id));
        }
        Ok(message)
    }

    /// The message but for its words and what hangs on them.
    fn start(
        &self,
        native: &str,
        sent_at: Timestamp,
        object: &Value,
        report: &mut Report,
    ) -> Message {
        let speaker = author::of(object, self.names);
        let id = MessageId::new(
            SourceId::new(SOURCE),
            self.channel.clone(),
            NativeId::new(native),
        );
        let mut message = Message::new(id, speaker.author, sent_at, "");
        message.is_bot = speaker.is_bot;
        message.thread_root = thread_root(object, native);
        let known = [
            ("subtype", text_of(object, "subtype").map(str::to_owned)),
            ("handle", speaker.handle),
            ("bot_id", speaker.bot_id),
        ];
        for (key, value) in known {
            if let Some(value) = value {
                message.metadata.insert(key.to_owned(), value);
            }
        }
        match speaker.doubt {
            Some(Doubt::Unresolved) => {
                let example = place(&message, message.author.id.as_str());
                report.doubt(DoubtReason::UnresolvedAuthor, example);
            }
            Some(Doubt::Missing) => report.doubt(DoubtReason::NoAuthor, place(&message, "")),
            None => {}
        }
        message
    }

    /// The words: the blocks, which Slack shows, unless the plain text says all that they do;
    /// then what the attachments add.
    fn words(&self, object: &Value) -> (String, Named) {
        let mut plain = Scribe::new(self.names);
        let raw = object
            .get("text")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let text = mrkdwn::render(raw, &mut plain);
        let mut blocky = Scribe::new(self.names);
        let block_text = blocks::text(list_of(object, "blocks"), &mut blocky);
        let plain_is_enough =
            block_text.is_empty() || (!text.trim().is_empty() && says(&text, &block_text));
        let (text, mut scribe, other) = if plain_is_enough {
            (text, plain, blocky)
        } else {
            (block_text, blocky, plain)
        };
        for link in other.named.links {
            scribe.named.link(&link.url, link.title.as_deref());
        }
        let text = unfurl::add_to(text, list_of(object, "attachments"), &mut scribe);
        (text, scribe.named)
    }
}

/// Where a doubt arose: `channel/ts: what`.
fn place(message: &Message, what: &str) -> String {
    format!("{}/{}: {what}", message.id.channel, message.id.native)
}

fn when(object: &Value, field: &str) -> Result<(String, Timestamp), SkipReason> {
    let value = object.get(field).filter(|value| !value.is_null());
    let text = time::text(value.ok_or(SkipReason::NoTime)?).ok_or(SkipReason::BadTime)?;
    let instant = time::instant(&text).ok_or(SkipReason::BadTime)?;
    Ok((text, instant))
}

/// The root of the thread; the list of replies that a root carries is not needed for it.
fn thread_root(object: &Value, native: &str) -> Option<NativeId> {
    let of_root = || {
        let root = object_of(object, "root")?;
        time::of(root, "thread_ts").or_else(|| time::of(root, "ts"))
    };
    let (root, _) = time::of(object, "thread_ts").or_else(of_root)?;
    (root != native).then(|| NativeId::new(root))
}

fn reactions(object: &Value) -> Vec<Reaction> {
    let reactions = list_of(object, "reactions").iter();
    let reactions = reactions.filter_map(|reaction| {
        let name = text_of(reaction, "name")?;
        let users = list_of(reaction, "users").iter().filter_map(Value::as_str);
        Some(Reaction {
            name: emoji::named(name).unwrap_or_else(|| name.to_owned()),
            users: users.map(AuthorId::new).collect(),
        })
    });
    reactions.collect()
}
