//! Who said a message.

use atlas_core::model::{Author, AuthorId};
use serde_json::Value;

use super::names::{Names, User};
use crate::json::{object_of, text_of};

/// The id of an author of whom the export tells nothing.
const NOBODY: &str = "unknown";

/// The author, and what is known besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Speaker {
    pub(super) author: Author,
    pub(super) handle: Option<String>,
    pub(super) bot_id: Option<String>,
    pub(super) is_bot: bool,
    pub(super) doubt: Option<Doubt>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    Unresolved,
    Missing,
}

/// Finds the author: the list of users first, then what the message itself tells.
///
/// A program goes by the name under which it posted, since one program may post under many.
pub(super) fn of(message: &Value, names: &Names) -> Speaker {
    let field = |name| text_of(message, name);
    let comment = object_of(message, "comment").and_then(|comment| text_of(comment, "user"));
    let profile = object_of(message, "bot_profile");
    let of_profile = |name| profile.and_then(|profile| text_of(profile, name));
    let bot_id = field("bot_id").or(of_profile("id"));
    let user_id = field("user").or(comment);
    let user = user_id.and_then(|id| names.user(id).cloned().or_else(|| own_profile(message)));
    let is_bot = bot_id.is_some()
        || profile.is_some()
        || field("subtype") == Some("bot_message")
        || user.as_ref().is_some_and(|user| user.is_bot);
    let posted_as = field("username").or(of_profile("name")).filter(|_| is_bot);

    let id = user_id.or(bot_id).or(field("app_id")).or(posted_as);
    let name = posted_as.or(user.as_ref().map(|user| user.name.as_str()));
    let doubt = match (id, name) {
        (None, _) => Some(Doubt::Missing),
        (_, None) => Some(Doubt::Unresolved),
        _ => None,
    };
    let id = id.unwrap_or(NOBODY);
    Speaker {
        author: Author {
            id: AuthorId::new(id),
            name: name.unwrap_or(id).trim().to_owned(),
        },
        handle: user.as_ref().and_then(|user| user.handle.clone()),
        bot_id: bot_id.map(str::to_owned),
        is_bot,
        doubt,
    }
}

/// Messages of people from other workspaces carry a profile.
fn own_profile(message: &Value) -> Option<User> {
    User::read(object_of(message, "user_profile")?)
}
